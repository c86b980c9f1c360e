package hdc

import (
	"context"
	"fmt"
	"io"
	"os"
	"path"
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
	Key     string           // what it is called in hdc's lists; a serial of USB if unset
	Profile string           // "6.0" if unset; Profiles lists them
	Now     func() time.Time // what the phone's clock shows; time.Now if unset
	Latency Latency          // none if unset
}

// Latency is how long the slow programs of a phone take.
type Latency struct {
	Command  time.Duration // each shell command
	Snapshot time.Duration
	Dump     time.Duration
	Input    time.Duration // each uiInput and uinput
	Launch   time.Duration // from aa's success to the window
	Busy     time.Duration // until uitest gives up on the accessibility service
}

// RealLatency is what was seen on phones.
var RealLatency = Latency{Command: 60 * time.Millisecond, Snapshot: 200 * time.Millisecond, Dump: 600 * time.Millisecond,
	Input: 240 * time.Millisecond, Launch: 400 * time.Millisecond, Busy: 20 * time.Second}

// takes returns how long the programs of this phone take now.
func (d *Device) takes() Latency {
	if d.faults.On(FaultRealTime) {
		return RealLatency
	}
	return d.latency
}

// tempDir is the one folder that the screen's tools write into.
const tempDir = "/data/local/tmp"

// Device is one HarmonyOS phone. It may be used from several goroutines. Close ends what runs on it.
type Device struct {
	phone   *sim.Phone
	key     string
	profile Profile
	faults  *fault.Set
	latency Latency
	now     func() time.Time
	boot    time.Time
	sys     *phoneshell.System
	aams    chan struct{} // held by the one uitest that may use the accessibility service

	ctx    context.Context // of everything that runs on the phone
	cancel context.CancelFunc
	jobs   sync.WaitGroup

	mu        sync.Mutex
	params    map[string]string
	bundles   []string // installed beside the phone's own apps
	lastInput time.Time
	plugged   time.Time // when it began to be set up
	selected  bool      // all of the focused field
	hilog     []string
	picture   picture
	sockets   map[string]func(io.ReadWriteCloser)

	dead atomic.Bool // its daemon
}

