package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/internal/phonefront/wda"
)

func TestRun(t *testing.T) {
	phone, err := wda.NewPhone("iphone-se", nil)
	require.NoError(t, err)
	server, err := wda.Listen("127.0.0.1:0", phone, nil)
	require.NoError(t, err)
	defer server.Close()

	var out bytes.Buffer
	require.NoError(t, run(t.Context(), server.Addr(), &out))
	require.Contains(t, out.String(), "Bluetooth")
	require.Contains(t, out.String(), "(750,1334) pixels, ok")
	require.Equal(t, "com.apple.springboard", phone.Foreground().ID)
}
