package sim_test

import (
	"image"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The ids of the apps that the tests use.
const (
	settings = "com.android.settings"
	messages = "com.android.messaging"
	shop     = "com.handset.shop"
	clock    = "com.android.deskclock"
	notes    = "com.handset.notes"
	browser  = "com.android.browser"
	wallet   = "com.handset.wallet"
	camera   = "com.android.camera2"
	launcher = "com.android.launcher3"
)

// in returns a phone with an app in front.
func in(app string) *sim.Phone { return sim.New(&sim.Options{Start: app}) }

// node returns the first node that matches, which must be there.
func node(t *testing.T, p *sim.Phone, ms ...driver.Match) *driver.Node {
	t.Helper()
	tree := p.Tree()
	require.NotNil(t, tree)
	n := tree.Find(ms...)
	require.NotNil(t, n, "not on the screen")
	return n
}

// tap touches the middle of what says text.
func tap(t *testing.T, p *sim.Phone, text string) {
	t.Helper()
	p.Tap(node(t, p, driver.ByText(text)).Center())
}

func tapID(t *testing.T, p *sim.Phone, id string) {
	t.Helper()
	p.Tap(node(t, p, driver.ByID(id)).Center())
}

func shows(p *sim.Phone, text string) bool { return p.Tree().Find(driver.ByText(text)) != nil }

func TestOptionsCheck(t *testing.T) {
	screen := []sim.Screen{{ID: "main"}}
	for name, c := range map[string]struct {
		opts sim.Options
		want string
	}{
		"default":   {sim.Options{}, ""},
		"landscape": {sim.Options{Size: image.Pt(2400, 1080), Rotation: 3, Lang: sim.LangZh, Platform: sim.PlatformIOS}, ""},
		"size":      {sim.Options{Size: image.Pt(10, 10)}, "size 10x10"},
		"narrow":    {sim.Options{Size: image.Pt(400, 800), Density: 640}, "less than 200 dp"},
		"density":   {sim.Options{Density: 9}, "density 9"},
		"rotation":  {sim.Options{Rotation: 4}, "rotation 4"},
		"lang":      {sim.Options{Lang: "fr"}, `language "fr"`},
		"platform":  {sim.Options{Platform: "symbian"}, "android, harmony, ios"},
		"start":     {sim.Options{Start: "no.such"}, "no such app"},
		"taken":     {sim.Options{Apps: []sim.App{{ID: shop, Screens: screen}}}, "the id is taken"},
		"no screen": {sim.Options{Apps: []sim.App{{ID: "x.y"}}}, "at least one screen"},
		"icon":      {sim.Options{Apps: []sim.App{{ID: "x.y", Icon: "cat", Screens: screen}}}, "no icon"},
		"bad go": {sim.Options{Apps: []sim.App{{ID: "x.y", Screens: []sim.Screen{{
			ID: "main", Body: []sim.Widget{{Kind: sim.KindButton, Do: []sim.Effect{sim.Go("nowhere")}}},
		}}}}}, `no screen "nowhere"`},
		"bad ask": {sim.Options{Apps: []sim.App{{ID: "x.y", Screens: []sim.Screen{{
			ID: "main", Enter: []sim.Effect{sim.Ask("nothing")},
		}}}}}, `no dialog "nothing"`},
	} {
		t.Run(name, func(t *testing.T) {
			err := c.opts.Check()
			if c.want == "" {
				require.NoError(t, err)
				require.NotPanics(t, func() { sim.New(&c.opts) })
				return
			}
			require.ErrorContains(t, err, c.want)
			require.Panics(t, func() { sim.New(&c.opts) })
		})
	}
}

func TestRotationTurnsSizeTreeAndFrame(t *testing.T) {
	p := in(settings)
	for r, want := range []image.Point{{1080, 2400}, {2400, 1080}, {1080, 2400}, {2400, 1080}} {
		require.NoError(t, p.SetRotation(r))
		require.Equal(t, want, p.Size())
		require.Equal(t, want, p.Frame().Image.Bounds().Size())
		tree := p.Tree()
		require.Equal(t, want, tree.Size)
		require.Equal(t, r, tree.Rotation)
		require.Equal(t, image.Rectangle{Max: want}, tree.Root.Bounds)
		for n := range tree.Root.All() {
			require.True(t, n.Bounds.In(tree.Bounds()), "%v of %q", n.Bounds, n.Label())
		}
	}
	require.ErrorContains(t, p.SetRotation(4), "0 to 3")
	require.ErrorContains(t, p.SetRotation(-1), "0 to 3")
}

func TestNamesAreOnesOwn(t *testing.T) {
	a, b := sim.New(nil), sim.New(nil)
	require.NotEqual(t, a.Name(), b.Name())
	require.Equal(t, "desk", sim.New(&sim.Options{Name: "desk"}).Name())
}

// script is a long use of a phone, with something of everything.
func script(p *sim.Phone) {
	p.StartApp(settings)
	p.Swipe(image.Pt(500, 1800), image.Pt(500, 700), 200*time.Millisecond)
	p.Tap(image.Pt(500, 1200))
	p.Key(driver.KeyBack)
	p.StartApp(messages)
	p.Tap(image.Pt(500, 300))
	p.Tap(p.Tree().Find(driver.ByRole(driver.RoleEdit)).Center())
	p.InsertText("你好, world 👋🏽")
	p.Key(driver.KeyEnter)
	p.SetRotation(1)
	p.StartApp(clock)
	p.LongPress(image.Pt(400, 400), time.Second)
	p.Notify(sim.Notification{App: messages, Title: "Bob", Text: "嗨"})
	p.Pinch(p.Size().Div(2), 2, 300*time.Millisecond)
}

func TestSameInputsSameFramesTreeAndLog(t *testing.T) {
	a, b := sim.New(nil), sim.New(nil)
	script(a)
	b.PNG() // looking changes nothing
	script(b)
	require.Equal(t, a.Log(), b.Log())
	require.Equal(t, a.Tree(), b.Tree())
	x, _ := a.PNG()
	y, _ := b.PNG()
	require.Equal(t, x, y)
}

func TestManyGoroutinesOnOnePhone(t *testing.T) {
	p := in(settings)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for n := range 10 {
				switch (i + n) % 6 {
				case 0:
					p.Tap(image.Pt(100*i, 100*n+300))
				case 1:
					p.Swipe(image.Pt(500, 1500), image.Pt(500, 900), 0)
				case 2:
					p.Tree()
					p.Windows()
				case 3:
					p.Frame()
					p.PNG()
				case 4:
					p.InsertText("x")
					p.Key(driver.KeyBack)
				default:
					p.Log()
					p.Foreground()
					p.StartApp(messages)
				}
			}
		})
	}
	wg.Wait()
	require.NotEmpty(t, p.Events("tap"))
}

func TestFaces(t *testing.T) {
	for platform, want := range map[string][3]string{
		sim.PlatformAndroid: {settings, "android.widget.TextView", settings + ":id/title"},
		sim.PlatformHarmony: {"com.huawei.hmos.settings", "Text", "title"},
		sim.PlatformIOS:     {"com.apple.Preferences", "XCUIElementTypeStaticText", "title"},
	} {
		t.Run(platform, func(t *testing.T) {
			p := sim.New(&sim.Options{Platform: platform, Start: want[0]})
			require.Equal(t, want[0], p.Foreground().ID)
			n := node(t, p, driver.ByText("Settings"))
			require.Equal(t, want[1], n.Class)
			require.Equal(t, want[2], n.ID)
			require.NotEqual(t, strings.Contains(n.ID, ":id/"), platform != sim.PlatformAndroid)
		})
	}
}
