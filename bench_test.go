package handset_test

import (
	"context"
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/agent"
	"github.com/handset-go/handset/driver/adb"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/cmdrun"
	"github.com/handset-go/handset/internal/phonefront/adbd"
	"github.com/handset-go/handset/internal/phonefront/android"
	"github.com/handset-go/handset/perception"
	"github.com/handset-go/handset/timing"
)

// BenchmarkStep is one step of an agent with an instant model through a real adb server: frame, app in front, request,
// parse, gate with its tree, tap, and the comparison with the frame before. "settle" also waits until the screen rests.
func BenchmarkStep(b *testing.B) {
	settle := timing.Default()
	for _, c := range []struct {
		name   string
		mode   agent.Mode
		timing timing.Timing
	}{
		{"pixels", agent.Pixels, timing.Timing{}},
		{"pixels_settle", agent.Pixels, settle},
		{"tree", agent.Tree, timing.Timing{}},
	} {
		b.Run(c.name, func(b *testing.B) {
			d := stockPhone(b)
			n := 0
			model := agent.ModelFunc(func(context.Context, *agent.Request, func(agent.Delta)) (*agent.Response, error) {
				n++
				return &agent.Response{Text: fmt.Sprintf(`do(action="Tap", element=[500,%d])`, 280+62*(n%2)), Finish: "stop"}, nil
			})
			a, err := agent.New(d, model, &agent.Options{Mode: c.mode, Timing: &c.timing, MaxSteps: 1 << 30})
			require.NoError(b, err)
			b.ResetTimer()
			for _, err := range a.NewRun("x").Steps(b.Context()) {
				require.NoError(b, err)
				if n >= b.N {
					break
				}
			}
		})
	}
}

// stockPhone opens a simulated phone through a real adb server of its own.
func stockPhone(b *testing.B) *adb.Driver {
	if _, err := cmdrun.Find("adb"); err != nil {
		b.Skip("adb is not installed")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(b, err)
	addr := l.Addr().String()
	require.NoError(b, l.Close())
	_, port, _ := strings.Cut(addr, ":")
	home := b.TempDir()
	run := func(args ...string) {
		r, err := cmdrun.Run(context.Background(), cmdrun.Command{Path: "adb", Args: append([]string{"-P", port}, args...),
			Env: []string{"HOME=" + home, "TMPDIR=" + home, "ADB_LOCAL_TRANSPORT_MAX_PORT=5553"}})
		require.NoError(b, err)
		require.Zero(b, r.Code, r.Complaint())
	}
	run("start-server")
	b.Cleanup(func() { run("kill-server") })
	device, err := android.New(sim.New(&sim.Options{Start: "com.android.settings"}), nil)
	require.NoError(b, err)
	daemon, err := adbd.Listen(device, nil)
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, daemon.Close()) })
	opts := &adb.Options{Server: addr, NoStart: true}
	address, err := adb.Connect(b.Context(), daemon.Addr(), opts)
	require.NoError(b, err)
	d, err := adb.New(b.Context(), strings.TrimPrefix(address, "adb:"), opts)
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, d.Close()) })
	return d
}

// BenchmarkRows is a uiautomator dump made into rows.
func BenchmarkRows(b *testing.B) {
	for _, n := range []int{400, 5000} {
		dump := dumpOf(n)
		b.Run(fmt.Sprintf("%d_nodes", n), func(b *testing.B) {
			b.SetBytes(int64(len(dump)))
			for b.Loop() {
				t, err := adb.ParseDump(dump)
				require.NoError(b, err)
				if perception.Render(t, nil).Nodes < n {
					b.Fatal("nodes are missing")
				}
			}
		})
	}
}

// dumpOf makes a dump of n rows of a list, 380 bytes each, as dense pages have them.
func dumpOf(n int) []byte {
	var s strings.Builder
	s.WriteString(`<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation="0">`)
	node := func(i int, clickable bool, text, bounds, end string) {
		fmt.Fprintf(&s, `<node index="%d" text="%s" resource-id="com.example.app:id/row_title" class="android.widget.TextView" package="com.example.app" `+
			`content-desc="" checkable="false" checked="false" clickable="%t" enabled="true" focusable="true" focused="false" scrollable="false" `+
			`long-clickable="false" password="false" selected="false" bounds="%s"%s`, i, text, clickable, bounds, end)
	}
	node(0, false, "", "[0,0][1080,2400]", ">")
	for i := range n - 1 {
		x, y := (i%20)*54, (i/20%240)*10
		node(i, i%2 == 0, fmt.Sprintf("Entry number %d", i), fmt.Sprintf("[%d,%d][%d,%d]", x, y, x+54, y+10), " />")
	}
	s.WriteString(`</node></hierarchy>`)
	return []byte(s.String())
}
