package adb

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/nap"
)

// picture returns a PNG with some content, or of one colour.
func picture(t testing.TB, w, h int, plain bool) []byte {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.RGBA{A: 255}
			if !plain {
				c = color.RGBA{uint8(x * y), uint8(x ^ y), uint8(x*7 + y*13), 255}
			}
			m.SetRGBA(x, y, c)
		}
	}
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, m))
	return b.Bytes()
}

func TestTapIsOneCommand(t *testing.T) {
	f := newFake(t)
	d := f.open()
	require.NoError(t, d.Tap(t.Context(), image.Pt(1079, 2399)))
	require.Equal(t, []string{"input tap 1079 2399"}, f.ran(""))
}

func TestGestureLines(t *testing.T) {
	f := newFake(t)
	d := f.open()
	ctx := t.Context()
	tests := []struct {
		name string
		call func() error
		want string
	}{
		{"double tap", func() error { return d.DoubleTap(ctx, image.Pt(1, 2)) }, "input tap 1 2 && input tap 1 2"},
		{"swipe", func() error { return d.Swipe(ctx, image.Pt(1, 2), image.Pt(3, 4), 0) }, "input swipe 1 2 3 4 300"},
		{"short swipe", func() error { return d.Swipe(ctx, image.Pt(1, 2), image.Pt(3, 4), time.Microsecond) }, "input swipe 1 2 3 4 1"},
		{"long press", func() error { return d.LongPress(ctx, image.Pt(1, 2), 0) }, "input swipe 1 2 1 2 1000"},
		{"drag", func() error { return d.Drag(ctx, image.Pt(1, 2), image.Pt(3, 4), 0, time.Second) }, "input draganddrop 1 2 3 4 1000"},
		{"key", func() error { return d.Key(ctx, driver.KeyBack) }, "input keyevent 4"},
		{"key by alias", func() error { return d.Key(ctx, "KEYCODE_ENTER") }, "input keyevent 66"},
		{"key of Android", func() error { return d.Key(ctx, "KEYCODE_CALL") }, "input keyevent KEYCODE_CALL"},
		{"key by number", func() error { return d.Key(ctx, "5") }, "input keyevent 5"},
		{"wake", func() error { return d.Wake(ctx) }, "input keyevent 224"},
		{"lock", func() error { return d.Lock(ctx) }, "input keyevent 223"},
		{"open url", func() error { return d.OpenURL(ctx, "https://example.com/?a=1&b='$(x)") },
			`am start -a android.intent.action.VIEW -d 'https://example.com/?a=1&b='\''$(x)'`},
		{"shell", func() error { _, err := d.Shell(ctx, "echo", "a b", "", "$HOME", "-x=1"); return err }, `echo 'a b' '' '$HOME' '-x=1'`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := d.frameSize(ctx) // a call before may have turned the phone
			require.NoError(t, err)
			f.ran("")
			require.NoError(t, tt.call())
			require.Equal(t, []string{tt.want}, f.ran(""))
		})
	}
	for _, k := range driver.Keys() {
		require.NoError(t, d.Key(ctx, k), k)
	}
	require.ErrorIs(t, d.Key(ctx, "Warp"), errors.ErrUnsupported)
	require.ErrorIs(t, d.Key(ctx, "KEYCODE_X; reboot"), errors.ErrUnsupported)
	require.ErrorContains(t, d.Key(ctx, "Warp"), "VolumeUp")
}

func TestInputFailures(t *testing.T) {
	const miui = "::handset-0::\nV14\n"
	tests := []struct {
		name  string
		say   answer
		want  error
		maybe bool
		text  string
	}{
		{"blocked, old", answer{err: "java.lang.SecurityException: Injecting to another application requires INJECT_EVENTS permission"}, driver.ErrInputBlocked, false, "Security settings"},
		{"blocked, new", answer{err: "… to have the INJECT_EVENTS permission.", code: 255}, driver.ErrInputBlocked, false, "Mi account"},
		{"usage with 0", answer{out: "Error: Invalid arguments for command: tap"}, errInput, false, "Invalid"},
		{"killed", answer{code: 137}, errInput, true, "137"},
		{"exception with 0", answer{err: "java.lang.NullPointerException: x"}, errInput, true, "NullPointer"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t)
			f.on("input", tt.say, "getprop", miui)
			err := f.open().Tap(t.Context(), image.Pt(1, 1))
			require.ErrorIs(t, err, tt.want)
			require.ErrorContains(t, err, tt.text)
			require.Equal(t, tt.maybe, driver.MaybeDone(err))
		})
	}
}

