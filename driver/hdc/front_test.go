package hdc_test

import (
	"context"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/hdc"
	"github.com/handset-go/handset/driver/sim"
	front "github.com/handset-go/handset/internal/phonefront/hdc"
)

// TestEveryRelease does the usual things in the texts of each generation.
func TestEveryRelease(t *testing.T) {
	for _, p := range front.Profiles() {
		for _, noise := range []string{"", front.FaultChatter, front.FaultCRLF} {
			t.Run(p.Name+noise, func(t *testing.T) {
				t.Parallel()
				r := newRig(t, sim.Options{}, p.Name)
				if noise != "" {
					r.set(noise)
				}
				useEverything(t, r, r.open())
			})
		}
	}
}

func useEverything(t *testing.T, r *rig, d *hdc.Driver) {
	ctx := t.Context()
	s, err := d.Screenshot(ctx)
	require.NoError(t, err)
	require.Equal(t, r.phone.Size(), s.Size())
	_, mime, err := s.Encoded()
	require.NoError(t, err)
	require.Equal(t, "image/jpeg", mime)

	require.NoError(t, d.Launch(ctx, "设置"))
	app, err := d.Foreground(ctx)
	require.NoError(t, err)
	require.Equal(t, "com.huawei.hmos.settings", app.ID)
	require.NotEmpty(t, app.Name)
	tree, err := d.Tree(ctx)
	require.NoError(t, err)
	require.Equal(t, s.Size(), tree.Size)
	require.Equal(t, app.ID, tree.App.ID)

	field := tree.Find(driver.ByRole(driver.RoleEdit))
	require.NotNil(t, field)
	require.NoError(t, d.Tap(ctx, field.Center()))
	require.NoError(t, d.Type(ctx, "100%s it's"))
	require.NoError(t, d.SetText(ctx, "蓝牙 👍"))
	got, ok := r.phone.Focused()
	require.True(t, ok)
	require.Equal(t, "蓝牙 👍", got.Text)
	require.NoError(t, d.ClearText(ctx))
	got, _ = r.phone.Focused()
	require.Empty(t, got.Text)

	power, err := d.PowerState(ctx)
	require.NoError(t, err)
	require.Equal(t, driver.Power{On: true}, power)
	require.NoError(t, r.phone.SetRotation(3))
	turns, err := d.Rotation(ctx)
	require.NoError(t, err)
	require.Equal(t, 3, turns)
	all, err := d.Apps(ctx)
	require.NoError(t, err)
	require.Contains(t, all, driver.App{ID: "com.huawei.hmos.clock", Name: "Clock"})
	require.NoError(t, d.Stop(ctx, "com.huawei.hmos.settings"))
	require.NotContains(t, r.phone.Running(), "com.huawei.hmos.settings")
	desc, err := d.Describe(ctx)
	require.NoError(t, err)
	require.Equal(t, "harmony", desc.Platform)
	require.True(t, strings.HasPrefix(desc.OSVersion, r.device.Profile().Name), desc.OSVersion)
	require.NotEmpty(t, desc.Model)
}

// counted has the rig's tool count its runs, and returns how many there were since the last call.
func (r *rig) counted() func() int {
	r.t.Helper()
	dir := r.t.TempDir()
	log := filepath.Join(dir, "runs")
	script := fmt.Sprintf("#!/bin/sh\necho run >>'%s'\nexec '%s' \"$@\"\n", log, r.tool)
	r.tool = filepath.Join(dir, "hdc")
	syscall.ForkLock.RLock() // a process that is started in the meantime would hold the program open for a moment
	err := os.WriteFile(r.tool, []byte(script), 0o755)
	syscall.ForkLock.RUnlock()
	require.NoError(r.t, err)
	before := 0
	return func() int {
		text, err := os.ReadFile(log)
		require.NoError(r.t, err)
		now := strings.Count(string(text), "run\n")
		defer func() { before = now }()
		return now - before
	}
}

