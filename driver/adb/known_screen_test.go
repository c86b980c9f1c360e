package adb_test

import (
	"fmt"
	"image"
	"regexp"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/adb"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/adbserver"
	"github.com/handset-go/handset/internal/phonefront/android"
)

// TestKnownNoPictureIsNoScreen holds that a capture that failed is an error, and never an image.
func TestKnownNoPictureIsNoScreen(t *testing.T) {
	for _, name := range []string{android.FaultScreencapRefuse, android.FaultScreencapEmpty, android.FaultScreencapCut, android.FaultDropMidWrite, "unplugged"} {
		t.Run(name, func(t *testing.T) {
			f := newFront(t, "a14", sim.Options{Start: "com.handset.wallet"})
			d := f.open(t)
			if name == "unplugged" {
				f.server.Detach(f.device.Serial())
			} else {
				f.fault(t, name)
			}
			s, err := d.Screenshot(t.Context())
			require.Error(t, err)
			require.Nil(t, s)
			require.NotContains(t, err.Error(), "protected", "a failure is not called a sensitive page")
		})
	}
}

// TestKnownSlowCapture holds that running out of time is told as that.
func TestKnownSlowCapture(t *testing.T) {
	f := newFront(t, "a14", sim.Options{})
	f.fault(t, android.FaultScreencapSlow+"=30s")
	d := f.open(t)
	adb.Hurry(d, 100*time.Millisecond)
	s, err := d.Screenshot(t.Context())
	require.Nil(t, s)
	require.ErrorIs(t, err, driver.ErrTimeout)
}

// TestKnownProtectedPage holds that a page that the system does not show is named so, and its tree
// is read all the same.
func TestKnownProtectedPage(t *testing.T) {
	for _, profile := range []string{"a9", "a11", "a14", "a16"} {
		t.Run(profile, func(t *testing.T) {
			f := newFront(t, profile, sim.Options{Start: "com.handset.wallet"})
			d := f.open(t)
			s, err := d.Screenshot(t.Context())
			require.NoError(t, err)
			require.Equal(t, driver.HealthProtected, s.Health())
			tree, err := d.Tree(t.Context())
			require.NoError(t, err)
			require.Equal(t, "com.handset.wallet", tree.App.ID)
			require.NotNil(t, tree.Find(func(_ *driver.Tree, n *driver.Node) bool { return n.Text != "" }))
		})
	}
}

// TestKnownTurnedFrame holds that frame, tree and taps are those of the phone as it is turned.
func TestKnownTurnedFrame(t *testing.T) {
	for _, profile := range []string{"a6", "a9", "a14", "a16"} {
		t.Run(profile, func(t *testing.T) {
			f := newFront(t, profile, sim.Options{Start: "com.android.settings"})
			d := f.open(t)
			require.NoError(t, f.phone.SetRotation(1))
			s, err := d.Screenshot(t.Context())
			require.NoError(t, err)
			require.Equal(t, image.Pt(2400, 1080), s.Size())
			tree, err := d.Tree(t.Context())
			require.NoError(t, err)
			require.Equal(t, s.Size(), tree.Size)
			right := tree.Find(func(_ *driver.Tree, n *driver.Node) bool { return n.Bounds.Max.X > 2000 && n.Is(driver.Clickable) })
			require.NotNil(t, right, "what is right of the natural width is there")
			require.NoError(t, d.Tap(t.Context(), image.Pt(2399, 1079)))
			require.ErrorIs(t, d.Tap(t.Context(), image.Pt(1079, 2399)), driver.ErrOffScreen)
		})
	}
}

// TestKnownFoldable captures the display that is on, which may not be the first.
func TestKnownFoldable(t *testing.T) {
	for _, p := range android.Profiles() {
		if p.Cover == (image.Point{}) {
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			f := newFront(t, p.Name, sim.Options{})
			d := f.open(t)
			for range 2 {
				s, err := d.Screenshot(t.Context())
				require.NoError(t, err)
				require.Equal(t, f.phone.Size(), s.Size())
				require.NotEqual(t, p.Cover, s.Size())
			}
		})
	}
}

