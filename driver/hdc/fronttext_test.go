package hdc_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/hdc"
	"github.com/handset-go/handset/driver/sim"
	front "github.com/handset-go/handset/internal/phonefront/hdc"
)

// TestText types what would do harm where a shell read it.
func TestText(t *testing.T) {
	const nasty = `it's "quoted" $(reboot) ; rm -rf / | 你好 🙂`
	for _, p := range front.Profiles() {
		t.Run(p.Name, func(t *testing.T) {
			r := newRig(t, sim.Options{}, p.Name)
			d := r.open()
			require.NoError(t, r.focus(false))
			before := r.phone.Log()
			require.NoError(t, d.Type(t.Context(), nasty))
			got, err := r.fieldText()
			require.NoError(t, err)
			require.Equal(t, nasty, got)
			for _, e := range r.phone.Log()[len(before):] {
				require.NotEqual(t, "launch", e.Name)
			}
			err = d.Type(t.Context(), "two\nlines")
			require.ErrorIs(t, err, driver.ErrNoTextInput)
			require.False(t, driver.MaybeDone(err))
			got, _ = r.fieldText()
			require.Equal(t, nasty, got, "refused before the first key")

			require.NoError(t, r.focus(true))
			require.NoError(t, d.Type(t.Context(), nasty+"\n\nlast"))
			got, _ = r.fieldText()
			require.Equal(t, nasty+"\n\nlast", got)
		})
	}
}

func TestTextFaults(t *testing.T) {
	t.Run("no field", func(t *testing.T) {
		r := newRig(t, sim.Options{}, "")
		d := r.open()
		for _, err := range []error{d.Type(t.Context(), "x"), d.SetText(t.Context(), "x"), d.ClearText(t.Context())} {
			require.ErrorIs(t, err, driver.ErrNoTextInput)
			require.False(t, driver.MaybeDone(err))
		}
	})
	t.Run("no paste", func(t *testing.T) {
		r := newRig(t, sim.Options{}, "")
		d := r.open()
		require.NoError(t, r.focus(false))
		r.set(front.FaultNoPaste)
		require.NoError(t, d.Type(t.Context(), "by keys"))
		require.NoError(t, d.ClearText(t.Context()))
		err := d.Type(t.Context(), "打开")
		require.ErrorIs(t, err, driver.ErrNoTextInput)
		require.ErrorContains(t, err, "forbid")
		require.NotContains(t, err.Error(), "打开")
	})
	t.Run("the keyboard keeps the letters", func(t *testing.T) {
		r := newRig(t, sim.Options{}, "5.1")
		d := r.open()
		require.NoError(t, r.focus(false))
		r.set(front.FaultInputLost)
		err := d.Type(t.Context(), "abc")
		require.ErrorIs(t, err, driver.ErrNoTextInput)
		require.ErrorContains(t, err, "English")
		require.True(t, driver.MaybeDone(err))
	})
	t.Run("letters that were there before", func(t *testing.T) {
		r := newRig(t, sim.Options{}, "6.0")
		d := r.open()
		require.NoError(t, r.focus(false))
		r.phone.SetValue("settings.query", "cab 打")
		off := r.set(front.FaultInputLost)
		for _, text := range []string{"abc", "打"} {
			require.ErrorIs(t, d.Type(t.Context(), text), driver.ErrNoTextInput, text)
		}
		off()
		require.NoError(t, d.SetText(t.Context(), "cab 打"))
		require.NoError(t, d.SetText(t.Context(), "cab 打"), "the same again")
		require.NoError(t, d.Type(t.Context(), "打"))
	})
	t.Run("the clipboard", func(t *testing.T) {
		r := newRig(t, sim.Options{}, "")
		var log bytes.Buffer
		d, err := hdc.New(t.Context(), r.device.Key(), &hdc.Options{Tool: r.tool, Logger: slog.New(slog.NewTextHandler(&log, nil))})
		require.NoError(t, err)
		defer func() { require.NoError(t, d.Close()) }()
		r.phone.SetClipboard("precious")
		require.NoError(t, r.focus(false))
		require.NoError(t, d.Type(t.Context(), "plain ASCII; it's typed"))
		require.Equal(t, "precious", r.phone.Clipboard())
		require.NotContains(t, log.String(), "clipboard")
		require.NoError(t, d.Type(t.Context(), "秘密"))
		require.Contains(t, log.String(), "clipboard", "the loss is told")
		require.NotContains(t, log.String(), "秘密")
	})
	t.Run("long", func(t *testing.T) {
		for _, profile := range []string{"6.0", "5.1"} {
			r := newRig(t, sim.Options{}, profile)
			d := r.open()
			require.NoError(t, r.focus(true))
			long := strings.Repeat("0123456789 abc ", 60) + strings.Repeat("很长的文字", 1200)
			require.NoError(t, d.Type(t.Context(), long))
			got, _ := r.fieldText()
			require.Equal(t, len(long), len(got))
			require.Equal(t, long, got)
		}
	})
}

// TestManyLines: each line is steps of its own, and no command line gets too long for hdc.
func TestManyLines(t *testing.T) {
	r := newRig(t, sim.Options{}, "6.0")
	d := r.open()
	require.NoError(t, r.focus(true))
	text := strings.Repeat("\n", 900)
	require.NoError(t, d.Type(t.Context(), text))
	got, ok := r.phone.Focused()
	require.True(t, ok)
	require.Equal(t, text, got.Text)
}
