package driver_test

import (
	"context"
	"errors"
	"image"
	"math"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
)

// coreOps are what a driver of the seven methods can do.
var coreOps = []driver.Op{
	driver.OpScreenshot, driver.OpTree, driver.OpTap, driver.OpSwipe, driver.OpKey, driver.OpLaunch, driver.OpClearText,
	driver.OpDoubleTap, driver.OpLongPress, driver.OpForeground, driver.OpRotation, driver.OpFrames, driver.OpRelease,
	driver.OpDescribe,
}

func TestOperationsOfACoreDriver(t *testing.T) {
	require.Equal(t, coreOps, driver.Operations(newCore()))
	for _, c := range everyCall() {
		if slices.Contains(coreOps, c.op) || c.op == driver.OpGesture { // one finger goes as a swipe
			continue
		}
		d := newCore()
		_, err := c.do(t.Context(), d)
		require.ErrorIs(t, err, errors.ErrUnsupported, c.op)
		require.Empty(t, d.did, c.op)
		require.False(t, driver.MaybeDone(err), c.op)
	}
}

// unsupporting is a driver whose capabilities all say that they are not there after all.
func unsupporting() *full {
	f := newFull()
	for _, op := range driver.Ops() {
		if !slices.Contains([]driver.Op{driver.OpScreenshot, driver.OpTree, driver.OpTap, driver.OpSwipe, driver.OpKey, driver.OpLaunch}, op) {
			f.fail[op] = driver.Unsupported("%s: not on this phone", op)
		}
	}
	return f
}

func TestUnsupportedCapabilityOpensTheSlowPath(t *testing.T) {
	for op, want := range map[driver.Op][]string{
		driver.OpLongPress:  {"long press (1,2) 2s", "swipe (1,2) (1,2) 2s"},
		driver.OpDoubleTap:  {"double tap (1,2)", "tap (1,2)", "tap (1,2)"},
		driver.OpGesture:    {"gesture [[{(1,2) 0s} {(3,4) 1s}]]", "swipe (1,2) (3,4) 1s"},
		driver.OpForeground: {"foreground", "tree"},
		driver.OpRotation:   {"rotation", "tree"},
		driver.OpFrames:     {"frames 1s"},
		driver.OpRelease:    {"release"},
		driver.OpDescribe:   {"describe"},
	} {
		d := unsupporting()
		_, err := callOf(t, op).do(t.Context(), d)
		require.NoError(t, err, op)
		require.Equal(t, want, d.did)
	}
}

func TestUnsupportedCapabilityWithoutASlowPathSaysWhy(t *testing.T) {
	for _, op := range []driver.Op{
		driver.OpType, driver.OpStop, driver.OpClipboard, driver.OpShell, driver.OpRotate, driver.OpPowerState, driver.OpWake,
		driver.OpLock, driver.OpResolve, driver.OpPinch, driver.OpDrag,
	} {
		_, err := callOf(t, op).do(t.Context(), unsupporting())
		require.ErrorIs(t, err, errors.ErrUnsupported)
		require.ErrorContains(t, err, "not on this phone", op)
	}
}

func TestOtherErrorsOpenNoSlowPath(t *testing.T) {
	for _, c := range everyCall() {
		for _, refusal := range []error{driver.ErrDenied, driver.ErrTimeout, context.Canceled} {
			d := newFull()
			d.fail[c.op] = refusal
			_, err := c.do(t.Context(), d)
			require.ErrorIs(t, err, refusal)
			require.Equal(t, []string{c.notes}, d.did)
		}
	}
}

func TestEmbeddingHidesCapabilities(t *testing.T) {
	require.Equal(t, coreOps, driver.Operations(struct{ driver.Driver }{newFull()}))
}

func TestLongPressHasADefault(t *testing.T) {
	d := newCore()
	require.NoError(t, driver.LongPress(t.Context(), d, from, 0))
	require.Equal(t, []string{"swipe (1,2) (1,2) 1s"}, d.did)
}

