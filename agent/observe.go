package agent

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/handset-go/handset/action"
	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/perception"
)

// observation is what a step is decided on.
type observation struct {
	epoch  int // of the control, when it was made
	app    driver.App
	screen *driver.Screen       // nil in tree mode without a Look
	tree   *driver.Tree         // nil in pixels mode
	rows   *perception.Snapshot // of tree
	image  *Image               // as the model gets it
	view   action.View
	note   string // what is odd about the screen
}

// observe looks at the phone, as soon as nobody has paused the run.
func (r *Run) observe(ctx context.Context) (*observation, error) {
	epoch, err := r.ctl.take(ctx, func() { r.emit(ctx, Paused{r.head()}) }, func() { r.emit(ctx, Resumed{r.head()}) })
	if err != nil {
		return nil, err
	}
	if r.epoch != epoch {
		r.epoch = epoch
		r.otherHands("a person has used the phone meanwhile; this is the screen now")
	}
	obs, err := r.lookAt(ctx)
	r.ctl.give()
	if err != nil {
		return nil, err
	}
	obs.epoch = epoch
	r.emit(ctx, Observed{r.head(), obs.app, obs.screen, obs.rows, obs.note})
	return obs, nil
}

// lookTries is how often the phone is looked at before an error that may pass ends the run.
const lookTries = 2

func (r *Run) lookAt(ctx context.Context) (*observation, error) {
	see := r.observePixels
	if r.agent.opt.Mode == Tree {
		see = r.observeTree
	}
	for try := 1; ; try++ {
		obs := &observation{}
		err := see(ctx, obs)
		if err == nil {
			return obs, nil
		}
		passes := ctx.Err() == nil && !unusable(err) && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, driver.ErrAsleep)
		if !passes || try == lookTries {
			return nil, err
		}
		r.log.WarnContext(ctx, "looking at the phone failed, once more", slog.Any("err", err))
	}
}

// observePixels takes a frame, and asks at the same time which app is in front.
func (r *Run) observePixels(ctx context.Context, obs *observation) error {
	front := make(chan driver.App, 1)
	go func() { front <- r.foreground(ctx) }()
	err := r.frame(ctx, obs)
	obs.app = <-front
	return err
}

// foreground returns the app in front, or none where the phone does not tell.
func (r *Run) foreground(ctx context.Context) driver.App {
	app, err := driver.Foreground(ctx, r.agent.d)
	if err != nil && ctx.Err() == nil {
		r.log.DebugContext(ctx, "the app in front is not known", slog.Any("err", err))
	}
	return app
}

// settledAge is how old the frame at which the screen came to rest may be to be decided on: the caller's loop
// may take its time between two steps.
const settledAge = time.Second

// frame puts a frame into obs: the one at which the screen came to rest, or a new one. A sleeping phone is
// woken, once.
func (r *Run) frame(ctx context.Context, obs *observation) error {
	s := r.settled
	r.settled = nil
	if s == nil || time.Since(s.At()) > settledAge {
		var err error
		if s, err = r.screenshot(ctx); err != nil {
			return err
		}
	}
	obs.screen = s
	obs.view = action.View{Frame: s.Size()}
	if s.Health() == driver.HealthProtected {
		obs.note = "the system does not let this page be captured; what it shows is not known"
		return nil
	}
	var err error
	obs.image, obs.view, err = sent(s, r.agent.opt.ImageWidth)
	return err
}

func (r *Run) screenshot(ctx context.Context) (*driver.Screen, error) {
	s, err := r.agent.d.Screenshot(ctx)
	asleep := err == nil && s.Health() == driver.HealthAsleep || errors.Is(err, driver.ErrAsleep)
	if !asleep {
		return s, err
	}
	if err := driver.Wake(ctx, r.agent.d); err != nil {
		return nil, errors.Join(driver.ErrAsleep, err)
	}
	if s, err = r.agent.d.Screenshot(ctx); err == nil && s.Health() == driver.HealthAsleep {
		return nil, driver.ErrAsleep
	}
	return s, err
}

// treeTries is how often a tree is asked for where the phone says that there is none now.
const treeTries = 2

// wakeIfDark switches the display on: a dark phone has no rows.
func (r *Run) wakeIfDark(ctx context.Context) {
	p, err := driver.PowerState(ctx, r.agent.d)
	if err != nil || p.On {
		return
	}
	if err := driver.Wake(ctx, r.agent.d); err != nil && ctx.Err() == nil {
		r.log.WarnContext(ctx, "the display is off and cannot be switched on", slog.Any("err", err))
	}
}

// observeTree reads the tree, and takes a frame where the model asked for one.
func (r *Run) observeTree(ctx context.Context, obs *observation) error {
	var err error
	for try := range treeTries {
		obs.tree, err = r.agent.d.Tree(ctx)
		if !errors.Is(err, driver.ErrNoTree) {
			break
		}
		if try == 0 {
			r.wakeIfDark(ctx)
		}
	}
	switch {
	case err == nil:
		obs.app, obs.rows = obs.tree.App, perception.Render(obs.tree, nil)
		obs.view = action.View{Frame: obs.tree.Size}
	case errors.Is(err, driver.ErrNoTree) || errors.Is(err, driver.ErrTimeout):
		obs.note = "the screen has no readable rows now; wait, or Look at it"
		r.log.WarnContext(ctx, "no tree of the screen", slog.Any("err", err))
	default:
		return err
	}
	if obs.app.ID == "" {
		obs.app = r.foreground(ctx)
	}
	if r.look || obs.rows == nil {
		return r.frameBesideRows(ctx, obs)
	}
	return nil
}

// frameBesideRows adds the frame that the model asked for. Without rows it is taken for its size only, which
// points need.
func (r *Run) frameBesideRows(ctx context.Context, obs *observation) error {
	note := obs.note
	obs.note = ""
	if err := r.frame(ctx, obs); err != nil {
		return err
	}
	if !r.look {
		obs.image = nil
	}
	r.look = false
	if note != "" && obs.note != "" {
		note += "; "
	}
	obs.note = note + obs.note
	return nil
}

// changedSince says whether a person would see a difference between two observations.
func (o *observation) changedSince(before *observation) bool {
	if before == nil || o.app.ID != before.app.ID || o.app.Page != before.app.Page {
		return true
	}
	if o.rows != nil && before.rows != nil {
		return o.rows.Fingerprint() != before.rows.Fingerprint()
	}
	return !sameFrame(before.screen, o.screen)
}
