package action

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// EncodeJSON is the one JSON form of an action, used on the command line, in traces and over the
// network:
//
//	{"verb":"Tap","at":[512,800],"message":"..."}
//
// The verb comes first, and then the keys that apply: app, text, at, from, to, message, instruction,
// duration_ms, key, url, scale, paths. A target by row is ref, from_ref or to_ref instead. Points
// that are not in PerMille, or would be read as fractions, add their space. A Gesture without paths, points of several spaces, and
// an action that is not one of this package are errors.
func EncodeJSON(a Action) ([]byte, error) { return Describe(a, nil) }

// Describe is EncodeJSON with the pixels that a view gives to the points: px beside at, px_from
// beside from, px_to beside to, px_paths beside paths. Its errors are View.Pixel's. A nil view adds
// nothing.
func Describe(a Action, v *View) ([]byte, error) {
	row, rec, ok := unpack(a)
	if !ok {
		return nil, fmt.Errorf("encode action: %T is not an action of this package", a)
	}
	var e encoder
	e.text("verb", string(row.verb))
	for i := range row.fields {
		if f := &row.fields[i]; f.written(&rec) {
			e.field(f, &rec, v)
		}
	}
	if e.err != nil {
		return nil, fmt.Errorf("encode %s: %w", row.verb, e.err)
	}
	if e.space != nil && (*e.space != PerMille || meant(PerMille, e.points) != PerMille) {
		e.text("space", e.space.String())
	}
	return append(e.buf.Bytes(), '}'), nil
}

// An encoder writes one object with its keys in order.
type encoder struct {
	buf    bytes.Buffer
	space  *Space
	points []*Point
	err    error
}

func (e *encoder) raw(key, value string) {
	e.buf.WriteByte("{,"[min(e.buf.Len(), 1)])
	e.buf.WriteString(strconv.Quote(key) + ":" + value)
}

func (e *encoder) text(key, s string) { e.raw(key, jsonText(s)) }

