// Package android is the Android side of the simulated phone: a shell with its programs, a file system
// and the answers of one release, as facts about real phones have them.
//
// A Device wraps a sim.Phone. Nothing in it reaches the machine that it runs on: commands are Go
// functions and files live in memory.
package android

import (
	"context"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/nap"
	"github.com/handset-go/handset/internal/phonefront/fault"
	"github.com/handset-go/handset/internal/phonefront/phoneshell"
)

// Options say what a device is like. The zero value of each field is its default.
type Options struct {
	Serial  string           // "SIM0001" if unset
	Profile string           // "a14" if unset; Profiles lists them
	Now     func() time.Time // what the phone's clock shows; time.Now if unset
	Latency Latency          // none if unset
	Storage int64            // bytes that the phone's files may take; 1 GiB if unset
}

// Latency is how long the slow programs of a phone take.
type Latency struct {
	Command   time.Duration // each shell command
	Dump      time.Duration // uiautomator dump
	Screencap time.Duration
	Input     time.Duration
	Launch    time.Duration // am start, monkey
}

// Device is one Android phone. It may be used from several goroutines.
type Device struct {
	phone   *sim.Phone
	serial  string
	profile Profile
	sys     *phoneshell.System
	faults  *fault.Set
	latency Latency
	now     func() time.Time
	boot    time.Time

	mu       sync.Mutex
	props    map[string]string
	settings map[string]map[string]string
	override override
	requests requests
	reverses []reverse
	sockets  map[string]*listener
	helpers  helpers

	installations map[string]installation // by package
	sessions      map[int]*session        // nil once they have ended
	battery       battery
	launched      time.Time // the last app
	lastInput     time.Time
	imeSince      time.Time // the input method in use was chosen
	logcat        []logEntry
}

// override is what wm size and wm density were set to; zero is the physical one.
type override struct{ width, height, density int }

// New makes a device of a phone. An unknown profile is an error that names the known ones.
func New(phone *sim.Phone, opts *Options) (*Device, error) {
	var o Options
	if opts != nil {
		o = *opts
	}
	p, err := FindProfile(o.Profile)
	if err != nil {
		return nil, err
	}
	if o.Serial == "" {
		o.Serial = "SIM0001"
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	d := &Device{phone: phone, serial: o.Serial, profile: p, faults: NewFaults(), latency: o.Latency, now: o.Now, boot: o.Now(),
		sockets: map[string]*listener{}, installations: map[string]installation{}, sessions: map[int]*session{}, battery: fullBattery}
	d.sys = d.newSystem()
	d.logLine("SystemServer", "Boot completed")
	if o.Storage > 0 {
		d.sys.FS.Limit(o.Storage)
	}
	d.props = d.startProps()
	d.settings = d.startSettings()
	for _, name := range p.Faults {
		if err := d.faults.Switch(name, true); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// Phone returns the phone inside.
func (d *Device) Phone() *sim.Phone { return d.phone }

// Serial returns the serial number.
func (d *Device) Serial() string { return d.serial }

// Profile returns how the device answers.
func (d *Device) Profile() Profile { return d.profile }

// Faults returns the device's faults, to be switched.
func (d *Device) Faults() *fault.Set { return d.faults }

// CookedPTY says that the terminal of an old "shell:" is not raw, so that a newline becomes CR LF.
func (d *Device) CookedPTY() bool { return d.profile.SDK <= 23 }

// Result is how a command ended.
type Result struct {
	Status     int
	LineBroken bool // by the fault drop-after-send
}

// Shell runs a command line with the faults and the latency of the device. It ends with ctx.
func (d *Device) Shell(ctx context.Context, command string, std Stdio) Result {
	if d.faults.On(FaultHang) {
		<-ctx.Done()
		return Result{Status: 137}
	}
	if err := nap.For(ctx, d.latency.Command+d.faults.Duration(FaultSlow)); err != nil {
		return Result{Status: 137}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var broken atomic.Bool
	ctx = context.WithValue(ctx, lineKey{}, func() {
		broken.Store(true)
		cancel()
	})
	status := d.Run(ctx, command, std)
	return Result{Status: status, LineBroken: broken.Load()}
}

// requests is what clients asked for.
type requests struct {
	count   int
	longest string
	last    []string
	reboots []string
}

// keptRequests bounds how many requests are remembered.
const keptRequests = 200

// NoteRequest remembers the name of a service that a client asked for.
func (d *Device) NoteRequest(service string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	r := &d.requests
	r.count++
	if len(service) > len(r.longest) {
		r.longest = service
	}
	if r.last = append(r.last, service); len(r.last) > keptRequests {
		r.last = slices.Delete(r.last, 0, 1)
	}
}

// NoteReboot remembers that a client asked for a reboot into target, "" being the system itself.
func (d *Device) NoteReboot(target string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.requests.reboots = append(d.requests.reboots, target)
}

// Requests returns the last services that clients asked for, oldest first, and how many there were at all.
func (d *Device) Requests() (last []string, count int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.requests.last), d.requests.count
}

// LongestRequest returns the longest service that a client asked for. One that does not fit, with its NUL,
// into the banner's MaxData would have ended a real adb server.
func (d *Device) LongestRequest() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.requests.longest
}

// Reboots returns the targets of the reboots that were asked for.
func (d *Device) Reboots() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.requests.reboots)
}

// SetFault switches a fault of the device or, where it has none of that name, of the phone inside.
func (d *Device) SetFault(name string, on bool) error {
	bare, _, _ := strings.Cut(name, "=")
	_, ofPhone := sim.Faults()[bare]
	if ofPhone && !d.faults.Known(bare) {
		return d.phone.SetFault(bare, on)
	}
	return d.faults.Switch(name, on)
}

// sinceLaunch is how long ago an app was launched.
func (d *Device) sinceLaunch() time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.now().Sub(d.launched)
}
