package adb_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"strconv"
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
	"github.com/handset-go/handset/internal/phonefront/adbserver"
	"github.com/handset-go/handset/internal/phonefront/android"
)

// way is how a simulated phone is attached.
type way interface {
	// attach attaches a phone and returns its serial and the server's address, until the test ends.
	attach(t testing.TB, d *android.Device) (serial, server string)
	// lose makes the phone offline, until off is called.
	lose(t testing.TB, serial string) (off func())
}

// overSocket attaches phones to a simulated server, each to one of its own.
type overSocket struct {
	mu      sync.Mutex
	servers map[string]*adbserver.Server
}

func newOverSocket() *overSocket { return &overSocket{servers: map[string]*adbserver.Server{}} }

func (w *overSocket) attach(t testing.TB, d *android.Device) (serial, server string) {
	s, err := adbserver.Start(&adbserver.Options{Phones: []adbserver.Phone{{Device: d}}})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	w.mu.Lock()
	defer w.mu.Unlock()
	w.servers[d.Serial()] = s
	return d.Serial(), s.Addr()
}

func (w *overSocket) lose(_ testing.TB, serial string) func() {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.servers[serial]
	s.SetState(serial, adbserver.Offline)
	return func() { s.SetState(serial, adbserver.Online) }
}

// overAdb attaches phones to one stock adb server, over the network.
type overAdb struct {
	addr string
	mu   sync.Mutex
	of   map[string]*adbd.Daemon
}

// stockServer starts an adb server of its own: on a free port, with a home of its own, and blind
// for emulators. Without adb the test is skipped, or fails where HANDSET_REQUIRE names it.
func stockServer(t testing.TB) string {
	t.Helper()
	if _, err := cmdrun.Find("adb"); err != nil {
		if strings.Contains(os.Getenv("HANDSET_REQUIRE"), "adb") {
			t.Fatal("adb is not installed, and HANDSET_REQUIRE names it")
		}
		t.Skip("adb is not installed")
	}
	port := quietPort(t)
	home := t.TempDir()
	env := []string{"HOME=" + home, "TMPDIR=" + home, "ADB_LOCAL_TRANSPORT_MAX_PORT=5553", "ANDROID_ADB_SERVER_PORT=" + port}
	run := func(ctx context.Context, args ...string) (*cmdrun.Result, error) {
		return cmdrun.Run(ctx, cmdrun.Command{Path: "adb", Args: append([]string{"-P", port}, args...), Env: env})
	}
	r, err := run(t.Context(), "start-server")
	require.NoError(t, err)
	require.Zero(t, r.Code, r.Complaint())
	t.Cleanup(func() {
		_, err := run(context.Background(), "kill-server")
		require.NoError(t, err)
		require.Eventually(t, func() bool { // before its home goes
			c, err := net.Dial("tcp", "127.0.0.1:"+port)
			if err == nil {
				_ = c.Close()
			}
			return err != nil
		}, 20*time.Second, 10*time.Millisecond)
	})
	return "127.0.0.1:" + port
}

// quietPort returns a free port for a server that is started later. It is one of those that the system gives
// to nobody by itself, nor do the tests of other packages take one: their server would be taken for ours.
func quietPort(t testing.TB) string {
	t.Helper()
	for range 20 {
		port := strconv.Itoa(10_000 + rand.IntN(10_000))
		if l, err := net.Listen("tcp", "127.0.0.1:"+port); err == nil {
			require.NoError(t, l.Close())
			return port
		}
	}
	t.Fatal("no free port")
	return ""
}

func (w *overAdb) attach(t testing.TB, d *android.Device) (serial, server string) {
	a, err := adbd.Listen(d, nil)
	require.NoError(t, err)
	opts := &adb.Options{Server: w.addr, NoStart: true}
	address, err := adb.Connect(context.Background(), a.Addr(), opts)
	require.NoError(t, err)
	w.mu.Lock()
	w.of[a.Addr()] = a
	w.mu.Unlock()
	t.Cleanup(func() {
		require.NoError(t, adb.Disconnect(context.Background(), address, opts))
		_ = a.Close() // lose may have closed it
	})
	return strings.TrimPrefix(address, "adb:"), w.addr
}

