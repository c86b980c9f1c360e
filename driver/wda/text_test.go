package wda_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/driver/wda"
	front "github.com/handset-go/handset/internal/phonefront/wda"
)

// hard is a text of which each part has done harm somewhere.
const hard = `it's "quoted" $(reboot) ; rm -rf / | 你好 🙂`

func TestHardText(t *testing.T) {
	for _, version := range []string{"5", "6", "7", "16"} {
		t.Run(version, func(t *testing.T) {
			r := newRig(t, version, "iphone-15", sim.Options{})
			d := r.open(nil)
			require.NoError(t, r.focus(false))
			require.NoError(t, d.Type(t.Context(), hard))
			got, err := r.fieldText()
			require.NoError(t, err)
			require.Equal(t, hard, got)
			require.ErrorIs(t, d.Type(t.Context(), "\n"+hard), driver.ErrNoTextInput)
			require.ErrorIs(t, d.Type(t.Context(), "a\tb"), driver.ErrNoTextInput)
			got, _ = r.fieldText()
			require.Equal(t, hard, got, "refused before the first key")
			require.NoError(t, d.SetText(t.Context(), "new"))
			got, _ = r.fieldText()
			require.Equal(t, "new", got)

			require.NoError(t, r.focus(true))
			require.NoError(t, d.Type(t.Context(), hard+"\r\n"+hard))
			got, _ = r.fieldText()
			require.Equal(t, hard+"\n"+hard, got)
		})
	}
}

func TestNoFocus(t *testing.T) {
	for _, version := range []string{"5", "16"} {
		r := newRig(t, version, "iphone-15", sim.Options{})
		d := r.open(nil)
		for name, err := range map[string]error{
			"type": d.Type(t.Context(), "abc"), "clear": d.ClearText(t.Context()), "set": d.SetText(t.Context(), "abc"),
		} {
			require.ErrorIs(t, err, driver.ErrNoTextInput, name)
			require.ErrorContains(t, err, "tap one first", name)
			require.False(t, driver.MaybeDone(err), name)
		}
		require.NoError(t, d.Type(t.Context(), ""))
		require.Empty(t, r.phone.Events("text"))
	}
}

func TestTextIsRefused(t *testing.T) {
	r := newRig(t, "16", "iphone-15", sim.Options{})
	d := r.open(nil)
	require.NoError(t, r.focus(true))
	for name, text := range map[string]string{
		"not UTF-8": "a\xff", "a zero": "a\x00", "backspace": "a\bb", "escape": "\x1b", "delete": "\u007f", "a key of WebDriver": "\ue003",
		"too long": strings.Repeat("x", 1<<20+1),
	} {
		err := d.Type(t.Context(), text)
		require.Error(t, err, name)
		require.False(t, driver.MaybeDone(err), name)
	}
	require.Empty(t, r.phone.Events("text"))
}

