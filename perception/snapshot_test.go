package perception_test

import (
	"fmt"
	"image"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/perception"
)

func TestRef(t *testing.T) {
	ok := button("OK", line(300))
	s := perception.Render(screen(text("Sure?", line(100)), ok), nil)
	got, err := s.Ref(1)
	require.NoError(t, err)
	require.Same(t, ok, got)
	got, err = s.RefIn(s.ID, 1)
	require.NoError(t, err)
	require.Same(t, ok, got)

	for _, ref := range []int{-1, 0, 2} {
		_, err = s.Ref(ref)
		require.ErrorIs(t, err, perception.ErrUnknownRef)
	}
	later := perception.Render(screen(button("Pay", line(300))), nil)
	_, err = later.RefIn(s.ID, 1)
	require.ErrorIs(t, err, perception.ErrStaleRef)
	require.ErrorContains(t, err, later.ID)
}

func TestFingerprint(t *testing.T) {
	base := func() *driver.Tree {
		return screen(text("12:30", image.Rect(0, 0, 100, 50)), button("OK", line(300)), toggle(true, line(500)), edit("ab", "", line(700)))
	}
	cases := []struct {
		name   string
		change func(t *driver.Tree)
		same   bool
	}{
		{"nothing", func(*driver.Tree) {}, true},
		{"the clock", func(t *driver.Tree) { t.Root.Children[0].Text = "12:31" }, true},
		{"a clock in words", func(t *driver.Tree) { t.Root.Children[0].Text = "下午3:05" }, true},
		{"a few pixels", func(t *driver.Tree) { t.Root.Children[1].Bounds = line(302) }, true},
		{"a label", func(t *driver.Tree) { t.Root.Children[1].Text = "Cancel" }, false},
		{"a switch", func(t *driver.Tree) { t.Root.Children[2].Set(driver.Checked, false) }, false},
		{"a value", func(t *driver.Tree) { t.Root.Children[3].Text = "abc" }, false},
		{"the focus", func(t *driver.Tree) { t.Root.Children[3].Set(driver.Focused, true) }, false},
		{"the app", func(t *driver.Tree) { t.App.ID = "com.other" }, false},
		{"the page", func(t *driver.Tree) { t.App.Page = "Other" }, false},
		{"a scroll", func(t *driver.Tree) { t.Root.Children[1].Bounds = line(1500) }, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			before, after := base(), base()
			c.change(after)
			same := perception.Render(before, nil).Fingerprint() == perception.Render(after, nil).Fingerprint()
			require.Equal(t, c.same, same)
		})
	}
}

func TestFingerprintSeesAPasswordGrow(t *testing.T) {
	of := func(value string) uint64 {
		return perception.Render(screen(with(edit(value, "", line(100)), driver.Password)), nil).Fingerprint()
	}
	require.NotEqual(t, of("abc"), of("abcd"))
}

// randomTree makes trees of every kind of nonsense.
func randomTree(r *rand.Rand, nodes int) *driver.Tree {
	root := node(driver.RoleWindow, image.Rect(0, 0, 1080, 2400))
	all := []*driver.Node{root}
	roles := []driver.Role{driver.RoleView, driver.RoleButton, driver.RoleText, driver.RoleEdit, driver.RoleSwitch, driver.RoleList, driver.RoleKey}
	windows := []string{"", "", "", "", "", "", driver.WindowDialog, driver.WindowKeyboard, driver.WindowSystem}
	for i := range nodes - 1 {
		x, y := r.IntN(1300)-100, r.IntN(2800)-200
		n := node(roles[r.IntN(len(roles))], image.Rect(x, y, x+r.IntN(600), y+r.IntN(300)))
		few, some := r.Uint32(), r.Uint32()
		n.Flags = driver.Flag(few & some)
		n.Known |= driver.Flag(r.Uint32())
		if r.IntN(2) == 0 {
			n.Text = fmt.Sprintf("label %d", i)
		}
		if n.Is(driver.Password) {
			n.Text = fmt.Sprintf("secret-%d-end", i)
		}
		n.Window = windows[r.IntN(len(windows))]
		parent := all[r.IntN(len(all))]
		parent.Children = append(parent.Children, n)
		all = append(all, n)
	}
	return &driver.Tree{Root: root, Size: image.Pt(1080, 2400)}
}

func TestRenderHoldsItsRules(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		tree := randomTree(r, 1+r.IntN(120))
		s := perception.Render(tree, nil)
		require.Equal(t, s.String(), perception.Render(tree, nil).String(), "the same tree gives the same rows")
		require.NotContains(t, s.String(), "secret-")
		require.Len(t, strings.Split(s.String(), "\n"), len(s.Rows)+1, "a row is one line")
		ref := 0
		for i := range s.Rows {
			row := &s.Rows[i]
			require.True(t, row.At.In(tree.Bounds()), "%v is on the screen", row.At)
			require.True(t, row.At.In(row.Box))
			require.True(t, row.Mil.In(image.Rect(0, 0, 1000, 1000)))
			if row.Role == "text" {
				require.Zero(t, row.Ref)
				continue
			}
			ref++
			require.Equal(t, ref, row.Ref, "refs count up in reading order")
			got, err := s.Row(ref)
			require.NoError(t, err)
			require.Same(t, row, got)
		}
	}
}

// The numbers of a row, taken by a model for a tap, lead back to the pixel: int(v/1000*W).
func TestRelativePointsLeadBack(t *testing.T) {
	for _, width := range []int{720, 1080, 1216, 1440, 2400, 390} {
		for px := range width {
			tree := &driver.Tree{Root: with(node(driver.RoleButton, image.Rect(px, 0, px+1, 1)), driver.Clickable), Size: image.Pt(width, 2)}
			rows := perception.Render(tree, nil).Rows
			require.Len(t, rows, 1)
			back := int(float64(rows[0].Mil.X) / 1000 * float64(width))
			require.InDelta(t, px, back, float64(width)/1000+1)
		}
	}
}
