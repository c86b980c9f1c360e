package sim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
)

// inChat returns a phone with the text field of the chat with Alice in focus.
func inChat(t *testing.T) *sim.Phone {
	p := in(messages)
	tap(t, p, "Alice")
	tapID(t, p, "compose_message_text")
	return p
}

// inNote returns a phone with the field of a new note in focus.
func inNote(t *testing.T) *sim.Phone {
	p := in(notes)
	tap(t, p, "New note")
	tapID(t, p, "note_text")
	return p
}

func text(t *testing.T, p *sim.Phone) string {
	t.Helper()
	f, ok := p.Focused()
	require.True(t, ok, "no field has the focus")
	return f.Text
}

func TestMessageIsSent(t *testing.T) {
	for name, send := range map[string]func(t *testing.T, p *sim.Phone){
		"button":        func(t *testing.T, p *sim.Phone) { tap(t, p, "Send") },
		"enter":         func(t *testing.T, p *sim.Phone) { p.Key(driver.KeyEnter) },
		"editor action": func(t *testing.T, p *sim.Phone) { require.True(t, p.EditorAction()) },
		"keyboard": func(t *testing.T, p *sim.Phone) {
			keys := window(t, p, driver.WindowKeyboard).Root.Children
			p.Tap(keys[len(keys)-1].Center())
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := inChat(t)
			const said = `你好 "world" $(reboot) ; '👋🏽'`
			require.True(t, p.InsertText(said))
			require.Equal(t, said, node(t, p, driver.ByID("compose_message_text")).Text)
			send(t, p)
			sent := p.Events("message_sent")
			require.Len(t, sent, 1)
			require.Equal(t, map[string]any{"app": "Messages", "to": "Alice", "text": said}, sent[0].Data)
			require.Empty(t, text(t, p))
			bubbles := p.Tree().FindAll(driver.ByID("message_text"))
			require.Equal(t, said, bubbles[len(bubbles)-1].Text)
		})
	}
}

func TestNothingIsSentWithoutText(t *testing.T) {
	p := inChat(t)
	require.True(t, node(t, p, driver.ByText("Send")).Not(driver.Enabled))
	tap(t, p, "Send")
	p.Key(driver.KeyEnter)
	require.Empty(t, p.Events("message_sent"))
}

func TestEditing(t *testing.T) {
	type keys []driver.Key
	for name, c := range map[string]struct {
		text  string
		keys  keys
		then  string
		want  string
		where int
	}{
		"insert in the middle": {"ac", keys{driver.KeyLeft}, "b", "abc", 2},
		"delete back":          {"abc", keys{driver.KeyLeft, driver.KeyDelete}, "", "ac", 1},
		"delete forward":       {"abc", keys{driver.KeyMoveHome, driver.KeyForward}, "", "bc", 0},
		"at the start":         {"abc", keys{driver.KeyMoveHome, driver.KeyDelete, driver.KeyLeft}, "x", "xabc", 1},
		"at the end":           {"abc", keys{driver.KeyForward, driver.KeyRight}, "x", "abcx", 4},
		"home and end":         {"中文字", keys{driver.KeyMoveHome, driver.KeyRight, driver.KeyMoveEnd}, "!", "中文字!", 4},
		"a whole emoji":        {"a👍🏽", keys{driver.KeyDelete}, "", "a", 1},
		"a family":             {"a👩\u200d👧", keys{driver.KeyDelete}, "", "a", 1},
		"a plain emoji":        {"😀😀", keys{driver.KeyDelete}, "", "😀", 1},
		"a flag's half stays":  {"a❤\ufe0f", keys{driver.KeyDelete}, "", "a", 1},
		"space":                {"a", keys{driver.KeySpace}, "b", "a b", 3},
		"lines":                {"one", keys{driver.KeyEnter}, "two", "one\ntwo", 7},
		"up":                   {"one\ntwo", keys{driver.KeyUp}, "x", "xone\ntwo", 1},
		"down":                 {"one\ntwo", keys{driver.KeyUp, driver.KeyDown}, "x", "one\ntwox", 8},
		"line home":            {"one\ntwo", keys{driver.KeyMoveHome}, "x", "one\nxtwo", 5},
		"paste":                {"a", keys{driver.KeyPaste}, "", "aclip 剪贴板", 9},
	} {
		t.Run(name, func(t *testing.T) {
			p := inNote(t)
			p.SetClipboard("clip 剪贴板")
			require.True(t, p.InsertText(c.text))
			for _, k := range c.keys {
				require.True(t, p.Key(k))
			}
			if c.then != "" {
				require.True(t, p.InsertText(c.then))
			}
			f, ok := p.Focused()
			require.True(t, ok)
			require.Equal(t, sim.Field{ID: "note_text", Text: c.want, Cursor: c.where, Many: true}, f)
		})
	}
}