// second fails the second tap.
type second struct {
	*core
	err error
}

func (s *second) Tap(ctx context.Context, at image.Point) error {
	err := s.core.Tap(ctx, at)
	if len(s.did) == 2 {
		err = s.err
	}
	return err
}

func TestDoubleTapSaysThatHalfOfItIsDone(t *testing.T) {
	for _, cause := range []error{driver.ErrOffline, driver.Unsupported("no more taps"), &driver.Error{Op: driver.OpTap, Device: "fake:1", Err: driver.ErrOffline}} {
		err := driver.DoubleTap(t.Context(), &second{newCore(), cause}, from)
		require.True(t, driver.MaybeDone(err))
		require.NotErrorIs(t, err, errors.ErrUnsupported, "it has sent something")
		require.ErrorContains(t, err, "double tap ")
	}
	d := newCore()
	d.fail[driver.OpTap] = driver.ErrOffline
	require.False(t, driver.MaybeDone(driver.DoubleTap(t.Context(), d, from)), "nothing is done")
	require.Len(t, d.did, 1)
}

func TestDoubleTapIsFast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		require.NoError(t, driver.DoubleTap(t.Context(), newCore(), from))
		require.Less(t, time.Since(start), 300*time.Millisecond, "Android's longest pause in a double tap")
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		err := driver.DoubleTap(ctx, newCore(), from)
		require.ErrorIs(t, err, context.Canceled)
		require.True(t, driver.MaybeDone(err))
	})
}

func TestGestureOfOneFinger(t *testing.T) {
	line := driver.Stroke{{At: from}, {At: to, After: time.Second}}
	for _, tt := range []struct {
		name    string
		strokes []driver.Stroke
		want    []string // nil is unsupported
	}{
		{"a line", []driver.Stroke{line}, []string{"swipe (1,2) (3,4) 1s"}},
		{"a point", []driver.Stroke{{{At: from}}}, []string{"tap (1,2)"}},
		{"two fingers", []driver.Stroke{line, line}, nil},
		{"a corner", []driver.Stroke{append(line, driver.Waypoint{At: from, After: 2 * time.Second})}, nil},
		{"a late start", []driver.Stroke{{{At: from, After: 1}, {At: to, After: 2}}}, nil},
		{"no finger", nil, nil},
		{"no waypoint", []driver.Stroke{{}}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := newCore()
			err := driver.Gesture(t.Context(), d, tt.strokes)
			require.Equal(t, tt.want, d.did)
			require.Equal(t, tt.want == nil, errors.Is(err, errors.ErrUnsupported))
		})
	}
}

// gesturer has Gesture, and no Drag and no Pinch.
type gesturer struct {
	*core
	strokes []driver.Stroke
}

func (g *gesturer) Gesture(_ context.Context, strokes []driver.Stroke) error {
	g.strokes = strokes
	return nil
}

func TestDragIsAGesture(t *testing.T) {
	d := &gesturer{core: newCore()}
	require.NoError(t, driver.Drag(t.Context(), d, from, to, 2*time.Second, time.Second))
	require.Equal(t, []driver.Stroke{{{At: from}, {At: from, After: 2 * time.Second}, {At: to, After: 3 * time.Second}}}, d.strokes)
	require.NoError(t, driver.Drag(t.Context(), d, from, to, 0, 0))
	require.Equal(t, []driver.Stroke{{{At: from}, {At: from, After: time.Second}, {At: to, After: 1800 * time.Millisecond}}}, d.strokes)
	require.ErrorIs(t, driver.Drag(t.Context(), newCore(), from, to, 0, 0), errors.ErrUnsupported)
}

// oldDragger has a Drag that its phone is too old for, and a Gesture for one finger only.
type oldDragger struct{ *core }

func (d *oldDragger) Drag(context.Context, image.Point, image.Point, time.Duration, time.Duration) error {
	return driver.Unsupported("too old to drag")
}

func (d *oldDragger) Gesture(context.Context, []driver.Stroke) error {
	return driver.Unsupported("only straight lines")
}

