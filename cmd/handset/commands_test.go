package main

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/android"
)

// Every operation of the contract that changes or reads a phone has a command that reaches it.
func TestEveryOperationHasACommand(t *testing.T) {
	commands := map[driver.Op]string{
		driver.OpScreenshot: "screenshot", driver.OpTree: "tree", driver.OpTap: "tap", driver.OpSwipe: "swipe",
		driver.OpKey: "key", driver.OpLaunch: "launch", driver.OpType: "type", driver.OpClearText: "clear",
		driver.OpSetText: "type", driver.OpDoubleTap: "tap", driver.OpLongPress: "tap", driver.OpDrag: "swipe",
		driver.OpPinch: "pinch", driver.OpForeground: "info", driver.OpApps: "apps", driver.OpStop: "stop",
		driver.OpOpenURL: "open", driver.OpRotation: "rotate", driver.OpRotate: "rotate", driver.OpWake: "wake",
		driver.OpLock: "lock", driver.OpPowerState: "info", driver.OpClipboard: "clipboard",
		driver.OpSetClipboard: "clipboard", driver.OpInstall: "install", driver.OpUninstall: "uninstall",
		driver.OpPush: "push", driver.OpPull: "pull", driver.OpShell: "shell", driver.OpLogs: "logs",
		driver.OpFrames: "frames", driver.OpDescribe: "info",
	}
	// A gesture of free paths is for programs; a name is resolved, and a phone released, within other commands.
	within := []driver.Op{driver.OpGesture, driver.OpResolve, driver.OpRelease}
	there := map[string]bool{}
	for _, c := range testParser().Model.Children {
		there[c.Name] = true
	}
	for _, op := range driver.Ops() {
		if command, ok := commands[op]; ok {
			require.True(t, there[command], "%s: no command %s", op, command)
			continue
		}
		require.Contains(t, within, op)
	}
}

func TestWakeAndLock(t *testing.T) {
	device, _ := attach(t, nil)
	p := device.Phone()
	run(t, "lock").ok(t)
	require.False(t, p.Power().On)
	run(t, "wake").ok(t)
	require.True(t, p.Power().On)
	require.True(t, p.Power().Locked, "waking does not unlock")
	require.Equal(t, map[string]any{"done": "wake", "unlock": true}, object(t, run(t, "--json", "wake", "--unlock").ok(t)))
	require.False(t, p.Power().Locked)
	run(t, "-d", "sim:", "wake", "--unlock").fails(t, exitDevice, "cannot unlock the phone")
}

func TestUnlockOnEveryPlatform(t *testing.T) {
	for name, attach := range map[string]func(*testing.T, *sim.Options) (*sim.Phone, string){"harmony": attachHarmony, "iphone": attachIPhone} {
		t.Run(name, func(t *testing.T) {
			p, address := attach(t, &sim.Options{Locked: true, Asleep: true})
			run(t, "-d", address, "wake", "--unlock").ok(t)
			require.Equal(t, driver.Power{On: true}, p.Power())
		})
	}
}

func TestUnlockWithPIN(t *testing.T) {
	t.Setenv("PHONE_PIN", "2580")
	device, _ := attach(t, &sim.Options{Locked: true, PIN: "2580"})
	harmony, address := attachHarmony(t, &sim.Options{Locked: true, PIN: "2580"})
	for address, p := range map[string]*sim.Phone{"adb:" + device.Serial(): device.Phone(), address: harmony} {
		run(t, "-d", address, "wake", "--unlock").fails(t, exitDevice, "unlock")
		run(t, "-d", address, "wake", "--unlock", "--pin-env", "PHONE_PIN").ok(t)
		require.Equal(t, driver.Power{On: true}, p.Power())
	}
	_, address = attachIPhone(t, &sim.Options{Locked: true})
	run(t, "-d", address, "wake", "--unlock", "--pin-env", "PHONE_PIN").fails(t, exitDevice, "cannot type a PIN")
}

func TestOpen(t *testing.T) {
	device, _ := attach(t, nil)
	run(t, "open", "https://example.com/?a=1&b='2'").ok(t)
	urls := device.Phone().Events("url")
	require.Len(t, urls, 1)
	require.Equal(t, "https://example.com/?a=1&b='2'", urls[0].String("url"))
	run(t, "open", "tel:112").fails(t, exitDenied, "it may call")
	require.Len(t, device.Phone().Events("url"), 1)
}