// TestGesturesAreNotRepeated counts what reached the phone for each way in which a line can fail.
func TestGesturesAreNotRepeated(t *testing.T) {
	tests := []struct {
		name  string
		say   answer
		maybe bool
		times int
	}{
		{"the line breaks after the send", answer{drop: true}, true, 1},
		{"the phone refuses the service", answer{refuse: true}, false, retries + 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t)
			f.on("input", tt.say)
			err := f.open().Tap(t.Context(), image.Pt(1, 1))
			require.Error(t, err)
			require.Equal(t, tt.maybe, driver.MaybeDone(err), "%v", err)
			require.Len(t, f.ran("input tap"), tt.times)
		})
	}
}

func TestTransportFailuresAreNotMaybeDone(t *testing.T) {
	f := newFake(t)
	d := f.open()
	f.mu.Lock()
	f.host = func(service string) (string, bool) {
		return "device offline", strings.HasPrefix(service, "host:transport:")
	}
	f.mu.Unlock()
	err := d.Tap(t.Context(), image.Pt(1, 1))
	require.ErrorIs(t, err, driver.ErrOffline)
	require.False(t, driver.MaybeDone(err))
	f.stop()
	err = d.Tap(t.Context(), image.Pt(1, 1))
	require.ErrorIs(t, err, ErrNoServer)
	require.False(t, driver.MaybeDone(err))
}

func TestOffScreenAndScale(t *testing.T) {
	f := newFake(t)
	small := image.Pt(540, 1200) // a ROM that captures fewer pixels than it has
	f.on("screencap", string(picture(t, small.X, small.Y, false)),
		"wm size", sectionLabel(0)+"\nPhysical size: 1080x2400\n"+sectionLabel(1)+"\n  mDisplayId=0\n  cur=1080x2400\n")
	d := f.open()
	require.ErrorIs(t, d.Tap(t.Context(), image.Pt(1080, 0)), driver.ErrOffScreen)
	require.Empty(t, f.ran("input"))
	s, err := d.Screenshot(t.Context())
	require.NoError(t, err)
	require.Equal(t, small, s.Size())
	require.ErrorIs(t, d.Tap(t.Context(), small), driver.ErrOffScreen)
	require.NoError(t, d.Tap(t.Context(), image.Pt(539, 0)))
	require.Equal(t, []string{"input tap 1079 1"}, f.ran("input"))
	f.on("uiautomator", `<hierarchy rotation="0"><node class="x" package="p.q" bounds="[0,0][1080,2400]"/></hierarchy>`)
	tree, err := d.Tree(t.Context())
	require.NoError(t, err)
	require.Equal(t, small, tree.Size)
	require.Equal(t, image.Rectangle{Max: small}, tree.Root.Bounds)
}

func TestTurnedPhone(t *testing.T) {
	f := newFake(t)
	f.on("screencap", string(picture(t, 1080, 2400, false)), "wm size",
		sectionLabel(0)+"\nPhysical size: 1080x2400\n"+sectionLabel(1)+"\n  mDisplayId=0\n  cur=2400x1080\n  mCurrentRotation=ROTATION_90\n")
	d := f.open()
	_, err := d.Screenshot(t.Context())
	require.NoError(t, err)
	require.NoError(t, d.Tap(t.Context(), image.Pt(2399, 1079)), "before it refuses, it looks whether the phone was turned")
	require.ErrorIs(t, d.Tap(t.Context(), image.Pt(1079, 2399)), driver.ErrOffScreen)
	require.NoError(t, d.Key(t.Context(), driver.KeyHome))
	f.ran("")
	require.NoError(t, d.Tap(t.Context(), image.Pt(1, 1)))
	require.Len(t, f.ran("wm size"), 1, "after Home it measures again")
}

