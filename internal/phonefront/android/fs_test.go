package android_test

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/android"
	"github.com/handset-go/handset/internal/phonefront/phoneshell"
)

func TestFiles(t *testing.T) {
	f := newDevice(t, "a14").FS()
	require.NoError(t, f.WriteFile("/sdcard/a", []byte("one"), 0o640))
	data, err := f.ReadFile("/storage/emulated/0/a")
	require.NoError(t, err)
	require.Equal(t, "one", string(data), "/sdcard is a link")
	link, err := f.Stat("/sdcard", false)
	require.NoError(t, err)
	require.Equal(t, "/storage/emulated/0", link.Link)
	require.Equal(t, uint32(0o120777), link.UnixMode())
	w, err := f.Create("/sdcard/a", 0o640, true)
	require.NoError(t, err)
	_, err = io.WriteString(w, " two")
	require.NoError(t, err)
	info, err := f.Stat("/sdcard/a", true)
	require.NoError(t, err)
	require.Equal(t, int64(7), info.Size())
	require.Equal(t, uint32(0o100640), info.UnixMode())
	require.NoError(t, f.Rename("/sdcard/a", "/data/local/tmp"))
	_, err = f.Stat("/data/local/tmp/a", true)
	require.NoError(t, err)
}

func TestFileRefusals(t *testing.T) {
	f := newDevice(t, "a14").FS()
	tests := []struct {
		name string
		err  error
		want phoneshell.Errno
	}{
		{"read-only", f.WriteFile("/system/x", nil, 0o600), phoneshell.EROFS},
		{"root", f.WriteFile("/x", nil, 0o600), phoneshell.EROFS},
		{"not the shell's", f.WriteFile("/data/data/x", nil, 0o600), phoneshell.EACCES},
		{"no folder", f.WriteFile("/sdcard/no/x", nil, 0o600), phoneshell.ENOENT},
		{"a folder", f.WriteFile("/sdcard", nil, 0o600), phoneshell.EISDIR},
		{"under a file", f.Mkdir("/system/bin/ls/x"), phoneshell.ENOTDIR},
		{"exists", f.Mkdir("/sdcard/DCIM"), phoneshell.EEXIST},
		{"not empty", f.RemoveDir("/data/local/tmp/.."), phoneshell.EROFS},
		{"missing", f.Remove("/sdcard/x", false), phoneshell.ENOENT},
		{"a folder is not a file", f.Remove("/sdcard/DCIM", false), phoneshell.EISDIR},
	}
	for _, tt := range tests {
		require.ErrorIs(t, tt.err, tt.want, tt.name)
	}
	require.Equal(t, "Read-only file system", phoneshell.EROFS.Error())
}

func TestStorageIsBounded(t *testing.T) {
	d, err := android.New(sim.New(nil), &android.Options{Storage: 1 << 20})
	require.NoError(t, err)
	f := d.FS()
	chunk := make([]byte, 256<<10)
	for i := 0; i < 5 && err == nil; i++ {
		err = f.WriteFile("/sdcard/"+string(rune('a'+i)), chunk, 0o600)
	}
	require.ErrorIs(t, err, phoneshell.ENOSPC)
	require.NoError(t, f.Remove("/sdcard/a", false))
	require.NoError(t, f.WriteFile("/sdcard/z", chunk, 0o600), "what was deleted is free again")
}

func TestSparseFile(t *testing.T) {
	d := newDevice(t, "a14")
	const size = 5 << 30
	require.NoError(t, d.FS().WriteSparse("/sdcard/movie", size))
	info, err := d.FS().Stat("/sdcard/movie", true)
	require.NoError(t, err)
	require.Equal(t, int64(size), info.Size())
	require.Equal(t, "5368709120\n", out(t, d, "stat -c %s /sdcard/movie"))
	require.Equal(t, "100000\n", out(t, d, "head -c 100000 /sdcard/movie | wc -c"))
	require.NoError(t, d.FS().WriteSparse("/sdcard/small", 200_000))
	f, err := d.FS().Open("/sdcard/small")
	require.NoError(t, err)
	n, err := io.Copy(io.Discard, f)
	require.NoError(t, err)
	require.Equal(t, int64(200_000), n)
	require.NoError(t, d.FS().WriteFile("/sdcard/small", []byte("x"), 0o644))
	require.Equal(t, "x", out(t, d, "cat /sdcard/small"), "the zeros are gone")
}