// TestProcesses holds what each call costs: a tap is one process, a screenshot and a tree are two.
func TestProcesses(t *testing.T) {
	for _, profile := range []string{"6.0", "5.0"} {
		t.Run(profile, func(t *testing.T) {
			r := newRig(t, sim.Options{}, profile)
			runs := r.counted()
			d := r.open()
			require.LessOrEqual(t, runs(), 3, "one starts the server")
			ctx := t.Context()
			require.NoError(t, d.Tap(ctx, image.Pt(5, 5)))
			require.Equal(t, 1, runs(), "tap")
			_, err := d.Screenshot(ctx)
			require.NoError(t, err)
			require.Equal(t, 1, runs(), "screenshot")
			tree, err := d.Tree(ctx)
			require.NoError(t, err)
			require.Equal(t, 1, runs(), "tree")
			require.NoError(t, d.Tap(ctx, tree.Root.Center()))
			require.NoError(t, d.Tap(ctx, image.Pt(0, 0)))
			require.NoError(t, d.Swipe(ctx, image.Pt(5, 500), image.Pt(5, 100), time.Millisecond))
			require.NoError(t, d.Key(ctx, driver.KeyHome))
			require.Equal(t, 4, runs(), "two taps, a swipe, a key")
			require.NoError(t, d.Launch(ctx, "com.handset.notes"))
			require.Equal(t, 2, runs(), "launch")

			require.NoError(t, r.phone.SetRotation(1))
			require.NoError(t, d.Tap(ctx, image.Pt(5, 5)))
			require.LessOrEqual(t, runs(), 3, "after the phone was turned: the look, the measure, the tap")
			require.NoError(t, d.Tap(ctx, image.Pt(r.phone.Size().X-1, 5)))
			require.Equal(t, 1, runs(), "and one again")
			events := r.phone.Events("tap")
			require.Equal(t, r.phone.Size().X-1, events[len(events)-1].Data["x"])
		})
	}
}

// TestDarkAndLocked holds that nothing is tapped into nothing: uitest says "No Error" all the same.
func TestDarkAndLocked(t *testing.T) {
	gestures := func(d *hdc.Driver) map[string]func(context.Context) error {
		p, q := image.Pt(100, 500), image.Pt(100, 100)
		return map[string]func(context.Context) error{
			"tap":        func(ctx context.Context) error { return d.Tap(ctx, p) },
			"edge tap":   func(ctx context.Context) error { return d.Tap(ctx, image.Pt(0, 9)) },
			"double tap": func(ctx context.Context) error { return d.DoubleTap(ctx, p) },
			"swipe":      func(ctx context.Context) error { return d.Swipe(ctx, p, q, 0) },
			"long press": func(ctx context.Context) error { return d.LongPress(ctx, p, 0) },
			"drag":       func(ctx context.Context) error { return d.Drag(ctx, p, q, 0, 0) },
			"pinch":      func(ctx context.Context) error { return d.Pinch(ctx, p, 2, 0) },
			"launch":     func(ctx context.Context) error { return d.Launch(ctx, "com.handset.notes") },
			"url":        func(ctx context.Context) error { return d.OpenURL(ctx, "https://example.com/") },
		}
	}
	for _, tt := range []struct {
		fault string
		is    error
		want  driver.Power
	}{
		{front.FaultPanelOff, driver.ErrAsleep, driver.Power{On: false, Locked: true}},
		{front.FaultDoze, driver.ErrAsleep, driver.Power{On: false}},
		{front.FaultLocked, driver.ErrLocked, driver.Power{On: true, Locked: true}},
	} {
		for _, profile := range []string{"6.0", "5.0"} {
			t.Run(profile+"/"+tt.fault, func(t *testing.T) {
				r := newRig(t, sim.Options{Locked: tt.want.Locked}, profile)
				r.phone.Unlock()
				d := r.open()
				r.set(tt.fault)
				power, err := d.PowerState(t.Context())
				require.NoError(t, err)
				require.Equal(t, tt.want.On, power.On)
				require.ErrorIs(t, d.Type(t.Context(), "x"), tt.is)
				r.phone.ClearLog()
				for name, do := range gestures(d) {
					err := do(t.Context())
					require.ErrorIs(t, err, tt.is, name)
					require.False(t, driver.MaybeDone(err), name)
				}
				require.Empty(t, r.log())
			})
		}
	}
	t.Run("keys", func(t *testing.T) {
		r := newRig(t, sim.Options{}, "")
		d := r.open()
		r.phone.Sleep()
		require.ErrorIs(t, d.Key(t.Context(), driver.KeyHome), driver.ErrAsleep)
		require.NoError(t, d.Key(t.Context(), driver.KeyPower), "which wakes it")
		require.True(t, r.phone.Power().On)
	})
	t.Run("keys on a lock screen", func(t *testing.T) {
		for _, held := range []string{"", front.FaultDumpBusy} {
			r := newRig(t, sim.Options{Locked: true}, "")
			if held != "" {
				r.set(held) // keys go through uinput
			}
			d := r.open()
			for _, key := range driver.Keys() {
				if lockKeys[key] || key == driver.KeyPower {
					continue
				}
				err := d.Key(t.Context(), key)
				require.ErrorIs(t, err, driver.ErrLocked, "%s does nothing there", key)
				require.ErrorContains(t, err, "unlock it first; on a lock screen only", key)
				require.False(t, driver.MaybeDone(err), key)
			}
			for _, key := range []driver.Key{"KEYCODE_F5", "A", "2094", "KEYCODE_CTRL_LEFT"} {
				require.ErrorIs(t, d.Key(t.Context(), key), driver.ErrLocked, key)
			}
			for key := range lockKeys {
				require.NoError(t, d.Key(t.Context(), key), key)
			}
			require.NoError(t, d.Key(t.Context(), driver.KeyPower))
			require.False(t, r.phone.Power().On)
			require.ErrorIs(t, d.Key(t.Context(), "KEYCODE_1"), driver.ErrAsleep, "no PIN is written in the dark")
			require.NoError(t, d.Key(t.Context(), "KEYCODE_WAKEUP"))
			require.Equal(t, driver.Power{On: true, Locked: true}, r.phone.Power())
		}
	})
	t.Run("unguarded", func(t *testing.T) {
		r := newRig(t, sim.Options{}, "")
		r.phone.Sleep()
		d, err := hdc.New(t.Context(), r.device.Key(), &hdc.Options{Tool: r.tool, Unguarded: true})
		require.NoError(t, err)
		defer func() { require.NoError(t, d.Close()) }()
		require.NoError(t, d.Tap(t.Context(), image.Pt(5, 5)), "uitest says No Error whatever happens")
	})
}