// TestDragSaysWhyNot wants the reason that speaks of a drag, where the slow path does not work either.
func TestDragSaysWhyNot(t *testing.T) {
	err := driver.Drag(t.Context(), &oldDragger{newCore()}, from, to, 0, 0)
	require.ErrorIs(t, err, errors.ErrUnsupported)
	require.EqualError(t, err, "too old to drag")
}

func TestPinchIsAGesture(t *testing.T) {
	d := &gesturer{core: newCore()}
	spans := func() (start, end int) {
		require.Len(t, d.strokes, 2)
		for _, s := range d.strokes {
			for _, w := range s {
				require.True(t, w.At.In(image.Rectangle{Max: d.size}), w.At)
			}
		}
		return d.strokes[1][0].At.X - d.strokes[0][0].At.X, d.strokes[1][1].At.X - d.strokes[0][1].At.X
	}
	require.NoError(t, driver.Pinch(t.Context(), d, image.Pt(50, 100), 0.5, 0))
	start, end := spans()
	require.InDelta(t, 0.5, float64(end)/float64(start), 0.1)
	require.NoError(t, driver.Pinch(t.Context(), d, image.Pt(50, 100), 2, 0))
	start, end = spans()
	require.InDelta(t, 2, float64(end)/float64(start), 0.1)
	require.NoError(t, driver.Pinch(t.Context(), d, image.Pt(99, 199), 2, 0), "in a corner the fingers have no room")
	spans()
	for _, scale := range []float64{0, -1, math.NaN()} {
		require.ErrorIs(t, driver.Pinch(t.Context(), d, from, scale, 0), errors.ErrUnsupported)
	}
}

// field is the tree of a focused field.
func field(text string) *driver.Tree {
	n := &driver.Node{Role: driver.RoleEdit, Text: text}
	n.Set(driver.Focused, true)
	return &driver.Tree{Root: &driver.Node{Children: []*driver.Node{n}}}
}

func TestClearTextPressesDelete(t *testing.T) {
	d := newCore()
	d.tree = field("ab👍")
	require.NoError(t, driver.ClearText(t.Context(), d))
	require.Equal(t, []string{"tree", "key MoveEnd", "key Delete", "key Delete", "key Delete"}, d.did)

	d = newCore()
	d.tree = field("")
	require.NoError(t, driver.ClearText(t.Context(), d))
	require.Equal(t, []string{"tree"}, d.did)
}

func TestClearTextRefuses(t *testing.T) {
	long := make([]byte, 501)
	for _, tt := range []struct {
		name string
		set  func(*core)
		want error
	}{
		{"without a field", func(*core) {}, driver.ErrNoTextInput},
		{"a long text", func(c *core) { c.tree = field(string(long)) }, errors.ErrUnsupported},
		{"several lines", func(c *core) { c.tree = field("a\nb") }, errors.ErrUnsupported},
		{"without trees", func(c *core) { c.fail[driver.OpTree] = driver.Unsupported("no trees") }, errors.ErrUnsupported},
		{"on a closed driver", func(c *core) { c.fail[driver.OpTree] = driver.ErrClosed }, driver.ErrClosed},
		{"without a tree now", func(c *core) { c.fail[driver.OpTree] = driver.ErrNoTree }, driver.ErrNoTree},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := newCore()
			tt.set(d)
			require.ErrorIs(t, driver.ClearText(t.Context(), d), tt.want)
			require.Equal(t, []string{"tree"}, d.did)
		})
	}
}

func TestClearTextSaysThatHalfOfItIsDone(t *testing.T) {
	d := &noDelete{newCore()}
	d.tree = field("ab")
	err := driver.ClearText(t.Context(), d)
	require.True(t, driver.MaybeDone(err))
	require.NotErrorIs(t, err, errors.ErrUnsupported)
}

type noDelete struct{ *core }

