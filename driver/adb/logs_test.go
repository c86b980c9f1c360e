package adb

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
)

func TestLogsThatEnd(t *testing.T) {
	f := newFake(t)
	d := f.open()
	var got bytes.Buffer
	f.on("logcat", answer{out: "one\r\ntwo\r\nthr", err: "logcat: unexpected EOF\n", code: 1})
	err := d.Logs(t.Context(), &got)
	require.ErrorContains(t, err, "logcat ended with 1: logcat: unexpected EOF")
	require.Equal(t, "one\ntwo\n", got.String(), "whole lines only")
	f.on("logcat", answer{out: "one\n", drop: true})
	require.ErrorIs(t, d.Logs(t.Context(), io.Discard), driver.ErrOffline)
	f.on("logcat", answer{out: "one\n", hang: true})
	full := errors.New("disk full")
	require.ErrorIs(t, d.Logs(t.Context(), fullDisk{full}), full)
}

type fullDisk struct{ err error }

func (f fullDisk) Write([]byte) (int, error) { return 0, f.err }

func TestLineWriter(t *testing.T) {
	var got []string
	w := &lineWriter{dst: writes(func(p []byte) { got = append(got, string(p)) })}
	for _, part := range []string{"a", "b\nc", "d\r\n", "\n", strings.Repeat("x", maxLogLine+1)} {
		n, err := w.Write([]byte(part))
		require.NoError(t, err)
		require.Equal(t, len(part), n)
	}
	require.Equal(t, []string{"ab\n", "cd\n", "\n", strings.Repeat("x", maxLogLine+1) + "\n"}, got)
}

type writes func(p []byte)

func (w writes) Write(p []byte) (int, error) { w(p); return len(p), nil }
