package action

// object handles an object at the top level of a reply: models that were not trained on the
// protocol write {"action": "Tap", "element": [x,y]} and the like.
func (s *scanner) object() {
	start := s.pos
	s.seen()
	v, fault := s.fields(0)
	if fault != nil {
		s.near = fault
		return
	}
	c := v.call()
	if c == nil {
		s.near = faultf(start, "this object names no action: write do(action=...) or finish(message=...)")
		return
	}
	s.keep(start, c)
}

// call makes a call of an object that names an action, and otherwise returns nil.
func (v value) call() *rawCall {
	inner := v.get("action")
	if inner == nil {
		inner = v.get("function")
	}
	if inner != nil && inner.kind == isDict {
		return inner.call()
	}
	if name := v.get("name"); name != nil && name.kind == isString {
		if c := v.toolCall(name); c != nil {
			return c
		}
	}
	c := &rawCall{name: "do", start: v.at, args: v.dict}
	if m := v.get("_metadata"); m != nil && m.text == "finish" {
		c.name = "finish"
		return c
	}
	if c.verb() == nil {
		return nil
	}
	return c
}

// toolCall reads {"name": ..., "arguments": {...}}, whose arguments may be a string of JSON.
func (v value) toolCall(name *value) *rawCall {
	args := v.get("arguments")
	if args == nil {
		args = v.get("parameters")
	}
	if args == nil {
		return nil
	}
	dict := args.dict
	if args.kind == isString {
		s := scanner{src: args.text}
		if inner, fault := s.only(); fault == nil {
			dict = inner.dict
		}
	}
	verb := *name
	return &rawCall{name: "do", start: v.at, args: append([]arg{{key: "action", at: name.at, val: verb}}, dict...)}
}

func (v value) get(key string) *value {
	for i := range v.dict {
		if v.dict[i].key == key {
			return &v.dict[i].val
		}
	}
	return nil
}

// only reads a text that is one object and nothing else.
func (s *scanner) only() (value, *SyntaxError) {
	s.pos = s.space(0)
	if s.pos == len(s.src) || s.src[s.pos] != '{' {
		return value{}, faultf(s.pos, "want an object")
	}
	v, fault := s.fields(0)
	if fault != nil {
		return v, fault
	}
	if end := s.space(s.pos); end < len(s.src) {
		return v, faultf(end, "unexpected text after the object")
	}
	return v, nil
}