func (d *noDelete) Key(ctx context.Context, key driver.Key) error {
	if key == driver.KeyDelete {
		return driver.Unsupported("no such key")
	}
	return d.core.Key(ctx, key)
}

// typist has Type, and no SetText.
type typist struct {
	*core
	err error
}

func (d *typist) Type(_ context.Context, text string) error {
	_ = d.note(driver.OpType, text)
	return d.err
}

func TestSetTextClearsAndTypes(t *testing.T) {
	d := &typist{core: newCore()}
	d.tree = field("a")
	require.NoError(t, driver.SetText(t.Context(), d, "new"))
	require.Equal(t, []string{"tree", "key MoveEnd", "key Delete", "type new"}, d.did)

	d.err = driver.ErrNoTextInput
	err := driver.SetText(t.Context(), d, "new")
	require.ErrorIs(t, err, driver.ErrNoTextInput)
	require.True(t, driver.MaybeDone(err), "the field is empty now")
}

// powered has PowerState, and no Wake and no Lock.
type powered struct {
	*core
	power driver.Power
	err   error
}

func (d *powered) PowerState(context.Context) (driver.Power, error) { return d.power, d.err }

func TestWakeAndLockPressPowerOnce(t *testing.T) {
	for _, tt := range []struct {
		name string
		on   bool
		do   func(context.Context, driver.Driver) error
		want []string
	}{
		{"wake a sleeping phone", false, driver.Wake, []string{"key Power"}},
		{"wake a phone that is on", true, driver.Wake, nil},
		{"lock a phone that is on", true, driver.Lock, []string{"key Power"}},
		{"lock a sleeping phone", false, driver.Lock, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := &powered{core: newCore(), power: driver.Power{On: tt.on}}
			require.NoError(t, tt.do(t.Context(), d))
			require.Equal(t, tt.want, d.did)
			d = &powered{core: newCore(), power: driver.Power{On: tt.on}, err: driver.ErrOffline}
			require.ErrorIs(t, tt.do(t.Context(), d), driver.ErrOffline)
			require.Empty(t, d.did)
		})
	}
}

func TestForegroundAndRotationOfTheTree(t *testing.T) {
	d := newCore()
	app, err := driver.Foreground(t.Context(), d)
	require.NoError(t, err)
	require.Equal(t, "a.b", app.ID)
	r, err := driver.Rotation(t.Context(), d)
	require.NoError(t, err)
	require.Equal(t, 1, r)

	d.tree.App = driver.App{}
	_, err = driver.Foreground(t.Context(), d)
	require.ErrorIs(t, err, errors.ErrUnsupported, "the tree does not tell")
	d.fail[driver.OpTree] = driver.ErrNoTree
	_, err = driver.Foreground(t.Context(), d)
	require.ErrorIs(t, err, driver.ErrNoTree)
	_, err = driver.Rotation(t.Context(), d)
	require.ErrorIs(t, err, driver.ErrNoTree)
}

func TestFramesAreScreenshots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		d, start := newCore(), time.Now()
		seq, err := driver.Frames(ctx, d, time.Second)
		require.NoError(t, err)
		n := 0
		for s, err := range seq {
			require.NoError(t, err)
			require.Equal(t, d.size, s.Size())
			if n++; n == 3 {
				break
			}
		}
		require.Equal(t, 2*time.Second, time.Since(start), "one in each interval")

		time.AfterFunc(2500*time.Millisecond, cancel)
		n = 0
		for _, err = range seq {
			n++
		}
		require.ErrorIs(t, err, context.Canceled, "the error is the last thing")
		require.Equal(t, 4, n)

		d.fail[driver.OpScreenshot] = driver.ErrOffline
		n = 0
		for _, err = range seq {
			n++
		}
		require.ErrorIs(t, err, driver.ErrOffline)
		require.Equal(t, 1, n)
	})
}

func TestDescribeKnowsTheOperations(t *testing.T) {
	desc, err := driver.Describe(t.Context(), newCore())
	require.NoError(t, err)
	require.Equal(t, coreOps, desc.Ops)
}
