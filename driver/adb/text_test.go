package adb

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/nap"
)

func TestKeyChunks(t *testing.T) {
	tests := []struct {
		text string
		want []string
	}{
		{"hello", []string{"hello"}},
		{"100%s", []string{"100%", "s"}},
		{"%%s%s", []string{"%%", "s%", "s"}},
		{"% s", []string{"% s"}},
	}
	for _, tt := range tests {
		require.Equal(t, tt.want, keyChunks(tt.text), tt.text)
	}
	require.Equal(t, "'a%sb'", strings.ReplaceAll("'"+inputWord("a b")+"'", "''", "'"))
	require.Equal(t, `'it'\''s%s$HOME%s`+"`x`'", inputWord("it's $HOME `x`"))
	require.Equal(t, strings.Repeat("x", 250), strings.Join(keyChunks(strings.Repeat("x", 250)), ""))
}

// asInput types what `input text` would, chunk by chunk.
func asInput(chunk string) string {
	b := []byte(strings.ReplaceAll(chunk, " ", "%s"))
	escape := false
	for i := 0; i < len(b); i++ {
		if escape {
			escape = false
			if b[i] == 's' {
				b[i] = ' '
				b = append(b[:i-1], b[i:]...)
				i--
			}
		}
		if b[i] == '%' {
			escape = true
		}
	}
	return string(b)
}

func FuzzKeyChunks(f *testing.F) {
	for _, s := range []string{"100%safe", "%s%%s % s", "a b", "%", strings.Repeat("%s ", 60)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !plain(text) || text == "" {
			return
		}
		var got strings.Builder
		for _, chunk := range keyChunks(text) {
			got.WriteString(asInput(chunk))
		}
		if got.String() != text {
			t.Fatalf("%q is typed as %q", text, got.String())
		}
	})
}

func TestTextChunks(t *testing.T) {
	text := strings.Repeat("字👍a", 700)
	chunks := textChunks(text, maxBroadcast)
	require.Equal(t, text, strings.Join(chunks, ""))
	for _, c := range chunks {
		require.LessOrEqual(t, len(c), maxBroadcast)
		require.True(t, utf8.ValidString(c))
		require.LessOrEqual(t, len(broadcastLine(defaultKeyboard, order{"ADB_INPUT_B64", base64.StdEncoding.EncodeToString([]byte(c))}))+lineExtra, maxService)
	}
}

// typist is a phone's input methods, as far as the driver sees them.
type typist struct {
	mu                  sync.Mutex
	installed, enabled  bool
	current, field      string
	debt                string
	deaf, forbid, bound bool // deaf: the keyboard receives nothing; bound: it takes no field
	slow                int  // questions until the new keyboard serves the field
	hang                bool // a broadcast hangs
	oneLine             bool
	rival               int  // orders of which another program puts the person's keyboard back before each
	rivalLate           bool // and once more right after the first that arrives
}

func newTypist() *typist {
	return &typist{installed: true, current: "com.google.latin/.LatinIME", bound: true}
}

func (p *typist) shell(line string) answer {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case strings.HasPrefix(line, "echo ::handset-0::; "+currentKeyboard+"; echo ::handset-1::; ime list"):
		return answer{out: p.keyboards()}
	case strings.HasPrefix(line, "echo ::handset-0::; "+currentKeyboard):
		return answer{out: sectionLabel(0) + "\n" + p.current + "\n" + sectionLabel(1) + "\n" + p.fieldNow()}
	case line == fieldLines:
		return answer{out: p.fieldNow()}
	case strings.Contains(line, "ime set"), strings.Contains(line, "settings delete"):
		return p.set(line)
	case strings.HasPrefix(line, "rm -f "+debtFile):
		p.debt = ""
	case strings.HasPrefix(line, "cat "+debtFile):
		return answer{out: p.debt}
	case strings.Contains(line, "am broadcast"):
		return p.receive(line)
	case line == currentKeyboard:
		return answer{out: p.current + "\n"}
	case strings.HasPrefix(line, "input text"):
		p.field += strings.TrimPrefix(line, "input text ")
	case strings.Contains(line, "uiautomator"):
		return answer{out: `<hierarchy rotation="0"><node class="android.widget.EditText" package="p.q" focused="true" text="` + p.field + `" bounds="[0,0][1080,2400]"/></hierarchy>`}
	case strings.HasPrefix(line, "input keyevent 67"):
		r := []rune(p.field)
		p.field = string(r[:max(0, len(r)-strings.Count(line, " 67"))])
	}
	return answer{}
}

