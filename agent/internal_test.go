package agent

import (
	"image"
	"image/draw"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/action"
	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/perception"
)

func TestStopwatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		over := make(chan time.Time, 1)
		s := &stopwatch{}
		s.hold()
		s.start(10*time.Second, func() { over <- time.Now() })
		start := time.Now()
		time.Sleep(time.Hour)
		require.Zero(t, s.elapsed(), "held before the start")
		s.release()
		time.Sleep(4 * time.Second)
		s.hold()
		s.hold()
		time.Sleep(time.Hour)
		s.release()
		time.Sleep(time.Hour)
		require.Equal(t, 4*time.Second, s.elapsed(), "held twice")
		s.release()
		require.Equal(t, 3*time.Hour+10*time.Second, (<-over).Sub(start))
		s.stop()
		require.Equal(t, 10*time.Second, s.elapsed())
		s.stop()
		time.Sleep(time.Hour)
		require.Equal(t, 10*time.Second, s.elapsed())
	})
}

func TestGuards(t *testing.T) {
	type move struct {
		key     string
		verb    action.Verb
		changed bool   // what is seen after it
		want    string // "", "remark", "refuse" or "stuck"
	}
	tap := func(key string, changed bool, want string) move { return move{key, action.VerbTap, changed, want} }
	wait := func(want string) move { return move{"w", action.VerbWait, false, want} }
	cases := []struct {
		name  string
		moves []move
	}{
		{"told, refused, stuck", []move{tap("a", false, ""), tap("a", false, "remark"), tap("a", false, "refuse"), tap("a", false, "stuck")}},
		{"a change begins anew", []move{tap("a", false, ""), tap("a", true, "remark"), tap("a", false, ""), tap("a", false, "remark")}},
		{"another action begins anew", []move{tap("a", false, ""), tap("b", false, ""), tap("a", false, "")}},
		{"a fourth wait", []move{wait(""), wait(""), wait(""), wait("refuse"), wait("refuse"), wait("stuck")}},
		{"waits apart", []move{wait(""), wait(""), wait(""), tap("a", false, ""), wait(""), wait(""), wait("")}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var g guards
			for i, m := range c.moves {
				r, got := g.before(m.key, m.verb), ""
				switch {
				case r.stuck != "":
					got = "stuck"
				case r.refuse != "":
					got = "refuse"
				case r.remark != "":
					got = "remark"
				}
				require.Equal(t, m.want, got, "move %d", i)
				g.seen(m.changed)
			}
		})
	}
}

func TestGuardsCountFailures(t *testing.T) {
	var g guards
	for i := 1; i <= 5; i++ {
		r := g.after(action.VerbLaunch, true)
		require.Equal(t, i >= 3 && i < 5, r.remark != "", i)
		require.Equal(t, i == 5, r.stuck != "", i)
	}
	g.after(action.VerbLaunch, false)
	require.Equal(t, ruling{}, g.after(action.VerbLaunch, true))
	require.Equal(t, ruling{}, g.after(action.VerbType, true))
}

func TestActionKey(t *testing.T) {
	o := &observation{}
	tap := func(x, y float64) action.Action {
		return action.Tap{Target: action.Target{At: action.Point{X: x, Y: y}}}
	}
	require.Equal(t, o.actionKey(tap(500, 500)), o.actionKey(tap(503, 498)), "about the same place")
	require.NotEqual(t, o.actionKey(tap(500, 500)), o.actionKey(tap(600, 500)))
	require.NotEqual(t, o.actionKey(action.Type{Text: "a"}), o.actionKey(action.Type{Text: "b"}))
	require.NotEqual(t, o.actionKey(tap(5, 5)), o.actionKey(action.DoubleTap{Target: action.Target{At: action.Point{X: 5, Y: 5}}}))
}

// page is a picture in one colour with a box in another.
func page(box image.Rectangle) *driver.Screen {
	m := image.NewNRGBA(image.Rect(0, 0, 1080, 2400))
	draw.Draw(m, m.Bounds(), image.White, image.Point{}, draw.Src)
	draw.Draw(m, box, image.Black, image.Point{}, draw.Src)
	s, err := driver.NewScreenImage(m, driver.HealthOK)
	if err != nil {
		panic(err)
	}
	return s
}

func TestSameFrame(t *testing.T) {
	plain := page(image.Rectangle{})
	cases := []struct {
		name string
		box  image.Rectangle
		same bool
	}{
		{"nothing", image.Rectangle{}, true},
		{"the clock", image.Rect(40, 20, 160, 70), true},
		{"a cursor", image.Rect(300, 900, 304, 960), true},
		{"a check mark", image.Rect(900, 900, 960, 960), false},
		{"a line of text", image.Rect(100, 900, 500, 950), false},
		{"everything", image.Rect(0, 0, 1080, 2400), false},
	}
	for _, c := range cases {
		require.Equal(t, c.same, sameFrame(plain, page(c.box)), c.name)
	}
	require.False(t, sameFrame(nil, plain))
	small, err := driver.NewScreenImage(image.NewNRGBA(image.Rect(0, 0, 10, 10)), driver.HealthOK)
	require.NoError(t, err)
	require.False(t, sameFrame(plain, small))
}

func TestTokens(t *testing.T) {
	require.InDelta(t, 100, textTokens(stringOf("a", 360)), 2)
	require.InDelta(t, 110, textTokens(stringOf("字", 100)), 2)
	require.InDelta(t, 3306, imageTokens(image.Pt(1080, 2400)), 20)
	require.InDelta(t, 6377, imageTokens(image.Pt(4000, 4000)), 20, "what is larger is made smaller")
}

func stringOf(s string, n int) string {
	out := make([]byte, 0, n*len(s))
	for range n {
		out = append(out, s...)
	}
	return string(out)
}

// The numbers of a row are a model's point: View leads them back into the row.
func TestRowsAndViewsAgree(t *testing.T) {
	for _, width := range []int{720, 1080, 1216, 1290, 1440, 2400, 2720} {
		for x := 0; x < width-40; x += 7 {
			n := &driver.Node{Role: driver.RoleButton, Text: "b", Bounds: image.Rect(x, 10, x+40, 50)}
			tree := &driver.Tree{Root: n, Size: image.Pt(width, 100)}
			row := perception.Render(tree, nil).Rows[0]
			view := action.View{Frame: tree.Size}
			require.Equal(t, view.PerMille(row.At), action.Point{X: float64(row.Mil.X), Y: float64(row.Mil.Y)})
			at, err := view.Pixel(action.Point{X: float64(row.Mil.X), Y: float64(row.Mil.Y)})
			require.NoError(t, err)
			require.True(t, at.In(n.Bounds))
		}
	}
}
