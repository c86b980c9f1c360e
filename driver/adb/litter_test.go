package adb_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver/adb"
	"github.com/handset-go/handset/driver/sim"
)

// TestLitterOfAKilledProgram has the files of programs that were killed on the phone: old ones go, and
// those of a program that may be at work stay, as does what is not ours.
func TestLitterOfAKilledProgram(t *testing.T) {
	old, fresh := "handset-"+strings.Repeat("A2", 13)+".apk", "handset-"+strings.Repeat("B3", 13)+".xml"
	for _, profile := range []string{"a14", "a6"} {
		t.Run(profile, func(t *testing.T) {
			f := newFront(t, profile, sim.Options{})
			for _, name := range []string{old, fresh, "handset-notes.txt"} {
				require.NoError(t, f.device.FS().WriteFile("/data/local/tmp/"+name, []byte("x"), 0o644))
			}
			for _, name := range []string{old, "handset-notes.txt"} {
				require.NoError(t, f.device.FS().Touch("/data/local/tmp/"+name, time.Now().Add(-48*time.Hour)))
			}
			d, err := adb.New(t.Context(), f.device.Serial(), &adb.Options{Server: f.server.Addr(), NoStart: true})
			require.NoError(t, err)
			require.NoError(t, d.Close())
			list, err := f.device.FS().ReadDir("/data/local/tmp")
			require.NoError(t, err)
			var names []string
			for _, i := range list {
				names = append(names, i.Name())
			}
			require.ElementsMatch(t, []string{fresh, "handset-notes.txt"}, names)
		})
	}
}
