package adb_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/adb"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/cmdrun"
	"github.com/handset-go/handset/internal/phonefront/adbd"
	"github.com/handset-go/handset/internal/phonefront/adbserver"
	"github.com/handset-go/handset/internal/phonefront/android"
)

// front is a simulated phone behind a simulated server.
type front struct {
	phone  *sim.Phone
	device *android.Device
	server *adbserver.Server
	clock  *tempo
}

func newFront(t testing.TB, profile string, opts sim.Options) *front {
	t.Helper()
	f := &front{phone: sim.New(&opts), clock: &tempo{}}
	var err error
	f.device, err = android.New(f.phone, &android.Options{Serial: "SIM-" + f.phone.Name(), Profile: profile, Now: f.clock.now})
	require.NoError(t, err)
	f.server, err = adbserver.Start(&adbserver.Options{Phones: []adbserver.Phone{{Device: f.device}}})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, f.server.Close()) })
	return f
}

// awaitLost waits until a driver has seen that its line to the phone broke.
func awaitLost(t testing.TB, d *adb.Driver) {
	t.Helper()
	require.Eventually(t, func() bool { return !adb.ResidentAlive(d) }, 20*time.Second, time.Millisecond)
}

func (f *front) open(t testing.TB) *adb.Driver { return f.openWith(t, adb.Options{}) }

// openPlain opens the phone with a connection for each command.
func (f *front) openPlain(t testing.TB) *adb.Driver {
	return f.openWith(t, adb.Options{PlainShell: true})
}