func (w *overAdb) lose(t testing.TB, serial string) func() {
	w.mu.Lock()
	defer w.mu.Unlock()
	require.NoError(t, w.of[serial].Close())
	return func() {}
}

// holder sits between the driver and the server, and can hold what puts text into a field.
type holder struct {
	listener net.Listener
	server   string
	wg       sync.WaitGroup
	mu       sync.Mutex
	replaces [2]string     // one request by another of the same length; empty for none
	gate     chan struct{} // nil lets through
	sent     bytes.Buffer  // what clients sent
}

func newHolder(t testing.TB, server string) *holder {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	h := &holder{listener: l, server: server}
	h.wg.Go(h.serve)
	t.Cleanup(func() {
		_ = l.Close()
		h.wg.Wait()
	})
	return h
}

func (h *holder) serve() {
	for {
		c, err := h.listener.Accept()
		if err != nil {
			return
		}
		h.wg.Go(func() { h.carry(c) })
	}
}

func (h *holder) carry(c net.Conn) {
	s, err := net.Dial("tcp", h.server)
	if err != nil {
		_ = c.Close()
		return
	}
	both := func() { _, _ = c.Close(), s.Close() }
	h.wg.Go(func() { _, _ = io.Copy(c, s); both() })
	defer both()
	buf := make([]byte, 64<<10)
	for {
		n, err := c.Read(buf)
		data := h.hold(buf[:n])
		if _, writeErr := s.Write(data); err != nil || writeErr != nil {
			return
		}
	}
}

// hold waits at the gate with what it is for, and returns what goes on.
func (h *holder) hold(data []byte) []byte {
	h.mu.Lock()
	gate, replaces := h.gate, h.replaces
	h.sent.Write(data)
	h.mu.Unlock()
	if gate != nil && (bytes.Contains(data, []byte("ADB_INPUT")) || bytes.Contains(data, []byte("input text"))) {
		<-gate
	}
	if replaces[0] == "" {
		return data
	}
	return bytes.ReplaceAll(data, []byte(replaces[0]), []byte(replaces[1]))
}

// replace has one request go on as another, of the same length.
func (h *holder) replace(request, by string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.replaces = [2]string{request, by}
}

// said returns what clients sent so far.
func (h *holder) said() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.sent.String()
}

func (h *holder) shut() (off func()) {
	gate := make(chan struct{})
	h.mu.Lock()
	h.gate = gate
	h.mu.Unlock()
	return sync.OnceFunc(func() {
		h.mu.Lock()
		h.gate = nil
		h.mu.Unlock()
		close(gate)
	})
}

// rig is one phone for the conformance suite.
type rig struct {
	t      testing.TB
	way    way
	phone  *sim.Phone
	device *android.Device
	serial string
	holder *holder
	scrcpy bool // gestures go through its server

	mu      sync.Mutex
	drivers []*adb.Driver
}

func newPhone(t testing.TB, w way, opts sim.Options, profile string, base adb.Options) *drivertest.Phone {
	opts.Apps = []sim.App{calculator("com.android.calculator2"), calculator("com.google.android.calculator")}
	p, clock := sim.New(&opts), &tempo{}
	d, err := android.New(p, &android.Options{Serial: "SIM-" + p.Name(), Profile: profile, Now: clock.now})
	require.NoError(t, err)
	require.NoError(t, d.FS().WriteFile(remoteFile, []byte("pulled"), 0o644))
	r := &rig{t: t, way: w, phone: p, device: d, scrcpy: base.Scrcpy != ""}
	if r.scrcpy {
		p.SetClipboard("the person's") // of an empty one scrcpy's server says nothing
	}
	var server string
	r.serial, server = w.attach(t, d)
	r.holder = newHolder(t, server)
	open := func() (driver.Driver, error) {
		opts := base
		opts.Server, opts.NoStart, opts.KeyboardWait, opts.Limit = r.holder.listener.Addr().String(), true, time.Millisecond, 0
		d, err := adb.New(context.Background(), r.serial, &opts)
		if err != nil {
			return nil, err
		}
		adb.Hurry(d, base.Limit) // now: on a busy computer an impatient one does not open
		clock.lead(d, r.device)
		adb.AwaitAcks(d)
		adb.AwaitClipboard(d)
		r.mu.Lock()
		defer r.mu.Unlock()
		r.drivers = append(r.drivers, d)
		return d, nil
	}
	first, err := open()
	require.NoError(t, err)
	return &drivertest.Phone{
		Driver: first, Second: open, Address: "adb:" + r.serial + "?server=" + r.holder.listener.Addr().String(),
		Log: r.log, Fault: r.fault, Focus: r.focus, FieldText: r.fieldText, Rotate: p.SetRotation, State: r.state,
	}
}

