package agent

import (
	"fmt"

	"github.com/handset-go/handset/action"
)

// keyBucket is how close, in thousandths, two taps are the same tap.
const keyBucket = 16

// actionKey names what an action does, so that doing it again has the same name.
func (o *observation) actionKey(a action.Action) string {
	at := func(t action.Target) string {
		if t.Ref > 0 && o.rows != nil {
			if row, err := o.rows.Row(t.Ref); err == nil {
				return row.Role + " " + row.Label + " " + bucket(float64(row.Mil.X), float64(row.Mil.Y))
			}
		}
		return fmt.Sprintf("%d %s", t.Ref, bucket(t.At.X, t.At.Y))
	}
	key := string(a.Verb())
	switch a := a.(type) {
	case action.Tap:
		return key + at(a.Target)
	case action.DoubleTap:
		return key + at(a.Target)
	case action.LongPress:
		return key + at(a.Target)
	case action.Pinch:
		return key + at(a.Target) + fmt.Sprint(a.Scale)
	case action.Swipe:
		return key + at(a.From) + "," + at(a.To)
	case action.Drag:
		return key + at(a.From) + "," + at(a.To)
	}
	return action.Format(a)
}

func bucket(x, y float64) string { return fmt.Sprintf("%d,%d", int(x)/keyBucket, int(y)/keyBucket) }
