package wda_test

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/drivertest"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/driver/wda"
	front "github.com/handset-go/handset/internal/phonefront/wda"
)

// holder sits between the driver and the server, and can hold requests for one path.
type holder struct {
	listener net.Listener
	server   string
	path     string
	held     atomic.Int32 // requests that came to a shut gate
	wg       sync.WaitGroup
	mu       sync.Mutex
	gate     chan struct{} // nil lets through
}

func newHolder(t testing.TB, server, path string) *holder {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	h := &holder{listener: l, server: server, path: path}
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
	defer func() { _ = c.Close() }()
	s, err := net.Dial("tcp", h.server)
	if err != nil {
		return
	}
	h.wg.Go(func() {
		_, _ = io.Copy(c, s)
		_, _ = c.Close(), s.Close()
	})
	defer func() { _ = s.Close() }()
	buf := make([]byte, 64<<10)
	for {
		n, err := c.Read(buf)
		if strings.Contains(string(buf[:n]), h.path) {
			h.hold()
		}
		if _, writeErr := s.Write(buf[:n]); err != nil || writeErr != nil {
			return
		}
	}
}

func (h *holder) hold() {
	h.mu.Lock()
	gate := h.gate
	h.mu.Unlock()
	if gate != nil {
		h.held.Add(1)
		<-gate
	}
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

// rig is one phone behind the simulated WebDriverAgent.
type rig struct {
	t      testing.TB
	phone  *sim.Phone
	server *front.Server
	holder *holder
	opts   wda.Options
}

func newRig(t testing.TB, version, profile string, o sim.Options) *rig {
	phone, err := front.NewPhone(profile, &o)
	require.NoError(t, err)
	s, err := front.Listen(local(freePort(t)), phone, &front.Options{Version: version, Profile: profile}) // which a fault may close
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() }) // a test may have closed it
	r := &rig{t: t, phone: phone, server: s}
	_, port, err := net.SplitHostPort(s.MJPEGAddr())
	require.NoError(t, err)
	_, err = fmt.Sscan(port, &r.opts.MJPEGPort)
	require.NoError(t, err)
	return r
}

// open opens a driver on the phone, which the test closes.
func (r *rig) open(opts *wda.Options) *wda.Driver {
	o := r.opts
	if opts != nil {
		o = *opts
		o.MJPEGPort = r.opts.MJPEGPort
	}
	d, err := patiently(func() (*wda.Driver, error) { return wda.New(r.t.Context(), r.server.Addr(), &o) })
	require.NoError(r.t, err)
	r.t.Cleanup(func() { require.NoError(r.t, d.Close()) })
	return d
}

// patiently does again what may run into a short limit on a busy computer.
func patiently[T any](do func() (T, error)) (T, error) {
	v, err := do()
	for n := 0; errors.Is(err, driver.ErrTimeout) && n < 100; n++ {
		v, err = do()
	}
	return v, err
}

func (r *rig) set(fault string) (off func()) {
	require.NoError(r.t, r.server.SetFault(fault, true))
	return func() { require.NoError(r.t, r.server.SetFault(fault, false)) }
}

// names are of apps that no table has.
var names = map[string]string{
	"Notes": "com.handset.notes", "Mail": "com.handset.mail", "mail": "com.handset.mail.two",
}

func newPhone(t testing.TB, version, profile string, limit time.Duration) *drivertest.Phone {
	r := newRig(t, version, profile, sim.Options{Start: "com.apple.mobiletimer"}) // whose page asks nothing: an alert lets no tap beside it through
	r.holder = newHolder(t, r.server.Addr(), "/wda/keys")
	r.opts.Apps, r.opts.Limit = names, limit
	address := r.holder.listener.Addr().String()
	open := func() (driver.Driver, error) { return wda.New(context.Background(), address, &r.opts) }
	first, err := patiently(open)
	require.NoError(t, err)
	return &drivertest.Phone{
		Driver: first, Second: open, Address: "wda://" + address,
		Log: r.log, Fault: r.fault, Focus: r.focus, FieldText: r.fieldText, Rotate: r.phone.SetRotation, State: r.state,
	}
}

