package adb_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver/adb"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/adbserver"
)

// TestFoldersThereAndBack uses both protocols of files: a6 speaks only the first.
func TestFoldersThereAndBack(t *testing.T) {
	for _, profile := range []string{"a6", "a14"} {
		t.Run(profile, func(t *testing.T) {
			f := newFront(t, profile, sim.Options{})
			d := f.open(t)
			big := bytes.Repeat([]byte("0123456789abcdef"), 10_000)
			src := fstest.MapFS{
				"a.txt":               {Data: []byte("a")},
				"empty":               {Data: nil},
				"it's a $(dir)/b.bin": {Data: big},
				"deep/er/文件 名.txt":    {Data: []byte("文")},
			}
			for i := range 150 {
				src[fmt.Sprintf("many/file number %d.txt", i)] = &fstest.MapFile{Data: []byte(fmt.Sprint(i))}
			}
			require.NoError(t, d.PushDir(t.Context(), src, "/sdcard/tree"))
			out := t.TempDir()
			require.NoError(t, d.PullDir(t.Context(), "/sdcard/tree", out))
			for name, file := range src {
				got, err := os.ReadFile(out + "/" + name)
				require.NoError(t, err)
				require.True(t, bytes.Equal(file.Data, got), name)
			}
			st, err := d.Stat(t.Context(), "/sdcard/tree/it's a $(dir)/b.bin")
			require.NoError(t, err)
			require.EqualValues(t, len(big), st.Size)
			require.Error(t, d.PullDir(t.Context(), "/sdcard/tree/none", t.TempDir()))
			left, err := d.Shell(t.Context(), "ls", "-R", "/sdcard/tree")
			require.NoError(t, err)
			require.NotContains(t, string(left.Stdout), "handset-part")
			require.Less(t, len(f.device.LongestRequest()), 4096)
		})
	}
}

// echo answers each connection with what it gets, until the test ends.
func echo(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = io.Copy(c, c)
			_ = c.Close()
		}
	}()
	t.Cleanup(func() {
		_ = l.Close()
		<-done
	})
	return l.Addr().String()
}

func forwards(t *testing.T, server string) string {
	t.Helper()
	c, err := net.Dial("tcp", server)
	require.NoError(t, err)
	defer c.Close()
	_, err = io.WriteString(c, "0011host:list-forward")
	require.NoError(t, err)
	all, err := io.ReadAll(c)
	require.NoError(t, err)
	return string(all[min(8, len(all)):])
}

func TestTunnelsEnd(t *testing.T) {
	f := newFront(t, "a14", sim.Options{})
	d, err := adb.New(t.Context(), f.device.Serial(), &adb.Options{Server: f.server.Addr(), NoStart: true})
	require.NoError(t, err)
	one, err := d.Forward(t.Context(), "localabstract:one")
	require.NoError(t, err)
	two, err := d.Forward(t.Context(), "tcp:8080")
	require.NoError(t, err)
	require.Contains(t, forwards(t, f.server.Addr()), "localabstract:one")
	require.NotEqual(t, one.Addr, two.Addr)
	require.NoError(t, one.Close())
	require.NoError(t, one.Close(), "a second time")
	require.NotContains(t, forwards(t, f.server.Addr()), "localabstract:one")
	back, err := d.Reverse(t.Context(), "localabstract:back", echo(t))
	require.NoError(t, err)
	require.Equal(t, "localabstract:back", back.Addr)
	require.NotEmpty(t, f.device.Reverses())
	require.NoError(t, d.Close())
	require.Empty(t, forwards(t, f.server.Addr()), "the driver ends what it opened")
	require.Empty(t, f.device.Reverses())
	require.NoError(t, two.Close(), "after the driver")
	_, err = d.Forward(t.Context(), "tcp:1")
	require.Error(t, err)
}

// The phone takes its tunnels with it, and does not bring them back.
func TestTunnelGoesWithThePhone(t *testing.T) {
	open := map[string]func(*adb.Driver) (*adb.Tunnel, error){
		"forward": func(d *adb.Driver) (*adb.Tunnel, error) { return d.Forward(t.Context(), "localabstract:one") },
		"reverse": func(d *adb.Driver) (*adb.Tunnel, error) {
			return d.Reverse(t.Context(), "localabstract:back", "127.0.0.1:9")
		},
	}
	for name, gone := range map[string]func(f *front){
		"unplugged":    func(f *front) { f.server.Detach(f.device.Serial()) },
		"offline":      func(f *front) { f.server.SetState(f.device.Serial(), adbserver.Offline) },
		"unauthorized": func(f *front) { f.server.SetState(f.device.Serial(), adbserver.Unauthorized) },
		"no server":    func(f *front) { f.server.Kill() },
	} {
		for kind, open := range open {
			t.Run(name+"/"+kind, func(t *testing.T) {
				f := newFront(t, "a14", sim.Options{})
				tunnel, err := open(f.open(t))
				require.NoError(t, err)
				over := make(chan error, 1)
				go func() { over <- tunnel.Wait(t.Context()) }()
				gone(f)
				err = <-over
				require.ErrorContains(t, err, kind+" adb:"+f.device.Serial())
				require.ErrorContains(t, err, "the tunnel is gone")
				if name != "no server" {
					require.Empty(t, forwards(t, f.server.Addr()))
				}
			})
		}
	}
}

func TestTunnelWasGoneBeforeAnybodyWaited(t *testing.T) {
	f := newFront(t, "a14", sim.Options{})
	d := f.open(t)
	forward, err := d.Forward(t.Context(), "localabstract:one")
	require.NoError(t, err)
	reverse, err := d.Reverse(t.Context(), "localabstract:back", "127.0.0.1:9")
	require.NoError(t, err)
	f.server.Detach(f.device.Serial())
	f.server.Attach(adbserver.Phone{Device: f.device})
	require.ErrorContains(t, forward.Wait(t.Context()), "open it again")
	require.ErrorContains(t, reverse.Wait(t.Context()), "open it again")
}

func TestTunnelWaits(t *testing.T) {
	f := newFront(t, "a14", sim.Options{})
	d := f.open(t)
	tunnel, err := d.Forward(t.Context(), "localabstract:one")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	over := make(chan error, 1)
	go func() { over <- tunnel.Wait(ctx) }()
	cancel()
	require.NoError(t, <-over)
	go func() { over <- tunnel.Wait(t.Context()) }()
	require.NoError(t, tunnel.Close())
	require.NoError(t, <-over)
	require.NoError(t, tunnel.Wait(t.Context()), "it is closed")
}

func TestTunnelsRefuseNonsense(t *testing.T) {
	d := newFront(t, "a14", sim.Options{}).open(t)
	for _, socket := range []string{"", "tcp:", "tcp:1;tcp:2", "shell:ls", "localabstract:a;b", "reverse:x"} {
		_, err := d.Forward(t.Context(), socket)
		require.Error(t, err, socket)
		_, err = d.Dial(t.Context(), socket)
		require.Error(t, err, socket)
		_, err = d.Reverse(t.Context(), socket, "127.0.0.1:1")
		require.Error(t, err, socket)
	}
	for _, to := range []string{"", "x", "127.0.0.1:0", "a;b:1"} {
		_, err := d.Reverse(t.Context(), "tcp:1", to)
		require.Error(t, err, to)
	}
	_, err := d.Dial(t.Context(), "localabstract:nobody")
	require.ErrorContains(t, err, "closed")
}
