package hdc

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/apps"
)

// The limits of calls, where Options.Limit says nothing. A tool that finds no server takes 12 s to say so.
const (
	limitServer  = 30 * time.Second // of New, to find the server, which it may have to start
	limitOpen    = 12 * time.Second // and then to open the phone, which takes a while after it was attached
	limitShort   = 20 * time.Second // a screenshot, a question
	limitGesture = 25 * time.Second // as of a tree, and then another way
	limitTree    = 30 * time.Second // a uitest that finds another at work waits for 20 s
	limitLaunch  = 40 * time.Second
	limitText    = 60 * time.Second
	limitCommand = 60 * time.Second // of Shell
	limitInstall = 5 * time.Minute
	limitFile    = 10 * time.Minute
)

// lostStart is for how long a tool that found no server is run again: of several that start one at a time, some lose 12 s and
// fail (hdc 3.2.0f).
const lostStart = 15 * time.Second

// maxKey is the longest key that -t takes.
const maxKey = 32

// Driver is one HarmonyOS phone. Make it with New.
type Driver struct {
	tool   *tool
	key    string // what hdc calls the phone
	opts   Options
	log    *slog.Logger
	calls  *driver.Calls
	uitest chan struct{} // holds a token while one of the phone's uitest processes is at work

	info       info          // read once, in New
	frontLimit time.Duration // of the wait for a launched app

	screen geometry
	lacks  lacks
	blanks atomic.Bool // nodes without bounds are not a race on this page
}

// lacks remembers what the phone turned out not to have.
type lacks struct {
	uinput    atomic.Bool // the program
	service   atomic.Bool // the accessibility service, which another tool holds
	base64    atomic.Bool // the program
	snapshot  atomic.Bool // snapshot_display
	text      atomic.Bool // uiInput text
	seal      atomic.Bool // the window manager's dump does not show the size of the frame
	proofDone atomic.Bool // typed letters were seen to arrive
}

// New opens a phone by its key, as `hdc list targets` prints it; "" is the only one that can be used. Of a phone
// connected over the network the IP without the port will do. opts may be nil. The errors match driver.ErrNoDevice,
// ErrSeveralDevices, ErrUnauthorized, ErrOffline, ErrNoTool and ErrNoServer, and say what to do.
func New(ctx context.Context, key string, opts *Options) (*Driver, error) {
	o, err := opts.withDefaults()
	if err != nil {
		return nil, openError(key, driver.BadOption(err))
	}
	starting, cancel := context.WithTimeoutCause(ctx, o.limit(limitServer), driver.ErrTimeout)
	defer cancel()
	t, err := reach(starting, o)
	if err != nil {
		return nil, openError(key, timedOut(starting, err))
	}
	ctx, cancelOpen := context.WithTimeoutCause(ctx, o.limit(limitOpen), driver.ErrTimeout)
	defer cancelOpen()
	chosen, err := again(ctx, never, func() (target, error) { return t.choose(ctx, key) })
	if err != nil {
		return nil, openError(orElse(chosen.key, key), timedOut(ctx, err))
	}
	d, err := open(ctx, t, chosen, o)
	if err != nil {
		return nil, openError(chosen.key, timedOut(ctx, err))
	}
	return d, nil
}

// reach finds the tool and its server, which the tool starts where there is none.
func reach(ctx context.Context, o Options) (*tool, error) {
	t, err := newTool(ctx, o)
	if err != nil {
		return nil, err
	}
	begin := time.Now()
	lost := func(err error) bool { return errors.Is(err, ErrNoServer) && time.Since(begin) < lostStart }
	_, err = again(ctx, lost, func() (struct{}, error) { return struct{}{}, t.ready(ctx) })
	return t, err
}

func openError(key string, err error) error {
	return &driver.Error{Op: driver.OpOpen, Device: addressOf(key), Err: err}
}

// timedOut tells a driver's own limit from the caller's.
func timedOut(ctx context.Context, err error) error {
	if ctx.Err() != nil && context.Cause(ctx) == driver.ErrTimeout {
		return driver.ErrTimeout
	}
	return err
}

func open(ctx context.Context, t *tool, chosen target, o Options) (*Driver, error) {
	address := addressOf(chosen.key)
	d := &Driver{
		tool: t, key: chosen.key, opts: o, log: o.Logger.With("device", address),
		calls: driver.NewCalls(address), uitest: uitestOf(t.server + "|" + chosen.key), frontLimit: frontLimit,
	}
	if err := d.learn(ctx); err != nil {
		_ = d.calls.Close(nil)
		return nil, err
	}
	return d, nil
}

// Close ends the driver, unblocks what is in progress and waits for it to be put back.
func (d *Driver) Close() error { return d.calls.Close(nil) }

// limit returns how long a call may take.
func (d *Driver) limit(usual time.Duration) time.Duration { return d.opts.limit(usual) }

func (o *Options) limit(usual time.Duration) time.Duration {
	if o != nil && o.Limit > 0 {
		return o.Limit
	}
	return usual
}

func (d *Driver) do(ctx context.Context, op driver.Op, usual time.Duration, f func(context.Context) error) error {
	return d.calls.Do(ctx, op, d.limit(usual), f)
}

// value runs f as the operation op and returns its value.
func value[T any](ctx context.Context, d *Driver, op driver.Op, usual time.Duration, f func(context.Context) (T, error)) (T, error) {
	return driver.Value(ctx, d.calls, op, d.limit(usual), f)
}

// app returns what is known of an app without asking the phone: a name of the options, or of the tables.
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
	return orElse(best, apps.NameOf(apps.Harmony, id, orElse(d.opts.Lang, d.info.lang)))
}

// scheme is the address scheme of this driver.
const scheme = "hdc"

// platform is how Description and Device name this driver's phones.
const platform = apps.Harmony

func addressOf(key string) string { return driver.Address{Scheme: scheme, Device: key}.String() }

// tempDir is the one folder that the phone's tools for the screen write into.
const tempDir = "/data/local/tmp/"

// tempFile returns a name that no other call and no other process uses. It has nothing of the key, in which a ":" may
// be.
func tempFile(suffix string) string { return tempDir + "handset-" + rand.Text() + suffix }

// remove removes a file of the phone in the name of a call that may have ended.
func (d *Driver) remove(ctx context.Context, file string) {
	err := driver.Undo(ctx, func(ctx context.Context) error {
		_, err := d.shell(ctx, "rm -f "+quote(file))
		return err
	})
	if err != nil {
		d.log.WarnContext(ctx, "a file is left on the phone", "file", file, "error", err)
	}
}

// unexpected is the error of a tool of the phone that did not say what it says when it worked.
func unexpected(tool string, out *output) error {
	return fmt.Errorf("%s ended with %d: %s", tool, out.code, complaint(out.text))
}
