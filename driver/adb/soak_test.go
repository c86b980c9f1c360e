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
	calls := 5000
	if testing.Short() || raceDetector {
		calls = 800
	}
	goroutines, open := runtime.NumGoroutine(), descriptors(t)
	t.Run("calls", func(t *testing.T) {
		f := newFleet(t, soakPhones, "a14", "a9", "a16", "a6")
		server := &restarting{server: f.server}
		var wg sync.WaitGroup
		for i := range soakPhones {
			s := &soaker{device: f.devices[i], d: f.drivers[i], server: server, random: rand.New(rand.NewPCG(7, uint64(i))), want: map[image.Point]promise{}}
			wg.Go(func() {
				for n := range calls / soakPhones {
					if t.Failed() {
						return
					}
					s.call(t, n)
				}
				s.settle(t)
			})
		}
		stop := make(chan struct{})
		killed := make(chan struct{})
		go func() { defer close(killed); server.disturb(t, stop) }()
		wg.Wait()
		close(stop)
		<-killed
		require.Positive(t, server.epochs(), "the server died at least once")
	})
	require.Eventually(t, func() bool { return runtime.NumGoroutine() <= goroutines+2 }, 20*time.Second, 10*time.Millisecond, "goroutines are left")
	require.LessOrEqual(t, descriptors(t), open+2, "descriptors are left")
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
	random *rand.Rand
	seen   int                     // the server's epoch after the last call
	want   map[image.Point]promise // what was said of the tap at each point
}

// call makes one call with or without a fault, and judges its outcome.
func (s *soaker) call(t *testing.T, n int) {
	fault := ""
	if s.random.IntN(3) == 0 {
		fault = soakFaults[s.random.IntN(len(soakFaults))]
	}
	if fault != "" {
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
	before := s.seen // a server that died since the last call has left a dead shell behind
	err := work(ctx)
	s.seen = s.server.epochs()
	disturbed := fault != "" || patience != soakHang || before%2 == 1 || before != s.seen
	switch {
	case errors.Is(err, driver.ErrTimeout), patience == soakHang && errors.Is(err, context.DeadlineExceeded):
		t.Errorf("%s hung under %q: %v", name, fault, err)
	case err != nil && !disturbed:
		t.Errorf("%s failed without a fault: %v", name, err)
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
	switch s.random.IntN(10) {
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
	}
	return "tap", func(ctx context.Context) error { return s.tap(ctx, image.Pt(n%480, 300+n/480)) }
}

func (s *soaker) tap(ctx context.Context, at image.Point) error {
	err := s.d.Tap(ctx, at)
	switch {
	case err == nil:
		s.want[at] = saidDone
	case driver.MaybeDone(err):
		s.want[at] = saidMaybe
	default:
		s.want[at] = saidNot
	}
	return err
}

// settle compares what the driver said with what the phone felt.
func (s *soaker) settle(t *testing.T) {
	if err := s.d.Close(); err != nil {
		t.Error(err)
	}
	felt := map[image.Point]int{}
	for _, e := range s.device.Phone().Log() {
		x, okX := e.Data["x"].(int)
		y, okY := e.Data["y"].(int)
		if okX && okY && (e.Name == "tap" || e.Name == "double_tap") {
			felt[image.Pt(x, y)]++
		}
	}
	for at, said := range s.want {
		times := felt[at]
		if times > 1 || said == saidDone && times != 1 || said == saidNot && times != 0 {
			t.Errorf("the tap at %v was done %d times, and the driver said %d", at, times, said)
		}
	}
}
