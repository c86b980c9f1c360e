package driver_test

import (
	"errors"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
)

func TestParseAddress(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want driver.Address
		out  string // "" is in
	}{
		{in: "adb:", want: driver.Address{Scheme: "adb"}},
		{in: "adb://", want: driver.Address{Scheme: "adb"}, out: "adb:"},
		{in: "adb:SERIAL", want: driver.Address{Scheme: "adb", Device: "SERIAL"}},
		{in: "adb:usb:1-4", want: driver.Address{Scheme: "adb", Device: "usb:1-4"}},
		{in: "adb:127.0.0.1:5555", want: driver.Address{Scheme: "adb", Device: "127.0.0.1:5555"}},
		{in: "adb:[::1]:5555", want: driver.Address{Scheme: "adb", Device: "[::1]:5555"}},
		{
			in:   "adb:adb-X (2)._adb-tls-connect._tcp",
			want: driver.Address{Scheme: "adb", Device: "adb-X (2)._adb-tls-connect._tcp"},
		},
		{in: "adb:a%20b", want: driver.Address{Scheme: "adb", Device: "a b"}, out: "adb:a b"},
		{in: "adb:a%3Fb%25", want: driver.Address{Scheme: "adb", Device: "a?b%"}},
		{in: "adb:a+b&c=d#e", want: driver.Address{Scheme: "adb", Device: "a+b&c=d#e"}},
		{in: "adb:设备", want: driver.Address{Scheme: "adb", Device: "设备"}},
		{
			in:   "wda://10.0.0.7:8100?mjpeg=9100&name=My+phone",
			want: driver.Address{Scheme: "wda", Device: "10.0.0.7:8100", Options: map[string]string{"mjpeg": "9100", "name": "My phone"}},
			out:  "wda:10.0.0.7:8100?mjpeg=9100&name=My+phone",
		},
		{
			in:   "adb:?server=h%3A5037&verbose",
			want: driver.Address{Scheme: "adb", Options: map[string]string{"server": "h:5037", "verbose": ""}},
			out:  "adb:?server=h%3A5037&verbose=",
		},
		{in: "adb:X?", want: driver.Address{Scheme: "adb", Device: "X"}, out: "adb:X"},
		{in: "adb:%2F/x", want: driver.Address{Scheme: "adb", Device: "//x"}},
	} {
		t.Run(tt.in, func(t *testing.T) {
			a, err := driver.ParseAddress(tt.in)
			require.NoError(t, err)
			require.Equal(t, tt.want, a)
			out := tt.out
			if out == "" {
				out = tt.in
			}
			require.Equal(t, out, a.String())
			again, err := driver.ParseAddress(a.String())
			require.NoError(t, err)
			require.Equal(t, a, again)
		})
	}
}

func TestParseAddressRefuses(t *testing.T) {
	for in, want := range map[string]string{
		"":              "want SCHEME:DEVICE",
		"SERIAL":        "want SCHEME:DEVICE",
		":SERIAL":       "want SCHEME:DEVICE",
		"a b:c":         "want SCHEME:DEVICE",
		"adb:50%":       "write a % of the device as %25",
		"adb:x?=1":      "want NAME=VALUE",
		"adb:x?&":       "want NAME=VALUE",
		"adb:x?a=%zz":   `option "a=%zz"`,
		"adb:x?a=1&a=2": "given twice",
	} {
		_, err := driver.ParseAddress(in)
		require.ErrorContains(t, err, want, in)
		require.ErrorContains(t, err, "address", in)
		require.ErrorIs(t, err, driver.ErrBadOption, in)
	}
}

func TestBareAddress(t *testing.T) {
	a, err := driver.ParseAddress("wda://h:1?a=b")
	require.NoError(t, err)
	require.Equal(t, "wda:h:1", a.Bare())
}

func TestKnowsOptions(t *testing.T) {
	a, err := driver.ParseAddress("adb:x?timeout=1&sever=h")
	require.NoError(t, err)
	known := []string{"timeout", "server"}
	err = a.KnowsOptions(known...)
	require.EqualError(t, err, `address "adb:x?sever=h&timeout=1": unknown option "sever"; known: server, timeout`)
	require.Equal(t, []string{"timeout", "server"}, known, "the caller's list stays as it is")
	require.NoError(t, a.KnowsOptions("sever", "timeout"))
}

func FuzzParseAddress(f *testing.F) {
	for _, s := range []string{
		"adb:", "adb:SERIAL", "adb:adb-X (2)._adb-tls-connect._tcp", "usb:usb:1-4?a=b&c=%20", "wda://h:1?x", "a:////b",
		"a:%2F%2F?%3D=%26", "a:%", "a:?&",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, err := driver.ParseAddress(s)
		if err != nil {
			return
		}
		again, err := driver.ParseAddress(a.String())
		require.NoError(t, err)
		require.Equal(t, a, again)
		require.Equal(t, a.String(), again.String())
	})
}

func TestSetOptions(t *testing.T) {
	a, err := driver.ParseAddress("x:d?b=2&a=1")
	require.NoError(t, err)
	var got []string
	set := func(name, value string) error { got = append(got, name+value); return nil }
	require.NoError(t, a.SetOptions([]string{"a", "b"}, set))
	require.Equal(t, []string{"a1", "b2"}, got)
	require.ErrorContains(t, a.SetOptions([]string{"a"}, set), `unknown option "b"`)
	refuse := func(string, string) error { return errors.New("no number") }
	err = a.SetOptions([]string{"a", "b"}, refuse)
	require.EqualError(t, err, `address "x:d?a=1&b=2": option a: no number`)
	require.ErrorIs(t, err, driver.ErrBadOption)
	require.NotErrorIs(t, err, errors.ErrUnsupported)
}

// No error names a function of Go.
func TestSetOptionsInPlainWords(t *testing.T) {
	a, err := driver.ParseAddress("x:d?a=odd")
	require.NoError(t, err)
	for want, read := range map[string]func(string) error{
		`option a: "odd": want true or false`:               func(v string) error { _, err := strconv.ParseBool(v); return err },
		`option a: "odd": want a number`:                    func(v string) error { _, err := strconv.Atoi(v); return err },
		`option a: "odd": want a time such as 500ms or 10s`: func(v string) error { _, err := driver.ParseTime(v); return err },
	} {
		err := a.SetOptions([]string{"a"}, func(_, value string) error { return read(value) })
		require.EqualError(t, err, `address "x:d?a=odd": `+want)
	}
}

func TestParseTime(t *testing.T) {
	got, err := driver.ParseTime("1m30s")
	require.NoError(t, err)
	require.Equal(t, 90*time.Second, got)
	for _, bad := range []string{"", "5", "-5s", "0s", "soon", "1e400s"} {
		_, err := driver.ParseTime(bad)
		require.ErrorContains(t, err, "want a time", bad)
	}
}

func TestBadOptionIsNothingForNothing(t *testing.T) {
	require.NoError(t, driver.BadOption(nil))
}
