package adb_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/adb"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/android"
)

// TestLostKeysAreFoundOut holds that keys which a slow phone loses are told of (midscene #2056): of
// long texts always, of short ones where that was asked for.
func TestLostKeysAreFoundOut(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		prove      bool
		says       string
	}{
		{"long", strings.Repeat("lost keys ", 30), false, "lost some"},
		{"short and trusted", "lost keys", false, ""},
		{"short and proved", "lost keys", true, "lost some"},
		{"short, proved and whole", "whole", true, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFront(t, "a14", sim.Options{Start: "com.android.settings"})
			d, err := adb.New(t.Context(), f.device.Serial(), &adb.Options{Server: f.server.Addr(), NoStart: true, ProveText: tt.prove})
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, d.Close()) })
			tree, err := d.Tree(t.Context())
			require.NoError(t, err)
			require.NoError(t, d.Tap(t.Context(), tree.Find(driver.ByRole(driver.RoleEdit)).Center()))
			f.fault(t, android.FaultTextLoss)
			err = d.Type(t.Context(), tt.text)
			if tt.says == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, tt.says)
			require.True(t, driver.MaybeDone(err))
			require.NotContains(t, err.Error(), "keys ", "no typed text in an error")
		})
	}
}

// TestProvedTextArrives holds that a proof does not refuse what is right.
func TestProvedTextArrives(t *testing.T) {
	f := newFront(t, "a14", sim.Options{Start: "com.android.settings"})
	d, err := driver.Open(t.Context(), "adb:"+f.device.Serial()+"?server="+f.server.Addr()+"&start=false&prove=true")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	tree, err := d.Tree(t.Context())
	require.NoError(t, err)
	require.NoError(t, d.Tap(t.Context(), tree.Find(driver.ByRole(driver.RoleEdit)).Center()))
	for _, text := range []string{"it's 100%safe", "打开 \"设置\" 👍🏽 é"} {
		require.NoError(t, driver.SetText(t.Context(), d, text))
		got, ok := f.phone.Focused()
		require.True(t, ok)
		require.Equal(t, text, got.Text)
	}
}
