package adb_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/adb"
	"github.com/handset-go/handset/internal/phonefront/adbserver"
	"github.com/handset-go/handset/internal/phonefront/android"
)

const (
	soakPhones = 8
	// Taps go along lines of soakWidth pixels, from soakTop down.
	soakWidth, soakTop = 480, 300
	// soakHang is by far more than any call of the soak may take.
	soakHang = 30 * time.Second
)

// soakFaults are switched on at random, each for one call. A call without one must succeed.
var soakFaults = []string{
	android.FaultNoExitPacket, android.FaultDropAfterSend, android.FaultDropMidWrite, android.FaultClosed, android.FaultHang,
	android.FaultOffline, android.FaultUnauthorized, android.FaultScreencapEmpty, android.FaultScreencapCut, android.FaultScreencapRefuse,
	android.FaultScreencapNoise, android.FaultDumpExit1, android.FaultDumpBusy, android.FaultDumpNoise, android.FaultFocusPopup,
	android.FaultInjectEvents, android.FaultSlow + "=20ms",
}

// TestSoak makes thousands of calls on eight phones with random faults, a server that dies now and
// then, and callers that give up. It holds that no call hangs, that every call after a fault works
// again, that no gesture is done twice or untruly told, and that nothing is left behind.
func TestSoak(t *testing.T) {
	soak(t, "", soakFaults, true)
}

// TestSoakScrcpy does the same with gestures over scrcpy's channel, whose server dies, is slow or does
// not start. The adb server lives: its death would soon end the use of scrcpy. A server that dies with
// a gesture in hand is left out, as nothing acknowledges those.
func TestSoakScrcpy(t *testing.T) {
	faults := []string{
		android.FaultScrcpyDiesAfter, android.FaultScrcpyFlood, android.FaultScrcpySlow + "=20ms", android.FaultScrcpyCrash,
		android.FaultScreencapCut, android.FaultDumpBusy, android.FaultFocusPopup, android.FaultHang, android.FaultDropAfterSend,
	}
	soak(t, scrcpyFile(t, "3.3.4"), faults, false)
}

// soak makes calls with faults on eight phones, of an adb server that dies if kill says so.
func soak(t *testing.T, scrcpy string, faults []string, kill bool) {
	calls := 5000
	if testing.Short() || raceDetector {
		calls = 800
	}
	goroutines, open := runtime.NumGoroutine(), descriptors(t)
	t.Run("calls", func(t *testing.T) {
		f := newFleet(t, soakPhones, "a14", "a9", "a16", "a6")
		server := &restarting{server: f.server}
		var wg sync.WaitGroup
		var all []*soaker
		for i := range soakPhones {
			s := newSoaker(t, f, i, scrcpy)
			s.server, s.faults = server, faults
			all = append(all, s)
			wg.Go(func() {
				for n := range calls / soakPhones {
					if t.Failed() {
						return
					}
					s.call(t, n)
				}
			})
		}
		stop := make(chan struct{})
		killed := make(chan struct{})
		go func() {
			defer close(killed)
			if kill {
				server.disturb(t, stop)
			}
		}()
		wg.Wait()
		close(stop)
		<-killed
		for _, s := range all {
			wg.Go(func() { s.settle(t) })
		}
		wg.Wait()
		require.Equal(t, kill, server.epochs() > 0, "the server died at least once")
	})
	require.Eventually(t, func() bool { return runtime.NumGoroutine() <= goroutines+2 }, 20*time.Second, 10*time.Millisecond, "goroutines are left")
	require.Eventually(t, func() bool { return descriptors(t) <= open+2 }, 20*time.Second, 10*time.Millisecond, "descriptors are left")
}

// descriptors counts those of this process, or skips where they cannot be counted.
func descriptors(t *testing.T) int {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("no /proc/self/fd to count descriptors in")
	}
	return len(entries)
}

// restarting is a server that is killed and started again.
type restarting struct {
	server *adbserver.Server
	mu     sync.Mutex
	count  int // odd while it is down
}

func (r *restarting) epochs() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.count
}

func (r *restarting) turn() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.count++
}

// disturb kills the server a few times, the first time at once.
func (r *restarting) disturb(t *testing.T, stop <-chan struct{}) {
	for {
		r.turn()
		r.server.Kill()
		if err := r.server.Restart(); err != nil {
			t.Error(err)
			return
		}
		r.turn()
		select {
		case <-stop:
			return
		case <-time.After(700 * time.Millisecond):
		}
	}
}

