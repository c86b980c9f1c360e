package adb_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver/adb"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/adbd"
	"github.com/handset-go/handset/internal/phonefront/adbserver"
	"github.com/handset-go/handset/internal/phonefront/android"
)

// BenchmarkFiles measures transfers, lists and connections through the simulated server and through a
// stock one.
func BenchmarkFiles(b *testing.B) {
	run := func(b *testing.B, w way) {
		device, err := android.New(sim.New(nil), nil)
		require.NoError(b, err)
		serial, server := w.attach(b, device)
		d, err := adb.New(b.Context(), serial, &adb.Options{Server: server, NoStart: true})
		require.NoError(b, err)
		b.Cleanup(func() { require.NoError(b, d.Close()) })
		data := bytes.Repeat([]byte("0123456789abcdef"), 8<<20/16)
		b.Run("push 8 MB", func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				require.NoError(b, d.Push(b.Context(), bytes.NewReader(data), "/sdcard/big"))
			}
		})
		b.Run("pull 8 MB", func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				require.NoError(b, d.Pull(b.Context(), "/sdcard/big", io.Discard))
			}
		})
		many := fstest.MapFS{}
		for i := range 100 {
			many[fmt.Sprintf("%03d.txt", i)] = &fstest.MapFile{Data: []byte("x")}
		}
		b.Run("push a folder of 100 files", func(b *testing.B) {
			for b.Loop() {
				require.NoError(b, d.PushDir(b.Context(), many, "/sdcard/many"))
			}
		})
		b.Run("list 100 files", func(b *testing.B) {
			for b.Loop() {
				list, err := d.List(b.Context(), "/sdcard/many")
				require.NoError(b, err)
				require.Len(b, list, 100)
			}
		})
		b.Run("pull a folder of 100 files", func(b *testing.B) {
			for b.Loop() {
				require.NoError(b, d.PullDir(b.Context(), "/sdcard/many", b.TempDir()))
			}
		})
		device.Listen("localabstract:bench", func(ctx context.Context, c io.ReadWriteCloser) { _, _ = io.Copy(c, c) })
		b.Run("dial", func(b *testing.B) {
			for b.Loop() {
				c, err := d.Dial(b.Context(), "localabstract:bench")
				require.NoError(b, err)
				require.NoError(b, c.Close())
			}
		})
	}
	b.Run("socket", func(b *testing.B) { run(b, &overSocket{servers: map[string]*adbserver.Server{}}) })
	b.Run("stock", func(b *testing.B) { run(b, &overAdb{addr: stockServer(b), of: map[string]*adbd.Daemon{}}) })
}
