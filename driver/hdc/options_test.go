package hdc

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
)

func TestFromEnv(t *testing.T) {
	env := func(vars map[string]string) *Options { return FromEnv(func(name string) string { return vars[name] }) }
	require.Empty(t, env(nil).Server)
	require.Empty(t, env(map[string]string{"OHOS_HDC_SERVER_PORT": "9000"}).Server, "the tool reads it by itself")
	require.Equal(t, "10.0.0.1:8710", env(map[string]string{"HDC_SERVER_HOST": "10.0.0.1"}).Server)
	require.Equal(t, "9001", env(map[string]string{"HDC_SERVER_PORT": "9001"}).Server)
}

func TestServerArg(t *testing.T) {
	for in, want := range map[string]string{"8710": "8710", "10.0.0.1:8710": "10.0.0.1:8710", "localhost:18710": "127.0.0.1:18710"} {
		got, err := serverArg(t.Context(), in)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	for _, bad := range []string{"x", "10.0.0.1:99999", "10.0.0.1:0", "a:b:c", "10.0.0.1:"} {
		_, err := serverArg(t.Context(), bad)
		require.Error(t, err, bad)
	}
}

func TestOptions(t *testing.T) {
	_, err := (&Options{Apps: map[string]string{"x": "not a bundle"}}).withDefaults()
	require.ErrorContains(t, err, "bundle")
	a, err := driver.ParseAddress("hdc:K?tool=/x/hdc&server=8710&png=true&unguarded=1&limit=3s")
	require.NoError(t, err)
	var o Options
	require.NoError(t, o.setAddress(a))
	require.Equal(t, Options{Tool: "/x/hdc", Server: "8710", PNG: true, Unguarded: true, Limit: 3 * time.Second}, o)
	a.Options["colour"] = "red"
	require.ErrorContains(t, o.setAddress(a), "limit, png")
	require.ErrorIs(t, o.setAddress(a), driver.ErrBadOption)
	for query, says := range map[string]string{"png=maybe": "true or false", "limit=5": "want a time", "server=x:y&tool=/bin/true": "1 to 65535"} {
		_, err := driver.Open(t.Context(), "hdc:K?"+query)
		require.ErrorIs(t, err, driver.ErrBadOption, query)
		require.ErrorContains(t, err, says)
	}
}
