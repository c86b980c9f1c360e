package hdc

import (
	"context"
	"errors"
	"fmt"
	"image"
	"strings"
	"time"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/nap"
)

// dumpWait is the pause before the one retry of a dump.
const dumpWait = 300 * time.Millisecond

// Tree dumps all windows. ErrNoTree says that the phone gave none: while another tool holds its accessibility service,
// for example.
func (d *Driver) Tree(ctx context.Context) (*driver.Tree, error) {
	return value(ctx, d, driver.OpTree, limitTree, d.tree)
}

// tree takes a dump, and a second one where the first was empty, cut short, or raced with the page. A uitest that finds another
// at work has waited for 20 s already.
func (d *Driver) tree(ctx context.Context) (*driver.Tree, error) {
	t, blanks, err := d.dumpOnce(ctx)
	again := err == nil && blanks > 0 && !d.blanks.Load() || errors.Is(err, errNoDump)
	if !again {
		if err == nil && blanks == 0 {
			d.blanks.Store(false)
		}
		return t, asNoTree(err)
	}
	if nap.For(ctx, dumpWait) != nil {
		return t, asNoTree(err)
	}
	second, blanks, err2 := d.dumpOnce(ctx)
	if err2 != nil && t != nil {
		return t, nil // with the bounds that are not clipped
	}
	d.blanks.Store(err2 == nil && blanks > 0)
	return second, asNoTree(err2)
}

// errNoDump says that there is no dump now; another try may help.
var errNoDump = errors.New("no dump")

func asNoTree(err error) error {
	if errors.Is(err, errHeld) {
		return fmt.Errorf("%w: %w", driver.ErrNoTree, err)
	}
	if errors.Is(err, errNoDump) {
		return fmt.Errorf("%w: %s", driver.ErrNoTree, strings.TrimPrefix(err.Error(), errNoDump.Error()+": "))
	}
	return err
}

// dumpOnce takes one dump and reads its file, in one line of the phone's shell. Truth is the file: uitest empties it before
// it begins, and the first dump after a start may end with 0 and write none.
func (d *Driver) dumpOnce(ctx context.Context) (t *driver.Tree, blanks int, err error) {
	file := tempFile(".json")
	s := newSections()
	line := s.line("uitest dumpLayout -p "+file, "cat "+file+"; rm -f "+file, askDisplay)
	out, err := d.alone(ctx, func(ctx context.Context) (*output, error) {
		out, err := d.ask(ctx, line)
		if err != nil && !refused(err) {
			d.remove(ctx, file)
		}
		return out, err
	})
	if err != nil {
		return nil, 0, err
	}
	parts := s.split(out.text)
	t, blanks, parseErr := parseLayout([]byte(parts[1]))
	d.lacks.service.Store(parseErr != nil && strings.Contains(parts[0], serviceHeld))
	if parseErr != nil {
		return nil, 0, dumpFailure(parts[0], parts[1], parseErr)
	}
	t.Rotation, _ = parseRotation(parts[2])
	return d.placed(t), blanks, nil
}

// dumpFailure says why there is no tree.
func dumpFailure(said, file string, parseErr error) error {
	switch {
	case missing(said, "uitest"):
		return driver.Unsupported("the phone has no uitest: %s", complaint(said))
	case strings.Contains(said, serviceHeld):
		return errHeld
	case strings.Contains(said, "saved to") && strings.TrimSpace(file) != "":
		return fmt.Errorf("%w: %w", errNoDump, parseErr)
	case strings.TrimSpace(said) == "":
		return fmt.Errorf("%w: uitest said nothing and wrote nothing", errNoDump)
	}
	return fmt.Errorf("%w: uitest dumpLayout: %s", errNoDump, complaint(said))
}

// placed puts a tree into the pixels of the frame.
func (d *Driver) placed(t *driver.Tree) *driver.Tree {
	page := t.App.Page
	t.App = d.app(t.App.ID)
	t.App.Page = page
	root := t.Size
	t.Size = d.screen.sawRoot(root)
	if t.Size == root {
		return t
	}
	for n := range t.Root.All() {
		n.Bounds.Min = rescaled(n.Bounds.Min, root, t.Size)
		n.Bounds.Max = rescaled(n.Bounds.Max, root, t.Size)
	}
	return t
}

// rescaled converts an edge, which lies between pixels.
func rescaled(p, from, to image.Point) image.Point {
	return image.Pt(p.X*to.X/from.X, p.Y*to.Y/from.Y)
}