func (p *typist) keyboards() string {
	all, on := "com.google.latin/.LatinIME\n", "com.google.latin/.LatinIME\n"
	path := ""
	if p.installed {
		all, path = all+defaultKeyboard+"\n", "package:/data/app/x.apk\n"
	}
	if p.enabled {
		on += defaultKeyboard + "\n"
	}
	return fmt.Sprintf("%s\n%s\n%s\n%s\n%s\n%s\n%s\n%s\n%s\n%s\n%s\n%s\n", sectionLabel(0), p.current, sectionLabel(1), on,
		sectionLabel(2), strings.ReplaceAll(on, "\n", ":"), sectionLabel(3), all, sectionLabel(4), path, sectionLabel(5), p.fieldNow())
}

func (p *typist) fieldNow() string {
	serving := p.current
	if p.slow > 0 {
		p.slow--
		serving = "com.google.latin/.LatinIME"
	}
	text := fmt.Sprintf("  mCurId=%s mHaveConnection=true\n    mInputStarted=%t\n", serving, p.bound)
	if p.oneLine {
		text += "    inputType=0x1 imeOptions=0x6\n"
	}
	return text
}

func (p *typist) set(line string) answer {
	if p.forbid {
		return answer{err: "java.lang.SecurityException: uid 2000 does not have android.permission.WRITE_SECURE_SETTINGS", code: 255}
	}
	if _, rest, ok := strings.Cut(line, "echo '"); ok {
		p.debt, _, _ = strings.Cut(rest, "'")
	}
	if strings.Contains(line, "ime enable "+defaultKeyboard) {
		p.enabled = true
	}
	if strings.Contains(line, "ime disable "+defaultKeyboard) {
		p.enabled = false
	}
	if _, rest, ok := strings.Cut(line, "ime set "); ok {
		p.current, _, _ = strings.Cut(rest, ";")
	}
	if strings.Contains(line, "settings delete") {
		p.current = "null"
	}
	return answer{out: sectionLabel(0) + "\n" + sectionLabel(1) + "\n" + p.current + "\n"}
}

func (p *typist) receive(line string) answer {
	if p.hang {
		return answer{hang: true}
	}
	if p.rival > 0 {
		p.rival--
		p.current = "com.google.latin/.LatinIME"
	}
	if p.current != defaultKeyboard {
		return answer{out: keyboardOff + "\n"}
	}
	if p.rivalLate {
		defer func() { p.rivalLate, p.current = false, "com.google.latin/.LatinIME" }()
	}
	if !p.deaf && p.current == defaultKeyboard && strings.Contains(line, "-p com.android.adbkeyboard") {
		if strings.Contains(line, "ADB_CLEAR_TEXT") {
			p.field = ""
		}
		if _, b64, ok := strings.Cut(line, "--es msg "); ok {
			b64, _, _ = strings.Cut(b64, ";;")
			data, err := base64.StdEncoding.DecodeString(b64)
			if err == nil {
				p.field += string(data)
			}
		}
	}
	return answer{out: "Broadcasting: Intent { act=x }\nBroadcast completed: result=0\n"}
}

func (p *typist) state() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return fmt.Sprintf("%s enabled=%t debt=%q", p.current, p.enabled, p.debt)
}

