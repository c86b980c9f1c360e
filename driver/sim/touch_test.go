package sim_test

import (
	"image"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
)

// TestEveryClickableNodeTakesItsTap touches the middle of each node that says it can be clicked, in every
// rotation, and looks at what the phone says was touched.
func TestEveryClickableNodeTakesItsTap(t *testing.T) {
	for _, app := range []string{launcher, settings, shop, clock, notes} {
		for rotation := range 4 {
			first := sim.New(&sim.Options{Start: app, Rotation: rotation})
			for _, n := range first.Tree().FindAll(driver.HasFlag(driver.Clickable)) {
				if len(n.Children) > 0 && first.Tree().NodeAt(n.Center()).Is(driver.Clickable) {
					continue // a button of its own is in the middle
				}
				p := sim.New(&sim.Options{Start: app, Rotation: rotation})
				p.Tap(n.Center())
				e := p.Events("tap")
				require.Len(t, e, 1)
				require.Equal(t, n.Center(), image.Pt(e[0].Data["x"].(int), e[0].Data["y"].(int)))
				require.NotEmpty(t, e[0].String("on"), "%s %d %q", app, rotation, n.Label())
			}
		}
	}
}

func TestTapOutOfEverything(t *testing.T) {
	p := in(messages)
	before := p.Tree()
	size := p.Size()
	for _, at := range []image.Point{{}, {X: size.X - 1}, {Y: size.Y - 1}, size.Sub(image.Pt(1, 1)), {540, 1900}} {
		p.Tap(at)
	}
	require.Equal(t, before, p.Tree())
	require.Len(t, p.Events("tap"), 5)
}

func TestSwipeScrollsByItsLength(t *testing.T) {
	p := in(settings)
	at := node(t, p, driver.ByText("Display")).Bounds
	p.Swipe(image.Pt(540, 1500), image.Pt(540, 1200), 2*time.Second)
	require.Equal(t, at.Sub(image.Pt(0, 300)), node(t, p, driver.ByText("Display")).Bounds)
	p.Swipe(image.Pt(540, 1200), image.Pt(540, 1500), 2*time.Second)
	require.Equal(t, at, node(t, p, driver.ByText("Display")).Bounds)
	require.Empty(t, p.Events("tap"))
}

func TestFlingGoesFurther(t *testing.T) {
	slow, fast := in(settings), in(settings)
	slow.Swipe(image.Pt(540, 1500), image.Pt(540, 1200), 2*time.Second)
	fast.Swipe(image.Pt(540, 1500), image.Pt(540, 1200), 60*time.Millisecond)
	at := func(p *sim.Phone) int { return node(t, p, driver.ByText("Display")).Bounds.Min.Y }
	require.Less(t, at(fast), at(slow)-100)
}

func TestScrollEndsAtTheEnd(t *testing.T) {
	p := in(settings)
	require.False(t, shows(p, "About phone"))
	list := node(t, p, driver.ByRole(driver.RoleList))
	require.True(t, list.Is(driver.Scrollable))
	for range 5 {
		p.Swipe(image.Pt(540, 2000), image.Pt(540, 500), 300*time.Millisecond)
	}
	require.True(t, shows(p, "About phone"))
	require.Equal(t, list.Bounds.Max.Y, node(t, p, driver.ByID("row_about")).Bounds.Max.Y)
	require.False(t, shows(p, "Network & internet"))
}

func TestRowsPartlyOutOfSightAreClipped(t *testing.T) {
	p := in(settings)
	list := node(t, p, driver.ByRole(driver.RoleList)).Bounds
	p.Swipe(image.Pt(540, 1500), image.Pt(540, 1400), 2*time.Second)
	row := node(t, p, driver.ByID("row_network")).Bounds
	require.Equal(t, list.Min.Y, row.Min.Y)
	require.Less(t, row.Dy(), node(t, p, driver.ByID("row_display")).Bounds.Dy())
	p.Tap(image.Pt(540, list.Min.Y-2)) // just above the list: the search field's band, not the hidden part
	require.Equal(t, "com.android.settings.Settings", p.Foreground().Page)
}

func TestLongPressAndShortPress(t *testing.T) {
	p := in(notes)
	first := node(t, p, driver.ByText("Book the dentist"))
	require.True(t, first.Is(driver.Focusable) || !first.Is(driver.LongClickable))
	p.LongPress(first.Center(), 300*time.Millisecond)
	require.Empty(t, p.Events("long_press"))
	require.Len(t, p.Events("tap"), 1)
	p.LongPress(first.Center(), 600*time.Millisecond)
	require.Len(t, p.Events("long_press"), 1)
	require.Equal(t, "Book the dentist", p.Events("note_deleted")[0].String("text"))
	require.Len(t, p.List("notes"), 1)
	require.True(t, shows(p, "Shopping: milk, bread, tea"))
}