func TestScreenshot(t *testing.T) {
	whole := string(picture(t, 300, 600, false))
	black := string(picture(t, 1080, 2400, true))
	awake := sectionLabel(0) + "\n  mWakefulness=Awake\n" + sectionLabel(1) + "\n"
	secure := awake + "  Window #3 Window{aa u0 Other}:\n mAttrs={fl=NOT_FOCUSABLE}\n  Window #4 Window{bb u0 com.bank/.Main}:\n" +
		"    fl=LAYOUT_IN_SCREEN SECURE HARDWARE_ACCELERATED\n  mCurrentFocus=Window{bb u0 com.bank/.Main}\n"
	size := sectionLabel(0) + "\nPhysical size: 300x600\n" + sectionLabel(1) + "\n"
	tests := []struct {
		name   string
		say    []any
		health driver.Health
		err    error
		text   string
	}{
		{"whole", []any{"screencap", whole}, driver.HealthOK, nil, ""},
		{"a vendor's words before and behind", []any{"screencap", "warn\n" + whole + "bye"}, driver.HealthOK, nil, ""},
		{"one colour", []any{"screencap", black, "mWakefulness", awake}, driver.HealthOK, nil, ""},
		{"secure", []any{"screencap", black, "mWakefulness", secure}, driver.HealthProtected, nil, ""},
		{"asleep", []any{"screencap", black, "mWakefulness", strings.Replace(awake, "Awake", "Dozing", 1)}, driver.HealthAsleep, nil, ""},
		{"cut off", []any{"screencap", whole[:len(whole)/2]}, "", errTruncated, "cut off"},
		{"a terminal's line ends", []any{"screencap", strings.ReplaceAll(whole, "\n", "\r\n")}, "", errNoPicture, ""},
		{"refused", []any{"screencap", answer{err: "Failed to take screenshot. Status: -1", code: 1}, "mWakefulness", awake}, "", errNoPicture, "Status: -1"},
		{"nothing, asleep", []any{"screencap", "", "mWakefulness", strings.Replace(awake, "Awake", "Asleep", 1)}, "", driver.ErrAsleep, "wake"},
		{"the device went away", []any{"screencap", answer{out: whole, drop: true}}, "", driver.ErrOffline, "connection"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t)
			f.on(append(tt.say, "wm size", size)...)
			s, err := f.open().Screenshot(t.Context())
			if tt.health == "" {
				require.Nil(t, s)
				require.ErrorIs(t, err, tt.err)
				require.ErrorContains(t, err, tt.text)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.health, s.Health())
			_, err = s.Image()
			require.NoError(t, err)
		})
	}
}

func TestEmptyScreenshotIsTriedOnceMore(t *testing.T) {
	f := newFake(t)
	n := 0
	f.setShell(func(line string) answer {
		if strings.HasPrefix(line, "screencap") {
			if n++; n > 1 {
				return answer{out: string(picture(t, 1080, 2400, false))}
			}
		}
		return answer{}
	})
	_, err := f.open().Screenshot(t.Context())
	require.NoError(t, err)
	require.Equal(t, 2, n)
}

func TestDisplayOfAFoldable(t *testing.T) {
	const displays = `Displays:
Display id 0: DisplayInfo{"Built-in", displayId 0, state OFF, type INTERNAL, uniqueId "local:4619827259835644672", app 2076 x 2152}
Display id 3: DisplayInfo{"Second", displayId 3, state ON, type INTERNAL, uniqueId "local:4619827551948147201", app 1080 x 2400}`
	f := newFake(t)
	warning := answer{out: string(picture(t, 1080, 2400, false)), err: "[Warning] Multiple displays were found, but no display id was specified!"}
	f.on("screencap", warning, "get-displays", displays)
	d := f.open()
	for range 2 {
		_, err := d.Screenshot(t.Context())
		require.NoError(t, err)
	}
	require.Equal(t, []string{"screencap -p", "cmd display get-displays", "screencap -p -d 4619827551948147201", "screencap -p -d 4619827551948147201"}, f.ran(""))
}

