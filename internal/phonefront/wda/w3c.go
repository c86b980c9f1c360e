package wda

import (
	"time"

	"github.com/handset-go/handset/driver"
)

// leadingPause is the first release that takes a pause before the first move.
var leadingPause = version{16, 12, 2}

// strokeGap is between two touches of one finger, so that they stay two.
const strokeGap = time.Millisecond

// actions plays the actions of W3C WebDriver. What is wrong with them is a 500, and not an invalid argument.
func (c *call) actions() (any, error) {
	list, ok := c.body["actions"].([]any)
	if !ok || len(list) == 0 {
		return nil, fail(errUnknown, "Actions list cannot be empty")
	}
	if _, err := c.appHere(); err != nil {
		return nil, err
	}
	all := &inputs{c: c, ids: map[string]bool{}}
	for _, v := range list {
		desc, _ := v.(map[string]any)
		if err := all.add(desc); err != nil {
			return nil, err
		}
	}
	if len(all.strokes) > 0 {
		if err := c.play(all.strokes...); err != nil {
			return nil, err
		}
	}
	for _, k := range all.keys {
		c.d.typeRune(k)
	}
	return nil, nil
}

// inputs are the fingers and the keys of one request.
type inputs struct {
	c       *call
	ids     map[string]bool
	strokes []driver.Stroke
	keys    []string
}

// add reads one source of input. One without items is skipped.
func (in *inputs) add(desc map[string]any) error {
	id := text(desc["id"])
	switch {
	case id == "":
		return fail(errUnknown, "Action id must be a non-empty string")
	case in.ids[id]:
		return fail(errUnknown, "Action id '%s' must be unique", id)
	}
	in.ids[id] = true
	items, ok := desc["actions"].([]any)
	switch {
	case !ok:
		return fail(errUnknown, "It is mandatory to have at least one item defined for each action. Action with id '%s' contains none", id)
	case len(items) == 0:
		return nil
	}
	switch kind := text(desc["type"]); kind {
	case "pointer":
		s, err := in.c.finger(desc, items)
		in.strokes = append(in.strokes, s...)
		return err
	case "key":
		k, err := keyChain(items)
		in.keys = append(in.keys, k...)
		return err
	default:
		return fail(errUnknown, "Only actions of '(\n    pointer,\n    key\n)' types are supported. '%s' is given instead for action with id '%s'", kind, id)
	}
}

// chain is one finger while its actions are read.
type chain struct {
	c       *call
	at      spot
	known   bool // at is set
	now     time.Duration
	down    bool
	stroke  driver.Stroke
	strokes []driver.Stroke
}

// finger reads the actions of one pointer.
func (c *call) finger(desc map[string]any, items []any) ([]driver.Stroke, error) {
	params, _ := desc["parameters"].(map[string]any)
	kind := text(params["pointerType"])
	if kind == "" {
		kind = "mouse"
	}
	if kind != "touch" {
		return nil, fail(errUnknown, "Only pointer type 'touch' is supported. '%s' is given instead for action with id '%s'", kind, text(desc["id"]))
	}
	ch := &chain{c: c}
	for _, item := range withoutCanceled(items) {
		if err := ch.do(item); err != nil {
			return nil, err
		}
	}
	ch.up()
	return ch.strokes, nil
}

// withoutCanceled drops each pointerCancel with the item before it.
func withoutCanceled(items []any) []map[string]any {
	var kept []map[string]any
	for _, v := range items {
		item, _ := v.(map[string]any)
		if text(item["type"]) == "pointerCancel" {
			kept = kept[:max(len(kept)-1, 0)]
			continue
		}
		kept = append(kept, item)
	}
	return kept
}

