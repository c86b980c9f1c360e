package wda

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/handset-go/handset/driver"
)

const (
	// sourceLimit bounds one source within the limit of Tree. A page of a thousand rows takes minutes, and everything
	// else waits for it.
	sourceLimit = 40 * time.Second
	// slowFor is for how long the phone is spared what made a source slow.
	slowFor = 5 * time.Minute
)

// slowMemory remembers that a source took too long.
type slowMemory struct {
	mu    sync.Mutex
	until time.Time
}

func (m *slowMemory) is() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return time.Now().Before(m.until)
}

func (m *slowMemory) note() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.until = time.Now().Add(slowFor)
}

// Tree reads the source of the app in front. ErrNoTree says that there is none now: the page is too large, or the snapshot
// failed. After a page that was too large, trees are without Visible for five minutes, which is what takes longest.
func (d *Driver) Tree(ctx context.Context) (*driver.Tree, error) {
	return value(ctx, d, driver.OpTree, limitTree, d.tree)
}

func (d *Driver) tree(ctx context.Context) (*driver.Tree, error) {
	t, window, err := d.source(ctx)
	if err != nil {
		return nil, err
	}
	if err := d.placeTree(ctx, t, window); err != nil {
		return nil, err
	}
	if t.Rotation, err = d.rotation(ctx); err != nil {
		return nil, err
	}
	if err := d.nameApp(ctx, t); err != nil {
		return nil, err
	}
	d.desk.Store(t.App.ID == springboard)
	return t, nil
}

// nameApp says which app it is. Servers before 10.1.0 leave the id out of the source; the name there is the one of the phone's language,
// which comes before that of the tables.
func (d *Driver) nameApp(ctx context.Context, t *driver.Tree) error {
	label := t.App.Name
	if t.App.ID == "" {
		front, err := d.front(ctx)
		if err != nil && !errors.Is(err, errNoFront) {
			return err
		}
		t.App.ID = front.ID
		for n := range t.Root.All() {
			n.Package = front.ID
		}
	}
	if label == "" {
		d.learnLang(ctx)
	}
	t.App.Name = orElse(d.ownName(t.App.ID), orElse(label, d.nameOf(t.App.ID)))
	return nil
}

// source reads XML, and JSON where that fails.
func (d *Driver) source(ctx context.Context) (*driver.Tree, size, error) {
	t, window, err := d.sourceAs(ctx, FormatXML)
	if err == nil || ctx.Err() != nil || d.slow.is() || !errors.Is(err, driver.ErrNoTree) {
		return t, window, err
	}
	d.log.InfoContext(ctx, "no source as XML; asking for JSON", "because", err)
	t, window, jsonErr := d.sourceAs(ctx, FormatJSON)
	if jsonErr != nil && ctx.Err() == nil && errors.Is(jsonErr, driver.ErrNoTree) {
		return nil, size{}, err // what the first try says is what a person knows
	}
	return t, window, jsonErr
}

// excluded is what a source leaves out, as asking for it takes long: the one that the driver has no use for, and on a page that was
// too slow the one that takes longest.
func (d *Driver) excluded() string {
	if d.slow.is() {
		return "accessible,visible"
	}
	return "accessible"
}

func (d *Driver) sourceAs(ctx context.Context, format string) (*driver.Tree, size, error) {
	within, cancel := context.WithTimeoutCause(ctx, sourceLimit, driver.ErrTimeout)
	defer cancel()
	r, err := d.request(within, http.MethodGet, here+"/source?format="+format+"&excluded_attributes="+d.excluded(), nil)
	if err != nil {
		if errors.Is(context.Cause(within), driver.ErrTimeout) {
			d.slow.note()
		}
		if within.Err() != nil && ctx.Err() == nil {
			return nil, size{}, tooSlow()
		}
		if hasCode(err, codeUnknown, codeBadState) && !appCrashed(err) {
			return nil, size{}, fmt.Errorf("%w: %w", driver.ErrNoTree, err)
		}
		return nil, size{}, err
	}
	if format == FormatJSON {
		in, _, err := unwrap(r.value)
		if err != nil {
			return nil, size{}, err
		}
		return parseJSON(in)
	}
	text, err := jsonText(r.value)
	if err != nil {
		return nil, size{}, noTree("the source is no text: " + shorten(string(r.value)))
	}
	return parseXML(text)
}

func tooSlow() error {
	return fmt.Errorf("%w: the source of this page took longer than %v: look at a screenshot, and leave the page", driver.ErrNoTree, sourceLimit)
}

// placeTree puts a tree into the pixels of the frame. Its window says how the phone is turned.
func (d *Driver) placeTree(ctx context.Context, t *driver.Tree, window size) error {
	frame, ok := d.screen.frameOf(window)
	if ok {
		d.screen.set(window, frame)
	} else {
		var err error
		var measured size
		if measured, frame, err = d.measure(ctx); err != nil {
			return err
		}
		if measured.wide() == window.wide() {
			window = measured // an application's frame may be less exact, or not the whole
		}
	}
	place(t, float64(frame.X)/window.w, float64(frame.Y)/window.h)
	t.Size = frame
	return nil
}
