package wda

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"strings"
	"sync"

	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/fault"
)

// Options say what a device is like. The zero value of each field is its default.
type Options struct {
	Version string // of WebDriverAgent: "16" and the like, or "16.7.2"; the newest if unset
	Profile string // the one that fits the phone if unset; Profiles lists them
	UDID    string // "00008120-000A11112222333E" if unset
	MJPEG   string // where the frames are served; "127.0.0.1:0" if unset, "none" for nowhere
	// Realtime says that typing and gestures take the time that they take on a phone, and that time limits of
	// WebDriverAgent are waited for. Everything is done at once if unset.
	Realtime bool
}

// DefaultUDID is the id of a device whose options name none.
const DefaultUDID = "00008120-000A11112222333E"

// RunnerID is the bundle id of WebDriverAgent's own app. Only while it is in front can the pasteboard be read.
const RunnerID = runnerProduct + ".xctrunner"

const runnerProduct = "com.facebook.WebDriverAgentRunner"

// Device is an iPhone or iPad on which WebDriverAgent runs. It may be used from several goroutines.
type Device struct {
	phone    *sim.Phone
	profile  Profile
	version  version
	udid     string
	mjpeg    string // where the frames are served
	realtime bool
	faults   *fault.Set
	routes   []*route
	queue    chan struct{} // the main queue: one command at a time

	mu       sync.Mutex
	session  *session
	shared   map[string]any // the settings that outlive a session
	pids     map[string]int
	image    []byte // on the pasteboard
	battery  float64
	location *location // that is simulated, nil for none
	orphan   *session  // of requests that came without one: its elements and settings
}

// New makes a device of a phone of the platform sim.PlatformIOS.
func New(phone *sim.Phone, opts *Options) (*Device, error) {
	var o Options
	if opts != nil {
		o = *opts
	}
	if phone.Platform() != sim.PlatformIOS {
		return nil, fmt.Errorf("wda: the phone is of platform %q: make it with NewPhone", phone.Platform())
	}
	v, err := parseVersion(o.Version)
	if err != nil {
		return nil, fmt.Errorf("wda: %w", err)
	}
	p, err := profileOf(o.Profile, phone)
	if err != nil {
		return nil, fmt.Errorf("wda: %w", err)
	}
	if o.UDID == "" {
		o.UDID = DefaultUDID
	}
	if o.MJPEG == "" {
		o.MJPEG = "127.0.0.1:0"
	}
	d := &Device{
		phone: phone, profile: p, version: v, udid: o.UDID, mjpeg: o.MJPEG, realtime: o.Realtime, faults: fault.NewSet(faults),
		queue: make(chan struct{}, 1), shared: sharedSettings(), pids: map[string]int{}, battery: -1,
	}
	d.orphan = d.newSession()
	d.routes = routesOf(v)
	return d, nil
}

// Phone returns the phone inside.
func (d *Device) Phone() *sim.Phone { return d.phone }

// Profile returns what kind of device it is.
func (d *Device) Profile() Profile { return d.profile }

// Version returns the full version of WebDriverAgent, such as "16.12.7".
func (d *Device) Version() string { return d.version.String() }

// UDID returns the id that USB tools know the device by.
func (d *Device) UDID() string { return d.udid }

// SessionID returns the id of the active session, "" for none.
func (d *Device) SessionID() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.session == nil {
		return ""
	}
	return d.session.id
}

// Evict is what another client does that creates a session: the active one is deleted. It returns the id of
// the new one.
func (d *Device) Evict() string {
	s := d.newSession()
	d.replace(s)
	return s.id
}

// Restart is what is left after WebDriverAgent ended and was started again: no session, settings as at first.
func (d *Device) Restart() {
	d.replace(nil)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.shared = sharedSettings()
}

// CrashApp ends the app in front as a crash does.
func (d *Device) CrashApp() error {
	id := d.phone.FocusedApp().ID
	if id == springboard {
		return fmt.Errorf("no app is in front that could crash")
	}
	return d.phone.StopApp(id)
}

// pid returns the process id of an app, which stays the same.
func (d *Device) pid(bundle string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	if bundle == springboard {
		return 58
	}
	if d.pids[bundle] == 0 {
		d.pids[bundle] = 1021 + 13*len(d.pids)
	}
	return d.pids[bundle]
}

// newUUID returns a random id such as "5D2A8E4F-0B1C-4E6D-9A7B-112233445566".
func newUUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	h := strings.ToUpper(hex.EncodeToString(b[:]))
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// call is one request while it is worked on.
type call struct {
	*request
	d      *Device
	ctx    context.Context // ends with the server
	ses    *session        // nil for a request without one
	params map[string]string
}

// settings are those of the session, or the defaults.
func (c *call) settings() *session {
	if c.ses != nil {
		return c.ses
	}
	return c.d.orphan
}