func TestTreeFailures(t *testing.T) {
	tests := []struct {
		name  string
		say   answer
		want  error
		text  string
		tries int
	}{
		{"never idle", answer{err: "ERROR: could not get idle state."}, driver.ErrNoTree, "never came to rest", 1},
		{"null root", answer{err: "ERROR: null root node returned by UiTestAutomationBridge."}, driver.ErrNoTree, "root", dumpTries},
		{"says nothing", answer{code: 1}, driver.ErrNoTree, "printed nothing", dumpTries},
		{"busy", answer{err: "java.lang.IllegalStateException: UiAutomationService … already registered!"}, driver.ErrNoTree, "Appium", 1},
		{"emoji on an old one", answer{err: "java.lang.IllegalArgumentException: Illegal character (d83d)"}, driver.ErrNoTree, "emoji", 1},
		{"success without a file", answer{out: "UI hierchary dumped to: /x\n", err: "cat: /x: No such file or directory"}, driver.ErrNoTree, "No such file", dumpTries},
		{"none at all", answer{err: "/system/bin/sh: uiautomator: inaccessible or not found", code: 127}, errors.ErrUnsupported, "", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t)
			f.on("uiautomator", tt.say)
			d := f.open()
			_, err := d.Tree(t.Context())
			require.ErrorIs(t, err, tt.want)
			require.ErrorContains(t, err, tt.text)
			require.Len(t, f.ran("uiautomator"), tt.tries)
		})
	}
}

func TestTreeJudgesTheFile(t *testing.T) {
	f := newFake(t)
	f.on("uiautomator", answer{out: plainDump, err: "java.io.FileNotFoundException: /data/system/theme_config/theme_compatibility.xml", code: 1})
	d := f.open()
	tree, err := d.Tree(t.Context())
	require.NoError(t, err, "a status of 1 with a good file is a tree")
	require.Equal(t, image.Pt(2400, 1080), tree.Size)
	line := f.ran("uiautomator")[0]
	require.Regexp(t, `^rm -f (/data/local/tmp/handset-\w+\.xml); uiautomator dump (/data/local/tmp/handset-\w+\.xml); cat (\S+); rm -f (\S+)$`, line)
}

func TestARestlessScreenIsRemembered(t *testing.T) {
	f := newFake(t)
	f.on("uiautomator", answer{err: "ERROR: could not get idle state."})
	d := f.open()
	for range 3 {
		_, err := d.Tree(t.Context())
		require.ErrorIs(t, err, driver.ErrNoTree)
	}
	require.Len(t, f.ran("uiautomator"), 1)
	f.on("uiautomator", plainDump)
	require.NoError(t, d.Tap(t.Context(), image.Pt(1, 1)))
	_, err := d.Tree(t.Context())
	require.NoError(t, err, "after a gesture it looks again")
}

func TestCancelledTreeLeavesNoFile(t *testing.T) {
	f := newFake(t)
	f.on("uiautomator", answer{hang: true})
	d := f.open()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { _, err := d.Tree(ctx); done <- err }()
	var line string
	for line == "" {
		require.NoError(t, nap.For(t.Context(), time.Millisecond))
		if l := f.ran("uiautomator"); len(l) > 0 {
			line = l[0]
		}
	}
	cancel()
	require.ErrorIs(t, <-done, context.Canceled)
	file := strings.Fields(strings.Split(line, ";")[0])[2]
	require.NoError(t, d.Close(), "Close waits for the undo")
	require.Equal(t, []string{"rm -f " + file}, f.ran("rm -f"))
}

