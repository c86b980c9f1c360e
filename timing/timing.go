package timing

import (
	"context"
	"time"

	"github.com/handset-go/handset/internal/nap"
)

// Delay is the wait after one kind of action: none at 0, exact above it, and Settle (or any other
// negative value) until the screen stops changing.
type Delay time.Duration

// Settle waits until the screen has not changed for Timing.SettleQuiet, at most Timing.SettleLimit.
const Settle Delay = -1

// Max is the longest wait that FromEnv accepts: more is a typing mistake, such as milliseconds
// given as seconds.
const Max = 10 * time.Minute

// Exact returns the wait, and false where it is Settle.
func (d Delay) Exact() (time.Duration, bool) {
	if d < 0 {
		return 0, false
	}
	return time.Duration(d), true
}

// String returns "settle", or the wait as a duration such as "1.5s".
func (d Delay) String() string {
	if d < 0 {
		return "settle"
	}
	return time.Duration(d).String()
}

// Timing is every wait of an agent. The tags are the environment variables that FromEnv reads; the
// names, but for those of the settling, are Open-AutoGLM's.
type Timing struct {
	Tap       Delay `env:"PHONE_AGENT_TAP_DELAY"`
	DoubleTap Delay `env:"PHONE_AGENT_DOUBLE_TAP_DELAY"`
	LongPress Delay `env:"PHONE_AGENT_LONG_PRESS_DELAY"`
	Swipe     Delay `env:"PHONE_AGENT_SWIPE_DELAY"` // drags, pinches and free gestures too
	Back      Delay `env:"PHONE_AGENT_BACK_DELAY"`  // every other key too
	Home      Delay `env:"PHONE_AGENT_HOME_DELAY"`
	Launch    Delay `env:"PHONE_AGENT_LAUNCH_DELAY"` // opened URLs too

	// Open-AutoGLM slept at four points of typing. A driver here checks instead of sleeping, so
	// what is set is added up and waited for once, after the text is in.
	KeyboardSwitch  Delay `env:"PHONE_AGENT_KEYBOARD_SWITCH_DELAY"`
	TextClear       Delay `env:"PHONE_AGENT_TEXT_CLEAR_DELAY"`
	TextInput       Delay `env:"PHONE_AGENT_TEXT_INPUT_DELAY"`
	KeyboardRestore Delay `env:"PHONE_AGENT_KEYBOARD_RESTORE_DELAY"`

	// The three that follow are read for the sake of Open-AutoGLM's users and wait for nothing here: drivers do a
	// double tap in one step, and look whether a restart is over.

	// DoubleTapInterval lies between the taps of a double tap that is made of two.
	DoubleTapInterval time.Duration `env:"PHONE_AGENT_DOUBLE_TAP_INTERVAL"`
	// ADBRestart follows a switch of adb to TCP, ServerRestart lies between a tool's server being
	// stopped and started.
	ADBRestart    time.Duration `env:"PHONE_AGENT_ADB_RESTART_DELAY"`
	ServerRestart time.Duration `env:"PHONE_AGENT_SERVER_RESTART_DELAY"`

	SettleLimit time.Duration `env:"PHONE_AGENT_SETTLE_LIMIT"` // the longest that Settle waits; 0 makes Settle no wait
	SettleQuiet time.Duration `env:"PHONE_AGENT_SETTLE_QUIET"` // how long the screen must not change
	SettlePoll  time.Duration `env:"PHONE_AGENT_SETTLE_POLL"`  // the pause between two looks at the screen
}

// Default settles after every gesture and after typing and sleeps nowhere else, but for the gap of
// a double tap (0.1 s) and the restarts of a tool (2 s and 1 s), which are Open-AutoGLM's values.
func Default() Timing {
	return Timing{
		Tap: Settle, DoubleTap: Settle, LongPress: Settle, Swipe: Settle,
		Back: Settle, Home: Settle, Launch: Settle, TextInput: Settle,
		DoubleTapInterval: 100 * time.Millisecond,
		ADBRestart:        2 * time.Second,
		ServerRestart:     time.Second,
		SettleLimit:       3 * time.Second,
		SettleQuiet:       300 * time.Millisecond,
		SettlePoll:        100 * time.Millisecond,
	}
}

// Sleep waits for d or until ctx is done, and returns ctx.Err() in the second case.
func Sleep(ctx context.Context, d time.Duration) error { return nap.For(ctx, d) }