func TestNewlines(t *testing.T) {
	many, one := inNote(t), inChat(t)
	require.True(t, many.InsertText("a\nb"))
	require.True(t, one.InsertText("a\nb\r\nc"))
	require.Equal(t, "a\nb", text(t, many))
	require.Equal(t, "a b c", text(t, one))
	require.False(t, many.EditorAction(), "Enter in a field of several lines is a newline")
}

func TestNoteIsSaved(t *testing.T) {
	p := inNote(t)
	p.InsertText("买牛奶\nand tea")
	tap(t, p, "Save")
	require.Equal(t, "买牛奶\nand tea", p.Events("note_saved")[0].String("text"))
	require.True(t, shows(p, "买牛奶\nand tea"))
}

func TestNothingTakesTextWithoutFocus(t *testing.T) {
	p := in(messages)
	require.False(t, p.InsertText("x"))
	require.False(t, p.ClearText())
	require.False(t, p.EditorAction())
	p.Key(driver.KeyDelete)
	require.Empty(t, p.Events("text"))

	p = inChat(t)
	p.ShowShade(true)
	require.False(t, p.InsertText("x"), "the shade is in front of the field")
	p.ShowShade(false)
	p.Sleep()
	require.False(t, p.InsertText("x"))
}

func TestClearText(t *testing.T) {
	p := inChat(t)
	p.InsertText("abc")
	require.True(t, p.ClearText())
	require.Empty(t, text(t, p))
	p.InsertText("d")
	require.Equal(t, "d", text(t, p))
	require.Len(t, p.Events("clear"), 1)
}

func TestSecretsAreNotTold(t *testing.T) {
	p := in(wallet)
	tap(t, p, "Transfer")
	tapID(t, p, "payee")
	p.InsertText("Bob")
	p.Key(driver.KeyEnter) // next
	p.InsertText("5")
	p.Key(driver.KeyTab)
	f, _ := p.Focused()
	require.Equal(t, "pin", f.ID)
	require.True(t, f.Secret)
	p.InsertText("4711")
	n := node(t, p, driver.ByID("pin"))
	require.Equal(t, "••••", n.Text)
	require.True(t, n.Is(driver.Password))
	for _, e := range p.Log() {
		require.NotContains(t, e.Data, "4711")
		require.NotEqual(t, "4711", e.String("text"))
	}
	tapID(t, p, "transfer_button")
	require.Equal(t, map[string]any{"app": "Wallet", "to": "Bob", "amount": "5"}, p.Events("transfer")[0].Data)
}

func TestTypingOnTheKeyboard(t *testing.T) {
	p := inChat(t)
	for _, label := range []string{"Shift", "H", "i", "Space", "Symbols", "1", "Symbols", "a", "Delete", "."} {
		kb := window(t, p, driver.WindowKeyboard)
		tree := driver.Tree{Root: kb.Root}
		k := tree.Find(driver.ByText(label))
		require.NotNil(t, k, label)
		require.Equal(t, driver.RoleKey, k.Role)
		p.Tap(k.Center())
	}
	require.Equal(t, "Hi 1.", text(t, p))
}

func window(t *testing.T, p *sim.Phone, kind string) sim.Window {
	t.Helper()
	for _, w := range p.Windows() {
		if w.Kind == kind {
			return w
		}
	}
	require.Fail(t, "no window of the kind "+kind)
	return sim.Window{}
}

func TestKeyboardCoversTheLowerPart(t *testing.T) {
	p := in(messages)
	require.False(t, p.KeyboardShown())
	p = inChat(t)
	require.True(t, p.KeyboardShown())
	kb, field := window(t, p, driver.WindowKeyboard).Bounds, node(t, p, driver.ByID("compose_message_text")).Bounds
	require.LessOrEqual(t, field.Max.Y, kb.Min.Y, "the field stays above the keyboard")
	require.Equal(t, p.Size().Y, kb.Max.Y)
	p.Key(driver.KeyBack)
	require.False(t, p.KeyboardShown())
	require.Equal(t, "Alice", node(t, p, driver.ByID("title")).Text, "the first Back closes the keyboard only")
	require.True(t, p.InsertText("still focused"))
	tapID(t, p, "compose_message_text")
	require.True(t, p.KeyboardShown())
}

func TestFieldInTheBodyIsRevealed(t *testing.T) {
	var body []sim.Widget
	for range 20 {
		body = append(body, sim.Widget{Kind: sim.KindRow, Text: sim.T("row", "")})
	}
	body = append(body, sim.Widget{Kind: sim.KindField, ID: "last", Key: "k"})
	p := sim.New(&sim.Options{Start: "x.form", Apps: []sim.App{{ID: "x.form", Screens: []sim.Screen{{ID: "main", Body: body}}}}})
	for range 4 {
		p.Key(driver.KeyPageDown)
	}
	tapID(t, p, "last")
	require.LessOrEqual(t, node(t, p, driver.ByID("last")).Bounds.Max.Y, window(t, p, driver.WindowKeyboard).Bounds.Min.Y)
}