func TestPinchAndClear(t *testing.T) {
	p, address := attachHarmony(t, nil)
	out := object(t, run(t, "-d", address, "--json", "pinch", "--rel", "500,500", "0.5", "--over", "300ms").ok(t))
	require.Equal(t, 0.5, out["scale"])
	require.Len(t, p.Events("pinch"), 1)

	device, _ := attach(t, &sim.Options{Start: "com.handset.notes"})
	focusNote(t)
	run(t, "type", "milk").ok(t)
	run(t, "clear").ok(t)
	field, _ := device.Phone().Focused()
	require.Empty(t, field.Text)
	run(t, "pinch", "500,500", "2").fails(t, exitDevice, "install scrcpy")
}

func TestRotate(t *testing.T) {
	device, _ := attach(t, nil)
	require.Equal(t, "0\n", run(t, "rotate").ok(t))
	run(t, "rotate", "1").ok(t)
	require.Equal(t, 1, device.Phone().Rotation())
	require.Equal(t, map[string]any{"rotation": 1.0}, object(t, run(t, "--json", "rotate").ok(t)))
	run(t, "rotate", "auto").ok(t)
	run(t, "-d", "sim:", "rotate", "auto").fails(t, exitDevice, "as the phone is held")
}

func TestClipboard(t *testing.T) {
	p := sim.New(&sim.Options{Name: "clip"})
	run(t, "-d", "sim:clip", "clipboard", "it's 你好").ok(t)
	require.Equal(t, "it's 你好", p.Clipboard())
	require.Equal(t, "it's 你好\n", run(t, "-d", "sim:clip", "clipboard").ok(t))
	feed(t, "two\nlines\n", "-d", "sim:clip", "clipboard", "-").ok(t)
	require.Equal(t, map[string]any{"text": "two\nlines"}, object(t, run(t, "-d", "sim:clip", "--json", "clipboard").ok(t)))
	run(t, "-d", "sim:clip", "clipboard", "").ok(t)
	require.Empty(t, p.Clipboard())
}

func TestNotificationsAndBattery(t *testing.T) {
	device, _ := attach(t, nil)
	shade := func() bool {
		return device.Phone().Tree().Find(func(_ *driver.Tree, n *driver.Node) bool { return n.Window == driver.WindowNotification }) != nil
	}
	device.Phone().Notify(sim.Notification{App: "com.android.messaging", Title: "Alice", Text: "hello"})
	run(t, "notifications").ok(t)
	require.Contains(t, run(t, "tree").ok(t), "hello")
	run(t, "notifications", "--close").ok(t)
	require.False(t, shade())
	require.Contains(t, run(t, "battery").ok(t), "82")
	require.Equal(t, 82.0, object(t, run(t, "--json", "battery").ok(t))["percent"])
	run(t, "-d", "sim:", "notifications").fails(t, exitDevice, "swipe down")
	run(t, "-d", "sim:", "battery").fails(t, exitDevice, "battery")
}

func TestShell(t *testing.T) {
	attach(t, nil)
	require.Equal(t, "it's; $(a) | b\n", run(t, "shell", "echo", "it's; $(a) | b").ok(t), "each argument is one on the phone")
	require.Equal(t, "-n --json -d\n", run(t, "shell", "echo", "-n --json", "-d").ok(t), "what follows the command is the phone's")
	require.Equal(t, "x\n", run(t, "shell", "--", "echo", "x").ok(t))

	r := run(t, "shell", "sh", "-c", "echo out; echo err >&2; exit 42")
	require.Equal(t, result{42, "out\n", "err\n"}, r)
	j := run(t, "--json", "shell", "sh", "-c", "echo out; echo err >&2; exit 42")
	require.Equal(t, 42, j.status)
	require.Equal(t, map[string]any{"stdout": "out\n", "stderr": "err\n", "code": 42.0}, object(t, j.out))
	require.Equal(t, "\xff\x00", run(t, "shell", "printf", `\377\000`).ok(t), "bytes arrive as they are")
	require.Equal(t, "/wA=", object(t, run(t, "--json", "shell", "printf", `\377\000`).ok(t))["stdout_base64"])
}

