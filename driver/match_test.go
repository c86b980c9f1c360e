package driver_test

import (
	"context"
	"image"
	"regexp"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
)

// page is a small tree: a button, a field and a row below the frame.
func page() *driver.Tree {
	ok := &driver.Node{Role: driver.RoleButton, Text: " OK ", ID: "com.x:id/ok", Bounds: image.Rect(0, 0, 10, 10)}
	ok.Set(driver.Enabled, true)
	name := &driver.Node{Role: driver.RoleEdit, Hint: "Your name", Desc: "Name field", ID: "name", Bounds: image.Rect(0, 20, 10, 30)}
	name.Set(driver.Enabled, false)
	below := &driver.Node{Role: driver.RoleText, Text: "OK", Bounds: image.Rect(0, 90, 10, 110)}
	under := &driver.Node{Role: driver.RoleText, Text: "Überall", Bounds: image.Rect(0, 100, 10, 120)}
	root := &driver.Node{Role: driver.RoleWindow, Bounds: image.Rect(0, 0, 50, 100), Children: []*driver.Node{ok, name, below, under}}
	return &driver.Tree{Root: root, Size: image.Pt(50, 100)}
}

func TestMatchers(t *testing.T) {
	tree := page()
	kids := tree.Root.Children
	for _, tt := range []struct {
		name string
		ms   []driver.Match
		want *driver.Node
	}{
		{"text, apart from space", []driver.Match{driver.ByText("OK")}, kids[0]},
		{"text is not a part", []driver.Match{driver.ByText("O")}, nil},
		{"description", []driver.Match{driver.ByText("Name field")}, kids[1]},
		{"hint", []driver.Match{driver.ByText("Your name")}, kids[1]},
		{"no text", []driver.Match{driver.ByText("")}, nil},
		{"contains, whatever the case", []driver.Match{driver.Contains("ÜBER")}, kids[3]},
		{"contains nothing", []driver.Match{driver.Contains("")}, nil},
		{"regular expression", []driver.Match{driver.Matches(regexp.MustCompile(`^Über`))}, kids[3]},
		{"whole id", []driver.Match{driver.ByID("com.x:id/ok")}, kids[0]},
		{"short id", []driver.Match{driver.ByID("ok")}, kids[0]},
		{"id without a slash", []driver.Match{driver.ByID("name")}, kids[1]},
		{"no id", []driver.Match{driver.ByID("")}, nil},
		{"role", []driver.Match{driver.ByRole(driver.RoleEdit)}, kids[1]},
		{"flag", []driver.Match{driver.HasFlag(driver.Enabled)}, kids[0]},
		{"both", []driver.Match{driver.ByText("OK"), driver.ByRole(driver.RoleText)}, kids[2]},
		{"on the screen", []driver.Match{driver.ByRole(driver.RoleText), driver.OnScreen(tree.Bounds())}, kids[2]},
		{"no match is every node", nil, tree.Root},
	} {
		t.Run(tt.name, func(t *testing.T) { require.Same(t, tt.want, tree.Find(tt.ms...)) })
	}
	require.Equal(t, []*driver.Node{kids[0], kids[2]}, tree.FindAll(driver.ByText("OK")))
	require.Nil(t, (&driver.Tree{}).Find(driver.ByText("OK")))
}

func TestFind(t *testing.T) {
	d := newCore()
	d.tree = page()
	n, err := driver.Find(t.Context(), d, driver.ByID("ok"))
	require.NoError(t, err)
	require.Equal(t, " OK ", n.Text)
	n, err = driver.Find(t.Context(), d, driver.ByID("nothing"))
	require.NoError(t, err)
	require.Nil(t, n)
	d.fail[driver.OpTree] = driver.ErrOffline
	_, err = driver.Find(t.Context(), d, driver.ByID("ok"))
	require.ErrorIs(t, err, driver.ErrOffline)
}

// coming has no tree at first, then an empty page, and then the page.
type coming struct{ *core }

func (c *coming) Tree(ctx context.Context) (*driver.Tree, error) {
	t, err := c.core.Tree(ctx)
	switch {
	case len(c.did) < 3:
		return nil, driver.ErrNoTree
	case len(c.did) < 5:
		return &driver.Tree{Root: &driver.Node{}}, nil
	}
	return t, err
}

func TestWaitFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &coming{newCore()}
		d.tree = page()
		start := time.Now()
		n, err := driver.WaitFor(t.Context(), d, driver.ByID("ok"))
		require.NoError(t, err)
		require.Equal(t, "com.x:id/ok", n.ID)
		require.Len(t, d.did, 5)
		require.Equal(t, time.Second, time.Since(start))
	})
}

func TestWaitForEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, fail := range []error{nil, driver.ErrNoTree} {
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			d := newCore()
			d.fail[driver.OpTree] = fail
			_, err := driver.WaitFor(ctx, d, driver.ByID("ok"))
			require.ErrorIs(t, err, context.DeadlineExceeded)
			if fail != nil {
				require.ErrorContains(t, err, "no tree of the screen now")
			}
			cancel()
		}
	})
}

func TestWaitForEndsWithAnotherError(t *testing.T) {
	for _, fail := range []error{driver.ErrOffline, driver.Unsupported("no trees")} {
		d := newCore()
		d.fail[driver.OpTree] = fail
		_, err := driver.WaitFor(t.Context(), d, driver.ByID("ok"))
		require.ErrorIs(t, err, fail)
		require.Len(t, d.did, 1)
	}
}
