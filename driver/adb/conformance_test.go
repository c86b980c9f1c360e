package adb_test

import (
	"errors"
	"image"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/adb"
	"github.com/handset-go/handset/driver/drivertest"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/cmdrun"
	"github.com/handset-go/handset/internal/phonefront/adbd"
	"github.com/handset-go/handset/internal/phonefront/android"
)

// suite is the contract's suite for one profile, by one way to its phones.
type suite struct {
	way     way
	profile string
	options adb.Options
	shape   sim.Options
	more    map[string]sim.Options // phones of other shapes
}

// shapes are those of phones that are not small: a foldable's display inside and outside, a clamshell, a
// television. Their frames are as small.
var shapes = map[string]sim.Options{
	"a14-fold":      {Size: image.Pt(525, 438), Density: 100},
	"a14-folded":    {Size: image.Pt(270, 606), Density: 105},
	"samsung-cover": {Size: image.Pt(270, 660), Density: 105},
	"tv":            {Size: image.Pt(600, 338), Density: 100},
}

// small is a phone whose frames are quickly drawn, of which the suite wants hundreds.
var small = sim.Options{Size: image.Pt(270, 585), Density: 105}

func shapeOf(profile string) sim.Options {
	if shape, ok := shapes[profile]; ok {
		return shape
	}
	return small
}

// blockedInput is what MIUI refuses as long as its switch "USB debugging (Security settings)" is off.
var blockedInput = map[driver.Op]error{
	driver.OpTap: driver.ErrInputBlocked, driver.OpSwipe: driver.ErrInputBlocked, driver.OpKey: driver.ErrInputBlocked,
	driver.OpDoubleTap: driver.ErrInputBlocked, driver.OpLongPress: driver.ErrInputBlocked, driver.OpDrag: driver.ErrInputBlocked,
	driver.OpType: driver.ErrInputBlocked, driver.OpClearText: driver.ErrInputBlocked, driver.OpSetText: driver.ErrInputBlocked,
	driver.OpWake: driver.ErrInputBlocked, driver.OpLock: driver.ErrInputBlocked, driver.OpRotate: fs.ErrPermission,
}

// refusedOps are the operations that a profile must refuse, whatever is asked of them. A television is
// not here: it has no touchscreen, and its input takes taps like every other's.
var refusedOps = map[string]map[driver.Op]error{
	"a6":       {driver.OpDrag: errors.ErrUnsupported}, // draganddrop came with Android 7
	"a13-miui": blockedInput,
}

// refusedCases are those that a profile refuses in another way than the operation: what is not plain
// ASCII needs an input method, which the phone forbids to switch.
var refusedCases = map[string]map[string]error{
	"a13-miui": {
		"text/accents": driver.ErrNoTextInput, "text/chinese": driver.ErrNoTextInput, "text/emoji": driver.ErrNoTextInput,
		"text/newline-multi": driver.ErrNoTextInput,
	},
}

// ops are what the driver is meant to have without scrcpy's server.
var ops = []driver.Op{
	driver.OpType, driver.OpClearText, driver.OpSetText, driver.OpDoubleTap, driver.OpLongPress, driver.OpDrag,
	driver.OpForeground, driver.OpResolve, driver.OpApps, driver.OpStop, driver.OpOpenURL, driver.OpRotation, driver.OpRotate,
	driver.OpWake, driver.OpLock, driver.OpPowerState, driver.OpInstall, driver.OpUninstall, driver.OpPush, driver.OpPull,
	driver.OpShell, driver.OpLogs, driver.OpFrames, driver.OpRelease, driver.OpDescribe,
}

// phone opens phones of a shape. A limit is the driver's own.
func (s suite) phone(shape sim.Options, limit time.Duration) func(testing.TB) *drivertest.Phone {
	options := s.options
	options.Limit = limit
	return func(t testing.TB) *drivertest.Phone { return newPhone(t, s.way, shape, s.profile, options) }
}

