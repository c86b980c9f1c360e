package adb

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDisplayInUse(t *testing.T) {
	const (
		second = `Display id 3: DisplayInfo{"Second Screen", displayId 3, state ON, type INTERNAL, uniqueId "local:22", app 1 x 1}`
		tv     = `Display id 4: DisplayInfo{"HDMI", displayId 4, state ON, type EXTERNAL, uniqueId "local:33", app 1 x 1}`
	)
	off := "Displays:\n" + `Display id 0: DisplayInfo{"Built-in Screen", displayId 0, state OFF, type INTERNAL, uniqueId "local:11", app 1 x 1}` + "\n"
	tests := []struct {
		name, displays, viewports, id string
		count                         int
	}{
		{"nothing told", "", "", "", 0},
		{"the second is on", off + second + "\n", "", "22", 2},
		{"an external one does not count", off + tv + "\n", "", "", 1},
		{"by viewports", "", "DisplayViewport{type=INTERNAL, valid=true, isActive=false, displayId=0, uniqueId='local:11', physicalPort=0}\n" +
			"DisplayViewport{type=INTERNAL, valid=true, isActive=true, displayId=3, uniqueId='local:22', physicalPort=1}", "22", 2},
		{"two active viewports", "", "DisplayViewport{type=INTERNAL, isActive=true, displayId=3, uniqueId='local:22', physicalPort=1}" +
			"DisplayViewport{type=INTERNAL, isActive=true, displayId=0, uniqueId='local:11', physicalPort=0}", "11", 2},
		{"a vendor's refusal", "Unknown command: get-displays\n", "DisplayViewport{type=VIRTUAL, isActive=true, displayId=7, uniqueId='virtual:x'}", "", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			id, count := displayInUse(tt.displays, tt.viewports)
			require.Equal(t, tt.id, id)
			require.Equal(t, tt.count, count)
		})
	}
}