func TestTypeThroughTheKeyboard(t *testing.T) {
	f, p := newFake(t), newTypist()
	p.slow = 2
	f.setShell(p.shell)
	d := f.open()
	before := p.state()
	text := strings.Repeat("打开设置 👍\n", 300)
	require.NoError(t, d.Type(t.Context(), text))
	require.Equal(t, text, p.field)
	require.Equal(t, before, p.state(), "the keyboard, its enabling and the note are put back")
	require.Greater(t, len(f.ran("ADB_INPUT_B64")), 1)
	require.NoError(t, d.Type(t.Context(), "é"))
	require.Empty(t, f.ran("uiautomator"), "a keyboard that was seen to type is trusted")

	require.NoError(t, d.SetText(t.Context(), "新"))
	require.Equal(t, "新", p.field)
	require.NoError(t, d.SetText(t.Context(), "plain"))
	require.Equal(t, "plain", p.field)
	require.NoError(t, d.ClearText(t.Context()))
	require.Empty(t, p.field)
	require.NoError(t, d.Type(t.Context(), ""))
	require.Equal(t, before, p.state())
}

func TestTypeRefuses(t *testing.T) {
	tests := []struct {
		name, text string
		change     func(*typist)
		want       error
		say        string
	}{
		{"no keyboard", "é", func(p *typist) { p.installed = false }, driver.ErrNoTextInput, "install ADBKeyBoard"},
		{"no field", "é", func(p *typist) { p.bound = false }, driver.ErrNoTextInput, "tap one first"},
		{"no field for keys", "e", func(p *typist) { p.bound = false }, driver.ErrNoTextInput, "tap one first"},
		{"a line end in one line", "a\nb", func(p *typist) { p.oneLine = true }, driver.ErrNoTextInput, "one line"},
		{"switching is forbidden", "é", func(p *typist) { p.forbid = true }, driver.ErrNoTextInput, "forbids"},
		{"an unknown keyboard is on", "é", func(p *typist) { p.current = "Exception occurred" }, driver.ErrNoTextInput, "which input method"},
		{"broken text", "a\xff", func(*typist) {}, nil, "UTF-8"},
		{"too long", strings.Repeat("x", maxText+1), func(*typist) {}, nil, "too long"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, p := newFake(t), newTypist()
			tt.change(p)
			f.setShell(p.shell)
			d := f.open()
			err := d.Type(t.Context(), tt.text)
			require.ErrorContains(t, err, tt.say)
			if tt.want != nil {
				require.ErrorIs(t, err, tt.want)
			}
			require.False(t, driver.MaybeDone(err))
			require.Empty(t, f.ran("broadcast"))
			require.Empty(t, p.field)
			p.forbid = false
		})
	}
}

func TestADeafKeyboardIsFoundOut(t *testing.T) {
	f, p := newFake(t), newTypist()
	p.deaf = true
	f.setShell(p.shell)
	before := p.state()
	err := f.open().Type(t.Context(), "é")
	require.ErrorIs(t, err, driver.ErrNoTextInput)
	require.ErrorContains(t, err, "update it")
	require.False(t, driver.MaybeDone(err))
	require.Equal(t, before, p.state())
}

