package wda

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/electricbubble/gwda"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/apps"
	"github.com/handset-go/handset/internal/nap"
)

const (
	scheme   = "wda"
	platform = apps.IOS
)

// The limits of calls, where Options.Limit says nothing. WebDriverAgent itself has none for most commands.
const (
	limitOpen    = 60 * time.Second // a new session may wait 35 s for the end of one that hangs
	limitStatus  = 5 * time.Second
	limitShort   = 15 * time.Second // a question
	limitGesture = 30 * time.Second
	limitPicture = 25 * time.Second // WebDriverAgent gives up after 20 s
	limitTree    = 60 * time.Second
	limitLaunch  = 60 * time.Second
	limitText    = 20 * time.Second
)

// probeLimit is how long a call that ran into its limit asks what is wrong.
const probeLimit = 500 * time.Millisecond

// Driver is one iPhone or iPad. Make it with New.
type Driver struct {
	target *target
	opts   Options
	log    *slog.Logger
	calls  *driver.Calls
	wire   *wire
	agent  gwda.WebDriver
	info   info // read in New

	session session
	screen  geometry
	oldTap  atomic.Bool // the server has /wda/tap/0, as those before 6.0.0
	slow    slowMemory
	lang    atomic.Pointer[string] // of the phone, "zh", "en" or ""; nil before it was asked
	desk    atomic.Bool            // what was seen last may be a display that is off: that, or the home or lock screen
	streams streams
}

// New opens a phone: device is HOST:PORT of a WebDriverAgent on the network or behind a forwarded port, the UDID of a
// phone on USB, or "" for the only one on USB. opts may be nil. The errors match driver.ErrNoDevice,
// ErrSeveralDevices, ErrUnauthorized and ErrOffline, and say what to do.
func New(ctx context.Context, device string, opts *Options) (*Driver, error) {
	o, err := opts.withDefaults()
	if err != nil {
		return nil, openError(device, driver.BadOption(err))
	}
	t, err := parseTarget(device, &o)
	if err != nil {
		return nil, openError(device, driver.BadOption(err))
	}
	within, cancel := context.WithTimeoutCause(ctx, o.limit(limitOpen), driver.ErrTimeout)
	defer cancel()
	if t.usb != nil {
		if t.udid, err = t.usb.choose(within, device); err != nil {
			return nil, openError(device, ended(ctx, within, err))
		}
	}
	d, err := open(within, t, o)
	if err != nil {
		return nil, openError(t.device(), ended(ctx, within, err))
	}
	return d, nil
}

func openError(device string, err error) error {
	return &driver.Error{Op: driver.OpOpen, Device: addressOf(device), Err: err}
}

func addressOf(device string) string { return driver.Address{Scheme: scheme, Device: device}.String() }

// ended says what ended a context within the caller's, or returns err, which may say more of a limit that ran out.
func ended(caller, within context.Context, err error) error {
	switch {
	case caller.Err() != nil:
		return caller.Err()
	case within.Err() != nil && !errors.Is(err, driver.ErrTimeout):
		return context.Cause(within)
	}
	return err
}

// Who does not answer, where New runs into its limit.
var (
	errNoStatus = fmt.Errorf("%w: WebDriverAgent does not say its status: it hangs, or another program listens there: start it again",
		driver.ErrTimeout)
	errNoSession = fmt.Errorf("%w: WebDriverAgent answers and gives no session: it waits for an app that hangs; end that app, or start it again",
		driver.ErrTimeout)
)

func open(ctx context.Context, t *target, o Options) (*Driver, error) {
	address := addressOf(t.device())
	d := &Driver{
		target: t, opts: o, log: o.Logger.With("device", address), calls: driver.NewCalls(address),
		wire: newWire(t), session: newSession(),
	}
	var err error
	late := errNoStatus
	if d.agent, err = newAgent(ctx); err == nil {
		err = d.learn(ctx)
	}
	if err == nil {
		late = errNoSession
		_, err = d.session.ensure(ctx, d)
	}
	if err != nil {
		_ = d.calls.Close(nil)
		d.wire.close()
		if ctx.Err() != nil {
			err = late // New sees whether the caller gave up
		}
		return nil, err
	}
	return d, nil
}

// Close ends the driver, unblocks what is in progress, puts the settings of a session back that it took over, and ends one
// that it made. No app is ended with it.
func (d *Driver) Close() error {
	err := d.calls.Close(func(ctx context.Context) error {
		_ = d.giveBack(ctx) // which logs: a phone that does not answer leaves nothing to be done
		return nil
	})
	d.streams.endAll()
	d.wire.close()
	return err
}

// Release gives the session back, as Close does; the next call takes or makes one again.
func (d *Driver) Release(ctx context.Context) error {
	return d.do(ctx, driver.OpRelease, limitShort, d.giveBack)
}

func (o *Options) limit(usual time.Duration) time.Duration {
	if o.Limit > 0 {
		return o.Limit
	}
	return usual
}

// do runs f as the operation op, within the limit that is usual for its kind.
func (d *Driver) do(ctx context.Context, op driver.Op, usual time.Duration, f func(context.Context) error) error {
	return d.doWithin(ctx, op, d.opts.limit(usual), f)
}