// lockKeys are keys that do something on a lock screen: volume, media, and those of a PIN.
var lockKeys = map[driver.Key]bool{
	driver.KeyVolumeUp: true, driver.KeyVolumeDown: true, driver.KeyMute: true, driver.KeyPlayPause: true, driver.KeyCamera: true,
	driver.KeyEnter: true, driver.KeyDelete: true, "KEYCODE_0": true, "KEYCODE_9": true, "KEYCODE_NUMPAD_5": true, "KEYCODE_NUMPAD_ENTER": true,
}

func TestWakeAndUnlock(t *testing.T) {
	for _, profile := range []string{"6.0", "5.0"} {
		t.Run(profile, func(t *testing.T) {
			r := newRig(t, sim.Options{Locked: true, Asleep: true}, profile)
			d := r.open()
			require.ErrorIs(t, d.Tap(t.Context(), image.Pt(9, 9)), driver.ErrAsleep)
			require.NoError(t, d.Unlock(t.Context(), ""))
			require.Equal(t, driver.Power{On: true}, r.phone.Power())
			require.NoError(t, d.Unlock(t.Context(), ""), "one that is open stays so")
			require.NoError(t, d.Tap(t.Context(), image.Pt(9, 9)))
			require.NoError(t, d.Lock(t.Context()))
			require.False(t, r.phone.Power().On)
			require.NoError(t, d.Wake(t.Context()))
			require.True(t, r.phone.Power().On)
			require.ErrorContains(t, d.Unlock(t.Context(), "12;3"), "pin")
		})
	}
	r := newRig(t, sim.Options{Locked: true, PIN: "2580"}, "")
	d := r.open()
	require.ErrorIs(t, d.Unlock(t.Context(), ""), driver.ErrLocked)
	require.Empty(t, r.phone.Events("wrong_pin"))
	require.ErrorIs(t, d.Unlock(t.Context(), "1111"), driver.ErrLocked)
	require.Len(t, r.phone.Events("wrong_pin"), 1)
	require.NoError(t, d.Unlock(t.Context(), "2580"))
	require.Equal(t, driver.Power{On: true}, r.phone.Power())

	r = newRig(t, sim.Options{}, "")
	require.NoError(t, r.focus(false))
	d = r.open()
	require.NoError(t, d.Lock(t.Context()))
	require.NoError(t, d.Unlock(t.Context(), "2580"), "a swipe does it")
	require.Empty(t, r.phone.Events("text"), "and the app gets no PIN")
	require.ErrorIs(t, hdc.TypePIN(t.Context(), d, "2580"), hdc.ErrOpen)
	require.Empty(t, r.phone.Events("text"))

	r = newRig(t, sim.Options{}, "")
	d = r.open()
	r.set(front.FaultNotDeveloper)
	require.ErrorContains(t, d.Wake(t.Context()), "developer mode")
}

