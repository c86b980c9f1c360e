package agent

import (
	"context"
	"errors"
	"fmt"
	"image"
	"time"

	"github.com/handset-go/handset/action"
	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/timing"
)

// plan is an action as calls on the driver.
type plan struct {
	do   func(ctx context.Context, d driver.Driver) error
	kind timing.Kind
}

var errNoRows = errors.New("this screen has no refs: give the point as element=[x,y]")

// point returns the pixel that a target means.
func (o *observation) point(t action.Target) (image.Point, error) {
	if t.Ref <= 0 {
		return o.view.Pixel(t.At)
	}
	if o.rows == nil {
		return image.Point{}, fmt.Errorf("ref %d: %w", t.Ref, errNoRows)
	}
	row, err := o.rows.Row(t.Ref)
	if err != nil {
		return image.Point{}, err
	}
	return row.At, nil
}

// plan turns an action that touches the phone into calls. An error is the model's: a point that does not
// exist, a ref that is not on the screen.
func (o *observation) plan(a action.Action) (*plan, error) {
	switch a := a.(type) {
	case action.Launch:
		return &plan{func(ctx context.Context, d driver.Driver) error { return d.Launch(ctx, a.App) }, timing.AfterLaunch}, nil
	case action.OpenURL:
		return &plan{func(ctx context.Context, d driver.Driver) error { return driver.OpenURL(ctx, d, a.URL) }, timing.AfterLaunch}, nil
	case action.Type:
		return &plan{func(ctx context.Context, d driver.Driver) error { return driver.SetText(ctx, d, a.Text) }, timing.AfterType}, nil
	case action.Back:
		return keyPlan(driver.KeyBack), nil
	case action.Home:
		return keyPlan(driver.KeyHome), nil
	case action.Key:
		return keyPlan(driver.ParseKey(a.Name)), nil
	case action.Gesture:
		return o.gesture(a)
	case action.Swipe:
		return o.fromTo(a.From, a.To, func(ctx context.Context, d driver.Driver, from, to image.Point) error {
			return d.Swipe(ctx, from, to, swipeTime(from, to, a.Duration))
		})
	case action.Drag:
		return o.fromTo(a.From, a.To, func(ctx context.Context, d driver.Driver, from, to image.Point) error {
			return driver.Drag(ctx, d, from, to, 0, a.Duration)
		})
	}
	return o.touch(a)
}

func keyPlan(k driver.Key) *plan {
	kind := timing.AfterBack
	if k == driver.KeyHome {
		kind = timing.AfterHome
	}
	return &plan{func(ctx context.Context, d driver.Driver) error { return d.Key(ctx, k) }, kind}
}

// touch plans the actions on one point.
func (o *observation) touch(a action.Action) (*plan, error) {
	var target action.Target
	var do func(ctx context.Context, d driver.Driver, at image.Point) error
	kind := timing.AfterTap
	switch a := a.(type) {
	case action.Tap:
		target, do = a.Target, func(ctx context.Context, d driver.Driver, at image.Point) error { return d.Tap(ctx, at) }
	case action.DoubleTap:
		target, do, kind = a.Target, driver.DoubleTap, timing.AfterDoubleTap
	case action.LongPress:
		target, kind = a.Target, timing.AfterLongPress
		do = func(ctx context.Context, d driver.Driver, at image.Point) error {
			return driver.LongPress(ctx, d, at, a.Duration)
		}
	case action.Pinch:
		target, kind = a.Target, timing.AfterSwipe
		do = func(ctx context.Context, d driver.Driver, at image.Point) error {
			return driver.Pinch(ctx, d, at, a.Scale, 0)
		}
	default:
		return nil, fmt.Errorf("this agent cannot do %s", a.Verb())
	}
	at, err := o.point(target)
	if err != nil {
		return nil, err
	}
	return &plan{func(ctx context.Context, d driver.Driver) error { return do(ctx, d, at) }, kind}, nil
}

func (o *observation) fromTo(from, to action.Target, do func(ctx context.Context, d driver.Driver, from, to image.Point) error) (*plan, error) {
	start, err := o.point(from)
	if err != nil {
		return nil, fmt.Errorf("start: %w", err)
	}
	end, err := o.point(to)
	if err != nil {
		return nil, fmt.Errorf("end: %w", err)
	}
	return &plan{func(ctx context.Context, d driver.Driver) error { return do(ctx, d, start, end) }, timing.AfterSwipe}, nil
}

// How long a swipe takes where the model does not say: Open-AutoGLM's square of the distance over 1000,
// between these two.
const (
	shortestSwipe = 1000 * time.Millisecond
	longestSwipe  = 2000 * time.Millisecond
)

func swipeTime(from, to image.Point, asked time.Duration) time.Duration {
	if asked > 0 {
		return asked
	}
	d := to.Sub(from)
	return min(max(time.Duration(d.X*d.X+d.Y*d.Y)/1000*time.Millisecond, shortestSwipe), longestSwipe)
}

const defaultGesture = 800 * time.Millisecond

// gesture spreads the waypoints of each path evenly over the time.
func (o *observation) gesture(a action.Gesture) (*plan, error) {
	over := orDefault(a.Duration, defaultGesture)
	strokes := make([]driver.Stroke, len(a.Paths))
	for i, path := range a.Paths {
		for j, p := range path {
			at, err := o.view.Pixel(p)
			if err != nil {
				return nil, fmt.Errorf("path %d, point %d: %w", i+1, j+1, err)
			}
			after := over * time.Duration(j) / time.Duration(max(len(path)-1, 1))
			strokes[i] = append(strokes[i], driver.Waypoint{At: at, After: after})
		}
	}
	return &plan{func(ctx context.Context, d driver.Driver) error { return driver.Gesture(ctx, d, strokes) }, timing.AfterSwipe}, nil
}
