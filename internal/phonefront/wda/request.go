package wda

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
)

// request is a request as the routes see it.
type request struct {
	method string
	path   string // percent-decoded
	query  url.Values
	body   map[string]any
	list   bool // the body is an array, which no command can read
	last   bool // of its connection
}

// readBody reads the JSON of a body. What cannot be read is an empty object.
func (r *request) readBody(data []byte) {
	r.body = map[string]any{}
	var v any
	if json.Unmarshal(data, &v) != nil {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		r.body = v
	case []any:
		r.list = true
	}
}

// unhandled is the message for a path that no route has.
func (r *request) unhandled() string {
	params := map[string]string{"wildcards": strings.TrimPrefix(r.path, "/")}
	for k := range r.query {
		params[k] = r.query.Get(k)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Unhandled endpoint: %s with parameters {\n", r.path)
	for _, k := range slices.Sorted(maps.Keys(params)) {
		fmt.Fprintf(&b, "    %s = %s;\n", plistWord(k), plistWord(params[k]))
	}
	b.WriteString("}")
	return b.String()
}

// plistWord writes a string as the description of an NSDictionary does.
func plistWord(s string) string {
	plain := s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_')
	})
	if plain {
		return s
	}
	return fmt.Sprintf("%q", s)
}

// float returns a number of the body; null is an NSNull, which has no doubleValue.
func (c *call) float(name string) (n float64, given bool, err error) {
	v, ok := c.body[name]
	if !ok {
		return 0, false, nil
	}
	n, ok = number(v)
	if !ok {
		return 0, true, unrecognized(className(v), "doubleValue")
	}
	return n, true, nil
}

// floats returns numbers of the body in the order of names; one that is not there is 0, as it is for nil.
func (c *call) floats(names ...string) ([]float64, error) {
	out := make([]float64, len(names))
	for i, name := range names {
		n, _, err := c.float(name)
		if err != nil {
			return nil, err
		}
		out[i] = n
	}
	return out, nil
}

// className is what Objective-C calls a value of JSON.
func className(v any) string {
	switch v.(type) {
	case string:
		return "__NSCFString"
	case float64:
		return "__NSCFNumber"
	case bool:
		return "__NSCFBoolean"
	case []any:
		return "__NSArrayM"
	case map[string]any:
		return "__NSDictionaryM"
	}
	return "NSNull"
}