func TestCancelLimitAndCloseOfAHungPhone(t *testing.T) {
	f := newFake(t)
	f.setShell(func(string) answer { return answer{hang: true} })
	calls := map[string]func(d *Driver, ctx context.Context) error{
		"tap":        func(d *Driver, ctx context.Context) error { return d.Tap(ctx, image.Pt(1, 1)) },
		"screenshot": func(d *Driver, ctx context.Context) error { _, err := d.Screenshot(ctx); return err },
		"foreground": func(d *Driver, ctx context.Context) error { _, err := d.Foreground(ctx); return err },
		"type":       func(d *Driver, ctx context.Context) error { return d.Type(ctx, "x") },
		"launch":     func(d *Driver, ctx context.Context) error { return d.Launch(ctx, "Settings") },
	}
	for name, call := range calls {
		t.Run(name, func(t *testing.T) {
			d := f.open()
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
			defer cancel()
			err := call(d, ctx)
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.NotErrorIs(t, err, driver.ErrTimeout)

			quick := f.open(func(o *Options) { o.Limit = 30 * time.Millisecond })
			err = call(quick, t.Context())
			require.ErrorIs(t, err, driver.ErrTimeout)
			require.NotErrorIs(t, err, context.DeadlineExceeded)

			done := make(chan error, 1)
			go func() { done <- call(d, t.Context()) }()
			require.NoError(t, nap.For(t.Context(), 20*time.Millisecond))
			require.NoError(t, d.Close())
			require.ErrorIs(t, <-done, driver.ErrClosed)
			require.ErrorIs(t, call(d, t.Context()), driver.ErrClosed)
		})
	}
}

func TestServerKilledInMidCall(t *testing.T) {
	f := newFake(t)
	f.on("screencap", answer{hang: true}, "input", answer{hang: true})
	d := f.open()
	done := make(chan error, 2)
	go func() { _, err := d.Screenshot(t.Context()); done <- err }()
	go func() { done <- d.Tap(t.Context(), image.Pt(1, 1)) }()
	for len(f.ran("")) == 0 {
		require.NoError(t, nap.For(t.Context(), time.Millisecond))
	}
	require.NoError(t, nap.For(t.Context(), 20*time.Millisecond))
	f.stop()
	for range 2 {
		err := <-done
		require.True(t, errors.Is(err, driver.ErrOffline) || errors.Is(err, ErrNoServer), "%v", err)
	}
}

func TestLongCommandsGoThroughStandardInput(t *testing.T) {
	f := newFake(t)
	f.on("echo", "said")
	d := f.open()
	long := strings.Repeat("x", 9000)
	got, err := d.Shell(t.Context(), "echo", long)
	require.NoError(t, err)
	require.Equal(t, "said", string(got.Stdout))
	lines := f.ran("")
	require.Equal(t, []string{"sh", "{ echo " + long + "\n} </dev/null\n"}, lines)
}

func TestShellSplitsStreams(t *testing.T) {
	f := newFake(t)
	f.on("ls", answer{out: "a\n", err: "b\n", code: 2})
	got, err := f.open().Shell(t.Context(), "ls")
	require.NoError(t, err)
	require.Equal(t, &driver.ShellResult{Stdout: []byte("a\n"), Stderr: []byte("b\n"), Code: 2}, got)
	f.on("ls", answer{out: "a\n", drop: true})
	_, err = f.open().Shell(t.Context(), "ls")
	require.ErrorIs(t, err, driver.ErrOffline, "an end without a status is a broken line")
	_, err = f.open().Shell(t.Context())
	require.Error(t, err)
	_, err = f.open().Shell(t.Context(), "a\x00b")
	require.Error(t, err)
}

// TestOldShell drives a phone without the shell protocol.
func TestOldShell(t *testing.T) {
	f := newFake(t)
	f.features = ""
	whole := picture(t, 1080, 2400, false)
	f.on("screencap", string(whole), "ls", answer{out: "a\r\nb\r\n", code: 2}, "gone", answer{out: "a", drop: true})
	d := f.open()
	got, err := d.Shell(t.Context(), "ls")
	require.NoError(t, err)
	require.Equal(t, "a\nb\n", string(got.Stdout))
	require.Equal(t, 2, got.Code)
	s, err := d.Screenshot(t.Context())
	require.NoError(t, err)
	require.Equal(t, image.Pt(1080, 2400), s.Size())
	require.NoError(t, d.Tap(t.Context(), image.Pt(1, 1)))
	_, err = d.Shell(t.Context(), "gone")
	require.ErrorIs(t, err, driver.ErrOffline)
	_, err = d.Shell(t.Context(), "ls", strings.Repeat("x", 5000))
	require.ErrorIs(t, err, errors.ErrUnsupported)
	require.Equal(t, -1, must(d.exec(t.Context(), "screencap -p")).code(), "exec carries no status")
}

