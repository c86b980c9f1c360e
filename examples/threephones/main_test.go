package main

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	hdcfront "github.com/handset-go/handset/internal/phonefront/hdc"
)

func TestMain(m *testing.M) {
	if code, ok := hdcfront.AsTool(os.Args, os.LookupEnv); ok {
		os.Exit(code)
	}
	os.Exit(m.Run())
}

func TestRun(t *testing.T) {
	s, err := simulate()
	require.NoError(t, err)
	defer func() { require.NoError(t, s.close()) }()
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), s.addresses, &out))
	for _, platform := range []string{"android", "harmony", "ios"} {
		require.Contains(t, out.String(), platform)
	}
	for _, phone := range s.phones {
		require.Len(t, phone.Events("switch"), 1)
		require.Equal(t, "false", phone.Value("bluetooth"), phone.Platform())
	}
}
