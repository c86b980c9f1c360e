package adb

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/apps"
)

// The limits of calls, where Options.Limit says nothing.
const (
	limitServer  = 30 * time.Second // of New, to find the server, which it may have to start
	limitOpen    = 10 * time.Second // and then to open the phone
	limitShort   = 15 * time.Second // a gesture, a screenshot, a question
	limitTree    = 20 * time.Second // a dump of a screen that never rests gives up after 11 s by itself
	limitLaunch  = 40 * time.Second
	limitText    = 60 * time.Second
	limitCommand = 60 * time.Second // of Shell
)

// Driver is one Android phone. Make it with New.
type Driver struct {
	server *server
	serial string
	opts   Options
	log    *slog.Logger
	calls  *driver.Calls

	shellV2    bool          // the device speaks the shell protocol
	statV2     bool          // and the second protocol of files,
	lsV2       bool          // and of folders
	info       info          // read once, in New
	frontLimit time.Duration // of the wait for a launched app

	resident resident
	scrcpy   *scrcpy      // nil without a server file
	asked    atomic.Int32 // gestures, keys and texts that scrcpy's server could have done
	waits    scrcpyWaits
	pace     func(*channel) pace // of gestures over its channel

	treeServer treeServer
	screen     geometry
	frames     frameStats
	idle       idleMemory
	focus      focusSource
	ime        imeDebt
	held       held
	litter     litter
}

// New opens a phone by its serial, as `adb devices` prints it; "" is the only one that can be used.
// Of a phone attached over the network the host without the port will do, and the USB path usb:1-4
// of one on a cable. opts may be nil. The errors match driver.ErrNoDevice, ErrSeveralDevices,
// ErrUnauthorized, ErrOffline and ErrNoServer, and say what to do.
func New(ctx context.Context, serial string, opts *Options) (*Driver, error) {
	o, err := opts.withDefaults()
	if err != nil {
		return nil, openError(serial, driver.BadOption(err))
	}
	s, err := newServer(o)
	if err != nil {
		return nil, openError(serial, driver.BadOption(err))
	}
	starting, cancel := context.WithTimeoutCause(ctx, o.limit(limitServer), driver.ErrTimeout)
	defer cancel()
	if err := s.reach(starting); err != nil {
		return nil, openError(serial, timedOut(starting, err))
	}
	ctx, cancelOpen := context.WithTimeoutCause(ctx, o.limit(limitOpen), driver.ErrTimeout)
	defer cancelOpen()
	chosen, err := s.find(ctx, serial)
	if err != nil {
		return nil, openError(orElse(chosen.serial, serial), timedOut(ctx, err))
	}
	d, err := open(ctx, s, chosen, o)
	if err != nil {
		return nil, openError(chosen.serial, timedOut(ctx, err))
	}
	return d, nil
}

func openError(serial string, err error) error {
	return &driver.Error{Op: driver.OpOpen, Device: addressOf(serial), Err: err}
}

func open(ctx context.Context, s *server, chosen listed, o Options) (*Driver, error) {
	features, err := s.query(ctx, "host-serial:"+chosen.serial+":features")
	if err != nil {
		return nil, err
	}
	file, err := o.scrcpyFile()
	if err != nil {
		return nil, err
	}
	d := &Driver{
		server: s, serial: chosen.serial, opts: o, log: o.Logger.With("device", addressOf(chosen.serial)),
		calls:   driver.NewCalls(addressOf(chosen.serial)),
		shellV2: hasWord(features, "shell_v2"), statV2: hasWord(features, "stat_v2"), lsV2: hasWord(features, "ls_v2"), frontLimit: frontLimit,
	}
	d.ime.alive = crashAge
	d.waits, d.pace = scrcpyWaits{refusal: refusalWait, clip: clipAnswer, ack: clipAck}, steady
	d.treeServer.hello, d.treeServer.limit = serverHello, serverTree
	d.frames.way.Store(map[string]int32{screensPNG: wayPNG, screensRaw: wayRaw}[o.Screens])
	if err := d.learn(ctx); err != nil {
		_ = d.calls.Close(nil)
		return nil, err
	}
	d.scrcpy = shareScrcpy(s.network+":"+s.addr+" "+d.serial, file)
	return d, nil
}

func hasWord(list, word string) bool {
	for w := range strings.SplitSeq(list, ",") {
		if strings.TrimSpace(w) == word {
			return true
		}
	}
	return false
}

// Close ends the driver and what Dial, Forward and Reverse gave out, unblocks what is in progress, and
// puts back an input method that could not be put back before.
func (d *Driver) Close() error {
	return d.calls.Close(func(ctx context.Context) error {
		d.scrcpy.release()
		d.sweep(ctx)
		return errors.Join(d.held.end(ctx), d.payDebt(ctx))
	})
}

// limit returns how long a call may take.
func (d *Driver) limit(usual time.Duration) time.Duration { return d.opts.limit(usual) }

func (o *Options) limit(usual time.Duration) time.Duration {
	if o != nil && o.Limit > 0 {
		return o.Limit
	}
	return usual
}

// do runs f as the operation op, which may set a restless screen at rest.
func (d *Driver) do(ctx context.Context, op driver.Op, usual time.Duration, f func(context.Context) error) error {
	d.idle.note(0)
	return d.calls.Do(ctx, op, d.limit(usual), f)
}

// value runs f as the operation op and returns its value.
func value[T any](ctx context.Context, d *Driver, op driver.Op, usual time.Duration, f func(context.Context) (T, error)) (T, error) {
	return driver.Value(ctx, d.calls, op, d.limit(usual), f)
}

// app returns what is known of an app without asking the phone: a name of the options, or of the
// tables.
func (d *Driver) app(id string) driver.App {
	return driver.App{ID: id, Name: d.nameOf(id)}
}

func (d *Driver) nameOf(id string) string {
	best := ""
	for name, of := range d.opts.Apps {
		if of == id && (best == "" || name < best) {
			best = name
		}
	}
	return orElse(best, apps.NameOf(apps.Android, id, orElse(d.opts.Lang, d.info.lang)))
}

// tempFolder is where the phone's shell may write.
const tempFolder = "/data/local/tmp"

// tempFile returns a name that no other call and no other process uses.
func tempFile(suffix string) string { return tempFolder + "/handset-" + rand.Text() + suffix }
