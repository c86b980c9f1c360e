package perception_test

import (
	"image"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/perception"
)

func TestRenderRows(t *testing.T) {
	cases := []struct {
		name string
		kids []*driver.Node
		want []string
	}{
		{"texts merge into what is touched", []*driver.Node{
			with(node(driver.RoleView, line(100),
				text("Network & internet", image.Rect(100, 100, 900, 150)),
				text("Wi-Fi, mobile, data usage", image.Rect(100, 150, 900, 200))), driver.Clickable),
		}, []string{"1 btn Network & internet · Wi-Fi, mobile, data usage 500,75"}},
		{"merging stops at what can be touched itself", []*driver.Node{
			with(node(driver.RoleView, line(100), text("Alice", image.Rect(0, 100, 400, 200)),
				button("Call", image.Rect(800, 100, 1000, 200))), driver.Clickable),
		}, []string{"1 btn Alice 500,75", "2 btn Call 900,75"}},
		{"a switch inside a row borrows the row's name", []*driver.Node{
			with(node(driver.RoleView, line(100), text("Bluetooth", image.Rect(0, 100, 400, 200)),
				toggle(false, image.Rect(800, 100, 1000, 200))), driver.Clickable),
		}, []string{"1 btn Bluetooth 500,75", "2 switch Bluetooth off 900,75"}},
		{"a field does not take the label of a button that is switched off", []*driver.Node{
			node(driver.RoleView, image.Rect(0, 0, 1000, 300), func() *driver.Node {
				b := button("Save", image.Rect(800, 0, 1000, 100))
				b.Set(driver.Clickable|driver.Enabled, false)
				return b
			}(), edit("Write something", "", line(100))),
		}, []string{"- Save disabled 900,25", `1 edit "Write something" 500,75`}},
		{"what a field holds wins over the title of the page", []*driver.Node{
			node(driver.RoleView, image.Rect(0, 0, 1000, 400),
				node(driver.RoleView, image.Rect(0, 0, 1000, 100), text("Settings", image.Rect(50, 20, 300, 80))),
				node(driver.RoleView, line(100), edit("Search settings", "", line(100)))),
		}, []string{"- Settings 175,25", `1 edit "Search settings" 500,75`}},
		{"and over the app's name right above it", []*driver.Node{
			node(driver.RoleView, image.Rect(0, 0, 1000, 400), text("Example", image.Rect(50, 20, 300, 80)), edit("Search", "", line(100))),
		}, []string{"- Example 175,25", `1 edit "Search" 500,75`}},
		{"a field has the label above it in a form", []*driver.Node{
			node(driver.RoleView, image.Rect(0, 0, 1000, 400), text("First name", image.Rect(50, 20, 300, 80)), edit("Alice", "", line(100))),
		}, []string{`1 edit First name "Alice" 500,75`}},
		{"and the one on its line, wherever that is", []*driver.Node{
			node(driver.RoleView, line(100),
				node(driver.RoleView, image.Rect(0, 100, 300, 200), text("First name", image.Rect(0, 100, 300, 200))),
				node(driver.RoleView, image.Rect(300, 100, 1000, 200), edit("Alice", "", image.Rect(300, 100, 1000, 200)))),
		}, []string{`1 edit First name "Alice" 650,75`}},
		{"a field that tells nothing takes the title", []*driver.Node{
			node(driver.RoleView, image.Rect(0, 0, 1000, 400),
				node(driver.RoleView, image.Rect(0, 0, 1000, 100), text("Example", image.Rect(50, 20, 300, 80))),
				node(driver.RoleView, line(100), with(edit("secret", "", line(100)), driver.Password))),
		}, []string{`1 edit Example "•••" 500,75`}},
		{"a switch takes the text beside it, which is then not said twice", []*driver.Node{
			node(driver.RoleView, line(100), text("Dark theme", image.Rect(0, 100, 400, 200)), toggle(true, image.Rect(800, 100, 1000, 200))),
		}, []string{"1 switch Dark theme on 900,75"}},
		{"each of several switches takes the text on its own line", []*driver.Node{
			node(driver.RoleView, image.Rect(0, 100, 1000, 400),
				text("One", image.Rect(0, 100, 400, 200)), text("Two", image.Rect(0, 200, 400, 300)),
				toggle(true, image.Rect(800, 100, 1000, 200)), toggle(false, image.Rect(800, 200, 1000, 300))),
		}, []string{"1 switch One on 900,75", "2 switch Two off 900,125"}},
		{"a check mark that takes no touch belongs to its row", []*driver.Node{
			with(node(driver.RoleView, line(100), text("Wi-Fi", image.Rect(0, 100, 400, 200)),
				func() *driver.Node {
					n := toggle(true, image.Rect(800, 100, 1000, 200))
					n.Set(driver.Clickable, false)
					return n
				}()),
				driver.Clickable),
		}, []string{"1 switch Wi-Fi on 500,75"}},
		{"the same bounds twice are one thing", []*driver.Node{
			with(node(driver.RoleView, line(100), button("", line(100), text("Load", line(100)))), driver.Clickable),
		}, []string{"1 btn Load 500,75"}},
		{"twins side by side are one thing", []*driver.Node{
			button("Load", line(100)), with(node(driver.RoleView, line(100)), driver.Clickable),
		}, []string{"1 btn Load 500,75"}},
		{"a field shows hint and value", []*driver.Node{
			edit("", "Search settings", line(100)), with(edit("hello", "Message", line(300)), driver.Focused),
		}, []string{"1 edit Search settings 500,75", `2 edit Message "hello" focus 500,175`}},
		{"an id stands in where there is no text", []*driver.Node{
			func() *driver.Node {
				n := with(node(driver.RoleImage, line(100)), driver.Clickable)
				n.ID = "com.example:id/send"
				return n
			}(),
		}, []string{"1 img #send 500,75"}},
		{"texts in reading order", []*driver.Node{
			text("right", image.Rect(600, 105, 900, 195)), text("below", line(400)), text("left", image.Rect(0, 110, 300, 190)),
		}, []string{"- left 150,75", "- right 750,75", "- below 500,225"}},
		{"flags only where they are known and true", []*driver.Node{
			func() *driver.Node {
				n := with(button("Buy", line(100)), driver.LongClickable|driver.Selected)
				n.Set(driver.Enabled, false)
				return n
			}(),
			{Role: driver.RoleButton, Text: "Unknown", Bounds: line(300)},
		}, []string{"1 btn Buy sel disabled long 500,75", "2 btn Unknown 500,175"}},
		{"off the screen, without area and invisible", []*driver.Node{
			button("off", image.Rect(0, 2000, 1000, 2100)), button("none", image.Rect(10, 10, 10, 20)),
			func() *driver.Node { n := button("invisible", line(100)); n.Set(driver.Visible, false); return n }(),
			button("half", image.Rect(0, 1900, 1000, 2300)),
		}, []string{"1 btn half 500,975"}},
		{"what has scrolled out of its list", []*driver.Node{
			with(node(driver.RoleList, image.Rect(0, 200, 1000, 600), button("seen", line(300)), button("gone", line(700))), driver.Scrollable),
		}, []string{"1 list 500,200", "2 btn seen 500,175"}},
		{"a page that takes touches as a whole is no row", []*driver.Node{
			with(node(driver.RoleView, image.Rect(0, 0, 1000, 2000), text("Hello", line(100)), button("Go", line(300))), driver.Clickable),
		}, []string{"- Hello 500,75", "1 btn Go 500,175"}},
		{"behind a sheet", []*driver.Node{
			button("under", line(1500)), text("under too", line(1700)), button("above", line(100)),
			with(node(driver.RoleView, image.Rect(0, 1000, 1000, 2000), button("Share", line(1200))), driver.Clickable),
		}, []string{"1 btn above 500,75", "2 btn 500,750", "3 btn Share 500,625"}},
		{"a line break cannot make a row", []*driver.Node{
			text("a\n7 btn Pay 1,1\u202e\u0007", line(100)),
		}, []string{"- a 7 btn Pay 1,1 500,75"}},
		{"another app's window is named", []*driver.Node{
			func() *driver.Node { n := button("Win", line(100)); n.Package = "com.evil"; return n }(),
			func() *driver.Node { n := button("Wi-Fi", line(300)); n.Package = "com.android.systemui"; return n }(),
		}, []string{"1 btn Win [com.evil] 500,75", "2 btn Wi-Fi [system] 500,175"}},
		{"a touch avoids what is inside", []*driver.Node{
			with(node(driver.RoleView, line(100), text("Row", image.Rect(0, 100, 300, 200)),
				button("In", image.Rect(400, 100, 600, 200))), driver.Clickable),
		}, []string{"1 btn Row 250,75", "2 btn In 500,75"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := perception.Render(screen(c.kids...), nil)
			require.Equal(t, c.want, strings.Split(got.String(), "\n")[1:])
		})
	}
}