// promise is what a driver said of a tap.
type promise int

const (
	saidDone promise = iota
	saidMaybe
	saidNot
)

// soaker works on one phone.
type soaker struct {
	device *android.Device
	d      *adb.Driver
	server *restarting
	faults []string
	calls  []string // what was called, under what fault, and what came of it
	random *rand.Rand
	before string                  // what the phone had at first that a driver may change
	proved int                     // the server's epoch when the resident shell was last seen to live
	cut    bool                    // the last call failed: a shell may die unseen
	taps   map[image.Point]promise // what was said of the tap at each point
	texts  map[string]promise      // and of each text
}

func newSoaker(t *testing.T, f *fleet, i int, scrcpy string) *soaker {
	s := &soaker{device: f.devices[i], d: f.drivers[i], random: rand.New(rand.NewPCG(7, uint64(i))), taps: map[image.Point]promise{}, texts: map[string]promise{}}
	if scrcpy != "" {
		o := f.options()
		o.Scrcpy = scrcpy
		var err error
		s.d, err = adb.New(t.Context(), s.device.Serial(), o)
		require.NoError(t, err)
		adb.AwaitAcks(s.d)
	}
	adb.Hurry(s.d, 2*soakHang) // a call that hangs runs into its context
	s.before = s.state()
	return s
}

// state is what a driver changes on the phone and has to put back.
func (s *soaker) state() string {
	var b strings.Builder
	fmt.Fprintln(&b, s.device.Phone().CurrentIME(), s.device.Phone().IMEs())
	s.device.Run(context.Background(), "ls /data/local/tmp; ps -A | grep app_process", android.Stdio{Out: &b, Err: &b})
	return b.String()
}