func (s suite) config() *drivertest.Config {
	more := map[string]func(testing.TB) *drivertest.Phone{}
	for name, shape := range s.more {
		more[name] = s.phone(shape, 0)
	}
	has := slices.DeleteFunc(slices.Clone(ops), func(op driver.Op) bool {
		return errors.Is(refusedOps[s.profile][op], errors.ErrUnsupported)
	})
	return &drivertest.Config{
		Open:       s.phone(s.shape, 0),
		Impatient:  s.phone(s.shape, 200*time.Millisecond),
		More:       more,
		Apps:       drivertest.Apps{ID: "com.handset.notes", Name: "Notes", Other: "com.android.deskclock", Unknown: "Solitaire", Ambiguous: "Calculator"},
		Unreported: driver.Multiline | driver.Editable | driver.Visible,
		Echo:       []string{"printf", "%s"},
		File:       remoteFile,
		Ops:        has,
		Refuses:    refusedCases[s.profile],
		RefusesOps: refusedOps[s.profile],
	}
}

// moreShapes are a phone with few pixels in Chinese, and a tablet that lies.
var moreShapes = map[string]sim.Options{
	"small":  {Size: image.Pt(240, 400), Density: 120, Lang: sim.LangZh},
	"tablet": {Size: image.Pt(800, 600), Density: 106, Start: "com.android.settings"},
}

// conformance is the suite for phones of a profile, with more shapes.
func conformance(w way, profile string, options adb.Options) *drivertest.Config {
	return suite{way: w, profile: profile, options: options, shape: shapeOf(profile), more: moreShapes}.config()
}

// atOnce is how many suites run at a time. Most of each is waiting, so that they may be more than there are
// processors, which t.Parallel would not let them be.
const atOnce = 4

// each runs a subtest for each name, several at a time.
func each(t *testing.T, names []string, run func(t *testing.T, name string)) {
	var wg sync.WaitGroup
	slots := make(chan struct{}, atOnce)
	for _, name := range names {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			t.Run(name, func(t *testing.T) { run(t, name) })
		})
	}
	wg.Wait()
}

// TestConformance runs every rule of the contract on every profile, over a simulated server. One has a
// phone of half the usual size, and other shapes beside it.
func TestConformance(t *testing.T) {
	t.Parallel()
	var names []string
	for _, p := range android.Profiles() {
		names = append(names, p.Name)
	}
	each(t, names, func(t *testing.T, profile string) {
		s := suite{way: newOverSocket(), profile: profile, shape: shapeOf(profile)}
		if profile == "a14" {
			s.shape, s.more = sim.Options{Size: image.Pt(540, 1170), Density: 210}, moreShapes
		}
		drivertest.Run(t, s.config())
	})
}

// TestConformanceThroughStockAdb runs the same through adb itself on one profile, and on those with another
// protocol, shell or display what tells them apart. It runs in a process of its own, and anew, four times at most, where the stock
// server died: adb 29.0.6 aborts now and then ("failed to unregister fd -21947104 with epoll") where a phone is lost and
// disconnected at the same moment.
func TestConformanceThroughStockAdb(t *testing.T) {
	const child = "HANDSET_STOCK_CONFORMANCE"
	t.Parallel()
	if os.Getenv(child) == "" {
		stockServer(t) // skips, or fails, without adb
		c := cmdrun.Command{Path: os.Args[0], Args: []string{"-test.run=^TestConformanceThroughStockAdb$", "-test.timeout=15m"},
			Env: []string{child + "=1"}, MaxOutput: 16 << 20}
		r, err := cmdrun.Run(t.Context(), c)
		require.NoError(t, err)
		for n := 1; n < 5 && r.Code != 0 && strings.Contains(string(r.Stdout), "no adb server answers at"); n++ {
			t.Logf("the stock adb server died; once more. It was:\n%s", r.Stdout[:min(len(r.Stdout), 4000)])
			r, err = cmdrun.Run(t.Context(), c)
			require.NoError(t, err)
		}
		require.Zero(t, r.Code, "%s%s", r.Stdout, r.Stderr)
		return
	}
	w := &overAdb{addr: stockServer(t), of: map[string]*adbd.Daemon{}}
	each(t, []string{"a14", "a6", "a9", "a13-miui", "a14-fold", "a16"}, func(t *testing.T, profile string) {
		if profile == "a14" {
			drivertest.Run(t, conformance(w, profile, adb.Options{}))
			return
		}
		s := suite{way: w, profile: profile, shape: shapeOf(profile)}
		drivertest.RunOnly(t, s.config(), overTheWire)
	})
}

// overTheWire picks the cases in which it matters what is between the driver and the phone; the rest is the
// driver's own, and the same over a simulated server.
func overTheWire(name string) bool {
	group, _, _ := strings.Cut(name, "/")
	return slices.Contains([]string{"space", "gesture", "key", "once", "text", "field", "launch", "truth", "fault", "op"}, group)
}
