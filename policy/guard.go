package policy

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"

	"github.com/handset-go/handset/driver"
)

// guard is a gate in front of one driver.
type guard struct {
	gate  *Gate
	inner driver.Driver
	looks looks

	describe sync.Mutex
	address  string
}

func (w *guard) around(ctx context.Context, c *driver.Call, next func(context.Context) error) error {
	mark := judgedKey{w.gate}
	if ctx.Value(mark) != nil {
		return next(ctx)
	}
	if c.Op.Reads() {
		return w.read(ctx, c, next)
	}
	if err := w.permit(ctx, c); err != nil {
		return w.wrap(ctx, c.Op, err)
	}
	w.looks.begin()
	defer w.looks.end()
	return next(context.WithValue(ctx, mark, true))
}

// read lets a call pass, and remembers the tree or frame that comes back.
func (w *guard) read(ctx context.Context, c *driver.Call, next func(context.Context) error) error {
	switch c.Op {
	case driver.OpTree:
		f := w.looks.takeOff()
		err := next(ctx)
		t, _ := c.Result.(*driver.Tree)
		w.looks.land(f, t, err)
		return err
	case driver.OpScreenshot:
		seq := w.looks.now()
		err := next(ctx)
		if s, ok := c.Result.(*driver.Screen); ok && err == nil {
			w.looks.frame(s, seq)
		}
		return err
	}
	return next(ctx)
}

// permit returns nil if c may be done.
func (w *guard) permit(ctx context.Context, c *driver.Call) error {
	app, err := w.resolve(ctx, c)
	if err != nil {
		return err
	}
	r, err := w.request(ctx, c, false)
	if err != nil {
		return err
	}
	if app.ID != "" {
		r.App = app
	}
	v := w.gate.judge(r)
	switch v {
	case Deny:
		err = &Denied{r.Rule, r.Why}
	case Ask:
		err = w.ask(ctx, r)
	}
	w.log(ctx, r, v, err)
	return err
}

// resolve puts the id of the app into a Launch. A driver that cannot resolve is asked by name.
func (w *guard) resolve(ctx context.Context, c *driver.Call) (driver.App, error) {
	if c.Op != driver.OpLaunch {
		return driver.App{}, nil
	}
	app, err := driver.Resolve(ctx, w.inner, c.App)
	if errors.Is(err, errors.ErrUnsupported) {
		return driver.App{}, nil
	}
	if err == nil && app.ID != "" {
		c.App = app.ID
	}
	return app, err
}

// request describes c on the tree that is good now, or on a fresh one.
func (w *guard) request(ctx context.Context, c *driver.Call, fresh bool) (*Request, error) {
	r := &Request{Call: *c, Reason: reasonOf(ctx), Screen: w.looks.lastFrame()}
	if needsTree(c) {
		t, err := w.tree(ctx, fresh)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			w.gate.opt.Logger.WarnContext(ctx, LogBlind, slog.String("op", string(c.Op)), slog.Any("err", err))
		} else {
			r.Tree, r.App = t, t.App
			r.aim()
		}
	}
	if c.App != "" {
		r.App = driver.App{ID: c.App}
	}
	return r, nil
}

// LogBlind is the message of the log line, at the level of a warning, that a call had to be judged without a tree.
const LogBlind = "judged without a tree"

// needsTree says that where the call lands matters.
func needsTree(c *driver.Call) bool {
	switch c.Op {
	case driver.OpKey:
		return activates(c.Key)
	case driver.OpType, driver.OpSetText:
		return true
	}
	return c.Op.Gesture()
}

// activates says that a key presses what has the focus, or may do so: a driver has keys of its own, by a
// name or a number, such as KEYCODE_DPAD_CENTER.
func activates(k driver.Key) bool {
	k = driver.ParseKey(string(k))
	return k == driver.KeyEnter || k == driver.KeySpace || !slices.Contains(driver.Keys(), k)
}

// wrap makes the *driver.Error that a caller expects of what ended a call before the driver saw it.
func (w *guard) wrap(ctx context.Context, op driver.Op, err error) error {
	var e *driver.Error
	var denied *Denied
	if errors.As(err, &e) && !errors.As(err, &denied) {
		return err
	}
	return &driver.Error{Op: op, Device: w.device(ctx), Err: err}
}

// device returns the address of the driver, or "phone" where it does not tell.
func (w *guard) device(ctx context.Context) string {
	w.describe.Lock()
	known := w.address
	w.describe.Unlock()
	if known != "" {
		return known
	}
	d, err := driver.Describe(ctx, w.inner)
	if err != nil || d.Address == "" {
		return "phone"
	}
	w.describe.Lock()
	defer w.describe.Unlock()
	w.address = d.Address
	return w.address
}

func (w *guard) log(ctx context.Context, r *Request, v Verdict, err error) {
	level := slog.LevelDebug
	if v != Allow && v != Pass {
		level = slog.LevelInfo
	}
	w.gate.opt.Logger.Log(ctx, level, "judged", slog.String("op", string(r.Call.Op)), slog.String("app", r.App.ID),
		slog.String("verdict", v.String()), slog.String("rule", r.Rule), slog.Bool("passed", err == nil))
}
