package action

import (
	"errors"
	"time"
)

// verb returns the argument that names the verb of a call, or nil.
func (c *rawCall) verb() *arg {
	for i := range c.args {
		if k := c.args[i].key; verbKey(k) && !(k == "_metadata" && c.args[i].val.text == "do") {
			return &c.args[i]
		}
	}
	if len(c.args) > 0 && c.args[0].key == "" {
		return &c.args[0]
	}
	return nil
}

// action makes the typed action of a call, or says what is wrong with it.
func (c *rawCall) action(in Space) (Action, *SyntaxError) {
	if c.fault != nil {
		return nil, c.fault
	}
	if fault := c.twice(); fault != nil {
		return nil, fault
	}
	row, args, fault := c.row()
	if fault != nil {
		return nil, fault
	}
	b := builder{row: row, args: args, space: in, at: c.start}
	for i := range row.fields {
		if fault := b.field(&row.fields[i], i); fault != nil {
			return nil, fault
		}
	}
	if !c.exact {
		b.settle()
	}
	return row.pack(b.rec), nil
}

// twice refuses an argument that is given twice: only one of them can have been meant.
func (c *rawCall) twice() *SyntaxError {
	seen := map[string]bool{}
	for _, a := range c.args {
		if a.key != "" && seen[a.key] {
			return faultf(a.at, "%s is given twice: give it once", a.key)
		}
		seen[a.key] = true
	}
	return nil
}

// row finds the verb, and returns the arguments without it.
func (c *rawCall) row() (*row, []arg, *SyntaxError) {
	if c.name == "finish" {
		return rowOf(VerbFinish), c.args, nil
	}
	verb := c.verb()
	if verb == nil {
		return nil, nil, faultf(c.start, `no action named: write do(action="...")`)
	}
	row := rowNamed(verb.val.text)
	if row == nil || verb.val.kind != isString && verb.val.kind != isWord {
		return nil, nil, faultf(verb.val.at, "unknown action %q: the known ones are %s", clip(verb.val.text, 40), knownVerbs())
	}
	args := c.args
	if verb == &c.args[0] {
		args = c.args[1:]
	}
	return row, args, nil
}

// A builder fills the record of one verb.
type builder struct {
	row   *row
	args  []arg
	space Space
	at    int // where the call begins
	rec   record
	read  []*Point // the points in rec
}

// settle puts the points into the space that they are meant in.
func (b *builder) settle() {
	in := meant(b.space, b.read)
	for _, p := range b.read {
		p.Space = in
	}
}

// field fills one field from the arguments.
func (b *builder) field(f *field, index int) *SyntaxError {
	a, fault := b.find(f, index)
	if fault != nil {
		return fault
	}
	target, isTarget := f.slot(&b.rec).(*Target)
	if isTarget {
		ref, fault := b.ref(f)
		if fault != nil {
			return fault
		}
		if ref > 0 {
			*target = Target{Ref: ref}
			return nil
		}
	}
	if a == nil {
		return b.missing(f)
	}
	return b.fill(f, a)
}

func (b *builder) missing(f *field) *SyntaxError {
	if f.fallback != "" {
		return b.fill(f, &arg{key: f.arg, val: value{kind: isString, text: f.fallback}})
	}
	if f.required {
		return faultf(b.at, "%s is missing: %s needs %s=%s", f.arg, b.row.verb, f.arg, f.sample)
	}
	return nil
}

// find returns the argument that is meant for the field, if there is one.
func (b *builder) find(f *field, index int) (*arg, *SyntaxError) {
	var found *arg
	positional := 0
	for i := range b.args {
		a := &b.args[i]
		mine := f.called(a.key)
		if a.key == "" {
			mine = positional == index
			positional++
		}
		if !mine || a.val.kind == isNothing {
			continue
		}
		if found != nil {
			return nil, faultf(a.at, "%s is given twice: give it once", f.arg)
		}
		found = a
	}
	return found, nil
}

func (f *field) called(name string) bool {
	if name == f.arg || name == f.key {
		return true
	}
	for _, n := range f.also {
		if n == name {
			return true
		}
	}
	return false
}

// ref reads the number of a row, or 0 where the target has none.
func (b *builder) ref(f *field) (int, *SyntaxError) {
	for i := range b.args {
		a := &b.args[i]
		if a.key != f.refKey() || a.val.kind == isNothing {
			continue
		}
		v := a.val
		if v.kind == isList && len(v.list) == 1 {
			v = v.list[0]
		}
		n, ok := parseNumber(v.text)
		if !ok || n != float64(int(n)) || n < 1 || n > maxRef {
			return 0, faultf(a.val.at, "%s must be the number of a row, such as %s=12", a.key, a.key)
		}
		return int(n), nil
	}
	return 0, nil
}

const maxRef = 1 << 30

// fill reads a value as what the field holds.
func (b *builder) fill(f *field, a *arg) (fault *SyntaxError) {
	switch slot := f.slot(&b.rec).(type) {
	case *string:
		*slot, fault = textOf(f, a)
	case *Target:
		slot.At, fault = pointOf(a, b.space)
		b.read = append(b.read, &slot.At)
	case *[][]Point:
		*slot, fault = pathsOf(a, b.space)
		for _, path := range *slot {
			for i := range path {
				b.read = append(b.read, &path[i])
			}
		}
	case *float64:
		*slot, fault = scaleOf(a)
	case *time.Duration:
		*slot, fault = durationOf(a, b.row.verb)
	}
	return fault
}

// placed turns what is wrong with a point into a fault at its place.
func placed(at int, err error) *SyntaxError {
	fault := faultf(at, "%v", err)
	for _, kind := range []error{ErrNoTarget, ErrOutside} {
		if errors.Is(err, kind) {
			fault.Err = kind
		}
	}
	return fault
}
