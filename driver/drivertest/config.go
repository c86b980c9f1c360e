package drivertest

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/handset-go/handset/driver"
)

// Config says how the suite reaches phones, and what it may expect of them. Only Open must be set.
type Config struct {
	// Open returns a fresh phone, at rest on its first page, with a driver open on it. The suite closes
	// the driver; what else the harness started, it ends with t.Cleanup.
	Open func(t testing.TB) *Phone

	// Impatient is Open with a driver whose own limits are far below a second.
	Impatient func(t testing.TB) *Phone

	// More are further phones, by name: other sizes, other densities. The cases about coordinates run on
	// each of them.
	More map[string]func(t testing.TB) *Phone

	Apps Apps

	// Ops are the operations that the driver is meant to have, by itself or by a slow path.
	Ops []driver.Op

	// Slack is how far from the point a touch may land, in pixels: 0, or what the units of the tool cost.
	Slack int

	// Unreported are the flags that the tool does not report: no node may claim to know them.
	Unreported driver.Flag

	// Echo is a command of the phone that prints its one further argument, such as printf %s.
	Echo []string

	// File is a path on the phone that Push may write.
	File string

	// Wrap is a wrapper that lets everything through, which must keep what the driver can do. Nil is
	// driver.Wrap.
	Wrap func(d driver.Driver) driver.Driver

	// Refuse is a wrapper that refuses an operation, which no slow path may go round. Nil is driver.Wrap.
	Refuse func(d driver.Driver, op driver.Op) driver.Driver

	// Refuses are the cases, by name, in which this phone must refuse what is asked: with an error that
	// matches the value, and with nothing sent.
	Refuses map[string]error

	// RefusesOps are the operations that this phone must refuse wherever they are asked for, with the
	// error that the refusal matches: tap, swipe and the rest on a phone that blocks injected input
	// (driver.ErrInputBlocked), drag on a system that has none (errors.ErrUnsupported). The case op/<name>
	// wants the refusal. Every other case keeps its rule or ends with the refusal, with nothing sent.
	RefusesOps map[driver.Op]error

	// Declared are the cases, by name, that the driver cannot pass, with the reason that its
	// documentation gives. They are skipped with it.
	Declared map[string]string
}

// valid says what is wrong with a Config before any phone is opened.
func (cfg *Config) valid() error {
	if cfg == nil || cfg.Open == nil {
		return errors.New("drivertest: Config.Open is not set")
	}
	known := map[string]bool{}
	for _, c := range Cases(cfg) {
		known[c.Name] = true
	}
	for _, n := range slices.Concat(slices.Sorted(maps.Keys(cfg.Refuses)), slices.Sorted(maps.Keys(cfg.Declared))) {
		if !known[n] {
			return fmt.Errorf("drivertest: the Config names the case %q, which there is not", n)
		}
		if want, ok := cfg.Refuses[n]; ok && want == nil {
			return fmt.Errorf("drivertest: Config.Refuses has no error for the case %q", n)
		}
	}
	for _, op := range slices.Sorted(maps.Keys(cfg.RefusesOps)) {
		switch {
		case !slices.Contains(driver.Ops(), op):
			return fmt.Errorf("drivertest: Config.RefusesOps names the operation %q, which there is not", op)
		case cfg.RefusesOps[op] == nil:
			return fmt.Errorf("drivertest: Config.RefusesOps has no error for the operation %q", op)
		}
	}
	return nil
}

// Apps are installed apps, and names that mean none or several.
type Apps struct {
	ID        string // of an app that is not in front on a fresh phone
	Name      string // of the same app, as a person says it
	Other     string // the id of another app, not in front on a fresh phone either
	Unknown   string // what no app is called; "" is a name that nobody would use
	Ambiguous string // what several apps are called
}

// Phone is one phone under test: its driver, and what it can tell and do apart from the driver. What is
// nil is not there; the cases that need it are skipped.
type Phone struct {
	Driver driver.Driver

	// Second opens another driver on the same device.
	Second func() (driver.Driver, error)

	// Address is what driver.Open takes for this phone.
	Address string

	// Log returns what was done to the phone since it was opened, in order, as the phone saw it. It may
	// be called at any time.
	Log func() []Event

	// Fault switches a fault on and returns what switches it off, or nil for a fault that this phone does
	// not have. Switching off lets go what the fault held, and may be done twice.
	Fault func(name string) (off func())

	// Focus puts the cursor into an empty text field of one line or of several.
	Focus func(multiline bool) error

	// FieldText returns what that field holds.
	FieldText func() (string, error)

	// Rotate turns the phone, 0 to 3 quarter turns. Nil is driver.Rotate, where there is that.
	Rotate func(rotation int) error

	// State returns, as one text, what the driver may change on the phone and on this computer to do its
	// work: the input method, the forwarded ports, files that it puts there.
	State func() (string, error)
}

// The faults that a phone, or the line to it, can have.
const (
	// FaultHang: nothing that is asked of the phone is answered, until the fault is switched off.
	FaultHang = "hang"
	// FaultHangTyping: the same from the moment in which text is put into a field: what the driver does
	// before that works.
	FaultHangTyping = "hang-typing"
	// FaultBreak: the next gesture or text reaches the phone, and the line breaks before the answer.
	FaultBreak = "break-after-send"
	// FaultSlowLaunch: an app takes a while, about half a second, to come to the front after the start.
	FaultSlowLaunch = "slow-launch"
	// FaultNoPicture: the tool that captures the screen fails as it does in the field.
	FaultNoPicture = "no-picture"
	// FaultNoTree: there is no tree now, for example because the screen never comes to rest.
	FaultNoTree = "no-tree"
	// FaultProtected: the system refuses to show the page in a capture.
	FaultProtected = "protected"
	// FaultAsleep: the display is off.
	FaultAsleep = "asleep"
	// FaultOffline: the device has gone away.
	FaultOffline = "offline"
	// FaultBlocked: the system refuses injected input.
	FaultBlocked = "blocked-input"
)

// Faults lists the faults that the suite asks for.
func Faults() []string {
	return []string{
		FaultHang, FaultHangTyping, FaultBreak, FaultSlowLaunch, FaultNoPicture, FaultNoTree,
		FaultProtected, FaultAsleep, FaultOffline, FaultBlocked,
	}
}
