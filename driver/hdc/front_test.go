package hdc_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/hdc"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/nap"
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
	require.Contains(t, all, driver.App{ID: "com.huawei.hmos.clock", Name: "时钟"})
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
	require.NoError(r.t, os.WriteFile(r.tool, []byte(script), 0o755))
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
	t.Run("unguarded", func(t *testing.T) {
		r := newRig(t, sim.Options{}, "")
		r.phone.Sleep()
		d, err := hdc.New(t.Context(), r.device.Key(), &hdc.Options{Tool: r.tool, Unguarded: true})
		require.NoError(t, err)
		defer func() { require.NoError(t, d.Close()) }()
		require.NoError(t, d.Tap(t.Context(), image.Pt(5, 5)), "uitest says No Error whatever happens")
	})
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
	r := newRig(t, sim.Options{}, "")
	d := r.open()
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

func TestDumpFaults(t *testing.T) {
	works := []string{
		front.FaultDumpFirst, front.FaultDumpNoBounds, front.FaultDumpNegative, front.FaultDumpBig + "=3000", front.FaultDumpExtension,
		front.FaultDumpWeb, front.FaultDumpSpace, front.FaultChatter,
	}
	for _, profile := range []string{"6.0", "5.0"} {
		for _, name := range works {
			t.Run(profile+"/"+name, func(t *testing.T) {
				r := newRig(t, sim.Options{Start: "com.huawei.hmos.settings"}, profile)
				d := r.open()
				r.set(name)
				tree, err := d.Tree(t.Context())
				require.NoError(t, err)
				require.Equal(t, r.phone.Size(), tree.Size)
				require.Equal(t, "com.huawei.hmos.settings", tree.App.ID)
				require.NotNil(t, tree.Find(driver.ByText("Bluetooth")))
				require.Empty(t, r.leftovers())
			})
		}
		for name, says := range map[string]string{
			front.FaultDumpBusy: "accessibility service", front.FaultDumpEmpty: "", front.FaultDumpCut: "cut", front.FaultDumpWindows: "Get window nodes failed",
		} {
			t.Run(profile+"/"+name, func(t *testing.T) {
				r := newRig(t, sim.Options{}, profile)
				d := r.open()
				r.set(name)
				_, err := d.Tree(t.Context())
				require.ErrorIs(t, err, driver.ErrNoTree)
				require.ErrorContains(t, err, says)
				require.Empty(t, r.leftovers())
			})
		}
	}
}

// leftovers are the driver's files on the phone.
func (r *rig) leftovers() []string {
	state, err := r.state()
	require.NoError(r.t, err)
	var found []string
	for line := range strings.Lines(state) {
		if strings.HasPrefix(line, "handset-") {
			found = append(found, strings.TrimSpace(line))
		}
	}
	return found
}

func TestSnapshotFaults(t *testing.T) {
	tests := []struct {
		fault, says string
		is          error
	}{
		{front.FaultSnapshotFail, "failed", nil},
		{front.FaultSnapshotEmpty, "empty", nil},
		{front.FaultSnapshotCut, "cut short", nil},
		{front.FaultNotDeveloper, "developer mode", nil},
		{front.FaultDiesMidCall, "", driver.ErrOffline},
	}
	for _, profile := range []string{"6.0", "5.0"} {
		for _, tt := range tests {
			t.Run(profile+"/"+tt.fault, func(t *testing.T) {
				r := newRig(t, sim.Options{}, profile)
				d := r.open()
				off := r.set(tt.fault)
				s, err := d.Screenshot(t.Context())
				require.Nil(t, s, "never a made-up picture")
				require.ErrorContains(t, err, tt.says)
				if tt.is != nil {
					require.ErrorIs(t, err, tt.is, "what broke is asked again, and then the phone is gone")
				}
				off()
				require.Empty(t, r.leftovers())
			})
		}
	}
}

