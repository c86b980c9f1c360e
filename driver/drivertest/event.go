package drivertest

import (
	"image"
	"time"

	"github.com/handset-go/handset/driver"
)

// Event is something that was done to a phone, as the phone saw it. What happened because of it (the page
// that a tap opened) need not be in the log.
type Event struct {
	Kind  string
	At    image.Point   // of touches: where they began, in pixels of the upright frame
	To    image.Point   // KindSwipe, KindDrag: where they ended
	Over  time.Duration // of touches: how long they took, 0 if not known
	Key   driver.Key    // KindKey
	Text  string        // KindText: what arrived; KindURL: the URL; KindRun: the command
	App   string        // KindLaunch: the id
	Touch string        // what was touched: the text, description or id of the node, "" if not known
	// Began and Ended are when the phone was busy with a gesture, zero if not known.
	Began, Ended time.Time
}

// The kinds of Event. A phone that sees two taps for a double tap, or a swipe to the same place for a hold,
// may say so.
const (
	KindTap       = "tap"
	KindDoubleTap = "double tap"
	KindHold      = "hold"
	KindSwipe     = "swipe"
	KindDrag      = "drag"  // a hold, and then a move
	KindTouch     = "touch" // anything else that fingers do
	KindKey       = "key"
	KindText      = "text"
	KindLaunch    = "launch"
	KindURL       = "url"
	KindRun       = "run" // a command that was not the driver's
)

// fold names a gesture in one way, whichever way the phone saw it: a swipe to the same place is a hold, and
// two taps on one place are a double tap.
func fold(events []Event) []Event {
	var out []Event
	for _, e := range events {
		if e.Kind == KindSwipe && e.At == e.To {
			e.Kind = KindHold
		}
		if e.Kind == KindHold {
			e.To = image.Point{}
		}
		if n := len(out); n > 0 && e.Kind == KindTap && out[n-1].Kind == KindTap && out[n-1].At == e.At {
			out[n-1].Kind = KindDoubleTap
			continue
		}
		out = append(out, e)
	}
	return out
}

// touches are the events that fingers made.
func touches(events []Event) []Event {
	return only(events, KindTap, KindDoubleTap, KindHold, KindSwipe, KindDrag, KindTouch)
}

func only(events []Event, kinds ...string) []Event {
	var out []Event
	for _, e := range events {
		for _, k := range kinds {
			if e.Kind == k {
				out = append(out, e)
			}
		}
	}
	return out
}

// near says that two points are at most slack pixels apart in each direction.
func near(a, b image.Point, slack int) bool {
	d := a.Sub(b)
	return max(d.X, -d.X) <= slack && max(d.Y, -d.Y) <= slack
}