func TestPushAndPull(t *testing.T) {
	attach(t, nil)
	dir := t.TempDir()
	t.Chdir(dir)
	data := bytes.Repeat([]byte("\x00\xffdata"), 40_000)
	require.NoError(t, os.WriteFile("a.bin", data, 0o600))
	run(t, "push", "a.bin", "/sdcard/Download/").ok(t)
	require.Equal(t, map[string]any{"done": "pull", "file": "b.bin"}, object(t, run(t, "--json", "pull", "/sdcard/Download/a.bin", "b.bin").ok(t)))
	got, err := os.ReadFile("b.bin")
	require.NoError(t, err)
	require.Equal(t, data, got)
	require.NoError(t, os.Mkdir("in", 0o755))
	require.Equal(t, filepath.Join("in", "a.bin")+"\n", run(t, "pull", "/sdcard/Download/a.bin", "in").ok(t))

	feed(t, "from stdin", "push", "-", "/sdcard/x.txt").ok(t)
	require.Equal(t, "from stdin", run(t, "pull", "/sdcard/x.txt", "-").ok(t))
	run(t, "pull", "/sdcard/none", "none").fails(t, exitDevice, "/sdcard/none")
	require.NoFileExists(t, "none")
	require.NoFileExists(t, "none.part")
	run(t, "pull", "/sdcard/x.txt", "no/such/dir").fails(t, exitUsage, "no/such/dir")
}

func TestPullKeepsWhatIsNotItsOwn(t *testing.T) {
	attach(t, nil)
	t.Chdir(t.TempDir())
	feed(t, "new", "push", "-", "/sdcard/x.txt").ok(t)
	require.NoError(t, os.WriteFile("x.txt.part", []byte("mine"), 0o600))
	require.NoError(t, os.WriteFile("real", []byte("old"), 0o600))
	require.NoError(t, os.Symlink("real", "link"))
	require.NoError(t, os.Symlink(os.DevNull, "device"))

	run(t, "pull", "/sdcard/none", "x.txt").fails(t, exitDevice, "/sdcard/none")
	run(t, "pull", "/sdcard/x.txt").ok(t)
	run(t, "pull", "/sdcard/x.txt", "link").ok(t)
	run(t, "pull", "/sdcard/x.txt", "device").ok(t)

	for name, want := range map[string]string{"x.txt": "new", "x.txt.part": "mine", "real": "new"} {
		got, err := os.ReadFile(name)
		require.NoError(t, err)
		require.Equal(t, want, string(got), name)
	}
	for _, name := range []string{"link", "device"} {
		info, err := os.Lstat(name)
		require.NoError(t, err)
		require.Equal(t, fs.ModeSymlink, info.Mode().Type(), name)
	}
	left, err := filepath.Glob("*.part*")
	require.NoError(t, err)
	require.Equal(t, []string{"x.txt.part"}, left)
}

func TestPushAndPullFolders(t *testing.T) {
	attach(t, nil)
	t.Chdir(t.TempDir())
	require.NoError(t, os.MkdirAll("src/deep", 0o755))
	require.NoError(t, os.WriteFile("src/deep/a.txt", []byte("a"), 0o600))
	run(t, "push", "src", "/sdcard/new").ok(t)
	run(t, "pull", "/sdcard/new", "back").ok(t)
	got, err := os.ReadFile("back/deep/a.txt")
	require.NoError(t, err)
	require.Equal(t, "a", string(got))
	run(t, "push", "src/deep/a.txt", "/sdcard/new").fails(t, exitUsage, "end it with /")
	run(t, "push", "src/deep/a.txt", "/sdcard/new/").ok(t)
	run(t, "pull", "/sdcard/new", "-").fails(t, exitUsage, "stdout cannot take")
	run(t, "-d", "sim:", "push", "src", "/sdcard/new").fails(t, exitDevice, "one by one")
}

