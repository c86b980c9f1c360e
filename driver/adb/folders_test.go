package adb

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

func TestSizesBeyond32Bits(t *testing.T) {
	f := newFake(t)
	f.files["/sdcard/huge"] = nil
	f.files["/sdcard/small"] = []byte("abc")
	d := f.open()
	st, err := d.Stat(t.Context(), "/sdcard/huge")
	require.NoError(t, err)
	require.Equal(t, File{Name: "huge", Mode: 0o644, Size: hugeSize, MTime: st.MTime}, st)
	st, err = d.Stat(t.Context(), "/sdcard/dir")
	require.NoError(t, err)
	require.True(t, st.Mode.IsDir())
	_, err = d.Stat(t.Context(), "/sdcard/none")
	require.ErrorIs(t, err, fs.ErrNotExist)
	_, err = d.Stat(t.Context(), "/sdcard/secret")
	require.ErrorContains(t, err, "may not")
	_, err = d.Stat(t.Context(), "sdcard")
	require.ErrorContains(t, err, "from the root")

	f.files["/sdcard/dir/huge"], f.files["/sdcard/dir/b"] = nil, []byte("bb")
	list, err := d.List(t.Context(), "/sdcard/dir")
	require.NoError(t, err)
	sizes := map[string]int64{}
	for _, file := range list {
		sizes[file.Name] = file.Size
	}
	require.Equal(t, map[string]int64{"huge": hugeSize, "b": 2}, sizes)
	_, err = d.List(t.Context(), "/sdcard/small")
	require.ErrorContains(t, err, "no folder")
	_, err = d.List(t.Context(), "/sdcard/none")
	require.ErrorIs(t, err, fs.ErrNotExist)
}

func TestFoldersHoldNothingThatLeadsOut(t *testing.T) {
	for _, bad := range []string{`a\b`, `..\x`, "NUL\x00"} {
		f := newFake(t)
		f.files["/sdcard/dir/"+bad] = []byte("x")
		dir := filepath.Join(t.TempDir(), "out")
		err := f.open().PullDir(t.Context(), "/sdcard/dir", dir)
		require.Error(t, err, bad)
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Empty(t, entries)
	}
}

func TestPushDirRefusesLongPaths(t *testing.T) {
	f := newFake(t)
	long := strings.Repeat("a/", 600) + "x"
	err := f.open().PushDir(t.Context(), fstest.MapFS{long: {Data: []byte("x")}}, "/sdcard")
	require.ErrorContains(t, err, "too long")
}

// TestAFolderThatFails leaves nothing half on the phone.
func TestAFolderThatFails(t *testing.T) {
	f := newFake(t)
	d := f.open()
	err := d.PushDir(t.Context(), fstest.MapFS{"a": {Data: []byte("x")}, "full": {Data: []byte("x")}}, "/sdcard/d")
	require.ErrorContains(t, err, "No space left")
	require.ElementsMatch(t, []string{"rm -f /sdcard/d/a.handset-part", "rm -f /sdcard/d/full.handset-part"}, f.ran("rm -f"))
	f.on("mv -f", answer{err: "mv: bad '/sdcard/d/a'\n", code: 1})
	err = d.PushDir(t.Context(), fstest.MapFS{"a": {Data: []byte("x")}}, "/sdcard/d")
	require.ErrorContains(t, err, "mv: bad")
	require.Len(t, f.ran("rm -f"), 1)
	f.on("mkdir", answer{err: "mkdir: '/system/d': Read-only file system\n", code: 1})
	err = d.PushDir(t.Context(), fstest.MapFS{"a": {Data: []byte("x")}}, "/system/d")
	require.ErrorContains(t, err, "Read-only")
	require.Empty(t, f.ran("mv"))
}
