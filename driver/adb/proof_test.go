package adb

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
)

func TestTelling(t *testing.T) {
	require.Equal(t, "ab蓝", telling("a b\n.蓝👍\u00a0\u200d…"[:len("a b\n.蓝👍\u00a0\u200d")]))
	require.Empty(t, telling(" \t👍🏽 𝒳 .."))
	require.Equal(t, "cafe", telling("cafe\u0301"), "a combining accent may be shown composed")
}

func TestAKeyboardThatIsNotKnownYet(t *testing.T) {
	f, p := newFake(t), newTypist()
	unknown := 2
	f.setShell(func(line string) answer {
		if strings.Contains(line, "ime set") && strings.Contains(line, "echo ") && unknown > 0 {
			unknown--
			return answer{out: "Unknown input method " + defaultKeyboard + " cannot be selected for user #0\n", code: 255}
		}
		return p.shell(line)
	})
	require.NoError(t, f.open().Type(t.Context(), "é"))
	require.Equal(t, "é", p.field)
	require.Zero(t, unknown)
}

func TestEditorActionsAndLongKeys(t *testing.T) {
	f, p := newFake(t), newTypist()
	f.setShell(p.shell)
	d := f.open()
	before := p.state()
	for i, key := range EditorActions() {
		require.NoError(t, d.Key(t.Context(), key))
		sent := f.ran("ADB_EDITOR_CODE")
		require.Len(t, sent, 1)
		require.Contains(t, sent[0], "--ei code "+string(rune('2'+i)))
	}
	require.NoError(t, d.Key(t.Context(), "editor_search"))
	require.Contains(t, f.ran("ADB_EDITOR_CODE")[0], "code 3")
	require.Equal(t, before, p.state(), "the keyboard is put back")

	require.NoError(t, d.LongKey(t.Context(), driver.KeyPower))
	require.Equal(t, []string{"input keyevent --longpress 26"}, f.ran("input keyevent"))
	require.ErrorContains(t, d.LongKey(t.Context(), "nosuchkey"), "no key")
	p.installed = false
	require.ErrorContains(t, d.Key(t.Context(), EditorSend), "ADBKeyBoard")
	p.bound = false
	require.ErrorIs(t, d.Key(t.Context(), EditorSend), driver.ErrNoTextInput)
	d.info.sdk = 22
	require.ErrorContains(t, d.LongKey(t.Context(), driver.KeyPower), "Android 6")
}