func (r *rig) fault(name string) func() {
	switch name {
	case drivertest.FaultHang:
		return r.set(front.FaultHang)
	case drivertest.FaultHangTyping:
		return r.holder.shut()
	case drivertest.FaultBreak:
		return r.set(front.FaultHangUp)
	case drivertest.FaultSlowLaunch:
		return r.set(sim.FaultSlowLaunch)
	case drivertest.FaultNoPicture:
		return r.set(front.FaultShotFails)
	case drivertest.FaultNoTree:
		return r.set(front.FaultTreeFails)
	case drivertest.FaultProtected:
		_, err := r.phone.StartApp("com.handset.wallet")
		require.NoError(r.t, err)
		return func() { _, _ = r.phone.StartApp("com.apple.springboard") }
	case drivertest.FaultAsleep:
		r.phone.Sleep()
		return r.phone.Wake
	case drivertest.FaultOffline:
		require.NoError(r.t, r.server.Close())
		return func() {}
	}
	return nil
}

// focus opens a page with an empty field and taps it.
func (r *rig) focus(many bool) error {
	app := "com.apple.Preferences"
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

// state is what the driver changes to reach the clipboard. The session and its settings it holds for as long as it is open.
func (r *rig) state() (string, error) {
	return fmt.Sprintf("WebDriverAgent in front: %t", r.phone.Foreground().ID == front.RunnerID), nil
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

// more are further screens, on which points are converted with other scales, of which one is odd.
var more = []string{"iphone-plus", "ipad", "iphone-zoom"}

func conformance(version, profile string, more ...string) *drivertest.Config {
	with := func(profile string, limit time.Duration) func(testing.TB) *drivertest.Phone {
		return func(t testing.TB) *drivertest.Phone { return newPhone(t, version, profile, limit) }
	}
	var impatient func(testing.TB) *drivertest.Phone
	if version == "16" || version == "5" { // the limits are the same on every server, and take their time
		impatient = with(profile, 300*time.Millisecond)
	}
	screens := map[string]func(testing.TB) *drivertest.Phone{}
	for _, name := range more {
		screens[name] = with(name, 0)
	}
	return &drivertest.Config{
		Open:       with(profile, 0),
		Impatient:  impatient,
		More:       screens,
		Apps:       drivertest.Apps{ID: "com.handset.notes", Name: "Notes", Other: "com.apple.Preferences", Unknown: "Solitaire", Ambiguous: "Mail"},
		Unreported: driver.LongClickable | driver.Focused,
		Declared: map[string]string{
			"capability/clear-text": "a source does not tell which field has the focus, so that the slow path finds none",
			"capability/set-text":   "a source does not tell which field has the focus, so that the slow path finds none",
			"capability/resolve":    "WebDriverAgent lists the apps that run, and the slow path knows no others",
		},
		Ops: []driver.Op{
			driver.OpType, driver.OpClearText, driver.OpSetText, driver.OpDoubleTap, driver.OpLongPress, driver.OpDrag, driver.OpPinch,
			driver.OpGesture, driver.OpForeground, driver.OpResolve, driver.OpApps, driver.OpStop, driver.OpOpenURL, driver.OpRotation,
			driver.OpRotate, driver.OpWake, driver.OpLock, driver.OpPowerState, driver.OpClipboard, driver.OpSetClipboard,
			driver.OpFrames, driver.OpRelease, driver.OpDescribe,
		},
	}
}

// TestConformance runs every rule of the contract on the servers of four ages and on screens of each scale.
func TestConformance(t *testing.T) {
	for _, c := range []struct {
		version, profile string
		more             []string
	}{
		{"16", "iphone-se", more}, {"7", "iphone-15", nil}, {"6", "iphone-se", nil}, {"5", "scale-1", nil},
	} {
		t.Run(c.version+"/"+c.profile, func(t *testing.T) {
			t.Parallel() // they wait most of the time
			drivertest.Run(t, conformance(c.version, c.profile, c.more...))
		})
	}
}
