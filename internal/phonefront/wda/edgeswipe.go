package wda

import (
	"time"

	"github.com/handset-go/handset/driver"
)

// The bottom edge of an iPhone, in points, and what a swipe from there must be.
const (
	edgeHeight   = 20
	edgeWay      = 60
	switcherHold = 300 * time.Millisecond
)

// fromBottom does what a swipe up from the bottom edge means where the phone in general has another meaning
// for it: with a rest at its end it opens the app switcher, and on a phone with a home button it pulls up the
// control centre. It says whether it was one of these.
func (d *Device) fromBottom(strokes []driver.Stroke) bool {
	if len(strokes) != 1 || len(strokes[0]) < 2 || d.phone.Power().Locked {
		return false
	}
	s := strokes[0]
	_, scale := d.perPoint()
	end := s[len(s)-1]
	if float64(d.phone.Size().Y-s[0].At.Y) > edgeHeight*scale || float64(s[0].At.Y-end.At.Y) < edgeWay*scale {
		return false
	}
	rested := end.After
	for i := len(s) - 2; i >= 0 && s[i].At == end.At; i-- {
		rested = s[i].After
	}
	switch {
	case d.profile.Button:
		d.phone.ShowShade(true)
	case end.After-rested >= switcherHold:
		d.phone.Key(driver.KeyRecents)
	default:
		return false
	}
	return true
}