// TestPartlyTyped is an app that is too slow for the keys: a part of the text is there.
func TestPartlyTyped(t *testing.T) {
	r := newRig(t, "16", "iphone-15", sim.Options{})
	var log bytes.Buffer
	d := r.open(&wda.Options{Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	require.NoError(t, r.focus(false))
	r.set(front.FaultKeysPartial + "=3")
	err := d.Type(t.Context(), "secret word")
	require.ErrorContains(t, err, "slower (Options.TypingRate)")
	require.True(t, driver.MaybeDone(err))
	require.NotContains(t, err.Error()+log.String(), "secret")
	got, _ := r.fieldText()
	require.Equal(t, "sec", got)
}

func TestTypedTextIsInNoError(t *testing.T) {
	f := newFake(t)
	d := f.open(nil)
	f.value("GET /element/active", map[string]string{"ELEMENT": "5"})
	f.fail("POST /wda/keys", 400, "invalid element state", "Cannot type 'hunter2-secret' now")
	err := d.Type(t.Context(), "hunter2-secret")
	require.ErrorContains(t, err, "Cannot type '(the text)' now")
	require.NotContains(t, err.Error(), "hunter2")
	var e *wda.Error
	require.ErrorAs(t, err, &e)
	require.NotContains(t, e.Message, "hunter2")
}

// TestOldKeyboardRule is WebDriverAgent 2, which types only while its keyboard is on the screen.
func TestOldKeyboardRule(t *testing.T) {
	f := newFake(t)
	d := f.open(nil)
	f.value("GET /element/active", map[string]string{"ELEMENT": "5"})
	f.fail("POST /wda/keys", 400, "invalid element state", "The on-screen keyboard must be present to send keys")
	err := d.Type(t.Context(), "abc")
	require.ErrorIs(t, err, driver.ErrNoTextInput)
	require.ErrorContains(t, err, "hardware keyboard")
	require.False(t, driver.MaybeDone(err))
	require.NoError(t, d.Key(t.Context(), driver.KeyEnter))
}

// TestKeysAreAList looks at the body: anything but a list of strings is "unrecognized selector".
func TestKeysAreAList(t *testing.T) {
	f := newFake(t)
	d := f.open(&wda.Options{TypingRate: 20})
	f.value("GET /element/active", map[string]string{"element-6066-11e4-a52e-4f735466cecf": "5"})
	f.value("POST /wda/keys", nil)
	require.NoError(t, d.Type(t.Context(), "h👍🏽"))
	var body struct {
		Value     []string
		Frequency int
	}
	require.NoError(t, json.Unmarshal([]byte(f.calls("wda/keys")[0].body), &body))
	require.Equal(t, []string{"h", "👍", "\U0001f3fd"}, body.Value)
	require.Equal(t, 20, body.Frequency)
}

// TestLimitGrowsWithTheText types for longer than a call may take that types nothing.
func TestLimitGrowsWithTheText(t *testing.T) {
	f := newFake(t)
	d := f.open(&wda.Options{Limit: 500 * time.Millisecond})
	f.value("GET /element/active", map[string]string{"ELEMENT": "5"})
	f.on("POST /wda/keys", func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(time.Second)
		envelope(w, 200, nil)
	})
	require.NoError(t, d.Type(t.Context(), strings.Repeat("x", 50)))
}

// TestParallelTyping types from several goroutines: two texts at once would be mixed.
func TestParallelTyping(t *testing.T) {
	r := newRig(t, "16", "iphone-15", sim.Options{})
	d := r.open(nil)
	require.NoError(t, r.focus(true))
	done := make(chan error, 6)
	for range cap(done) {
		go func() { done <- d.Type(t.Context(), "0123456789 ") }()
	}
	for range cap(done) {
		require.NoError(t, <-done)
	}
	got, _ := r.fieldText()
	require.Equal(t, strings.Repeat("0123456789 ", cap(done)), got)
}

func TestDismissKeyboard(t *testing.T) {
	r := newRig(t, "16", "iphone-15", sim.Options{})
	d := r.open(nil)
	require.NoError(t, d.DismissKeyboard(t.Context()), "there is none")
	_, err := r.phone.StartApp("com.apple.MobileSMS")
	require.NoError(t, err)
	r.phone.Tap(r.phone.Tree().Find(driver.Contains("Alice")).Center())
	r.phone.Tap(r.phone.Tree().Find(driver.ByRole(driver.RoleEdit)).Center())
	require.NoError(t, d.Type(t.Context(), "not yet"))
	require.ErrorIs(t, d.DismissKeyboard(t.Context()), errors.ErrUnsupported)
	require.Empty(t, r.phone.Events("message_sent"), "Return is a Send key in many fields")
	f := newFake(t)
	old := f.open(nil)
	f.fail("POST /wda/keyboard/dismiss", 400, "invalid element state", "Did not know how to dismiss the keyboard. Try to dismiss it in the way supported by your application under test.")
	require.ErrorContains(t, old.DismissKeyboard(t.Context(), "Fertig"), "does not let the keyboard go")
	require.Equal(t, `{"keyNames":["Fertig"]}`, f.calls("keyboard/dismiss")[0].body)
}

func TestClipboard(t *testing.T) {
	for _, before := range []string{"com.apple.Preferences", "com.apple.springboard", front.RunnerID} {
		t.Run(before, func(t *testing.T) {
			r := newRig(t, "16", "iphone-15", sim.Options{Start: before})
			d := r.open(nil)
			r.phone.SetClipboard(hard)
			got, err := d.Clipboard(t.Context())
			require.NoError(t, err)
			require.Equal(t, hard, got)
			require.Equal(t, before, r.phone.Foreground().ID)
			require.NoError(t, d.SetClipboard(t.Context(), "new\n"))
			require.Equal(t, "new\n", r.phone.Clipboard())
			require.Equal(t, before, r.phone.Foreground().ID)
		})
	}
}

// TestClipboardPutsBack fails in the middle: the app that was in front is there again.
func TestClipboardPutsBack(t *testing.T) {
	r := newRig(t, "16", "iphone-15", sim.Options{Start: "com.apple.Preferences"})
	h := newHolder(t, r.server.Addr(), "/wda/getPasteboard")
	d, err := wda.New(t.Context(), h.listener.Addr().String(), nil)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	off := h.shut()
	t.Cleanup(off)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := d.Clipboard(ctx)
		done <- err
	}()
	require.Eventually(t, func() bool { return h.held.Load() == 1 }, time.Minute, time.Millisecond)
	require.Equal(t, front.RunnerID, r.phone.Foreground().ID)
	cancel()
	err = <-done
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorContains(t, err, "clipboard wda:", "the error is of the operation that was called")
	off()
	_, err = d.Screenshot(t.Context())
	require.NoError(t, err)
	require.Equal(t, "com.apple.Preferences", r.phone.Foreground().ID)
}