func (f *front) openWith(t testing.TB, o adb.Options) *adb.Driver {
	t.Helper()
	o.Server, o.NoStart = f.server.Addr(), true
	d, err := adb.New(t.Context(), f.device.Serial(), &o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	f.ready(d)
	return d
}

// ready has a driver that is open be as patient as a busy computer wants it.
func (f *front) ready(d *adb.Driver) {
	adb.Hurry(d, time.Minute)
	adb.AwaitAcks(d)
	f.clock.lead(d, f.device)
}

func (f *front) fault(t testing.TB, name string) {
	t.Helper()
	require.NoError(t, f.device.SetFault(name, true))
	t.Cleanup(func() { require.NoError(t, f.device.SetFault(name, false)) })
}

// TestEveryRelease does the usual things on each profile.
func TestEveryRelease(t *testing.T) {
	for _, p := range android.Profiles() {
		t.Run(p.Name, func(t *testing.T) {
			f := newFront(t, p.Name, sim.Options{})
			for _, name := range []string{android.FaultInjectEvents, android.FaultSecureSettings} {
				require.NoError(t, f.device.SetFault(name, false)) // MIUI, once its owner has allowed it
			}
			d := f.open(t)
			ctx := t.Context()
			s, err := d.Screenshot(ctx)
			require.NoError(t, err)
			require.Equal(t, f.phone.Size(), s.Size())
			require.NoError(t, d.Launch(ctx, "设置"))
			app, err := d.Foreground(ctx)
			require.NoError(t, err)
			require.Equal(t, "com.android.settings", app.ID)
			tree, err := d.Tree(ctx)
			require.NoError(t, err)
			require.Equal(t, s.Size(), tree.Size)
			require.Equal(t, "com.android.settings", tree.App.ID)
			field := tree.Find(driver.ByRole(driver.RoleEdit))
			require.NotNil(t, field)
			require.NoError(t, d.Tap(ctx, field.Center()))
			require.NoError(t, d.Type(ctx, "100%s it's"))
			require.NoError(t, d.SetText(ctx, "蓝牙 👍"))
			got, ok := f.phone.Focused()
			require.True(t, ok)
			require.Equal(t, "蓝牙 👍", got.Text)
			power, err := d.PowerState(ctx)
			require.NoError(t, err)
			require.Equal(t, driver.Power{On: true}, power)
			require.NoError(t, f.phone.SetRotation(1))
			turns, err := d.Rotation(ctx)
			require.NoError(t, err)
			require.Equal(t, 1, turns)
			all, err := d.Apps(ctx)
			require.NoError(t, err)
			require.Contains(t, all, driver.App{ID: "com.android.deskclock", Name: "Clock"})
			require.NoError(t, d.Stop(ctx, "Settings"))
			require.NotContains(t, f.phone.Running(), "com.android.settings")
			require.Less(t, len(f.device.LongestRequest()), 4096, "an old adbd takes no longer command")
			require.Empty(t, f.server.Aborted())
		})
	}
}

func TestDumpFaults(t *testing.T) {
	works := []string{
		android.FaultDumpExit1, android.FaultDumpNoise, android.FaultDumpQuotes, android.FaultDumpInverted, android.FaultDumpNegative,
		android.FaultDumpBig, android.FaultDumpWrapped, android.FaultScreencapWarn,
	}
	for _, name := range works {
		t.Run(name, func(t *testing.T) {
			f := newFront(t, "a14", sim.Options{Start: "com.android.settings"})
			f.fault(t, name)
			tree, err := f.open(t).Tree(t.Context())
			require.NoError(t, err)
			require.NotNil(t, tree.Find(driver.ByText("Bluetooth")))
			require.Equal(t, f.phone.Size(), tree.Size)
		})
	}
	for _, name := range []string{
		android.FaultDumpIdle, android.FaultDumpNullRoot, android.FaultDumpNPE, android.FaultDumpUnwritten, android.FaultDumpKilled, android.FaultDumpBusy,
	} {
		t.Run(name, func(t *testing.T) {
			f := newFront(t, "a14", sim.Options{})
			f.fault(t, name)
			_, err := f.open(t).Tree(t.Context())
			require.ErrorIs(t, err, driver.ErrNoTree)
		})
	}
}

func TestScreencapFaults(t *testing.T) {
	tests := []struct {
		fault  string
		health driver.Health
		text   string
	}{
		{android.FaultScreencapWarn, driver.HealthOK, ""},
		{android.FaultScreencapNoise, driver.HealthOK, ""},
		{android.FaultScreencapBlack, driver.HealthProtected, ""},
		{android.FaultScreencapEmpty, "", "no picture"},
		{android.FaultScreencapCut, "", "cut off"},
		{android.FaultScreencapRefuse, "", "no picture"},
		{android.FaultNoExitPacket, "", "connection broke"},
		{android.FaultDropMidWrite, "", "connection broke"},
	}
	for _, profile := range []string{"a14", "a9"} {
		for _, tt := range tests {
			t.Run(profile+"/"+tt.fault, func(t *testing.T) {
				f := newFront(t, profile, sim.Options{})
				d := f.open(t)
				f.fault(t, tt.fault)
				s, err := d.Screenshot(t.Context())
				if tt.health == "" {
					require.Nil(t, s)
					require.ErrorContains(t, err, tt.text)
					return
				}
				require.NoError(t, err)
				require.Equal(t, tt.health, s.Health())
			})
		}
	}
}

func TestLaunchFaults(t *testing.T) {
	for _, name := range []string{
		android.FaultResolver, android.FaultStartDenied, android.FaultStartNull, android.FaultStartAborted, android.FaultFocusNull,
		android.FaultFocusSplit, android.FaultFocusCover, android.FaultWorkProfile, android.FaultMonkeySysKeys, android.FaultStartTimeout,
	} {
		t.Run(name, func(t *testing.T) {
			f := newFront(t, "a14", sim.Options{})
			d := f.open(t)
			f.fault(t, name)
			require.NoError(t, d.Launch(t.Context(), "com.handset.notes"))
			require.Equal(t, "com.handset.notes", f.phone.Foreground().ID)
		})
	}
	t.Run("locked", func(t *testing.T) {
		f := newFront(t, "a14", sim.Options{Locked: true})
		require.ErrorIs(t, f.open(t).Launch(t.Context(), "com.handset.notes"), driver.ErrLocked)
	})
	t.Run("asleep", func(t *testing.T) {
		f := newFront(t, "a14", sim.Options{Asleep: true})
		d := f.open(t)
		require.Error(t, d.Launch(t.Context(), "com.handset.notes"))
		p, err := d.PowerState(t.Context())
		require.NoError(t, err)
		require.False(t, p.On)
		require.NoError(t, d.Wake(t.Context()))
		p, err = d.PowerState(t.Context())
		require.NoError(t, err)
		require.True(t, p.On)
	})
}

func TestTextFaults(t *testing.T) {
	focus := func(t *testing.T, opts sim.Options) (*front, *adb.Driver) {
		opts.Start = "com.android.settings"
		f := newFront(t, "a14", opts)
		d := f.open(t)
		f.phone.Tap(f.phone.Tree().Find(driver.ByRole(driver.RoleEdit)).Center())
		return f, d
	}
	t.Run("not installed", func(t *testing.T) {
		f, d := focus(t, sim.Options{NoADBKeyboard: true})
		require.ErrorIs(t, d.Type(t.Context(), "é"), driver.ErrNoTextInput)
		require.ErrorIs(t, d.SetText(t.Context(), "é"), driver.ErrNoTextInput)
		require.NoError(t, d.SetText(t.Context(), "e"))
		got, _ := f.phone.Focused()
		require.Equal(t, "e", got.Text)
	})
	t.Run("slow to take over", func(t *testing.T) {
		f, d := focus(t, sim.Options{})
		f.fault(t, android.FaultIMESettle)
		before := f.phone.CurrentIME()
		require.NoError(t, d.Type(t.Context(), "é"))
		got, _ := f.phone.Focused()
		require.Equal(t, "é", got.Text)
		require.Equal(t, before, f.phone.CurrentIME())
	})
	t.Run("deaf", func(t *testing.T) {
		f, d := focus(t, sim.Options{})
		f.fault(t, android.FaultNoReceiver)
		require.ErrorIs(t, d.Type(t.Context(), "é"), driver.ErrNoTextInput)
	})
	t.Run("forbidden", func(t *testing.T) {
		f, d := focus(t, sim.Options{})
		f.fault(t, android.FaultSecureSettings)
		before := f.phone.CurrentIME()
		require.ErrorIs(t, d.Type(t.Context(), "é"), driver.ErrNoTextInput)
		require.Equal(t, before, f.phone.CurrentIME())
	})
	t.Run("no field", func(t *testing.T) {
		f := newFront(t, "a14", sim.Options{})
		d := f.open(t)
		require.ErrorIs(t, d.Type(t.Context(), "é"), driver.ErrNoTextInput)
		require.ErrorIs(t, d.Type(t.Context(), "e"), driver.ErrNoTextInput)
		require.ErrorIs(t, d.ClearText(t.Context()), driver.ErrNoTextInput)
	})
}

// TestOverriddenSize taps on a phone whose logical size is not that of its panel.
func TestOverriddenSize(t *testing.T) {
	f := newFront(t, "a14", sim.Options{})
	d := f.open(t)
	_, err := d.Shell(t.Context(), "wm", "size", "720x1600")
	require.NoError(t, err)
	s, err := d.Screenshot(t.Context())
	require.NoError(t, err)
	tree, err := d.Tree(t.Context())
	require.NoError(t, err)
	require.Equal(t, s.Size(), tree.Size)
	f.phone.ClearLog()
	last := s.Size().Sub(image.Pt(1, 1))
	require.NoError(t, d.Tap(t.Context(), last))
	taps := f.phone.Events("tap")
	require.Len(t, taps, 1)
	require.InDelta(t, f.phone.Size().X, taps[0].Data["x"], 3)
	require.InDelta(t, f.phone.Size().Y, taps[0].Data["y"], 3)
}

func TestStatesOverTheFront(t *testing.T) {
	device := func(serial string) adbserver.Phone {
		d, err := android.New(sim.New(nil), &android.Options{Serial: serial})
		require.NoError(t, err)
		return adbserver.Phone{Device: d}
	}
	spaced, shy, off := device("adb-X1 (2)._adb-tls-connect._tcp"), device("SHY"), device("OFF")
	shy.State, off.State = adbserver.Unauthorized, adbserver.Offline
	s, err := adbserver.Start(&adbserver.Options{Phones: []adbserver.Phone{off, spaced, shy}})
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	opts := &adb.Options{Server: s.Addr(), NoStart: true}
	d, err := adb.New(t.Context(), "", opts)
	require.NoError(t, err, "the only one that can be used")
	defer func() { require.NoError(t, d.Close()) }()
	require.NoError(t, d.Tap(t.Context(), image.Pt(5, 5)))
	_, err = adb.New(t.Context(), "SHY", opts)
	require.ErrorIs(t, err, driver.ErrUnauthorized)
	_, err = adb.New(t.Context(), "OFF", opts)
	require.ErrorIs(t, err, driver.ErrOffline)

	s.SetState(spaced.Device.Serial(), adbserver.Unauthorized)
	awaitLost(t, d)
	err = d.Tap(t.Context(), image.Pt(5, 5))
	require.ErrorIs(t, err, driver.ErrUnauthorized)
	require.False(t, driver.MaybeDone(err))
	s.SetState("SHY", adbserver.Online)
	s.SetState("OFF", adbserver.Online)
	_, err = adb.New(t.Context(), "", opts)
	require.ErrorIs(t, err, driver.ErrSeveralDevices)
	require.ErrorContains(t, err, "SHY")
}

func TestServerFaults(t *testing.T) {
	for _, name := range []string{android.FaultProtocol, android.FaultBadLength, android.FaultServerDies} {
		t.Run(name, func(t *testing.T) {
			f := newFront(t, "a14", sim.Options{})
			d := f.openPlain(t)
			require.NoError(t, f.server.Faults().Switch(name, true))
			_, err := adb.Devices(t.Context(), &adb.Options{Server: f.server.Addr(), NoStart: true})
			require.Equal(t, name != android.FaultServerDies, err != nil, "%v", err)
			if name == android.FaultBadLength {
				return // a gesture needs no length
			}
			_, err = d.Screenshot(t.Context())
			require.Error(t, err)
			before := len(f.phone.Events("tap"))
			require.Error(t, d.Tap(t.Context(), image.Pt(5, 5)))
			require.LessOrEqual(t, len(f.phone.Events("tap"))-before, 1)
		})
	}
	t.Run(android.FaultSilentServer, func(t *testing.T) {
		f := newFront(t, "a14", sim.Options{})
		d := f.open(t)
		require.NoError(t, f.server.Faults().Switch(android.FaultSilentServer, true))
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		_, err := d.Screenshot(ctx)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.NoError(t, f.server.Faults().Switch(android.FaultSilentServer, false))
	})
	t.Run("killed and back", func(t *testing.T) {
		f := newFront(t, "a14", sim.Options{})
		d := f.open(t)
		f.server.Kill()
		_, err := d.Screenshot(t.Context())
		require.ErrorIs(t, err, adb.ErrNoServer)
		require.NoError(t, f.server.Restart())
		_, err = d.Screenshot(t.Context())
		require.NoError(t, err)
	})
}

// TestWatch sees a phone come and go.
func TestWatch(t *testing.T) {
	f := newFront(t, "a14", sim.Options{})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var states []string
	for devices, err := range adb.Watch(ctx, &adb.Options{Server: f.server.Addr(), NoStart: true}) {
		require.NoError(t, err)
		require.Len(t, devices, 1)
		states = append(states, devices[0].State)
		if len(states) == 1 {
			f.server.SetState(f.device.Serial(), adbserver.Offline)
			continue
		}
		break
	}
	require.Equal(t, []string{"device", "offline"}, states)
}

// TestStockAdbStartsByItself opens a phone where no server runs: the driver starts one, with the
// adb of this computer.
func TestStockAdbStartsByItself(t *testing.T) {
	if _, err := cmdrun.Find("adb"); err != nil {
		if strings.Contains(os.Getenv("HANDSET_REQUIRE"), "adb") {
			t.Fatal("adb is not installed, and HANDSET_REQUIRE names it")
		}
		t.Skip("adb is not installed")
	}
	port := quietPort(t)
	home := t.TempDir()
	for name, value := range map[string]string{
		"HOME": home, "TMPDIR": home, "ADB_LOCAL_TRANSPORT_MAX_PORT": "5553", "ADB_SERVER_SOCKET": "", "ANDROID_ADB_SERVER_ADDRESS": "127.0.0.1",
		"ANDROID_ADB_SERVER_PORT": port,
	} {
		t.Setenv(name, value)
	}
	device, err := android.New(sim.New(nil), nil)
	require.NoError(t, err)
	a, err := adbd.Listen(device, nil)
	require.NoError(t, err)
	defer func() { require.NoError(t, a.Close()) }()
	t.Cleanup(func() {
		r, err := cmdrun.Run(context.Background(), cmdrun.Command{Path: "adb", Args: []string{"-L", "tcp:" + port, "kill-server"}})
		require.NoError(t, err)
		require.Zero(t, r.Code, r.Complaint())
	})
	address, err := adb.Connect(t.Context(), a.Addr(), adb.FromEnv(os.Getenv))
	require.NoError(t, err)
	d, err := driver.Open(t.Context(), address)
	require.NoError(t, err)
	defer func() { require.NoError(t, d.Close()) }()
	require.NoError(t, d.Tap(t.Context(), image.Pt(5, 5)))
	_, err = os.Stat(filepath.Join(home, ".android"))
	require.NoError(t, err, "the server has the test's home")
}

// TestThroughStockAdb does what only the real server can show: large files, and a phone that goes away in the
// middle of a frame.
func TestThroughStockAdb(t *testing.T) {
	w := &overAdb{addr: stockServer(t), of: map[string]*adbd.Daemon{}}
	device, err := android.New(sim.New(nil), nil)
	require.NoError(t, err)
	serial, server := w.attach(t, device)
	d, err := adb.New(t.Context(), serial, &adb.Options{Server: server, NoStart: true})
	require.NoError(t, err)
	defer func() { require.NoError(t, d.Close()) }()

	data := bytes.Repeat([]byte("0123456789\x00\r\n\xff\xfe"), 600_000)
	require.NoError(t, d.Push(t.Context(), bytes.NewReader(data), "/sdcard/a file's name"))
	var back bytes.Buffer
	require.NoError(t, d.Pull(t.Context(), "/sdcard/a file's name", &back))
	require.True(t, bytes.Equal(data, back.Bytes()), "%d bytes of %d", back.Len(), len(data))

	require.NoError(t, device.SetFault(android.FaultScreencapSlow+"=30s", true))
	done := make(chan error, 1)
	_, before := device.Requests()
	go func() { _, err := d.Screenshot(t.Context()); done <- err }()
	require.Eventually(t, func() bool { _, n := device.Requests(); return n > before }, 20*time.Second, time.Millisecond)
	w.lose(t, serial)
	err = <-done
	require.True(t, errors.Is(err, driver.ErrOffline) || errors.Is(err, driver.ErrNoDevice), "%v", err)
	awaitLost(t, d)
	err = d.Tap(t.Context(), image.Pt(1, 1))
	require.True(t, errors.Is(err, driver.ErrOffline) || errors.Is(err, driver.ErrNoDevice), "%v", err)
	require.False(t, driver.MaybeDone(err))
}
