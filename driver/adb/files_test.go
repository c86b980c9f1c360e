package adb

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPushAndPull(t *testing.T) {
	f := newFake(t)
	f.setShell(func(line string) answer {
		if from, to, ok := strings.Cut(strings.TrimPrefix(line, "mv -f "), " "); ok && strings.HasPrefix(line, "mv") {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.files[to] = f.files[from]
			delete(f.files, from)
		}
		return answer{}
	})
	d := f.open()
	data := bytes.Repeat([]byte("0123456789abcdef"), 20_000)
	require.NoError(t, d.Push(t.Context(), iotestReader{bytes.NewReader(data)}, "/sdcard/x"))
	var back bytes.Buffer
	require.NoError(t, d.Pull(t.Context(), "/sdcard/x", &back))
	require.True(t, bytes.Equal(data, back.Bytes()))
	require.NoError(t, d.Push(t.Context(), strings.NewReader(""), "/sdcard/empty"))
	require.Len(t, f.files, 2)

	require.ErrorContains(t, d.Pull(t.Context(), "/sdcard/none", io.Discard), "No such file")
	require.ErrorContains(t, d.Push(t.Context(), bytes.NewReader(data), "/sdcard/full"), "No space left")
	require.ErrorContains(t, d.Push(t.Context(), bytes.NewReader(data), "/sdcard/dir"), "is a folder")
	require.ErrorContains(t, d.Push(t.Context(), failing{}, "/sdcard/y"), "unreadable")
	require.ErrorContains(t, d.Pull(t.Context(), "/sdcard/x", failing{}), "unwritable")
	for _, bad := range []string{"", "x", "/sdcard/", "/a\x00b", "/" + strings.Repeat("x", 1100)} {
		require.Error(t, d.Push(t.Context(), strings.NewReader("x"), bad), bad)
	}
	require.NotEmpty(t, f.ran("rm -f /sdcard/full.handset-part"), "what did not arrive whole is removed")
}

// iotestReader returns its last bytes together with io.EOF.
type iotestReader struct{ r *bytes.Reader }

func (r iotestReader) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	if r.r.Len() == 0 && err == nil {
		err = io.EOF
	}
	return n, err
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("unreadable") }

func (failing) Write([]byte) (int, error) { return 0, errors.New("unwritable") }
