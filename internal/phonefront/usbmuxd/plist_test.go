package usbmuxd

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPlistRoundTrip(t *testing.T) {
	want := map[string]any{
		"MessageType": "Attached", "DeviceID": 3, "Text": "a < b & \"c\" 你好",
		"Properties": map[string]any{"UDID": "X"}, "List": []any{1, "two", map[string]any{}},
	}
	got, err := readPlist(writePlist(want))
	require.NoError(t, err)
	require.Equal(t, want, got)
}

func TestPlistOfATool(t *testing.T) {
	const sent = `<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "x.dtd"><plist version="1.0">` +
		"<dict><key>Data</key><data>\n\tYWI=\n</data><key>Yes</key><true/><key>No</key><false></false><key>Half</key><real>0.5</real>" +
		"<key>PortNumber</key><integer>42015</integer></dict></plist>"
	got, err := readPlist([]byte(sent))
	require.NoError(t, err)
	require.Equal(t, map[string]any{"Data": []byte("ab"), "Yes": true, "No": false, "Half": 0.5, "PortNumber": 42015}, got)
}

func FuzzReadPlist(f *testing.F) {
	f.Add(writePlist(map[string]any{"MessageType": "ListDevices"}))
	f.Add([]byte("<plist><dict><key>a</key><array><integer>x</integer></array></dict></plist>"))
	f.Add([]byte("<dict><dict/></dict>"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if m, err := readPlist(data); err == nil {
			require.NotNil(t, m)
		}
	})
}