func TestLogs(t *testing.T) {
	attach(t, nil)
	run(t, "logs", "--for", "50ms").ok(t) // however little came until then
	for _, args := range [][]string{{"logs"}, {"logs", "--for", "1h"}, {"--json", "logs"}} {
		s := serveCommand(t, args...)
		require.NotEmpty(t, s.line)
		out := s.line + s.stop().ok(t)
		if args[0] != "--json" {
			continue
		}
		for line := range strings.Lines(out) {
			require.Contains(t, object(t, line), "line")
		}
	}
	run(t, "-d", "sim:", "logs").fails(t, exitDevice, "logs")
}

func TestFrames(t *testing.T) {
	device, _ := attach(t, nil)
	dir := filepath.Join(t.TempDir(), "frames")
	out := run(t, "frames", "-o", dir, "--rate", "60", "--count", "3").ok(t)
	files := lines(out)
	require.Len(t, files, 3)
	for _, file := range files {
		require.FileExists(t, file)
		require.Equal(t, ".png", filepath.Ext(file))
	}
	movie := run(t, "frames", "-o", "-", "--rate", "60", "--count", "2").ok(t)
	require.Equal(t, 2, strings.Count(movie, "\xff\xd8\xff"), "two JPEGs, one behind the other")
	later := lines(run(t, "frames", "-o", dir, "--rate", "60", "--count", "1").ok(t))
	require.Equal(t, []string{filepath.Join(dir, "frame-000004.png")}, later, "a second recording goes on after the first")
	for _, taken := range []string{"frame-000006.jpg", "frame-9223372036854775807.png"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, taken), nil, 0o600))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "frame-000007.png"), []byte("another's"), 0o600))
	last := 6
	file, err := (&framesCmd{Output: dir}).write([]byte("mine"), ".png", &last)
	require.NoError(t, err)
	require.Equal(t, filepath.Join(dir, "frame-000008.png"), file, "another recording goes into the same folder")
	later = lines(run(t, "frames", "-o", dir, "--count", "1").ok(t))
	require.Equal(t, []string{filepath.Join(dir, "frame-000009.png")}, later)
	require.NoError(t, device.SetFault(android.FaultScreencapSlow+"=60s", true))
	run(t, "frames", "-o", dir, "--for", "200ms").fails(t, exitDevice, "no frame came within 200ms")
	run(t, "--json", "frames", "-o", "-").fails(t, exitUsage)
}

func TestAlert(t *testing.T) {
	p, address := attachIPhone(t, nil)
	run(t, "-d", address, "alert").fails(t, exitIncomplete, "none is open")
	run(t, "-d", address, "launch", "Camera").ok(t)
	said := object(t, run(t, "-d", address, "--json", "alert").ok(t))
	buttons := said["buttons"].([]any)
	require.NotEmpty(t, said["text"])
	require.Contains(t, buttons, "Only this time")
	run(t, "-d", address, "alert", "Accept").fails(t, exitIncomplete, `no button "Accept"`, buttons[0].(string))
	require.Empty(t, p.Value("permission.camera"))

	run(t, "-d", address, "alert", "Only this time").ok(t)
	require.Equal(t, "true", p.Value("permission.camera"))
	run(t, "-d", "sim:", "alert").fails(t, exitDevice, "handset tree")
}

// The button of an alert is judged as any other: by its label, and by what the alert asks.
func TestAlertIsJudged(t *testing.T) {
	ask := sim.Screen{ID: "main", Title: sim.T("Trip", ""), Page: "Main", Enter: []sim.Effect{sim.Ask("sure")}}
	sure := sim.Dialog{ID: "sure", Title: sim.T("Delete this trip?", ""), Buttons: []sim.Widget{
		{Kind: sim.KindButton, Text: sim.T("Cancel", ""), Do: []sim.Effect{sim.Emit("kept")}},
		{Kind: sim.KindButton, Text: sim.T("OK", ""), Do: []sim.Effect{sim.Emit("deleted")}},
	}}
	p, address := attachIPhone(t, &sim.Options{Apps: []sim.App{{ID: "com.example.trip", Name: sim.T("Trip", ""), Screens: []sim.Screen{ask}, Dialogs: []sim.Dialog{sure}}}})
	run(t, "-d", address, "launch", "com.example.trip").ok(t)
	require.Contains(t, run(t, "-d", address, "alert").ok(t), "[OK]")
	run(t, "-d", address, "alert", "OK").fails(t, exitDenied, "Delete this trip?")
	require.Empty(t, p.Events("deleted"))
	run(t, "-d", address, "--yes", "alert", "OK").ok(t)
	require.Len(t, p.Events("deleted"), 1)
}