type execResult []byte

func (execResult) code() int { return -1 }

func must(b []byte, err error) execResult {
	if err != nil {
		panic(err)
	}
	return b
}

func TestPushAndPull(t *testing.T) {
	f := newFake(t)
	f.setShell(func(line string) answer {
		if from, to, ok := strings.Cut(strings.TrimPrefix(line, "mv -f "), " "); ok && strings.HasPrefix(line, "mv") {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.files[to] = f.files[from]
			delete(f.files, from)
		}
		return answer{}
	})
	d := f.open()
	data := bytes.Repeat([]byte("0123456789abcdef"), 20_000)
	require.NoError(t, d.Push(t.Context(), iotestReader{bytes.NewReader(data)}, "/sdcard/x"))
	var back bytes.Buffer
	require.NoError(t, d.Pull(t.Context(), "/sdcard/x", &back))
	require.True(t, bytes.Equal(data, back.Bytes()))
	require.NoError(t, d.Push(t.Context(), strings.NewReader(""), "/sdcard/empty"))
	require.Len(t, f.files, 2)

	require.ErrorContains(t, d.Pull(t.Context(), "/sdcard/none", io.Discard), "No such file")
	require.ErrorContains(t, d.Push(t.Context(), bytes.NewReader(data), "/sdcard/full"), "No space left")
	require.ErrorContains(t, d.Push(t.Context(), bytes.NewReader(data), "/sdcard/dir"), "is a folder")
	require.ErrorContains(t, d.Push(t.Context(), failing{}, "/sdcard/y"), "unreadable")
	require.ErrorContains(t, d.Pull(t.Context(), "/sdcard/x", failing{}), "unwritable")
	for _, bad := range []string{"", "x", "/sdcard/", "/a\x00b", "/" + strings.Repeat("x", 1100)} {
		require.Error(t, d.Push(t.Context(), strings.NewReader("x"), bad), bad)
	}
	require.NotEmpty(t, f.ran("rm -f /sdcard/full.handset-part"), "what did not arrive whole is removed")
}

// iotestReader returns its last bytes together with io.EOF.
type iotestReader struct{ r *bytes.Reader }

func (r iotestReader) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	if r.r.Len() == 0 && err == nil {
		err = io.EOF
	}
	return n, err
}

type failing struct{}

func (failing) Read([]byte) (int, error)  { return 0, errors.New("unreadable") }
func (failing) Write([]byte) (int, error) { return 0, errors.New("unwritable") }

func TestNoDescriptorsAreKept(t *testing.T) {
	f := newFake(t)
	f.on("screencap", string(picture(t, 1080, 2400, false)), "input", answer{drop: true}, "ls", answer{refuse: true})
	d := f.open()
	before := openFiles(t)
	for range 20 {
		_, _ = d.Screenshot(t.Context())
		_ = d.Tap(t.Context(), image.Pt(1, 1))
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		_, _ = d.Shell(ctx, "ls")
		cancel()
	}
	require.Less(t, openFiles(t), before+15)
}

func TestDescribeNamesWhatThereIs(t *testing.T) {
	f := newFake(t)
	desc, err := f.open().Describe(t.Context())
	require.NoError(t, err)
	require.Equal(t, image.Pt(1080, 2400), desc.Size)
	require.Equal(t, driver.Keys(), desc.Keys)
	require.NotContains(t, desc.Ops, driver.OpInstall)
	require.Equal(t, "android", desc.Platform)
	require.Contains(t, fmt.Sprint(desc.Ops), "drag")
}