func TestPNG(t *testing.T) {
	for _, profile := range []string{"6.0", "5.0"} { // snapshot_display -t png, uitest screenCap
		r := newRig(t, sim.Options{}, profile)
		d, err := hdc.New(t.Context(), r.device.Key(), &hdc.Options{Tool: r.tool, PNG: true})
		require.NoError(t, err)
		s, err := d.Screenshot(t.Context())
		require.NoError(t, err)
		_, mime, err := s.Encoded()
		require.NoError(t, err)
		require.Equal(t, "image/png", mime)
		require.Empty(t, r.leftovers())
		require.NoError(t, d.Close())
	}
}

func TestHealth(t *testing.T) {
	r := newRig(t, sim.Options{}, "")
	d := r.open()
	health := func() driver.Health {
		s, err := d.Screenshot(t.Context())
		require.NoError(t, err)
		return s.Health()
	}
	require.Equal(t, driver.HealthOK, health())
	_, err := r.phone.StartApp("com.handset.wallet")
	require.NoError(t, err)
	require.Equal(t, driver.HealthProtected, health())
	r.phone.Sleep()
	require.Equal(t, driver.HealthAsleep, health())
}

func TestBootingDisplay(t *testing.T) {
	r := newRig(t, sim.Options{}, "")
	r.set(front.FaultRenderZero)
	d := r.open()
	require.ErrorContains(t, d.Tap(t.Context(), image.Pt(5, 5)), "size of its screen")
	_, err := d.Screenshot(t.Context())
	require.NoError(t, err, "which tells the size")
	require.NoError(t, d.Tap(t.Context(), image.Pt(5, 5)))
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

// TestText types what would do harm where a shell read it.
func TestText(t *testing.T) {
	const nasty = `it's "quoted" $(reboot) ; rm -rf / | 你好 🙂`
	for _, p := range front.Profiles() {
		t.Run(p.Name, func(t *testing.T) {
			r := newRig(t, sim.Options{}, p.Name)
			d := r.open()
			require.NoError(t, r.focus(false))
			before := r.phone.Log()
			require.NoError(t, d.Type(t.Context(), nasty))
			got, err := r.fieldText()
			require.NoError(t, err)
			require.Equal(t, nasty, got)
			for _, e := range r.phone.Log()[len(before):] {
				require.NotEqual(t, "launch", e.Name)
			}
			err = d.Type(t.Context(), "two\nlines")
			require.ErrorIs(t, err, driver.ErrNoTextInput)
			require.False(t, driver.MaybeDone(err))
			got, _ = r.fieldText()
			require.Equal(t, nasty, got, "refused before the first key")

			require.NoError(t, r.focus(true))
			require.NoError(t, d.Type(t.Context(), nasty+"\n\nlast"))
			got, _ = r.fieldText()
			require.Equal(t, nasty+"\n\nlast", got)
		})
	}
}

func TestTextFaults(t *testing.T) {
	t.Run("no field", func(t *testing.T) {
		r := newRig(t, sim.Options{}, "")
		d := r.open()
		for _, err := range []error{d.Type(t.Context(), "x"), d.SetText(t.Context(), "x"), d.ClearText(t.Context())} {
			require.ErrorIs(t, err, driver.ErrNoTextInput)
			require.False(t, driver.MaybeDone(err))
		}
	})
	t.Run("no paste", func(t *testing.T) {
		r := newRig(t, sim.Options{}, "")
		d := r.open()
		require.NoError(t, r.focus(false))
		r.set(front.FaultNoPaste)
		require.NoError(t, d.Type(t.Context(), "by keys"))
		require.NoError(t, d.ClearText(t.Context()))
		err := d.Type(t.Context(), "打开")
		require.ErrorIs(t, err, driver.ErrNoTextInput)
		require.ErrorContains(t, err, "forbid")
		require.NotContains(t, err.Error(), "打开")
	})
	t.Run("the keyboard keeps the letters", func(t *testing.T) {
		r := newRig(t, sim.Options{}, "5.1")
		d := r.open()
		require.NoError(t, r.focus(false))
		r.set(front.FaultInputLost)
		err := d.Type(t.Context(), "abc")
		require.ErrorIs(t, err, driver.ErrNoTextInput)
		require.ErrorContains(t, err, "English")
		require.True(t, driver.MaybeDone(err))
	})
	t.Run("the clipboard", func(t *testing.T) {
		r := newRig(t, sim.Options{}, "")
		var log bytes.Buffer
		d, err := hdc.New(t.Context(), r.device.Key(), &hdc.Options{Tool: r.tool, Logger: slog.New(slog.NewTextHandler(&log, nil))})
		require.NoError(t, err)
		defer func() { require.NoError(t, d.Close()) }()
		r.phone.SetClipboard("precious")
		require.NoError(t, r.focus(false))
		require.NoError(t, d.Type(t.Context(), "plain ASCII; it's typed"))
		require.Equal(t, "precious", r.phone.Clipboard())
		require.NotContains(t, log.String(), "clipboard")
		require.NoError(t, d.Type(t.Context(), "秘密"))
		require.Contains(t, log.String(), "clipboard", "the loss is told")
		require.NotContains(t, log.String(), "秘密")
	})
	t.Run("long", func(t *testing.T) {
		for _, profile := range []string{"6.0", "5.1"} {
			r := newRig(t, sim.Options{}, profile)
			d := r.open()
			require.NoError(t, r.focus(true))
			long := strings.Repeat("0123456789 abc ", 60) + strings.Repeat("很长的文字", 1200)
			require.NoError(t, d.Type(t.Context(), long))
			got, _ := r.fieldText()
			require.Equal(t, len(long), len(got))
			require.Equal(t, long, got)
		}
	})
}

// TestFilesAndShell moves files and runs commands.
func TestFilesAndShell(t *testing.T) {
	r := newRig(t, sim.Options{}, "")
	d := r.open()
	ctx := t.Context()
	data := bytes.Repeat([]byte("\x00\xff\r\nbinary 打"), 20_000)
	for _, name := range []string{"plain.bin", "with space 名前.txt", `quo"te.bin`, `it's $(x).bin`} {
		remote := "/data/local/tmp/" + name
		require.NoError(t, d.Push(ctx, bytes.NewReader(data), remote), name)
		got, err := r.device.FS().ReadFile(remote)
		require.NoError(t, err, name)
		require.Equal(t, data, got, name)
		var back bytes.Buffer
		require.NoError(t, d.Pull(ctx, remote, &back), name)
		require.Equal(t, data, back.Bytes(), name)
	}
	require.NoError(t, d.Push(ctx, strings.NewReader(""), "/data/local/tmp/empty"))
	require.NoError(t, d.Pull(ctx, "/data/local/tmp/empty", io.Discard))
	require.Empty(t, r.leftovers())

	require.ErrorIs(t, d.Pull(ctx, "/data/local/tmp/none", io.Discard), fs.ErrNotExist)
	require.ErrorIs(t, d.Push(ctx, strings.NewReader("x"), "/data/none/x"), fs.ErrNotExist)
	require.Error(t, d.Pull(ctx, "/data/local/tmp", io.Discard), "a folder")
	require.ErrorContains(t, d.Push(ctx, strings.NewReader("x"), "relative"), "absolute")
	r.set(front.FaultRecvCut)
	require.Error(t, d.Pull(ctx, "/data/local/tmp/plain.bin", io.Discard))
	require.Empty(t, r.leftovers())

	res, err := d.Shell(ctx, "sh", "-c", "echo out; echo err >&2; exit 3")
	require.NoError(t, err)
	require.Equal(t, &driver.ShellResult{Stdout: []byte("out\nerr\n"), Code: 3}, res)
	res, err = d.Shell(ctx, "exit", "7")
	require.NoError(t, err)
	require.Equal(t, 7, res.Code)
	res, err = d.Shell(ctx, "cat")
	require.NoError(t, err, "a program that reads its input ends")
	require.Empty(t, res.Stdout)
	res, err = d.Shell(ctx, "printf", "[Fail]mine\nno line end")
	require.NoError(t, err)
	require.Equal(t, "[Fail]mine\nno line end", string(res.Stdout))
	_, err = d.Shell(ctx, "echo", strings.Repeat("x", 61_500))
	require.ErrorIs(t, err, errors.ErrUnsupported, "hdc prints nothing for it, with status 0")
	res, err = d.Shell(ctx, "nosuchprogram")
	require.NoError(t, err)
	require.Equal(t, 127, res.Code)
}

func TestInstall(t *testing.T) {
	for _, profile := range []string{"6.0", "5.0"} {
		t.Run(profile, func(t *testing.T) {
			r := newRig(t, sim.Options{}, profile)
			d := r.open()
			ctx := t.Context()
			dir := t.TempDir()
			good, bad := filepath.Join(dir, "my app.hap"), filepath.Join(dir, "bad.hap")
			require.NoError(t, os.WriteFile(good, hap(t, "com.example.fresh"), 0o644))
			require.NoError(t, os.WriteFile(bad, []byte("no zip"), 0o644))
			require.NoError(t, d.Install(ctx, good))
			app, err := d.Resolve(ctx, "com.example.fresh")
			require.NoError(t, err)
			require.Equal(t, "com.example.fresh", app.ID)
			require.NoError(t, d.Uninstall(ctx, "com.example.fresh"))
			require.ErrorIs(t, d.Uninstall(ctx, "com.example.fresh"), driver.ErrAppNotFound)
			require.ErrorIs(t, d.Uninstall(ctx, "fresh"), driver.ErrAppNotFound, "a name is refused")
			require.ErrorContains(t, d.Install(ctx, bad), "9568320")
			require.ErrorIs(t, d.Install(ctx, filepath.Join(dir, "none.hap")), fs.ErrNotExist)
			require.ErrorContains(t, d.Install(ctx, filepath.Join(dir, "x.apk")), ".hap")
			r.set(front.FaultInstallFail + "=9568322")
			require.ErrorContains(t, d.Install(ctx, good), "UDID")
		})
	}
}

func hap(t *testing.T, bundle string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create("module.json")
	require.NoError(t, err)
	_, err = fmt.Fprintf(w, `{"app":{"bundleName":%q}}`, bundle)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.Bytes()
}

func TestLogs(t *testing.T) {
	r := newRig(t, sim.Options{}, "")
	d := r.open()
	require.NoError(t, d.Launch(t.Context(), "com.handset.notes"))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	w := &untilLine{want: "com.handset.notes", done: cancel}
	require.ErrorIs(t, d.Logs(ctx, w), context.Canceled)
	require.True(t, strings.HasSuffix(w.text.String(), "\n"), "whole lines")
	r.set(front.FaultOffline)
	require.ErrorIs(t, d.Logs(t.Context(), io.Discard), driver.ErrOffline)
}

// untilLine calls done once a text was written.
type untilLine struct {
	text strings.Builder
	want string
	done func()
}

func (w *untilLine) Write(p []byte) (int, error) {
	w.text.Write(p)
	if strings.Contains(w.text.String(), w.want) {
		w.done()
	}
	return len(p), nil
}

func TestStates(t *testing.T) {
	device := func(key string) *front.Device {
		d, err := front.New(sim.New(&sim.Options{Platform: sim.PlatformHarmony}), &front.Options{Key: key})
		require.NoError(t, err)
		return d
	}
	usb, shy, off := device("7001005458323933328a01bce1c2"), device("SHY"), device("10.9.0.2:5556")
	require.NoError(t, shy.SetFault(front.FaultUnauthorized, true))
	require.NoError(t, off.SetFault(front.FaultOffline, true))
	s, err := front.Serve(&front.ServerOptions{Serial: "COM1"}, usb, shy, off)
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	tool, err := s.WriteTool(t.TempDir(), "")
	require.NoError(t, err)
	opts := &hdc.Options{Tool: tool}
	ctx := t.Context()

	list, err := hdc.Devices(ctx, opts)
	require.NoError(t, err)
	require.Len(t, list, 3, "a serial port is no phone")
	states := map[string]string{}
	for _, d := range list {
		states[d.Address] = d.State
		require.Equal(t, d.State != driver.StateReady, d.Advice != "")
	}
	require.Equal(t, map[string]string{
		"hdc:7001005458323933328a01bce1c2": "device", "hdc:SHY": "unauthorized", "hdc:10.9.0.2:5556": "offline",
	}, states)

	d, err := hdc.New(ctx, "", opts)
	require.NoError(t, err, "the only one that can be used")
	defer func() { require.NoError(t, d.Close()) }()
	require.NoError(t, d.Tap(ctx, image.Pt(5, 5)))
	_, err = hdc.New(ctx, "SHY", opts)
	require.ErrorIs(t, err, driver.ErrUnauthorized)
	require.ErrorContains(t, err, "allow USB debugging")
	_, err = hdc.New(ctx, "10.9.0.2", opts)
	require.ErrorIs(t, err, driver.ErrOffline)
	_, err = hdc.New(ctx, strings.Repeat("k", 40), opts)
	require.ErrorContains(t, err, "32 bytes")

	for fault, is := range map[string]error{
		front.FaultUnauthorized: driver.ErrUnauthorized, front.FaultAuthorizing: driver.ErrUnauthorized, front.FaultOffline: driver.ErrOffline,
		front.FaultServerDown: hdc.ErrNoServer,
	} {
		require.NoError(t, usb.SetFault(fault, true))
		err = d.Tap(ctx, image.Pt(5, 5))
		require.ErrorIs(t, err, is, fault)
		require.False(t, driver.MaybeDone(err), fault)
		require.NoError(t, usb.SetFault(fault, false))
		require.NoError(t, d.Tap(ctx, image.Pt(5, 5)), "%s: it comes back", fault)
	}
	require.NoError(t, usb.SetFault(front.FaultEstablishing, true))
	done := make(chan error, 1)
	go func() { done <- d.Tap(ctx, image.Pt(5, 5)) }()
	require.NoError(t, nap.For(ctx, 100*time.Millisecond))
	require.NoError(t, usb.SetFault(front.FaultEstablishing, false))
	require.NoError(t, <-done, "a phone that was just plugged in is waited for")
	s.Unplug(usb.Key())
	require.ErrorIs(t, d.Tap(ctx, image.Pt(5, 5)), driver.ErrNoDevice)
	require.NoError(t, shy.SetFault(front.FaultUnauthorized, false))
	require.NoError(t, off.SetFault(front.FaultOffline, false))
	_, err = hdc.New(ctx, "", opts)
	require.ErrorIs(t, err, driver.ErrSeveralDevices)
	require.ErrorContains(t, err, "SHY")
}

func TestConnect(t *testing.T) {
	p := sim.New(&sim.Options{Platform: sim.PlatformHarmony})
	dev, err := front.New(p, &front.Options{Key: "127.0.0.1:5555"})
	require.NoError(t, err)
	s, err := front.Serve(nil)
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	s.Reach(dev)
	tool, err := s.WriteTool(t.TempDir(), "")
	require.NoError(t, err)
	opts := &hdc.Options{Tool: tool}
	ctx := t.Context()
	for range 2 { // the second is connected already
		address, err := hdc.Connect(ctx, "localhost", opts)
		require.NoError(t, err)
		require.Equal(t, "hdc:127.0.0.1:5555", address)
	}
	require.NoError(t, hdc.Disconnect(ctx, "hdc:127.0.0.1:5555", opts))
	require.ErrorIs(t, hdc.Disconnect(ctx, "127.0.0.1", opts), driver.ErrNoDevice)

	_, err = hdc.Connect(ctx, "127.0.0.1:5999", opts)
	require.ErrorIs(t, err, driver.ErrNoDevice)
	list, err := hdc.Devices(ctx, opts)
	require.NoError(t, err)
	require.Empty(t, list, "what could not be connected leaves no line")
	for _, bad := range []string{"", "127.0.0.1:99999", "127.0.0.1:x"} {
		_, err = hdc.Connect(ctx, bad, opts)
		require.Error(t, err, bad)
	}
	require.NoError(t, dev.SetFault(front.FaultUnauthorized, true))
	_, err = hdc.Connect(ctx, "127.0.0.1", opts)
	require.ErrorIs(t, err, driver.ErrUnauthorized, "though the tool says Connect OK")
	client, server, err := hdc.Versions(ctx, opts)
	require.NoError(t, err)
	require.Equal(t, "3.2.0f", client)
	require.Equal(t, client, server)
}

// TestColdStart opens several phones at once where no server runs: the second of two cold starts would lose.
func TestColdStart(t *testing.T) {
	var phones []*front.Device
	for i := range 4 {
		d, err := front.New(sim.New(&sim.Options{Platform: sim.PlatformHarmony}), &front.Options{Key: fmt.Sprintf("COLD%d", i)})
		require.NoError(t, err)
		phones = append(phones, d)
	}
	s, err := front.Serve(&front.ServerOptions{Cold: true, Start: 300 * time.Millisecond, Refused: 10 * time.Millisecond}, phones...)
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	tool, err := s.WriteTool(t.TempDir(), "")
	require.NoError(t, err)
	errs := make([]error, len(phones))
	var wg sync.WaitGroup
	for i, p := range phones {
		wg.Go(func() {
			d, err := hdc.New(t.Context(), p.Key(), &hdc.Options{Tool: tool})
			if err == nil {
				err = errors.Join(d.Tap(t.Context(), image.Pt(5, 5)), d.Close())
			}
			errs[i] = err
		})
	}
	wg.Wait()
	require.NoError(t, errors.Join(errs...))
}

// TestOneUitestAtATime dumps and taps from many goroutines: the phone takes one uitest, and a second fails.
func TestOneUitestAtATime(t *testing.T) {
	r := newRig(t, sim.Options{}, "")
	d, e := r.open(), r.open()
	r.set(front.FaultDumpSlow + "=30ms")
	var wg sync.WaitGroup
	errs := make(chan error, 24)
	for i := range 12 {
		who := []*hdc.Driver{d, e}[i%2]
		wg.Go(func() {
			_, err := who.Tree(t.Context())
			errs <- err
		})
		wg.Go(func() { errs <- who.Tap(t.Context(), image.Pt(5, 5)) })
	}
	wg.Wait()
	close(errs)
	for err := range errs {
		require.NoError(t, err)
	}
	require.Len(t, r.phone.Events("tap"), 12)
}

// TestCancelledDump holds that a uitest which nobody waits for any more ends before the next begins.
func TestCancelledDump(t *testing.T) {
	r := newRig(t, sim.Options{}, "")
	d := r.open()
	off := r.set(front.FaultDumpSlow + "=500ms")
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err := d.Tree(ctx)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	off()
	_, err = d.Tree(t.Context())
	require.NoError(t, err, "the phone would refuse a second one")
	require.Empty(t, r.leftovers())
}

// TestDropsMidCall holds that a call which was cut is no success, and that a gesture is not done twice.
func TestDropsMidCall(t *testing.T) {
	r := newRig(t, sim.Options{}, "")
	d := r.open()
	r.set(front.FaultDropAfterSend)
	before := len(r.phone.Events("tap"))
	err := d.Tap(t.Context(), image.Pt(5, 5))
	require.Error(t, err)
	require.True(t, driver.MaybeDone(err))
	require.Equal(t, 1, len(r.phone.Events("tap"))-before)

	r = newRig(t, sim.Options{}, "")
	d = r.open()
	r.set(front.FaultDiesMidCall)
	_, err = d.Shell(t.Context(), "sh", "-c", "echo start; sleep 6; echo end")
	require.Error(t, err)
	require.True(t, driver.MaybeDone(err))
}

// TestHungPhone holds that one phone that hangs does not slow another.
func TestHungPhone(t *testing.T) {
	hung, well := newRig(t, sim.Options{}, ""), newRig(t, sim.Options{}, "")
	d, e := hung.open(), well.open()
	off := hung.set(front.FaultHang)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- d.Tap(ctx, image.Pt(5, 5)) }()
	for range 3 {
		require.NoError(t, e.Tap(t.Context(), image.Pt(5, 5)))
	}
	select {
	case err := <-done:
		t.Fatalf("the hung phone answered: %v", err)
	default:
	}
	cancel()
	require.ErrorIs(t, <-done, context.Canceled)
	off()
}
