package adb_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/adb"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/android"
)

// TestTreeServers reads the trees of servers that other programs run, and does without those that fail.
func TestTreeServers(t *testing.T) {
	tests := []struct {
		name   string
		faults []string
		asked  string // of the server
		noTree bool   // neither it nor the phone's own tool has one
	}{
		{"u2", []string{android.FaultU2Server}, "u2 POST /jsonrpc/0", false},
		{"appium", []string{android.FaultAppium, android.FaultAppiumSession}, "/source", false},
		{"appium of 2022", []string{android.FaultAppium, android.FaultAppiumSession, android.FaultAppiumOld}, "/wd/hub/session/", false},
		{"appium without a session", []string{android.FaultAppium}, "/sessions", true},
		{"appium without a root", []string{android.FaultAppium, android.FaultAppiumSession, android.FaultAppiumNoRoot}, "/source", true},
		{"u2 that hangs", []string{android.FaultU2Server, android.FaultU2Hung}, "", true},
		{"u2 that is not connected", []string{android.FaultU2Server, android.FaultU2Error}, "u2 POST /jsonrpc/0", true},
		{"u2 without windows", []string{android.FaultU2Server, android.FaultU2Empty}, "u2 POST /jsonrpc/0", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFront(t, "a14", sim.Options{Start: "com.android.settings"})
			d := f.open(t)
			want, err := d.Tree(t.Context())
			require.NoError(t, err)
			for _, name := range tt.faults {
				f.fault(t, name)
			}
			adb.LookForTreeServer(d, !slices.Contains(tt.faults, android.FaultU2Hung))
			got, err := d.Tree(t.Context())
			requests := strings.Join(f.device.HelperRequests(), "\n")
			require.Contains(t, requests, tt.asked)
			require.NotContains(t, requests, "DELETE", "it is somebody else's")
			require.NotContains(t, requests, "/stop")
			require.NotContains(t, requests, "POST /session")
			if tt.noTree {
				require.ErrorIs(t, err, driver.ErrNoTree)
				return
			}
			require.NoError(t, err)
			require.Equal(t, want.App, got.App)
			require.Equal(t, want.Size, got.Size)
			for n := range want.Root.All() {
				if n.Text == "" {
					continue
				}
				m := got.Find(driver.ByText(n.Text))
				require.NotNil(t, m, n.Text)
				require.Equal(t, n.Bounds, m.Bounds, n.Text)
			}
		})
	}
}

// TestTreeServerOfARestlessScreen is what the server is for: the phone's own tool waits for rest.
func TestTreeServerOfARestlessScreen(t *testing.T) {
	f := newFront(t, "a14", sim.Options{Start: "com.android.settings"})
	f.fault(t, android.FaultDumpIdle)
	f.fault(t, android.FaultU2Server)
	d := f.open(t)
	adb.LookForTreeServer(d, true)
	_, err := d.Tree(t.Context())
	require.NoError(t, err)
	plain := f.openWith(t, adb.Options{NoTreeServer: true})
	_, err = plain.Tree(t.Context())
	require.ErrorIs(t, err, driver.ErrNoTree)
}

func TestLargeTrees(t *testing.T) {
	for _, server := range []string{"", android.FaultU2Server} {
		t.Run("from "+server, func(t *testing.T) {
			f := newFront(t, "a14", sim.Options{Start: "com.android.settings"})
			f.fault(t, android.FaultDumpBig+"=20000")
			if server != "" {
				f.fault(t, server)
			}
			d := f.open(t)
			adb.LookForTreeServer(d, true)
			tree, err := d.Tree(t.Context())
			require.NoError(t, err)
			n := 0
			for range tree.Root.All() {
				n++
			}
			require.Greater(t, n, 20_000)
		})
	}
}

func TestAllWindows(t *testing.T) {
	f := newFront(t, "a14", sim.Options{Start: "com.android.settings"})
	d := f.openWith(t, adb.Options{AllWindows: true, CompressedTree: true})
	tree, err := d.Tree(t.Context())
	require.NoError(t, err)
	require.Equal(t, "com.android.settings", tree.App.ID)
	require.NotNil(t, tree.Find(driver.ByText("Bluetooth")))
	last, _ := f.device.Requests()
	require.Contains(t, strings.Join(last, "\n"), "uiautomator dump --compressed --windows /data")
}