// New makes a device of a phone. An unknown profile or a phone of another platform is an error.
func New(phone *sim.Phone, opts *Options) (*Device, error) {
	var o Options
	if opts != nil {
		o = *opts
	}
	p, err := FindProfile(o.Profile)
	if err != nil {
		return nil, err
	}
	if phone.Platform() != sim.PlatformHarmony {
		return nil, fmt.Errorf("phone %s is of the platform %q, want %q", phone.Name(), phone.Platform(), sim.PlatformHarmony)
	}
	if o.Key == "" {
		o.Key = "7001005458323933328a01bce1c2"
	}
	if len(o.Key) > maxKey || strings.ContainsAny(o.Key, " \t\r\n") {
		return nil, fmt.Errorf("key %q: want at most %d bytes without blanks", o.Key, maxKey)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	d := &Device{phone: phone, key: o.Key, profile: p, faults: fault.NewSet(faults), latency: o.Latency, now: o.Now,
		boot: o.Now(), aams: make(chan struct{}, 1), sockets: map[string]func(io.ReadWriteCloser){}}
	d.ctx, d.cancel = context.WithCancel(context.Background())
	d.sys = d.newSystem()
	d.logLine("Init", "boot completed")
	d.params = d.startParams()
	return d, nil
}

// Close ends everything that runs on the phone and waits for it.
func (d *Device) Close() error {
	d.mu.Lock()
	d.cancel()
	d.mu.Unlock()
	d.jobs.Wait()
	return nil
}

// Phone returns the phone inside.
func (d *Device) Phone() *sim.Phone { return d.phone }

// Key returns what the phone is called in hdc's lists.
func (d *Device) Key() string { return d.key }

// Profile returns how the device answers.
func (d *Device) Profile() Profile { return d.profile }

// FS returns the device's files.
func (d *Device) FS() *phoneshell.FS { return d.sys.FS }

// Faults returns the device's faults, to be switched.
func (d *Device) Faults() *fault.Set { return d.faults }

// Param returns a system parameter, "" if it is not set.
func (d *Device) Param(name string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.params[name]
}

// SetParam sets a system parameter, read-only ones too.
func (d *Device) SetParam(name, value string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.params[name] = value
}

// Shell runs a command line as the phone's daemon does and returns its exit status, which hdc never tells.
// Both outputs go into out. It goes on when the caller goes away: only Close ends it.
func (d *Device) Shell(command string, out io.Writer) int {
	if !d.begin() {
		return killed
	}
	in, held, err := os.Pipe() // an input that never ends, as hdc's is
	if err != nil {
		fmt.Fprintf(out, "%s: %v\n", d.sys.Shell, err)
		return 1
	}
	defer in.Close()
	defer held.Close()
	release := context.AfterFunc(d.ctx, func() { _ = held.Close() })
	defer release()
	return d.sys.Run(d.ctx, command, phoneshell.Stdio{In: in, Out: out, Err: out})
}

// hangPoll is how soon a command that hangs sees that the fault is off.
const hangPoll = 20 * time.Millisecond

// begin waits until the phone starts on a command, and says whether it does. One that hung is lost once the fault is off.
func (d *Device) begin() bool {
	hung := false
	for d.faults.On(FaultHang) && nap.For(d.ctx, hangPoll) == nil {
		hung = true
	}
	return !hung && nap.For(d.ctx, d.takes().Command+d.faults.Duration(FaultSlow)) == nil
}

// killed is the status of a program that a signal ended.
const killed = 137

// proc is one running program of this phone.
type proc struct {
	*phoneshell.Proc
	d *Device
}

// programs are HarmonyOS's own.
var programs = map[string]func(ctx context.Context, p *proc) int{
	"aa": runAa, "bm": runBm, "hidumper": runHidumper, "hilog": runHilog, "ifconfig": runIfconfig, "param": runParam,
	"power-shell": runPowerShell, "reboot": runReboot, "snapshot_display": runSnapshot, "uinput": runUinput, "uitest": runUitest,
}

func (d *Device) newSystem() *phoneshell.System {
	own := map[string]phoneshell.Program{}
	names := phoneshell.Toybox()
	for name, run := range programs {
		own[name] = func(ctx context.Context, p *phoneshell.Proc) int { return d.run(ctx, run, p) }
		names = append(names, name)
	}
	fs := phoneshell.NewFS(d.now, "system/bin", names)
	fs.Plant(phoneshell.EROFS, "vendor", "proc", "sys", "storage/media/100")
	fs.Plant(phoneshell.EACCES, "data", "data/app/el1/bundle/public", "data/service", "data/local", "data/log/hilog")
	fs.Plant(0, "data/local/tmp", "storage/media/100/local/files/Docs")
	fs.Link("bin", "/system/bin")
	return &phoneshell.System{
		FS: fs, Now: d.now, Boot: d.boot, Shell: "/bin/sh", NotFound: "inaccessible or not found", Bin: "/system/bin",
		Env: []string{"PATH=/usr/local/bin:/bin:/usr/bin:/system/bin", "HOME=/root", "USER=shell", "SHELL=/bin/sh", "TERM=linux",
			"UID=2000", "EUID=2000", "GID=2000"},
		Prompt: func(int, string) string { return "$ " }, Programs: own, Running: d.processes, Kernel: "5.10.97", OS: "Toybox",
		Identity:   "uid=2000(shell) gid=2000(shell) groups=2000(shell),1006(file_manager),1007(log),1097(hdc),3009(readproc) context=u:r:sh:s0",
		Background: d.behind,
	}
}

// run runs one of the phone's own programs, after what else it may print.
func (d *Device) run(ctx context.Context, run func(context.Context, *proc) int, p *phoneshell.Proc) int {
	if d.faults.On(FaultChatter) {
		p.Print("INFO:             Vulkan Loader Version 1.3.250\n")
	}
	return run(ctx, &proc{Proc: p, d: d})
}

// processes lists the names of what runs.
func (d *Device) processes() []string {
	return append([]string{"init", "foundation", "render_service", "accessibility", "multimodalinput", "hdcd"}, d.phone.Running()...)
}

// later does f after a while, unless the phone goes away.
func (d *Device) later(after time.Duration, f func()) {
	if after <= 0 {
		f()
		return
	}
	d.behind(func() {
		if nap.For(d.ctx, after) == nil {
			f()
		}
	})
}

// behind does f beside the calls, and says whether it does: not once Close has begun, which waits for all that began.
func (d *Device) behind(f func()) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.ctx.Err() != nil {
		return false
	}
	d.jobs.Go(f)
	return true
}

// outside says that a path leads out of the folder of the screen's tools.
func outside(name string) bool { return path.Dir(path.Clean(name)) != tempDir }

// logLine adds a line to the phone's log.
func (d *Device) logLine(tag, text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	stamp := d.now().UTC().Format("01-02 15:04:05.000")
	d.hilog = append(d.hilog, stamp+"  1453  1453 I C01719/"+tag+": "+text)
}