func TestDoubleTap(t *testing.T) {
	at := image.Pt(540, 1900)
	for name, c := range map[string]struct {
		do   func(p *sim.Phone)
		want int
	}{
		"native":    {func(p *sim.Phone) { p.DoubleTap(at) }, 1},
		"two taps":  {func(p *sim.Phone) { p.Tap(at); p.Tap(at) }, 1},
		"one tap":   {func(p *sim.Phone) { p.Tap(at) }, 0},
		"apart":     {func(p *sim.Phone) { p.Tap(at); p.Tap(at.Add(image.Pt(300, 0))) }, 0},
		"late":      {func(p *sim.Phone) { p.Tap(at); p.Advance(time.Second); p.Tap(at) }, 0},
		"looked at": {func(p *sim.Phone) { p.Tap(at); p.Frame(); p.Tap(at) }, 0},
		"four taps": {func(p *sim.Phone) { p.DoubleTap(at); p.DoubleTap(at) }, 2},
	} {
		t.Run(name, func(t *testing.T) {
			p := in(browser)
			c.do(p)
			require.Len(t, p.Events("double_tap"), c.want)
			require.Len(t, p.Events("page_zoomed"), c.want)
		})
	}
}

func TestDragSortsAndASwipeDoesNot(t *testing.T) {
	p := in(clock)
	tap(t, p, "World")
	from, to := node(t, p, driver.ByText("London")).Center(), node(t, p, driver.ByText("New York")).Center()
	p.Swipe(from, to, 300*time.Millisecond)
	require.Equal(t, "London", p.List("cities")[0]["name"])
	p.Drag(from, to, 700*time.Millisecond, 500*time.Millisecond)
	require.Equal(t, "Beijing", p.List("cities")[0]["name"])
	require.Equal(t, "London", p.List("cities")[2]["name"])
	require.Equal(t, map[string]any{"list": "cities", "from": 0, "to": 2}, p.Events("moved")[0].Data)
}

func TestSlider(t *testing.T) {
	p := in(clock)
	bar := node(t, p, driver.ByRole(driver.RoleSlider))
	p.Tap(image.Pt(bar.Bounds.Min.X, bar.Center().Y))
	require.Equal(t, "0", p.Value("snooze"))
	p.Swipe(bar.Center(), image.Pt(bar.Bounds.Max.X-1, bar.Center().Y), 400*time.Millisecond)
	require.Equal(t, "30", p.Value("snooze"))
	require.Equal(t, "30", node(t, p, driver.ByRole(driver.RoleSlider)).Text)
	require.NotEmpty(t, p.Events("value"))
}

func TestPinchZoomsThePage(t *testing.T) {
	p := in(browser)
	at := image.Pt(540, 1200)
	p.Pinch(at, 2, 300*time.Millisecond)
	require.Equal(t, "2", p.Value("browser.zoom"))
	p.Pinch(at, 0.5, 300*time.Millisecond)
	require.Equal(t, "1", p.Value("browser.zoom"))
	e := p.Events("pinch")
	require.Len(t, e, 2)
	require.Equal(t, at, image.Pt(e[0].Data["x"].(int), e[0].Data["y"].(int)))
	require.InDelta(t, 2, e[0].Data["scale"], 0.01)
	require.Empty(t, p.Events("tap"))
}

func TestFingerByFinger(t *testing.T) {
	p := in(settings)
	at := node(t, p, driver.ByText("Bluetooth")).Center()
	p.Down(7, at)
	require.Empty(t, p.Log())
	p.Advance(40 * time.Millisecond)
	p.Up(7)
	require.Equal(t, "false", p.Value("bluetooth"))

	p.Down(0, at)
	p.Move(0, at.Add(image.Pt(3, 3))) // a trembling finger
	p.Up(0)
	require.Equal(t, "true", p.Value("bluetooth"))

	p.Down(0, at)
	p.Cancel()
	p.Up(0)
	p.Move(0, at)
	require.Equal(t, "true", p.Value("bluetooth"))

	before := node(t, p, driver.ByText("Display")).Bounds
	p.Down(0, image.Pt(540, 1500))
	for i := range 10 {
		p.Advance(100 * time.Millisecond)
		p.Move(0, image.Pt(540, 1500-20*(i+1)))
	}
	require.Equal(t, before.Sub(image.Pt(0, 200)), node(t, p, driver.ByText("Display")).Bounds, "it scrolls under the finger")
	p.Up(0)
}

func TestSystemGestures(t *testing.T) {
	size := image.Pt(1080, 2400)
	for name, c := range map[string]struct {
		from, to image.Point
		check    func(t *testing.T, p *sim.Phone)
	}{
		"home": {image.Pt(540, size.Y-5), image.Pt(540, 1400), func(t *testing.T, p *sim.Phone) {
			require.Equal(t, launcher, p.Foreground().ID)
		}},
		"back from the left": {image.Pt(2, 1200), image.Pt(400, 1210), func(t *testing.T, p *sim.Phone) {
			require.True(t, shows(p, "Bluetooth"))
		}},
		"back from the right": {image.Pt(1078, 1200), image.Pt(700, 1210), func(t *testing.T, p *sim.Phone) {
			require.True(t, shows(p, "Bluetooth"))
		}},
		"shade": {image.Pt(540, 10), image.Pt(540, 1200), func(t *testing.T, p *sim.Phone) {
			require.Equal(t, "com.android.systemui", p.Foreground().ID)
			p.Swipe(image.Pt(540, 2000), image.Pt(540, 1000), 0)
			require.Equal(t, settings, p.Foreground().ID)
		}},
		"too short": {image.Pt(2, 1200), image.Pt(60, 1200), func(t *testing.T, p *sim.Phone) {
			require.True(t, shows(p, "Brightness"))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			p := in(settings)
			tap(t, p, "Display")
			p.Swipe(c.from, c.to, 200*time.Millisecond)
			c.check(t, p)
		})
	}
}