// TestEdges touches the pixels that uitest refuses.
func TestEdges(t *testing.T) {
	r := newRig(t, sim.Options{}, "5.0")
	d := r.open()
	last := r.phone.Size().Sub(image.Pt(1, 1))
	for _, p := range []image.Point{{}, {X: 0, Y: 100}, {X: 100, Y: 0}, last} {
		r.phone.ClearLog()
		require.NoError(t, d.Tap(t.Context(), p))
		require.NoError(t, d.DoubleTap(t.Context(), p))
		log := r.log()
		require.Len(t, log, 3, "%v: %v", p, log)
		for _, e := range log {
			require.Equal(t, p, e.At)
		}
	}
	for _, p := range []image.Point{{X: -1}, {X: 99999, Y: 5}, r.phone.Size()} {
		require.ErrorIs(t, d.Tap(t.Context(), p), driver.ErrOffScreen)
	}
}

// TestDurations holds that a time is a time, and no speed.
func TestDurations(t *testing.T) {
	r := newRig(t, sim.Options{}, "")
	d := r.open()
	p, q := image.Pt(400, 1500), image.Pt(400, 500)
	only := func() time.Duration {
		log := r.log()
		r.phone.ClearLog()
		require.Len(t, log, 1, "%v", log)
		return log[0].Over
	}
	r.phone.ClearLog()
	require.NoError(t, d.Swipe(t.Context(), p, q, 1200*time.Millisecond))
	require.Equal(t, 1200*time.Millisecond, only())
	require.NoError(t, d.Swipe(t.Context(), p, q, 0))
	require.Equal(t, 300*time.Millisecond, only())
	require.NoError(t, d.LongPress(t.Context(), p, 2500*time.Millisecond))
	require.Equal(t, 2500*time.Millisecond, only())
	require.NoError(t, d.LongPress(t.Context(), p, 25*time.Second), "in several rests")
	require.Equal(t, 25*time.Second, only())
	require.ErrorContains(t, d.Swipe(t.Context(), p, q, time.Minute), "too long")
	require.NoError(t, d.Pinch(t.Context(), p, 2, 0))
	require.Len(t, r.phone.Events("pinch"), 1)
}

func TestLaunchFaults(t *testing.T) {
	t.Run("ignored", func(t *testing.T) {
		r := newRig(t, sim.Options{}, "")
		d := r.open()
		r.set(front.FaultStartIgnored)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		require.ErrorIs(t, d.Launch(ctx, "com.handset.notes"), context.DeadlineExceeded, "success was said, and nothing came to the front")
	})
	t.Run("slow", func(t *testing.T) {
		r := newRig(t, sim.Options{}, "5.1")
		d := r.open()
		r.set(front.FaultStartSlow + "=400ms")
		require.NoError(t, d.Launch(t.Context(), "com.handset.notes"))
		require.Equal(t, "com.handset.notes", r.phone.Foreground().ID)
	})
	t.Run("short ability", func(t *testing.T) {
		r := newRig(t, sim.Options{}, "5.0")
		r.set(front.FaultShortAbility)
		require.NoError(t, r.open().Launch(t.Context(), "com.huawei.hmos.clock"))
	})
	t.Run("a service", func(t *testing.T) {
		r := newRig(t, sim.Options{}, "")
		r.phone.ClearLog()
		require.ErrorContains(t, r.open().Launch(t.Context(), "com.ohos.permissionmanager"), "service")
		require.Empty(t, r.log())
	})
	t.Run("not developer", func(t *testing.T) {
		for _, profile := range []string{"6.0", "5.0"} {
			r := newRig(t, sim.Options{}, profile)
			r.set(front.FaultNotDeveloper)
			err := r.open().Launch(t.Context(), "com.handset.notes")
			require.ErrorContains(t, err, "switch developer mode on")
			require.False(t, driver.MaybeDone(err))
		}
	})
	t.Run("own names", func(t *testing.T) {
		r := newRig(t, sim.Options{}, "")
		d, err := hdc.New(t.Context(), r.device.Key(), &hdc.Options{Tool: r.tool, Apps: map[string]string{"My Clock": "com.huawei.hmos.clock"}})
		require.NoError(t, err)
		defer func() { require.NoError(t, d.Close()) }()
		app, err := d.Resolve(t.Context(), "my clock")
		require.NoError(t, err)
		require.Equal(t, driver.App{ID: "com.huawei.hmos.clock", Name: "My Clock"}, app)
	})
}