func TestClearDataIsAskedAbout(t *testing.T) {
	device, _ := attach(t, nil)
	run(t, "clear-data", "com.handset.notes").fails(t, exitDenied, "clear data adb:", "everything that the app has stored is deleted", "--yes")
	last, _ := device.Requests()
	require.NotContains(t, strings.Join(last, "\n"), "pm clear")
	run(t, "--yes", "clear-data", "com.handset.notes").ok(t)
	last, _ = device.Requests()
	require.Contains(t, strings.Join(last, "\n"), "pm clear")
	run(t, "--yes", "-d", "sim:", "clear-data", "com.handset.notes").fails(t, exitDevice, "uninstall it instead")
}

func TestReverseEndsWithTheCommand(t *testing.T) {
	device, _ := attach(t, nil)
	echo, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer echo.Close()
	ctx, cancel := context.WithCancel(t.Context())
	var out buffer
	ended := make(chan int, 1)
	go func() {
		a := &app{ctx: ctx, stdin: strings.NewReader(""), stdout: &out, stderr: io.Discard}
		ended <- a.main([]string{"reverse", "tcp:4000", echo.Addr().String()})
	}()
	soon(t, "the tunnel is there", func() bool { return out.String() == "tcp:4000\n" })
	cancel()
	require.Equal(t, exitDone, <-ended)
	last, _ := device.Requests()
	require.Contains(t, strings.Join(last, "\n"), "killforward:tcp:4000")
	run(t, "-d", "sim:", "forward", "tcp:1").fails(t, exitDevice, "lead ports")
}

func TestForwardEndsWithThePhone(t *testing.T) {
	device, server := attach(t, nil)
	var out, errs buffer
	ended := make(chan int, 1)
	go func() {
		a := &app{ctx: t.Context(), stdin: strings.NewReader(""), stdout: &out, stderr: &errs}
		ended <- a.main([]string{"forward", "tcp:4000"})
	}()
	soon(t, "the tunnel is there", func() bool { return strings.HasPrefix(out.String(), "127.0.0.1:") })
	server.Detach(device.Serial())
	require.Equal(t, exitDevice, <-ended)
	require.Contains(t, errs.String(), device.Serial())
	require.Contains(t, errs.String(), "the tunnel is gone")
}

func TestHideKeyboard(t *testing.T) {
	p, address := attachIPhone(t, &sim.Options{Start: "com.handset.notes"})
	require.Equal(t, map[string]any{"done": "hide-keyboard"}, object(t, run(t, "-d", address, "--json", "hide-keyboard").ok(t)), "there is none")
	run(t, "-d", address, "tap", "--text", "New note").ok(t)
	p.Tap(p.Tree().Find(driver.ByRole(driver.RoleEdit)).Center())
	require.True(t, p.KeyboardShown())
	run(t, "-d", address, "hide-keyboard").fails(t, exitDevice, "the app does not let the keyboard go")
	run(t, "-d", "sim:", "hide-keyboard").fails(t, exitDevice, "handset key Back")
}

func TestHideKeyboardSendsNothing(t *testing.T) {
	p, address := attachIPhone(t, nil)
	run(t, "-d", address, "launch", "Messages").ok(t)
	p.Tap(p.Tree().Find(driver.Contains("Alice")).Center())
	p.Tap(p.Tree().Find(driver.ByRole(driver.RoleEdit)).Center())
	run(t, "-d", address, "type", "not yet").ok(t)
	run(t, "-d", address, "hide-keyboard").fails(t, exitDevice, "the app does not let the keyboard go")
	require.Empty(t, p.Events("message_sent"))
	require.Empty(t, p.Events("editor_action"), "the key Return, which is labelled Send here")
}

func TestTCPIPOff(t *testing.T) {
	device, _ := attach(t, nil)
	require.Equal(t, map[string]any{"done": "tcpip", "off": true}, object(t, run(t, "--json", "tcpip", "--off").ok(t)))
	last, _ := device.Requests()
	require.Contains(t, strings.Join(last, "\n"), "usb:")
}