// call makes one call with or without a fault, and judges its outcome.
func (s *soaker) call(t *testing.T, n int) {
	fault := ""
	if s.random.IntN(3) == 0 {
		fault = s.faults[s.random.IntN(len(s.faults))]
	}
	if fault != "" { // which may meet this call, but no gesture that is still on its way
		adb.SettleControl(s.d, "x")
		defer adb.SettleControl(s.d, "x")
		if err := s.device.SetFault(fault, true); err != nil {
			t.Error(err)
		}
	}
	name, work := s.pick(n)
	patience := soakHang
	if fault == android.FaultHang || fault == android.FaultOffline || s.random.IntN(20) == 0 {
		patience = time.Duration(1+s.random.IntN(30)) * time.Millisecond
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	before, cut := s.server.epochs(), s.cut
	err := work(ctx)
	s.cut = err != nil
	s.calls = append(s.calls, fmt.Sprintf("%d: %s under %q for %v: %v", n, name, fault, patience, err))
	disturbed := fault != "" || patience != soakHang || cut || s.proved%2 == 1 || s.proved != s.server.epochs()
	if err == nil && residentCalls[name] {
		s.proved = before
	}
	switch {
	case patience == soakHang && errors.Is(err, context.DeadlineExceeded):
		t.Errorf("%s hung under %q: %v", name, fault, err)
	case errors.Is(err, driver.ErrTimeout): // an undo, which has 5 s however busy the computer is
	case err != nil && !disturbed:
		t.Errorf("%s failed without a fault: %v\n\t%s", name, err, strings.Join(s.calls[max(0, n-3):], "\n\t"))
	case err != nil && !strings.Contains(err.Error(), "adb:"+s.device.Serial()):
		t.Errorf("%s: the error does not name the phone: %v", name, err)
	}
	if fault != "" {
		if err := s.device.SetFault(fault, false); err != nil {
			t.Error(err)
		}
	}
}

// pick chooses a call. Each tap is at a point of its own, so that the phone's log tells them apart.
func (s *soaker) pick(n int) (string, func(context.Context) error) {
	switch s.random.IntN(14) {
	case 0:
		return "screenshot", func(ctx context.Context) error { _, err := s.d.Screenshot(ctx); return err }
	case 1:
		return "tree", func(ctx context.Context) error { _, err := s.d.Tree(ctx); return err }
	case 2:
		return "foreground", func(ctx context.Context) error { _, err := s.d.Foreground(ctx); return err }
	case 3:
		return "power", func(ctx context.Context) error { _, err := s.d.PowerState(ctx); return err }
	case 4:
		return "shell", func(ctx context.Context) error { _, err := s.d.Shell(ctx, "echo", fmt.Sprint(n)); return err }
	case 5:
		return "push", func(ctx context.Context) error {
			return s.d.Push(ctx, bytes.NewReader(make([]byte, 5000)), "/sdcard/soak")
		}
	case 6:
		return "key", func(ctx context.Context) error { return s.d.Key(ctx, driver.KeyVolumeUp) }
	case 7:
		return "launch", func(ctx context.Context) error {
			adb.SettleControl(s.d, "x") // a new page would take the finger of a tap off that is on its way
			return s.d.Launch(ctx, soakApps[s.random.IntN(len(soakApps))])
		}
	case 8, 9, 10:
		text := fmt.Sprintf("<%d>", n)
		if n%2 == 0 {
			text = fmt.Sprintf("«第%d条»", n)
		}
		return "type", func(ctx context.Context) error { return s.typeText(ctx, text) }
	}
	return "tap", func(ctx context.Context) error { return s.tap(ctx, image.Pt(n%soakWidth, soakTop+n/soakWidth)) }
}

// residentCalls go through the shell that stays open, whose death is noticed by its next use.
var residentCalls = map[string]bool{"tap": true, "key": true, "foreground": true, "power": true}

var soakApps = []string{"com.android.settings", "Notes", "com.android.deskclock"}

// focus has a person put the cursor into a field, once the driver's gestures are over.
func (s *soaker) focus() error {
	adb.SettleControl(s.d, "x")
	p := s.device.Phone()
	if _, ok := p.Focused(); ok {
		return nil
	}
	_ = p.StopApp(soakApps[0])
	if _, err := p.StartApp(soakApps[0]); err != nil {
		return err
	}
	p.Tap(p.Tree().Find(driver.ByRole(driver.RoleEdit)).Center())
	return nil
}

func (s *soaker) tap(ctx context.Context, at image.Point) error {
	err := s.d.Tap(ctx, at)
	s.taps[at] = said(err)
	return err
}

func (s *soaker) typeText(ctx context.Context, text string) error {
	if err := s.focus(); err != nil {
		return err
	}
	err := s.d.Type(ctx, text)
	s.texts[text] = said(err)
	return err
}

// said is what an error promises.
func said(err error) promise {
	switch {
	case err == nil:
		return saidDone
	case driver.MaybeDone(err):
		return saidMaybe
	}
	return saidNot
}

// broken says that something was done times times against the promise.
func (p promise) broken(times int) bool {
	return times > 1 || p == saidDone && times != 1 || p == saidNot && times != 0
}

// told returns the calls around that with the number in a point or a text.
func (s *soaker) told(of any) string {
	n := 0
	switch of := of.(type) {
	case image.Point:
		n = of.X + (of.Y-soakTop)*soakWidth
	case string:
		_, _ = fmt.Sscanf(strings.Trim(of, "<>«»第条"), "%d", &n)
	}
	return strings.Join(s.calls[max(0, n-3):min(len(s.calls), n+3)], "\n\t")
}

// settle compares what the driver said with what the phone felt, and the phone with what it was.
func (s *soaker) settle(t *testing.T) {
	adb.SettleControl(s.d, s.device.Phone().Clipboard())
	ctx, cancel := context.WithTimeout(t.Context(), soakHang)
	defer cancel()
	for s.d.Release(ctx) != nil && ctx.Err() == nil { // puts back what an undo had no time for
	}
	if err := s.d.Close(); err != nil {
		t.Error(err)
	}
	felt, typed := map[image.Point]int{}, map[string]int{}
	for _, e := range s.device.Phone().Log() {
		x, okX := e.Data["x"].(int)
		y, okY := e.Data["y"].(int)
		// A tap is a long press where this computer dozed off between the finger's two events.
		if okX && okY && (e.Name == "tap" || e.Name == "double_tap" || e.Name == "long_press") {
			felt[image.Pt(x, y)]++
		}
		if e.Name == "text" {
			typed[e.String("text")]++
		}
	}
	for at, said := range s.taps {
		if said.broken(felt[at]) {
			t.Errorf("the tap at %v was done %d times, and the driver said %d; call %s", at, felt[at], said, s.told(at))
		}
	}
	for text, said := range s.texts {
		if said.broken(typed[text]) {
			t.Errorf("%q was typed %d times, and the driver said %d; call %s", text, typed[text], said, s.told(text))
		}
	}
	if len(typed) == 0 {
		t.Errorf("no text was typed at all on %s: %v", s.device.Serial(), s.texts)
	}
	if after := s.state(); after != s.before {
		t.Errorf("the phone has changed from\n%sto\n%s", s.before, after)
	}
}
