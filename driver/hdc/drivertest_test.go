package hdc_test

import (
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/drivertest"
	"github.com/handset-go/handset/driver/hdc"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/cmdrun"
	front "github.com/handset-go/handset/internal/phonefront/hdc"
)

func TestMain(m *testing.M) {
	if code, ok := front.AsTool(os.Args, os.LookupEnv); ok {
		os.Exit(code)
	}
	os.Exit(tidily(m))
}

// tidily runs the tests with a folder for temporary files of their own, in which the driver must leave none.
func tidily(m *testing.M) int {
	dir, err := os.MkdirTemp("", "hdc-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	if raced {
		if toolProgram, err = buildTool(dir); err != nil {
			fmt.Fprintln(os.Stderr, "the simulated hdc is slow, as it cannot be built:", err)
		}
	}
	os.Setenv("TMPDIR", dir)
	code := m.Run()
	left, err := filepath.Glob(filepath.Join(dir, "handset-*"))
	if err := errors.Join(err, goleak.Find()); code == 0 && (err != nil || len(left) > 0) {
		fmt.Fprintln(os.Stderr, "left behind:", left, err)
		return 1
	}
	return code
}

// toolProgram is what stands behind the simulated hdc: "" is this binary, which with the race detector takes a tenth of a
// second to start.
var toolProgram string

// buildTool builds a program for it without the race detector.
func buildTool(dir string) (string, error) {
	program := filepath.Join(dir, "tool")
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	r, err := cmdrun.Run(ctx, cmdrun.Command{Path: "go", Args: []string{"build", "-o", program, "./testdata/tool"}})
	if err == nil && r.Code != 0 {
		err = errors.New(r.Complaint())
	}
	if err != nil {
		return "", err
	}
	return program, nil
}

// rig is one simulated phone behind a simulated hdc, which is this test's binary.
type rig struct {
	t      testing.TB
	phone  *sim.Phone
	device *front.Device
	server *front.Server
	tool   string
}

func newRig(t testing.TB, opts sim.Options, profile string) *rig {
	t.Helper()
	opts.Platform = sim.PlatformHarmony
	p := sim.New(&opts)
	d, err := front.New(p, &front.Options{Key: "SIM-" + p.Name(), Profile: profile})
	require.NoError(t, err)
	s, err := front.Serve(nil, d)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	tool, err := s.WriteTool(t.TempDir(), toolProgram)
	require.NoError(t, err)
	return &rig{t: t, phone: p, device: d, server: s, tool: tool}
}

func (r *rig) options() *hdc.Options { return &hdc.Options{Tool: r.tool} }

func (r *rig) open() *hdc.Driver {
	r.t.Helper()
	d, err := hdc.New(context.Background(), r.device.Key(), r.options())
	require.NoError(r.t, err)
	r.t.Cleanup(func() { require.NoError(r.t, d.Close()) })
	return d
}

// set switches a fault on, until off is called or the test ends.
func (r *rig) set(name string) (off func()) {
	r.t.Helper()
	require.NoError(r.t, r.device.SetFault(name, true))
	off = func() { require.NoError(r.t, r.device.SetFault(name, false)) }
	r.t.Cleanup(off)
	return off
}

// remoteFile is on every phone.
const remoteFile = "/data/local/tmp/given.bin"

func conformingPhone(t testing.TB, opts sim.Options, profile string, limit time.Duration) *drivertest.Phone {
	opts.Apps = []sim.App{paint("com.example.paint"), paint("com.another.paint.hmos")}
	r := newRig(t, opts, profile)
	require.NoError(t, r.device.FS().WriteFile(remoteFile, []byte("pulled"), 0o644))
	open := func() (driver.Driver, error) {
		o := r.options()
		o.Limit = limit
		return hdc.New(context.Background(), r.device.Key(), o)
	}
	first, err := patiently(open)
	require.NoError(t, err)
	return &drivertest.Phone{
		Driver: first, Second: open, Address: "hdc:" + r.device.Key() + "?tool=" + r.tool,
		Log: r.log, Fault: r.fault, Focus: r.focus, FieldText: r.fieldText, Rotate: r.phone.SetRotation, State: r.state,
	}
}

// patiently does again what may run into a short limit on a busy computer.
func patiently[T any](do func() (T, error)) (T, error) {
	v, err := do()
	for n := 0; errors.Is(err, driver.ErrTimeout) && n < 100; n++ {
		v, err = do()
	}
	return v, err
}

// paint is an app that several makers have, under one name.
func paint(id string) sim.App {
	return sim.App{ID: id, Name: sim.T("Paint", "画图"), Screens: []sim.Screen{{ID: "main", Page: id + ".Main"}}}
}

func (r *rig) fault(name string) func() {
	switch name {
	case drivertest.FaultHang:
		return r.set(front.FaultHang)
	case drivertest.FaultHangTyping:
		return r.set(front.FaultInputSlow + "=10m")
	case drivertest.FaultBreak:
		off := r.set(front.FaultDropAfterSend)
		return func() { off(); r.server.Plug(r.device) }
	case drivertest.FaultSlowLaunch:
		return r.set(front.FaultStartSlow)
	case drivertest.FaultNoPicture:
		return r.set(front.FaultSnapshotFail)
	case drivertest.FaultNoTree:
		return r.set(front.FaultDumpBusy)
	case drivertest.FaultProtected:
		_, err := r.phone.StartApp("com.handset.wallet")
		require.NoError(r.t, err)
		return func() { _, _ = r.phone.StartApp("com.ohos.sceneboard") }
	case drivertest.FaultAsleep:
		return r.set(front.FaultPanelOff)
	case drivertest.FaultOffline:
		return r.set(front.FaultOffline)
	}
	return nil
}