// remoteFile is on every phone.
const remoteFile = "/sdcard/handset.bin"

// calculator is an app that several makers have, under one name.
func calculator(id string) sim.App {
	return sim.App{ID: id, Name: sim.T("Calculator", "计算器"), Screens: []sim.Screen{{ID: "main", Page: id + ".Main"}}}
}

func (r *rig) fault(name string) func() {
	set := func(name string) func() {
		require.NoError(r.t, r.device.SetFault(name, true))
		return func() { require.NoError(r.t, r.device.SetFault(name, false)) }
	}
	switch name {
	case drivertest.FaultHang:
		return set(android.FaultHang)
	case drivertest.FaultHangTyping:
		return r.holder.shut()
	case drivertest.FaultBreak:
		if r.scrcpy {
			commands, control, hasty := set(android.FaultDropAfterSend), set(android.FaultScrcpyDiesAfter), r.patient()
			return func() { commands(); control(); hasty() }
		}
		return set(android.FaultDropAfterSend)
	case drivertest.FaultSlowLaunch:
		require.NoError(r.t, r.phone.SetFault(sim.FaultSlowLaunch, true))
		return func() { require.NoError(r.t, r.phone.SetFault(sim.FaultSlowLaunch, false)) }
	case drivertest.FaultNoPicture:
		return set(android.FaultScreencapRefuse)
	case drivertest.FaultNoTree:
		return set(android.FaultDumpIdle)
	case drivertest.FaultProtected:
		_, err := r.phone.StartApp("com.handset.wallet")
		require.NoError(r.t, err)
		return func() { _, _ = r.phone.StartApp("com.android.launcher3") }
	case drivertest.FaultAsleep:
		r.phone.Sleep()
		return r.phone.Wake
	case drivertest.FaultOffline:
		return r.way.lose(r.t, r.serial)
	case drivertest.FaultBlocked:
		off, hasty := set(android.FaultInjectEvents), r.patient()
		return func() { off(); hasty() }
	}
	return nil
}

// patient has the drivers wait for a refusal of their first event, or for the end of their control channel.
func (r *rig) patient() (hasty func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var offs []func()
	for _, d := range r.drivers {
		offs = append(offs, adb.AwaitRefusal(d))
	}
	return func() {
		for _, off := range offs {
			off()
		}
	}
}

// focus opens a page with an empty field and taps it.
func (r *rig) focus(many bool) error {
	app := "com.android.settings"
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

// settle waits until the phone has done what went over control channels.
func (r *rig) settle() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, d := range r.drivers {
		adb.SettleControl(d, r.phone.Clipboard())
	}
}

func (r *rig) fieldText() (string, error) {
	r.settle()
	f, ok := r.phone.Focused()
	if !ok {
		return "", errors.New("no field has the focus")
	}
	return f.Text, nil
}

// state is the input method, which ones are enabled, and the files that a tool may leave.
func (r *rig) state() (string, error) {
	var b strings.Builder
	fmt.Fprintln(&b, r.phone.CurrentIME(), r.phone.IMEs())
	std := android.Stdio{Out: &b, Err: &b}
	r.device.Shell(context.Background(), "ls /data/local/tmp /sdcard", std)
	return b.String(), nil
}

// kinds are the suite's words for the phone's.
var kinds = map[string]string{
	"tap": drivertest.KindTap, "double_tap": drivertest.KindTap, "long_press": drivertest.KindHold,
	"swipe": drivertest.KindSwipe, "drag": drivertest.KindDrag, "pinch": drivertest.KindTouch, "key": drivertest.KindKey,
	"text": drivertest.KindText, "launch": drivertest.KindLaunch, "url": drivertest.KindURL,
}

func (r *rig) log() []drivertest.Event {
	r.settle()
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
