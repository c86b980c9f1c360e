package adb

import (
	"io"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/nap"
)

// TestKnownLongSilence holds that no deadline of the connection is left over from its opening: a
// command may be silent for as long as its caller waits.
func TestKnownLongSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ours, theirs := net.Pipe()
		sock := newSocket(t.Context(), ours)
		defer sock.close()
		go func() {
			defer func() { _ = theirs.Close() }()
			_, _ = io.ReadFull(theirs, make([]byte, len("0006shell:")))
			_, _ = io.WriteString(theirs, "OKAY")
			_ = nap.For(t.Context(), 10*time.Minute)
			writePacket(theirs, packetStdout, "late")
			writePacket(theirs, packetExit, "\x00")
		}()
		require.NoError(t, sock.request("shell:"))
		out := &output{}
		require.NoError(t, sock.readShell(out, maxOutput))
		require.Equal(t, "late", string(out.stdout))
	})
}

// TestKnownRefusedForAMoment holds that a phone out of descriptors is asked once more: nothing was
// done, so that a gesture may be too.
func TestKnownRefusedForAMoment(t *testing.T) {
	f := newFake(t)
	refusals := 0
	f.setShell(func(line string) answer {
		if refusals > 0 {
			refusals--
			return answer{refuse: true}
		}
		return answer{}
	})
	d := f.open()
	refusals = 1
	_, err := d.Shell(t.Context(), "true")
	require.NoError(t, err)
	refusals = 1
	require.NoError(t, d.Key(t.Context(), driver.KeyHome))
	require.Len(t, f.ran("input keyevent"), 2, "the one that was refused, and the one that was done")
}

// TestKnownServerThatLingers has an old server, which does not close its half of a connection: the
// driver closes its own as soon as it has the answer.
func TestKnownServerThatLingers(t *testing.T) {
	f := newFake(t)
	f.mu.Lock()
	f.linger = true
	f.mu.Unlock()
	d := f.open()
	for range 20 {
		_, err := d.Shell(t.Context(), "true")
		require.NoError(t, err)
	}
	require.NoError(t, d.Close())
	require.Eventually(t, func() bool {
		f.mu.Lock()
		defer f.mu.Unlock()
		return len(f.conns) == 0
	}, 20*time.Second, time.Millisecond)
}

// TestKnownSplitText gets text byte by byte, in the middle of characters too.
func TestKnownSplitText(t *testing.T) {
	f := newFake(t)
	f.mu.Lock()
	f.piece = 1
	f.mu.Unlock()
	dump := strings.Replace(plainDump, `text=""`, `text="设置 👍 é"`, 1)
	f.on("uiautomator", dump)
	tree, err := f.open().Tree(t.Context())
	require.NoError(t, err)
	n := tree.Find(driver.ByText("设置 👍 é"))
	require.NotNil(t, n)
	require.NotNil(t, tree.Find(driver.ByID("send")), "the resource id is kept")
}

// TestKnownTreeOnASecondTry has a page that changes: no root, or a child that vanishes, which says
// nothing at all.
func TestKnownTreeOnASecondTry(t *testing.T) {
	for name, first := range map[string]answer{
		"null root": {err: "ERROR: null root node returned by UiTestAutomationBridge."},
		"NPE":       {code: 1},
		"killed":    {out: "Killed\n", code: 137},
		"unwritten": {out: "UI hierchary dumped to: /x\n", err: "cat: /x: No such file or directory"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			tries := 0
			f.setShell(func(line string) answer {
				if !strings.Contains(line, "uiautomator") {
					return answer{}
				}
				if tries++; tries == 1 {
					return first
				}
				return answer{out: plainDump}
			})
			_, err := f.open().Tree(t.Context())
			require.NoError(t, err)
			require.Equal(t, 2, tries)
		})
	}
}

// TestKnownNoDisplayID has a phone that warns of several displays and lists none.
func TestKnownNoDisplayID(t *testing.T) {
	whole := string(picture(t, 1080, 2400, false))
	for name, listing := range map[string]answer{
		"no such command": {out: "Unknown command: get-displays\n", code: 255},
		"none is on":      {out: "Displays:\nDisplay id 0: DisplayInfo{\"x\", state OFF, type INTERNAL, uniqueId \"local:1\"}\n"},
		"nothing":         {},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			f.on("screencap", answer{out: whole, err: "[Warning] Multiple displays were found, but no display id was specified!"},
				"get-displays", listing)
			d := f.open()
			for range 2 {
				_, err := d.Screenshot(t.Context())
				require.NoError(t, err)
			}
			for _, line := range f.ran("screencap") {
				require.NotRegexp(t, `-d *(null|-|;|$|')`, line)
			}
		})
	}
}

// TestKnownFocusLines reads lines by which other programs found the wrong app.
func TestKnownFocusLines(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"a search panel comes first", "  mCurrentFocus=Window{2f u0 SearchPanel}\n  mFocusedApp=ActivityRecord{d u0 com.app/.Main t4}", "com.app"},
		{"a popup of a player", "  mCurrentFocus=Window{2f u0 PopupWindow:1fe81ff}\n  mFocusedApp=ActivityRecord{d u0 com.tv/.Player t4}", "com.tv"},
		{"a keyboard", "  mCurrentFocus=Window{2f u0 InputMethod}\n  mFocusedApp=ActivityRecord{d u0 com.app/.Main t4}", "com.app"},
		{"a second user", "  mCurrentFocus=Window{2f u999 com.app/com.app.Main}", "com.app"},
		{"a u0 in the name", "  mCurrentFocus=Window{2f u0 com.u0.app/com.u0.app.u0}", "com.u0.app"},
		{"one display has none", "  mCurrentFocus=null\n  mFocusedApp=null\n  mCurrentFocus=Window{2f u0 com.app/com.app.Main}\n  mFocusedApp=ActivityRecord{d u0 com.app/.Main t4}", "com.app"},
		{"both have one", "  mCurrentFocus=Window{1 u0 com.cover/.Home}\n  mFocusedApp=ActivityRecord{d u0 com.app/.Main t4}\n  mCurrentFocus=Window{2f u0 com.app/com.app.Main}", "com.app"},
		{"in an animation", "  mCurrentFocus=null\n  mFocusedApp=ActivityRecord{d u0 com.app/.Main t4}", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { require.Equal(t, tt.want, parseFocus(tt.text).front.pkg) })
	}
}
