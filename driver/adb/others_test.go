package adb_test

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/electricbubble/gadb"
	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/adb"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/cmdrun"
	"github.com/handset-go/handset/internal/phonefront/adbd"
	"github.com/handset-go/handset/internal/phonefront/android"
)

// program is a program other than ours that speaks adb.
type program interface {
	// list returns the serials of the phones that can be used.
	list(t *testing.T) []string
	// shell returns what a command printed, as bytes.
	shell(t *testing.T, serial, command string) []byte
	push(t *testing.T, serial string, data []byte, remote string)
	pull(t *testing.T, serial, remote string) []byte
}

// usual does with a phone what every such program does.
func usual(t *testing.T, p program, serial string, device *android.Device) {
	phone := device.Phone()
	require.Contains(t, p.list(t), serial)
	frame := p.shell(t, serial, "screencap -p")
	start := bytes.Index(frame, []byte("\x89PNG")) // a phone with two displays warns in front of it
	require.GreaterOrEqual(t, start, 0)
	m, err := png.Decode(bytes.NewReader(frame[start:]))
	require.NoError(t, err)
	require.Equal(t, captured(device), m.Bounds().Size())

	_, err = phone.StartApp("com.android.settings")
	require.NoError(t, err)
	phone.ClearLog()
	p.shell(t, serial, "input tap 540 1200")
	taps := 1
	if device.Faults().On(android.FaultInjectEvents) {
		taps = 0 // as for us
	}
	require.Len(t, phone.Events("tap"), taps)

	data := bytes.Repeat([]byte("0123456789\r\n\x00\xff"), 20_000)
	p.push(t, serial, data, "/sdcard/Download/up")
	stored, err := device.FS().ReadFile("/sdcard/Download/up")
	require.NoError(t, err)
	require.True(t, bytes.Equal(data, stored))
	require.True(t, bytes.Equal(data, p.pull(t, serial, "/sdcard/Download/up")))

	p.shell(t, serial, "uiautomator dump /sdcard/read.xml")
	tree, err := adb.ParseDump(p.pull(t, serial, "/sdcard/read.xml"))
	require.NoError(t, err)
	require.NotNil(t, tree.Find(driver.HasFlag(driver.Clickable)))
	require.Equal(t, device.Profile().Release, strings.TrimSpace(string(p.shell(t, serial, "getprop ro.build.version.release"))))
	require.Contains(t, string(p.shell(t, serial, "wm size")), "Physical size: 1080x2400")
}

// captured is the size of what screencap takes by itself: of a shut foldable, the display inside.
func captured(device *android.Device) image.Point {
	if p := device.Profile(); p.CoverFirst {
		return p.Cover
	}
	return device.Phone().Size()
}

// stockProgram is the adb of this computer.
type stockProgram struct{ port, dir string }

func (s stockProgram) run(t *testing.T, args ...string) *cmdrun.Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	r, err := cmdrun.Run(ctx, cmdrun.Command{
		Path: "adb", Args: append([]string{"-P", s.port}, args...),
		Env: []string{"HOME=" + s.dir, "TMPDIR=" + s.dir, "ADB_LOCAL_TRANSPORT_MAX_PORT=5553"},
	})
	require.NoError(t, err)
	return r
}

func (s stockProgram) list(t *testing.T) []string {
	var serials []string
	for line := range strings.Lines(string(s.run(t, "devices").Stdout)) {
		if serial, state, _ := strings.Cut(strings.TrimSpace(line), "\t"); state == "device" {
			serials = append(serials, serial)
		}
	}
	return serials
}

func (s stockProgram) shell(t *testing.T, serial, command string) []byte {
	return s.run(t, "-s", serial, "exec-out", command).Stdout
}

func (s stockProgram) push(t *testing.T, serial string, data []byte, remote string) {
	local := filepath.Join(s.dir, "push")
	require.NoError(t, os.WriteFile(local, data, 0o600))
	r := s.run(t, "-s", serial, "push", local, remote)
	require.Zero(t, r.Code, r.Complaint())
}

func (s stockProgram) pull(t *testing.T, serial, remote string) []byte {
	local := filepath.Join(s.dir, "pull")
	r := s.run(t, "-s", serial, "pull", remote, local)
	require.Zero(t, r.Code, r.Complaint())
	data, err := os.ReadFile(local)
	require.NoError(t, err)
	return data
}

// TestOtherProgramStockAdb has the stock adb use a phone of each profile, all attached to one server.
// Each is listed once.
func TestOtherProgramStockAdb(t *testing.T) {
	w := &overAdb{addr: stockServer(t), of: map[string]*adbd.Daemon{}}
	_, port, _ := strings.Cut(w.addr, ":")
	p := stockProgram{port: port, dir: t.TempDir()}
	profiles := android.Profiles()
	devices := map[string]*android.Device{}
	var serials []string
	for _, profile := range profiles {
		d, err := android.New(sim.New(nil), &android.Options{Profile: profile.Name})
		require.NoError(t, err)
		serial, _ := w.attach(t, d)
		serials, devices[serial] = append(serials, serial), d
	}
	require.ElementsMatch(t, serials, p.list(t))
	for _, serial := range serials {
		t.Run(devices[serial].Profile().Name, func(t *testing.T) { usual(t, p, serial, devices[serial]) })
	}
}

// gadbProgram is gadb, which knows only the old shell.
type gadbProgram struct{ client gadb.Client }

func (g gadbProgram) device(t *testing.T, serial string) gadb.Device {
	all, err := g.client.DeviceList()
	require.NoError(t, err)
	for _, d := range all {
		if d.Serial() == serial {
			return d
		}
	}
	require.Fail(t, "not listed", serial)
	return gadb.Device{}
}

func (g gadbProgram) list(t *testing.T) []string {
	serials, err := g.client.DeviceSerialList()
	require.NoError(t, err)
	return serials
}

// shell undoes what the terminal of an old phone does to binary output.
func (g gadbProgram) shell(t *testing.T, serial, command string) []byte {
	out, err := g.device(t, serial).RunShellCommandWithBytes(command)
	require.NoError(t, err)
	if bytes.Contains(out, []byte("PNG\r\r\n")) {
		out = bytes.ReplaceAll(out, []byte("\r\n"), []byte("\n"))
	}
	return out
}

func (g gadbProgram) push(t *testing.T, serial string, data []byte, remote string) {
	require.NoError(t, g.device(t, serial).Push(bytes.NewReader(data), remote, time.Now()))
}

func (g gadbProgram) pull(t *testing.T, serial, remote string) []byte {
	var out bytes.Buffer
	require.NoError(t, g.device(t, serial).Pull(remote, &out))
	return out.Bytes()
}

// TestOtherProgramGadb has gadb use a phone of each profile over the simulated server.
func TestOtherProgramGadb(t *testing.T) {
	for _, profile := range android.Profiles() {
		t.Run(profile.Name, func(t *testing.T) {
			f := newFront(t, profile.Name, sim.Options{})
			client, err := gadb.NewClientWith("127.0.0.1", portOf(t, f.server.Addr()))
			require.NoError(t, err)
			usual(t, gadbProgram{client}, f.device.Serial(), f.device)
		})
	}
}

func portOf(t *testing.T, addr string) int {
	_, port, _ := strings.Cut(addr, ":")
	n, err := strconv.Atoi(port)
	require.NoError(t, err)
	return n
}