// TestAnotherProgramTypes has another program put the person's keyboard back while this one types.
func TestAnotherProgramTypes(t *testing.T) {
	start := func(t *testing.T, p *typist) *Driver {
		f := newFake(t)
		f.setShell(p.shell)
		return f.open()
	}
	text := strings.Repeat("打开设置", 600)
	t.Run("before an order", func(t *testing.T) {
		p := newTypist()
		before := p.state()
		d := start(t, p)
		p.rival = 2
		require.NoError(t, d.Type(t.Context(), text))
		require.Equal(t, text, p.field, "each part once")
		require.Equal(t, before, p.state())
	})
	t.Run("again and again", func(t *testing.T) {
		p := newTypist()
		before := p.state()
		d := start(t, p)
		p.rival = 100
		err := d.Type(t.Context(), "é")
		require.ErrorIs(t, err, driver.ErrNoTextInput)
		require.ErrorContains(t, err, "one of them")
		require.False(t, driver.MaybeDone(err))
		require.Empty(t, p.field)
		require.Equal(t, before, p.state())
	})
	t.Run("after the last", func(t *testing.T) {
		p := newTypist()
		d := start(t, p)
		p.rivalLate = true
		require.NoError(t, d.Type(t.Context(), "é"), "the field has it")
		p.rivalLate, p.deaf = true, true
		err := d.Type(t.Context(), "ü")
		require.ErrorContains(t, err, "may not have arrived")
		require.True(t, driver.MaybeDone(err))
	})
}

func TestKeyboardOfThePerson(t *testing.T) {
	f, p := newFake(t), newTypist()
	p.current, p.enabled = defaultKeyboard, true
	f.setShell(p.shell)
	require.NoError(t, f.open().Type(t.Context(), "é"))
	require.Equal(t, defaultKeyboard+` enabled=true debt=""`, p.state(), "one that was on already stays on")
}

func TestNoKeyboardWasOn(t *testing.T) {
	f, p := newFake(t), newTypist()
	p.current = "null"
	f.setShell(p.shell)
	require.NoError(t, f.open().Type(t.Context(), "é"))
	require.Equal(t, `null enabled=false debt=""`, p.state())
}

// TestKeyboardIsPutBack ends a call in the middle of typing in each way there is.
func TestKeyboardIsPutBack(t *testing.T) {
	start := func(t *testing.T, ctx context.Context) (*Driver, *typist, string, chan error) {
		f, p := newFake(t), newTypist()
		f.setShell(p.shell)
		d := f.open()
		p.hang = true
		before := p.state()
		done := make(chan error, 1)
		go func() { done <- d.Type(ctx, "é") }()
		for len(f.ran("broadcast")) == 0 {
			require.NoError(t, nap.For(t.Context(), time.Millisecond))
		}
		require.NotEqual(t, before, p.state())
		return d, p, before, done
	}
	t.Run("cancel", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		d, p, before, done := start(t, ctx)
		cancel()
		err := <-done
		require.ErrorIs(t, err, context.Canceled)
		require.True(t, driver.MaybeDone(err))
		_, err = d.Describe(t.Context())
		require.NoError(t, err)
		require.Equal(t, before, p.state(), "the next call waits for the undo")
	})
	t.Run("close", func(t *testing.T) {
		d, p, before, done := start(t, t.Context())
		require.NoError(t, d.Close())
		require.ErrorIs(t, <-done, driver.ErrClosed)
		require.Equal(t, before, p.state())
	})
}

