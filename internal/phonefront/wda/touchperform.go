package wda

import (
	"image"
	"time"

	"github.com/handset-go/handset/driver"
)

// touchPerform is the protocol of gestures before W3C, which was removed in 7.0.0: one list of actions.
func (c *call) touchPerform() (any, error) {
	list, _ := c.body["actions"].([]any)
	s, err := c.touchChain(list)
	if err != nil {
		return nil, err
	}
	return nil, c.play(s...)
}

// touchMultiPerform plays a list of such lists, a finger each.
func (c *call) touchMultiPerform() (any, error) {
	lists, _ := c.body["actions"].([]any)
	var all []driver.Stroke
	for _, l := range lists {
		list, ok := l.([]any)
		if !ok { // gwda sends one list here too
			return c.touchPerform()
		}
		s, err := c.touchChain(list)
		if err != nil {
			return nil, err
		}
		all = append(all, s...)
	}
	if len(all) == 0 {
		return nil, fail(errUnknown, "Actions list cannot be empty")
	}
	return nil, c.play(all...)
}

func (c *call) touchChain(list []any) ([]driver.Stroke, error) {
	if len(list) == 0 {
		return nil, fail(errUnknown, "Actions list cannot be empty")
	}
	if _, err := c.appHere(); err != nil {
		return nil, err
	}
	ch := &chain{c: c}
	for _, v := range list {
		item, _ := v.(map[string]any)
		if err := ch.touch(text(item["action"]), item); err != nil {
			return nil, err
		}
	}
	ch.up()
	return ch.strokes, nil
}

func (ch *chain) touch(action string, item map[string]any) error {
	opts, _ := item["options"].(map[string]any)
	switch action {
	case "tap", "longPress", "press", "moveTo":
		if err := ch.aim(opts); err != nil {
			return err
		}
	case "wait":
		n, _ := number(opts["ms"])
		ch.now += time.Duration(max(n, 0) * float64(time.Millisecond))
		ch.mark()
		return nil
	case "release":
		ch.up()
		return nil
	default:
		return fail(errUnknown, "Unknown action '%s'", action)
	}
	switch action {
	case "moveTo":
		ch.now += 200 * time.Millisecond
		ch.mark()
	case "press":
		ch.down = true
		ch.mark()
	case "tap":
		ch.down = true
		ch.mark()
		ch.now += tapTime
		ch.up()
		ch.now += tapGap
	case "longPress":
		n, given := number(opts["duration"])
		if !given {
			n = 500
		}
		ch.down = true
		ch.mark()
		ch.now += time.Duration(n * float64(time.Millisecond))
		ch.mark()
	}
	return nil
}

func (ch *chain) aim(opts map[string]any) error {
	x, okX := number(opts["x"])
	y, okY := number(opts["y"])
	base := image.Rectangle{}
	if id := text(opts["element"]); id != "" {
		e, err := ch.c.element(id)
		if err != nil {
			return err
		}
		if base, err = ch.c.finite(e); err != nil {
			return err
		}
	}
	switch {
	case okX && okY:
		ch.at = spot{float64(base.Min.X) + x, float64(base.Min.Y) + y}
	case !base.Empty():
		ch.at = middleOf(base)
	default:
		return fail(errUnknown, "Either element or both x and y coordinates must be provided")
	}
	ch.known = true
	return nil
}