// focus opens a page with an empty field and taps it.
func (r *rig) focus(many bool) error {
	app := "com.huawei.hmos.settings"
	r.phone.SetValue("settings.query", "")
	if many {
		app = "com.handset.notes"
	}
	if err := r.phone.StopApp(app); err != nil {
		return err
	}
	if _, err := r.phone.StartApp(app); err != nil {
		return err
	}
	if many {
		r.phone.Tap(r.phone.Tree().Find(driver.ByID("new_button")).Center())
	}
	r.phone.Tap(r.phone.Tree().Find(driver.ByRole(driver.RoleEdit)).Center())
	return nil
}

func (r *rig) fieldText() (string, error) {
	f, ok := r.phone.Focused()
	if !ok {
		return "", errors.New("no field has the focus")
	}
	return f.Text, nil
}

// state is the input method, and the files that a tool may leave on the phone. Those of this computer are looked at in
// the end.
func (r *rig) state() (string, error) {
	var b strings.Builder
	fmt.Fprintln(&b, r.phone.CurrentIME())
	r.device.Shell("ls /data/local/tmp", &b)
	return b.String(), nil
}

// kinds are the suite's words for the phone's.
var kinds = map[string]string{
	"tap": drivertest.KindTap, "double_tap": drivertest.KindTap, "long_press": drivertest.KindHold,
	"swipe": drivertest.KindSwipe, "drag": drivertest.KindDrag, "pinch": drivertest.KindTouch, "key": drivertest.KindKey,
	"text": drivertest.KindText, "launch": drivertest.KindLaunch, "url": drivertest.KindURL,
}

func (r *rig) log() []drivertest.Event {
	var out []drivertest.Event
	for _, e := range r.phone.Log() {
		kind, ok := kinds[e.Name]
		if !ok {
			continue
		}
		number := func(field string) int { n, _ := e.Data[field].(int); return n }
		ms, _ := e.Data["ms"].(int64)
		out = append(out, drivertest.Event{
			Kind: kind, At: image.Pt(number("x"), number("y")), To: image.Pt(number("x2"), number("y2")),
			Over: time.Duration(ms) * time.Millisecond, Key: driver.Key(e.String("key")), Text: e.String("text") + e.String("url"),
			App: e.String("id"), Touch: e.String("on"),
		})
	}
	return out
}

// declared are the cases that the phones of a release cannot pass, as the package comment says.
func declared(profile string) map[string]string {
	if profile != oldest {
		return nil
	}
	const why = "before API 18 uitest pastes after a tap on the field only"
	return map[string]string{"text/accents": why, "text/chinese": why, "text/emoji": why}
}

func conformance(profile string) *drivertest.Config {
	with := func(opts sim.Options, limit time.Duration) func(testing.TB) *drivertest.Phone {
		return func(t testing.TB) *drivertest.Phone { return conformingPhone(t, opts, profile, limit) }
	}
	cfg := &drivertest.Config{
		Open:       with(compact, 0),
		Apps:       drivertest.Apps{ID: "com.handset.notes", Name: "Notes", Other: "com.huawei.hmos.clock", Unknown: "Solitaire", Ambiguous: "paint"},
		Unreported: driver.Focusable | driver.Editable,
		Echo:       []string{"printf", "%s"},
		File:       remoteFile,
		Declared:   declared(profile),
		Ops: []driver.Op{
			driver.OpType, driver.OpClearText, driver.OpSetText, driver.OpDoubleTap, driver.OpLongPress, driver.OpDrag,
			driver.OpPinch, driver.OpGesture, driver.OpForeground, driver.OpResolve, driver.OpApps, driver.OpStop,
			driver.OpOpenURL, driver.OpRotation, driver.OpWake, driver.OpLock, driver.OpPowerState, driver.OpInstall,
			driver.OpUninstall, driver.OpPush, driver.OpPull, driver.OpShell, driver.OpLogs, driver.OpDescribe,
		},
	}
	if profile != newest {
		return cfg // the same driver code, and many processes
	}
	cfg.Impatient = with(compact, 1500*time.Millisecond)
	cfg.More = map[string]func(testing.TB) *drivertest.Phone{
		"small":  with(sim.Options{Size: image.Pt(480, 800), Density: 240, Lang: sim.LangZh}, 0),
		"tablet": with(sim.Options{Size: image.Pt(1600, 1200), Density: 213, Start: "com.huawei.hmos.settings"}, 0),
	}
	return cfg
}

// compact is a phone whose frames are quickly drawn, of which the suite wants hundreds.
var compact = sim.Options{Size: image.Pt(540, 1170), Density: 210}

// newest and oldest are the two generations of texts; what is between them is in TestEveryRelease.
const (
	newest = "6.0"
	oldest = "5.0"
)

// TestConformance runs every rule of the contract, on the texts of each generation.
func TestConformance(t *testing.T) {
	for _, profile := range []string{newest, oldest} {
		t.Run(profile, func(t *testing.T) {
			t.Parallel() // most of it is waiting for processes
			drivertest.Run(t, conformance(profile))
		})
	}
}