// TestKnownTurnedBetween turns the phone between a picture and the next dump.
func TestKnownTurnedBetween(t *testing.T) {
	f := newFront(t, "a14", sim.Options{Start: "com.android.settings"})
	d := f.open(t)
	f.fault(t, android.FaultDumpRotated)
	s, err := d.Screenshot(t.Context())
	require.NoError(t, err)
	tree, err := d.Tree(t.Context())
	require.NoError(t, err)
	require.Equal(t, image.Pt(s.Size().Y, s.Size().X), tree.Size, "the tree says of which frame it is")
	require.Equal(t, f.phone.Size(), tree.Size)
}

// TestKnownStaleDump leaves yesterday's dump where the tool would write, and has the tool write none.
func TestKnownStaleDump(t *testing.T) {
	for _, name := range []string{android.FaultDumpNullRoot, android.FaultDumpUnwritten, android.FaultDumpNPE, android.FaultDumpIdle} {
		t.Run(name, func(t *testing.T) {
			f := newFront(t, "a14", sim.Options{})
			require.NoError(t, f.device.FS().WriteFile("/sdcard/window_dump.xml",
				[]byte(`<?xml version='1.0'?><hierarchy rotation="0"><node text="yesterday" bounds="[0,0][1,1]"/></hierarchy>`), 0o644))
			f.fault(t, name)
			tree, err := f.open(t).Tree(t.Context())
			require.ErrorIs(t, err, driver.ErrNoTree)
			require.Nil(t, tree)
			require.Regexp(t, `: \S`, err.Error(), "it says why")
		})
	}
}

// TestKnownRestlessScreen has a film on the screen: no tree, a hint what to do, and a picture.
func TestKnownRestlessScreen(t *testing.T) {
	f := newFront(t, "a14", sim.Options{})
	f.fault(t, android.FaultDumpIdle)
	d, h := f.recorded(t)
	for range 5 {
		_, err := d.Tree(t.Context())
		require.ErrorIs(t, err, driver.ErrNoTree)
		require.ErrorContains(t, err, "screenshot")
	}
	require.Len(t, regexp.MustCompile(`uiautomator dump`).FindAllString(h.said(), -1), 1, "each try takes 11 s on a phone")
	_, err := d.Screenshot(t.Context())
	require.NoError(t, err)
}

// TestKnownTreeAfterNavigation holds that a tree is of the page that is in front.
func TestKnownTreeAfterNavigation(t *testing.T) {
	f := newFront(t, "a14", sim.Options{})
	d := f.open(t)
	for _, app := range []string{"com.android.settings", "com.handset.notes", "com.android.deskclock"} {
		require.NoError(t, d.Launch(t.Context(), app))
		tree, err := d.Tree(t.Context())
		require.NoError(t, err)
		require.Equal(t, app, tree.App.ID)
	}
}

// TestKnownTwoDumps has two programs dump one phone at a time, each into a file of its own, and
// leaves none.
func TestKnownTwoDumps(t *testing.T) {
	f := newFront(t, "a14", sim.Options{Start: "com.android.settings"})
	one, h := f.recorded(t)
	two, g := f.recorded(t)
	var wg sync.WaitGroup
	errs := make(chan error, 8)
	for range 4 {
		for _, d := range []*adb.Driver{one, two} {
			wg.Go(func() { _, err := d.Tree(t.Context()); errs <- err })
		}
	}
	wg.Wait()
	for range 8 {
		require.NoError(t, <-errs)
	}
	files := map[string]bool{}
	for _, m := range regexp.MustCompile(`uiautomator dump (\S+\.xml);`).FindAllStringSubmatch(h.said()+g.said(), -1) {
		require.False(t, files[m[1]], "%s is used twice", m[1])
		files[m[1]] = true
	}
	require.Len(t, files, 8)
	r, err := one.Shell(t.Context(), "ls", "/data/local/tmp")
	require.NoError(t, err)
	require.NotContains(t, string(r.Stdout), ".xml")
}

