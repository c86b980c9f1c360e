package handset_test

import (
	"context"
	"fmt"
	"image"
	"net/url"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/handset-go/handset/driver"
	_ "github.com/handset-go/handset/driver/adb"
	_ "github.com/handset-go/handset/driver/hdc"
	"github.com/handset-go/handset/driver/sim"
	_ "github.com/handset-go/handset/driver/wda"
	"github.com/handset-go/handset/internal/phonefront/adbserver"
	"github.com/handset-go/handset/internal/phonefront/android"
	"github.com/handset-go/handset/internal/phonefront/hdc"
	"github.com/handset-go/handset/internal/phonefront/wda"
)

// TestTwentyPhones has 20 phones of the three kinds at work in one process, 200 calls each: nothing gets into
// another's way, every tap arrives once, and nothing is left.
func TestTwentyPhones(t *testing.T) {
	if testing.Short() {
		t.Skip("20 phones take half a minute")
	}
	if runtime.GOOS == "windows" {
		t.Skip("the simulated hdc is a shell script")
	}
	before := goleak.IgnoreCurrent()
	t.Cleanup(func() { goleak.VerifyNone(t, before) }) // the last of the clean-ups
	var phones []*member
	phones = append(phones, androids(t, 8)...)
	phones = append(phones, harmonies(t, 4)...)
	phones = append(phones, iphones(t, 8)...)
	var wg sync.WaitGroup
	for _, p := range phones {
		wg.Go(func() { p.work(t.Context()) })
	}
	wg.Wait()
	for _, p := range phones {
		require.NoError(t, p.err, p.address)
		require.Len(t, p.phone.Events("tap"), p.taps, p.address)
	}
}

// member is one phone of many, and what became of its work.
type member struct {
	address string
	phone   *sim.Phone
	taps    int
	err     error
}

const callsEach = 200

// work does calls of each kind, one after the other.
func (m *member) work(ctx context.Context) {
	d, err := driver.Open(ctx, m.address)
	if err != nil {
		m.err = err
		return
	}
	for n := 0; n < callsEach && m.err == nil; n++ {
		m.err = m.call(ctx, d, n)
	}
	if err := d.Close(); m.err == nil {
		m.err = err
	}
}

func (m *member) call(ctx context.Context, d driver.Driver, n int) error {
	switch n % 5 {
	case 0:
		_, err := d.Screenshot(ctx)
		return err
	case 1:
		_, err := d.Tree(ctx)
		return err
	case 2:
		m.taps++
		return d.Tap(ctx, image.Pt(20+n, m.phone.Size().Y/2)) // an empty place of the home screen
	case 3:
		_, err := driver.Foreground(ctx, d)
		return err
	}
	_, err := driver.PowerState(ctx, d)
	return err
}

func androids(t *testing.T, n int) []*member {
	var all []*member
	var attached []adbserver.Phone
	for i := range n {
		phone := sim.New(&sim.Options{Size: image.Pt(540, 1200), Density: 210})
		device, err := android.New(phone, &android.Options{Serial: fmt.Sprintf("FLEET%d", i)})
		require.NoError(t, err)
		attached = append(attached, adbserver.Phone{Device: device})
		all = append(all, &member{address: "adb:" + device.Serial(), phone: phone})
	}
	server, err := adbserver.Start(&adbserver.Options{Phones: attached})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	for _, m := range all {
		m.address += "?server=" + url.QueryEscape(server.Addr())
	}
	return all
}

func harmonies(t *testing.T, n int) []*member {
	dir := t.TempDir()
	program := filepath.Join(dir, "handset")
	out, err := exec.Command("go", "build", "-o", program, "./cmd/handset").CombinedOutput()
	require.NoError(t, err, "%s", out)
	var all []*member
	var devices []*hdc.Device
	for i := range n {
		phone := sim.New(&sim.Options{Platform: sim.PlatformHarmony, Size: image.Pt(540, 1200), Density: 210})
		device, err := hdc.New(phone, &hdc.Options{Key: fmt.Sprintf("FLEET%d", i)})
		require.NoError(t, err)
		devices = append(devices, device)
		all = append(all, &member{address: "hdc:" + device.Key(), phone: phone})
	}
	server, err := hdc.Serve(nil, devices...)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	tool, err := server.WriteTool(dir, program)
	require.NoError(t, err)
	for _, m := range all {
		m.address += "?tool=" + url.QueryEscape(tool)
	}
	return all
}

func iphones(t *testing.T, n int) []*member {
	var all []*member
	for range n {
		phone, err := wda.NewPhone("iphone-se", nil)
		require.NoError(t, err)
		server, err := wda.Listen("127.0.0.1:0", phone, nil)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, server.Close()) })
		all = append(all, &member{address: "wda://" + server.Addr(), phone: phone})
	}
	return all
}
