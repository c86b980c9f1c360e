package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/internal/phonefront/android"
)

// Each kind of call has its end, which the address can bring nearer.
func TestHungPhone(t *testing.T) {
	cases := []struct {
		fault string
		args  []string
	}{
		{android.FaultScreencapSlow, []string{"screenshot", "-o", "-"}},
		{android.FaultDumpSlow, []string{"tree"}},
		{android.FaultInputSlow, []string{"key", "Back"}},
	}
	for _, c := range cases {
		t.Run(c.fault, func(t *testing.T) {
			attach(t, nil, c.fault+"=1h")
			r := run(t, append([]string{"-d", "adb:SIM0001?limit=500ms"}, c.args...)...)
			r.fails(t, exitDevice, "adb:SIM0001: the phone took too long")
			require.Empty(t, r.out)
		})
	}
}

// A gesture that may have reached the phone is told to be one, to programs too, and is not sent again.
func TestLineThatBreaksAfterTheTap(t *testing.T) {
	device, _ := attach(t, nil, android.FaultDropAfterSend)
	run(t, "tap", "5,1000").fails(t, exitDevice, "it may have reached the phone")
	require.Len(t, device.Phone().Events("tap"), 1)
	j := run(t, "--json", "tap", "5,1000")
	require.Equal(t, exitDevice, j.status)
	require.Equal(t, true, object(t, j.out)["error"].(map[string]any)["maybe_done"])
	require.Len(t, device.Phone().Events("tap"), 2)
}

func TestLineThatBreaksInTheMiddle(t *testing.T) {
	for _, fault := range []string{android.FaultDropMidWrite, android.FaultServerDies, android.FaultProtocol, android.FaultBadLength, android.FaultClosed} {
		t.Run(fault, func(t *testing.T) {
			device, _ := attach(t, nil, fault)
			r := run(t, "screenshot", "-o", t.TempDir()+"/a.png")
			r.fails(t, exitDevice, "handset: ")
			require.Empty(t, r.out)
			require.Empty(t, device.Phone().Log())
		})
	}
}

func TestPhoneThatForbidsInput(t *testing.T) {
	attach(t, nil, android.FaultInjectEvents)
	run(t, "tap", "5,1000").fails(t, exitDevice, "blocks injected input")
}

func TestPhoneWithoutItsKeyboard(t *testing.T) {
	device, _ := attach(t, nil, android.FaultNoADBKeyBoard)
	_, err := device.Phone().StartApp("com.handset.notes")
	require.NoError(t, err)
	focusNote(t)
	run(t, "type", "你好").fails(t, exitDevice, "ADBKeyBoard", "install")
	run(t, "type", "plain").ok(t)
	field, _ := device.Phone().Focused()
	require.Equal(t, "plain", field.Text)
}

// Nothing stays open behind a command, whatever became of it.
func TestNoDescriptorIsLost(t *testing.T) {
	count := func() int {
		list, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skip("there is no /proc here")
		}
		return len(list)
	}
	device, _ := attach(t, nil)
	commands := func() {
		for _, args := range [][]string{{"info"}, {"tree"}, {"screenshot", "-o", "-"}, {"tap", "9999,1"}, {"launch", "nothing"}, {"type", "x"}, {"-d", "nobody", "info"}, {"run", "--max-steps=-1", "x"}} {
			run(t, args...)
		}
		require.NoError(t, device.SetFault(android.FaultDropMidWrite, true))
		run(t, "screenshot", "-o", "-")
		require.NoError(t, device.SetFault(android.FaultDropMidWrite, false))
	}
	commands()
	before := count()
	for range 5 {
		commands()
	}
	// The other side of a connection, in this process too, may take a moment to see its end.
	soon(t, "the descriptors are as many as before", func() bool { return count() <= before+2 })
}

// Where there is no tree, labels cannot be judged, and the person is told so.
func TestGestureThatCouldNotBeJudged(t *testing.T) {
	device, _ := attach(t, nil, android.FaultDumpIdle)
	r := run(t, "tap", "540,1200")
	r.ok(t)
	require.Contains(t, r.err, "the screen could not be read")
	require.NoError(t, device.SetFault(android.FaultDumpIdle, false))
	r = run(t, "tap", "540,1200")
	r.ok(t)
	require.NotContains(t, r.err, "warning")
}