// doWithin is do with a limit that is not the caller's to shorten: a text or a gesture takes its time. Where the limit runs out, it
// finds out who does not answer.
func (d *Driver) doWithin(ctx context.Context, op driver.Op, limit time.Duration, f func(context.Context) error) error {
	return d.calls.Do(ctx, op, limit+2*probeLimit, func(ctx context.Context) error {
		within, cancel := context.WithTimeoutCause(ctx, limit, driver.ErrTimeout)
		defer cancel()
		err := f(within)
		if err != nil && within.Err() != nil && ctx.Err() == nil {
			return d.diagnose(ctx)
		}
		return err
	})
}

// diagnose says whether WebDriverAgent answers at all, after a call that took too long. It asks over a new connection: those
// that there are may be gone without a word.
func (d *Driver) diagnose(ctx context.Context) error {
	d.wire.close()
	ctx, cancel := context.WithTimeout(ctx, probeLimit)
	defer cancel()
	if _, err := d.status(ctx); err != nil {
		return fmt.Errorf("%w: WebDriverAgent itself does not answer now: it hangs, or waits for an app that does; "+
			"end that app, or start it again", driver.ErrTimeout)
	}
	return fmt.Errorf("%w: WebDriverAgent answers, so the app in front is busy or hangs: go Home or end it", driver.ErrTimeout)
}

// value runs f as the operation op and returns its value.
func value[T any](ctx context.Context, d *Driver, op driver.Op, usual time.Duration, f func(context.Context) (T, error)) (T, error) {
	got := make(chan T, 1) // a call that was given up on may still put its value here
	err := d.do(ctx, op, usual, func(ctx context.Context) error {
		v, err := f(ctx)
		if err == nil {
			got <- v
		}
		return err
	})
	if err != nil {
		var zero T
		return zero, err
	}
	return <-got, nil
}

// here stands for the session in a path: the request puts the id of the day there.
const here = "/session/-"

const (
	// sessionTries is how often a request is made in a session that turns out to be gone: other programs that share the
	// phone end theirs, one after another.
	sessionTries = 4
	// sessionWait is the pause before the second new session, on average, and doubles: those programs come to their ends
	// meanwhile.
	sessionWait = 100 * time.Millisecond
)

// request makes a request, in the session where the path names one. A session that is gone is made anew and the request
// repeated, up to three times, and each time only if it provably did nothing. Making one may itself take several, see ensure.
func (d *Driver) request(ctx context.Context, method, path string, body []byte) (*reply, error) {
	rest, bound := cutSession(path)
	if !bound {
		r, err := d.single(ctx, method, path, body)
		return r, d.explain(ctx, err)
	}
	for n := 1; ; n++ {
		id, err := d.session.ensure(ctx, d)
		if err != nil {
			return nil, err
		}
		r, err := d.single(ctx, method, "/session/"+id+rest, body)
		if n == sessionTries || !lostAndUndone(method, err) {
			return r, d.explain(ctx, err)
		}
		d.log.WarnContext(ctx, "the session is lost; taking another", "because", err)
		d.session.drop(id, appCrashed(err))
		if sessionPause(ctx, n) != nil {
			return nil, d.explain(ctx, err)
		}
	}
}

// sessionPause waits after the n-th session that was lost, not at all after the first, and no two programs for the same time:
// those that make their sessions at the same moment end each other's, but for the last.
func sessionPause(ctx context.Context, n int) error {
	if n == 1 {
		return ctx.Err()
	}
	wait := sessionWait << (n - 2)
	return nap.For(ctx, wait/2+rand.N(wait))
}

// lostAndUndone says that a request found no usable session and may be repeated in another one.
func lostAndUndone(method string, err error) bool {
	return sessionGone(err) || appCrashed(err) || sessionCut(err) && method == http.MethodGet
}

// cutSession splits "/session/ID/rest" after the id.
func cutSession(path string) (rest string, ok bool) {
	after, ok := strings.CutPrefix(path, "/session/")
	if !ok {
		return path, false
	}
	if i := strings.IndexAny(after, "/?"); i >= 0 {
		return after[i:], true
	}
	return "", true
}

// single makes one request and reads its envelope. Where the answer says that nothing was done, the call is not marked as sent.
// That of a question says nothing of what was done before.
func (d *Driver) single(ctx context.Context, method, path string, body []byte) (*reply, error) {
	a, err := d.wire.send(ctx, method, path, body)
	if err != nil {
		return nil, err
	}
	r, err := parseReply(a)
	if err != nil && method != http.MethodGet && refused(err) && !isQuiet(ctx) {
		driver.MarkRefused(ctx)
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

// get reads the value at a path into out, which may be nil.
func (d *Driver) get(ctx context.Context, path string, out any) error {
	r, err := d.request(ctx, http.MethodGet, path, nil)
	if err != nil {
		return err
	}
	return r.into(out)
}

// post sends body as JSON, nil for none, and reads the value into out, which may be nil.
func (d *Driver) post(ctx context.Context, path string, body, out any) error {
	var raw []byte
	if body != nil {
		var err error
		if raw, err = json.Marshal(body); err != nil {
			return err
		}
	}
	r, err := d.request(ctx, http.MethodPost, path, raw)
	if err != nil {
		return err
	}
	return r.into(out)
}

// partly marks a call as sent again whose earlier step has done something: that a later one was refused does not
// undo that.
func partly(ctx context.Context, err error) error {
	if err != nil {
		driver.MarkSent(ctx)
	}
	return err
}