// TestKeyboardOfACrashedProgram opens a phone on which a program has left our keyboard on.
func TestKeyboardOfACrashedProgram(t *testing.T) {
	leave := func(since time.Time) (*fake, *typist) {
		f, p := newFake(t), newTypist()
		p.current, p.enabled = defaultKeyboard, true
		p.debt = debt{"com.google.latin/.LatinIME", true, since.Unix(), owner{}}.String()
		f.setShell(p.shell)
		return f, p
	}
	t.Run("a moment ago", func(t *testing.T) {
		f, p := leave(time.Now())
		d := f.open()
		d.inheritDebt(t.Context(), p.debt+"\n"+p.current)
		require.NoError(t, d.Release(t.Context()))
		require.Contains(t, p.state(), defaultKeyboard, "its program may still be at work")
		d.ime.alive = 0
		require.NoError(t, d.Release(t.Context()))
		require.Equal(t, `com.google.latin/.LatinIME enabled=false debt=""`, p.state())
	})
	t.Run("a moment ago, by a program that is no more", func(t *testing.T) {
		f, p := leave(time.Now())
		ended, err := os.StartProcess(os.Args[0], []string{os.Args[0], "-test.run=^$"}, &os.ProcAttr{})
		require.NoError(t, err)
		_, err = ended.Wait()
		require.NoError(t, err)
		p.debt = debt{"com.google.latin/.LatinIME", true, time.Now().Unix(), owner{self().host, ended.Pid}}.String()
		f.open().inheritDebt(t.Context(), p.debt+"\n"+p.current)
		require.Equal(t, `com.google.latin/.LatinIME enabled=false debt=""`, p.state())
	})
	t.Run("paid meanwhile", func(t *testing.T) {
		f, p := leave(time.Now())
		d := f.open()
		d.inheritDebt(t.Context(), p.debt+"\n"+p.current)
		p.debt = ""
		require.NoError(t, d.Release(t.Context()))
		require.Contains(t, p.state(), defaultKeyboard, "by then it is the person's own")
	})
	t.Run("long ago, found by New", func(t *testing.T) {
		f, p := leave(time.Now().Add(-time.Hour))
		d := f.open()
		d.inheritDebt(t.Context(), p.debt+"\n"+p.current)
		require.Equal(t, `com.google.latin/.LatinIME enabled=false debt=""`, p.state())
	})
}

func TestParseDebt(t *testing.T) {
	b := debt{"com.x/.Y", true, 1700000000, owner{7, 12}}
	got, ok := parseDebt(b.String() + "\n")
	require.True(t, ok)
	require.Equal(t, b, got)
	older, ok := parseDebt("com.x/.Y true 1700000000")
	require.True(t, ok)
	require.False(t, older.owner.gone())
	for _, bad := range []string{"", "x", "com.x/.Y true 1 me", "com.x/.Y true", "com.x/.Y;reboot true 1", "com.x/.Y true soon"} {
		_, ok := parseDebt(bad)
		require.False(t, ok, bad)
	}
}

func TestArrived(t *testing.T) {
	tests := []struct {
		text, field string
		want        bool
	}{
		{"é", "Search settings", false}, {"é", "é", true}, {"打开 settings", "settings", false}, {"打开", "开..", true},
		{"👍", "", true}, {"a\nb", "", false}, {"a\nb", "a b", true}, {" \n.", "", true},
	}
	for _, tt := range tests {
		require.Equal(t, tt.want, arrived(tt.text, tt.field), "%q in %q", tt.text, tt.field)
	}
}

func TestParseField(t *testing.T) {
	require.Equal(t, field{}, parseField(""))
	require.Equal(t, field{none: true}, parseField("  mInputEditorInfo: null"))
	require.True(t, parseField("inputType=0x2 imeOptions=0x6").oneLine, "a number field")
	require.False(t, parseField("inputType=0x20001 imeOptions=0x6").oneLine)
	require.False(t, parseField("inputType=0x0 imeOptions=0x0").oneLine, "an app that takes raw keys")
	require.True(t, listsKeyboard("com.a/.B:com.android.adbkeyboard/com.android.adbkeyboard.AdbIME;123;4", defaultKeyboard))
}

func TestClearLongAndBlind(t *testing.T) {
	f, p := newFake(t), newTypist()
	p.field = strings.Repeat("x", 1000)
	f.setShell(p.shell)
	d := f.open()
	require.NoError(t, d.ClearText(t.Context()))
	require.Empty(t, p.field)
	for _, line := range f.ran("keyevent") {
		require.LessOrEqual(t, len(shellRaw+line), maxService)
	}
	f.setShell(func(line string) answer {
		if strings.Contains(line, "uiautomator") {
			return answer{err: "ERROR: could not get idle state."}
		}
		return p.shell(line)
	})
	p.field = "x"
	require.NoError(t, d.ClearText(t.Context()), "without a tree the keyboard clears")
	require.Empty(t, p.field)
	p.installed = false
	require.True(t, errors.Is(d.ClearText(t.Context()), driver.ErrNoTextInput))
}