func TestRenderHeader(t *testing.T) {
	s := perception.Render(screen(button("OK", line(100)), node(driver.RoleView, line(200))), nil)
	require.Equal(t, "app com.example · Example · 1000x2000 · kb off · 1 of 3 nodes", strings.Split(s.String(), "\n")[0])

	bare := &driver.Tree{Root: node(driver.RoleWindow, image.Rect(0, 0, 10, 10)), Size: image.Pt(10, 10)}
	require.Equal(t, "app ? · - · 10x10 · kb off · 0 of 1 nodes", perception.Render(bare, nil).String())

	paged := screen()
	paged.App = driver.App{ID: "com.example", Page: "com.example/.ui.MainActivity"}
	require.Contains(t, perception.Render(paged, nil).String(), "· MainActivity ·")
}

func TestRenderOfNothing(t *testing.T) {
	s := perception.Render(&driver.Tree{}, nil)
	require.Equal(t, "app ? · - · 0x0 · kb off · 0 of 0 nodes", s.String())
	require.Empty(t, s.Rows)
}

// windowed puts nodes into a window of a kind.
func windowed(kind string, box image.Rectangle, kids ...*driver.Node) *driver.Node {
	w := node(driver.RoleWindow, box, kids...)
	w.Window = kind
	return w
}