// jsonText is a JSON string that leaves < > and & readable.
func jsonText(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		return `""`
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (e *encoder) field(f *field, r *record, v *View) {
	switch slot := f.slot(r).(type) {
	case *string:
		e.text(f.key, *slot)
	case *time.Duration:
		e.raw(f.key, number(float64(*slot)/float64(time.Millisecond)))
	case *float64:
		e.number(f.key, *slot)
	case *Target:
		e.target(f, *slot, v)
	case *[][]Point:
		e.paths(f, *slot, v)
	}
}

func (e *encoder) number(key string, n float64) {
	if !(n >= minScale && n <= maxScale) {
		e.fail(fmt.Errorf("%s %v is not from %v to %v", key, n, minScale, maxScale))
		return
	}
	e.raw(key, number(n))
}

func (e *encoder) target(f *field, t Target, v *View) {
	if t.Ref > 0 {
		e.raw(f.refKey(), strconv.Itoa(t.Ref))
		return
	}
	e.point(t.At)
	e.raw(f.key, "["+t.At.String()+"]")
	if v == nil {
		return
	}
	px, err := v.Pixel(t.At)
	e.fail(err)
	e.raw(pxKey(f.key), pixelText(px))
}

func pxKey(key string) string {
	if key == "at" {
		return "px"
	}
	return "px_" + key
}

func pixelText(px image.Point) string { return fmt.Sprintf("[%d,%d]", px.X, px.Y) }

func (e *encoder) paths(f *field, paths [][]Point, v *View) {
	for _, path := range paths {
		for _, p := range path {
			e.point(p)
		}
		if len(path) == 0 {
			e.fail(errors.New("a path without points"))
		}
	}
	if len(paths) == 0 || len(paths) > maxPaths {
		e.fail(fmt.Errorf("%d paths: want 1 to %d", len(paths), maxPaths))
		return
	}
	e.raw(f.key, pathsText(paths))
	if v != nil {
		e.raw(pxKey(f.key), pathsText(e.pixels(paths, v)))
	}
}

func (e *encoder) pixels(paths [][]Point, v *View) [][]Point {
	out := make([][]Point, len(paths))
	for i, path := range paths {
		for _, p := range path {
			px, err := v.Pixel(p)
			e.fail(err)
			out[i] = append(out[i], Point{X: float64(px.X), Y: float64(px.Y), Space: SentPixels})
		}
	}
	return out
}

// point notes the space of a point, which all points of an action must share.
func (e *encoder) point(p Point) {
	e.fail(p.check())
	e.points = append(e.points, &p)
	if e.space == nil {
		e.space = &p.Space
	}
	if *e.space != p.Space {
		e.fail(fmt.Errorf("points in both %s and %s", *e.space, p.Space))
	}
}

func (e *encoder) fail(err error) {
	if e.err == nil {
		e.err = err
	}
}

// DecodeJSON reads what EncodeJSON wrote. It is as lenient as Parse about the names of verbs and
// keys, but the text must be JSON. Keys that the verb does not have are ignored, so what Describe
// wrote can be read too. What cannot be read is a *SyntaxError.
func DecodeJSON(data []byte) (Action, error) {
	text := string(data)
	if !json.Valid(data) || !utf8.Valid(data) {
		return nil, faultf(jsonFault(data), "this is not JSON").in(text)
	}
	s := scanner{src: text}
	v, fault := s.only()
	if fault != nil {
		return nil, fault.in(text)
	}
	c := &rawCall{name: "do", start: v.at, args: v.dict}
	a, fault := c.inItsSpace()
	if fault != nil {
		return nil, fault.in(text)
	}
	return a, nil
}

// inItsSpace makes the action of an object that may name the space of its points.
func (c *rawCall) inItsSpace() (Action, *SyntaxError) {
	in := PerMille
	for _, a := range c.args {
		if a.key != "space" {
			continue
		}
		var err error
		if in, err = ParseSpace(a.val.text); err != nil {
			return nil, faultf(a.val.at, "%v", err)
		}
		c.exact = true
	}
	return c.action(in)
}

// jsonFault is the offset at which a text stops being JSON.
func jsonFault(data []byte) int {
	var syntax *json.SyntaxError
	var whole json.RawMessage
	if err := json.Unmarshal(data, &whole); errors.As(err, &syntax) {
		return int(syntax.Offset)
	}
	return 0
}

// FromCall makes the action of a tool call: name is one of Schemas (or any name of a verb that Parse
// knows), arguments its JSON object, where an empty text means none. What cannot be read is a
// *SyntaxError, with the offset in the arguments.
func FromCall(name string, arguments []byte) (Action, error) {
	text := string(arguments)
	v := value{kind: isDict}
	if strings.TrimSpace(text) != "" {
		s := scanner{src: text}
		var fault *SyntaxError
		if v, fault = s.only(); fault != nil {
			return nil, fault.in(text)
		}
	}
	verb := arg{key: "action", val: value{kind: isString, text: name}}
	c := &rawCall{name: "do", args: append([]arg{verb}, v.dict...)}
	a, fault := c.action(PerMille)
	if fault != nil {
		return nil, fault.in(text)
	}
	return a, nil
}

// MarshalJSON writes {"thinking":"...","action":{...}}.
func (r Reply) MarshalJSON() ([]byte, error) { return r.describe(nil) }

// UnmarshalJSON reads what MarshalJSON wrote.
func (r *Reply) UnmarshalJSON(data []byte) error {
	var parts struct {
		Thinking string
		Action   json.RawMessage
	}
	if err := json.Unmarshal(data, &parts); err != nil {
		return err
	}
	a, err := DecodeJSON(parts.Action)
	if err != nil {
		return err
	}
	*r = Reply{parts.Thinking, a}
	return nil
}

func (r Reply) describe(v *View) ([]byte, error) {
	inner, err := Describe(r.Action, v)
	if err != nil {
		return nil, err
	}
	var e encoder
	e.text("thinking", r.Thinking)
	e.raw("action", string(inner))
	return append(e.buf.Bytes(), '}'), nil
}

// ReplyJSON is the outcome of Parse for a program: {"thinking":"...","action":{...}}, with pixels
// where a view is given, or {"error":{"offset":N,"message":"..."}} for an error of Parse or of the
// view. The offset of an error that has none is 0. The second result says whether it is an action.
func ReplyJSON(r Reply, err error, v *View) ([]byte, bool) {
	if err == nil {
		var out []byte
		if out, err = r.describe(v); err == nil {
			return out, true
		}
	}
	var inner encoder
	var syntax *SyntaxError
	if errors.As(err, &syntax) {
		inner.raw("offset", strconv.Itoa(syntax.Offset))
		inner.text("message", syntax.Msg)
	} else {
		inner.raw("offset", "0")
		inner.text("message", err.Error())
	}
	var e encoder
	e.raw("error", inner.buf.String()+"}")
	return append(e.buf.Bytes(), '}'), false
}
