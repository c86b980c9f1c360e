package timing

// Kind is a kind of action that a wait may follow.
type Kind int

// The kinds of actions. Drags, pinches and free gestures count as AfterSwipe, an opened URL as
// AfterLaunch, every key but Home as AfterBack. The zero Kind is followed by no wait.
const (
	AfterNothing Kind = iota
	AfterTap
	AfterDoubleTap
	AfterLongPress
	AfterSwipe
	AfterBack
	AfterHome
	AfterLaunch
	AfterType
)

// After returns the wait that follows an action of kind k, and 0 for an unknown kind.
func (t Timing) After(k Kind) Delay {
	switch k {
	case AfterTap:
		return t.Tap
	case AfterDoubleTap:
		return t.DoubleTap
	case AfterLongPress:
		return t.LongPress
	case AfterSwipe:
		return t.Swipe
	case AfterBack:
		return t.Back
	case AfterHome:
		return t.Home
	case AfterLaunch:
		return t.Launch
	case AfterType:
		return t.afterType()
	}
	return 0
}

// afterType adds the exact keyboard waits up. Settle counts only where there is no exact one.
func (t Timing) afterType() Delay {
	var sum, settle Delay
	for _, d := range []Delay{t.KeyboardSwitch, t.TextClear, t.TextInput, t.KeyboardRestore} {
		if d < 0 {
			settle = Settle
		} else {
			sum += d
		}
	}
	if sum > 0 {
		return sum
	}
	return settle
}