func (ch *chain) do(item map[string]any) error {
	kind := text(item["type"])
	long, err := milliseconds(item)
	if err != nil {
		return err
	}
	if !ch.known && kind != "pointerMove" && (kind != "pause" || !ch.c.d.version.atLeast(leadingPause)) {
		return fail(errUnknown, "The '%s' action item must be preceded by pointerMove item", kind)
	}
	switch kind {
	case "pointerMove":
		return ch.move(item, long)
	case "pause":
		ch.now += long
		ch.mark()
	case "pointerDown":
		if ch.down {
			return fail(errUnknown, "'pointerDown' action item must be followed by 'pointerUp' before the next one")
		}
		ch.down = true
		if n := len(ch.strokes); n > 0 {
			last := ch.strokes[n-1]
			ch.now = max(ch.now, last[len(last)-1].After+strokeGap)
		}
		ch.mark()
	case "pointerUp":
		if !ch.down {
			return fail(errUnknown, "'pointerUp' action item must be preceded by 'pointerDown'")
		}
		ch.up()
	default:
		return fail(errUnknown, "Unknown action item type '%s'", kind)
	}
	return nil
}

// mark says where the finger is now, if it touches.
func (ch *chain) mark() {
	if ch.down {
		ch.stroke = append(ch.stroke, driver.Waypoint{At: ch.c.d.pixel(ch.at), After: ch.now})
	}
}

func (ch *chain) up() {
	if ch.down {
		ch.mark()
		ch.strokes = append(ch.strokes, ch.stroke)
		ch.stroke, ch.down = nil, false
	}
}

func (ch *chain) move(item map[string]any, over time.Duration) error {
	x, okX := number(item["x"])
	y, okY := number(item["y"])
	base, err := ch.origin(item["origin"])
	if err != nil {
		return err
	}
	if !okX || !okY {
		if _, viewport := item["origin"].(string); viewport || item["origin"] == nil {
			return fail(errUnknown, "X and Y coordinates must be provided for the 'pointerMove' action item")
		}
	}
	ch.at, ch.known = spot{base.x + x, base.y + y}, true
	ch.now += over
	ch.mark()
	return nil
}

// origin is what x and y of a move are relative to: the window, the finger, or the middle of an element.
func (ch *chain) origin(v any) (spot, error) {
	id := ""
	switch o := v.(type) {
	case nil:
		return spot{}, nil
	case string:
		switch o {
		case "viewport":
			return spot{}, nil
		case "pointer":
			if !ch.known {
				return spot{}, fail(errUnknown, "The origin 'pointer' needs a pointerMove item before it")
			}
			return ch.at, nil
		}
		id = o
	case map[string]any:
		if id = text(o[elementKey]); id == "" {
			id = text(o["ELEMENT"])
		}
	}
	e, err := ch.c.element(id)
	if err != nil {
		return spot{}, err
	}
	if !e.Visible {
		return spot{}, fail(errNotVisible, "The element %s is not visible on the screen", e.describe())
	}
	r, err := ch.c.finite(e)
	return middleOf(r), err
}

// milliseconds is the duration of an item.
func milliseconds(item map[string]any) (time.Duration, error) {
	v, ok := item["duration"]
	if !ok || v == nil {
		return 0, nil
	}
	n, _ := number(v)
	if n < 0 {
		return 0, fail(errUnknown, "The duration of '%s' action item must be non-negative", text(item["type"]))
	}
	return time.Duration(min(n, 3.6e6) * float64(time.Millisecond)), nil
}

// keyChain reads the actions of a keyboard, and returns the keys in the order in which they go down.
func keyChain(items []any) ([]string, error) {
	down := map[string]bool{}
	var keys []string
	for _, item := range withoutCanceled(items) {
		value := text(item["value"])
		if _, err := milliseconds(item); err != nil {
			return nil, err
		}
		switch kind := text(item["type"]); kind {
		case "keyDown":
			if value == "" {
				return nil, fail(errUnknown, "Key value must be a non-empty string")
			}
			down[value] = true
			keys = append(keys, value)
		case "keyUp":
			if !down[value] {
				return nil, fail(errUnknown, "'keyUp' action item must be preceded by 'keyDown' of the same key")
			}
			delete(down, value)
		case "pause":
		default:
			return nil, fail(errUnknown, "Unknown action item type '%s'", kind)
		}
	}
	if len(down) > 0 {
		return nil, fail(errUnknown, "Each 'keyDown' action item must have a corresponding 'keyUp'")
	}
	return keys, nil
}