// TestKnownOddDumps reads what makers' phones write, by the faults that their profiles start with.
func TestKnownOddDumps(t *testing.T) {
	for _, profile := range []string{"a13-miui", "a13-vivo"} {
		t.Run(profile, func(t *testing.T) {
			f := newFront(t, profile, sim.Options{Start: "com.android.settings", Lang: sim.LangZh})
			require.NotEmpty(t, f.device.Profile().Faults)
			tree, err := f.open(t).Tree(t.Context())
			require.NoError(t, err)
			require.NotNil(t, tree.Find(driver.ByText("蓝牙")))
			require.Equal(t, f.phone.Size(), tree.Size)
		})
	}
}

// TestKnownOverride taps and reads on phones whose wm size, density or both were changed.
func TestKnownOverride(t *testing.T) {
	for _, size := range []string{"720x1600", "1440x3200", "540x1200"} {
		t.Run(size, func(t *testing.T) {
			f := newFront(t, "a14", sim.Options{Start: "com.android.settings"})
			d := f.open(t)
			_, err := d.Shell(t.Context(), "wm", "size", size)
			require.NoError(t, err)
			s, err := d.Screenshot(t.Context())
			require.NoError(t, err)
			require.Equal(t, size, fmt.Sprintf("%dx%d", s.Size().X, s.Size().Y))
			tree, err := d.Tree(t.Context())
			require.NoError(t, err)
			require.Equal(t, s.Size(), tree.Size)
			n := tree.Find(driver.ByText("Bluetooth"))
			require.NotNil(t, n)
			require.NoError(t, d.Tap(t.Context(), n.Center()))
			require.Len(t, f.phone.Events("tap"), 1)
			require.Contains(t, f.phone.Events("tap")[0].String("on"), "luetooth", "the tap meets the row")
		})
	}
}

// TestKnownNoOrientation asks an emulator, whose input devices tell no orientation.
func TestKnownNoOrientation(t *testing.T) {
	f := newFront(t, "a14", sim.Options{})
	f.fault(t, android.FaultNoOrientation)
	d := f.open(t)
	for turns := range 4 {
		require.NoError(t, f.phone.SetRotation(turns))
		got, err := d.Rotation(t.Context())
		require.NoError(t, err)
		require.Equal(t, turns, got)
	}
}

// TestKnownListWithAModel reads models and states of a mixed list.
func TestKnownListWithAModel(t *testing.T) {
	f := newFront(t, "a9", sim.Options{})
	f.server.Attach(adbserver.Phone{Serial: "EMPTY", State: adbserver.NoPermission, USB: "1-4"})
	all, err := adb.Devices(t.Context(), &adb.Options{Server: f.server.Addr(), NoStart: true})
	require.NoError(t, err)
	require.Len(t, all, 2)
	for _, d := range all {
		require.NotContains(t, d.Address, "*")
		if d.Usable() {
			require.Equal(t, "Pixel 2", d.Model)
			continue
		}
		require.Equal(t, "adb:EMPTY", d.Address)
		require.Contains(t, d.Advice, "udev")
	}
}

// TestKnownTreeThatFailed says of each failure what the phone's tool said or did, and nothing of our own
// commands around it.
func TestKnownTreeThatFailed(t *testing.T) {
	for fault, want := range map[string]string{
		android.FaultDumpNPE: "it printed nothing", android.FaultDumpKilled: "memory", android.FaultDumpUnwritten: "wrote none",
		android.FaultDumpNullRoot: "no root", android.FaultDumpIdle: "never came to rest", android.FaultDumpBusy: "Appium",
	} {
		t.Run(fault, func(t *testing.T) {
			f := newFront(t, "a14", sim.Options{})
			f.fault(t, fault)
			_, err := f.open(t).Tree(t.Context())
			require.ErrorIs(t, err, driver.ErrNoTree)
			require.ErrorContains(t, err, want)
			require.NotContains(t, err.Error(), "No such file")
		})
	}
}