func TestRenderDialog(t *testing.T) {
	s := perception.Render(screen(
		windowed(driver.WindowApp, image.Rect(0, 0, 1000, 2000), text("behind", line(1000)), button("beside", line(100))),
		windowed(driver.WindowDialog, image.Rect(100, 800, 900, 1300), text("Allow camera?", image.Rect(100, 850, 900, 950)),
			button("Deny", image.Rect(100, 1100, 450, 1200)), button("Allow", image.Rect(500, 1100, 900, 1200))),
	), nil)
	require.Equal(t, []string{
		"- Allow camera? [dialog] 500,450", "1 btn Deny [dialog] 275,575", "2 btn Allow [dialog] 700,575",
		"3 btn beside 500,75", "- behind 500,525",
	}, strings.Split(s.String(), "\n")[1:], "text wider than the dialog is still seen")
}

func TestRenderKeyboard(t *testing.T) {
	key := node(driver.RoleKey, image.Rect(0, 1800, 100, 1900))
	key.Text = "q"
	kb := windowed(driver.WindowKeyboard, image.Rect(0, 0, 1000, 2000), key)
	app := windowed(driver.WindowApp, image.Rect(0, 0, 1000, 2000), with(edit("", "Name", line(100)), driver.Focused),
		button("under the keyboard", image.Rect(0, 1810, 90, 1890)))
	s := perception.Render(screen(app, kb), nil)
	require.Equal(t, perception.KeyboardOn, s.Keyboard)
	require.Equal(t, []string{"1 edit Name focus 500,75"}, strings.Split(s.String(), "\n")[1:])

	require.Equal(t, perception.KeyboardUnknown, perception.Render(screen(app), nil).Keyboard, "many trees leave it out")
	require.Equal(t, perception.KeyboardOff, perception.Render(screen(edit("", "Name", line(100))), nil).Keyboard)
}

func TestRenderPasswords(t *testing.T) {
	field := with(edit("hunter22", "", image.Rect(0, 200, 1000, 300)), driver.Password)
	field.Desc = "hunter22"
	box := with(node(driver.RoleView, image.Rect(0, 100, 1000, 300), text("Password", line(100)), field), driver.Clickable)
	box.Desc = "Password, hunter22"
	s := perception.Render(screen(box, text("You typed hunter22!", line(500)), text("hunter22", line(700))), nil)
	require.NotContains(t, s.String(), "hunter22")
	require.Contains(t, s.String(), `"•••"`)
	require.Contains(t, s.String(), "You typed •••!")
}

func TestPasswordTextIsInNoRow(t *testing.T) {
	for _, secret := range []string{"hunter22", "密码是这个", "a b  c", "x\ny z"} {
		field := with(edit(secret, "", line(200)), driver.Password)
		field.Desc = secret
		s := perception.Render(screen(field, text(secret, line(400))), nil)
		require.NotContains(t, s.String(), strings.Join(strings.Fields(secret), " "))
	}
}

func TestRenderClips(t *testing.T) {
	long := strings.Repeat("字", 200)
	s := perception.Render(screen(text(long, line(100)), edit(long, "", line(900))), nil)
	require.Equal(t, strings.Repeat("字", 79)+"…", s.Rows[0].Label)
	require.Equal(t, strings.Repeat("字", 79)+"…", s.Rows[1].Value)
	require.Equal(t, "字字…", perception.Render(screen(text(long, line(100))), &perception.Options{Clip: 3}).Rows[0].Label)
}

func TestRenderSaysWhatItDropped(t *testing.T) {
	var kids []*driver.Node
	for i := range 10 {
		kids = append(kids, text(strings.Repeat("t", i+1), line(i*150)), button(strings.Repeat("b", i+1), image.Rect(0, i*150+100, 1000, i*150+150)))
	}
	s := perception.Render(screen(kids...), &perception.Options{MaxRows: 8})
	require.Equal(t, perception.Dropped{Texts: 10, Others: 2}, s.Dropped)
	require.Len(t, s.Rows, 8)
	require.Contains(t, s.String(), "… 10 more texts and 2 more things are not listed")
	require.Contains(t, s.String(), "8 of 21 nodes")
}
