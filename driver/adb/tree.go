package adb

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"sync"
	"time"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/nap"
)

const (
	// dumpTries is how often a dump is tried that fails in a way that goes away: no root just after
	// a page changed, a child that vanished, a killed process.
	dumpTries = 4
	dumpWait  = 250 * time.Millisecond
	// restless is how long a screen that never came to rest is believed to be still so, if nothing
	// is done to it.
	restless = 15 * time.Second
)

// idleMemory remembers that the screen did not come to rest, as finding out takes 11 s.
type idleMemory struct {
	mu    sync.Mutex
	until time.Time
}

func (m *idleMemory) restless() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return time.Now().Before(m.until)
}

func (m *idleMemory) note(d time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.until = time.Now().Add(d)
}

// Tree dumps the window with the focus, or all windows (Options.AllWindows). Where an automation server
// of another program runs on the phone (openatx's uiautomator2, or Appium's with a session), which
// leaves the phone's own tool no way, the tree is that server's. A screen that never comes to rest is ErrNoTree, and so is
// one while another program holds the phone's only automation.
func (d *Driver) Tree(ctx context.Context) (*driver.Tree, error) {
	return value(ctx, d, driver.OpTree, limitTree, d.tree)
}

func (d *Driver) tree(ctx context.Context) (*driver.Tree, error) {
	if t := d.serverTree(ctx); t != nil {
		return t, nil
	}
	if d.idle.restless() {
		return nil, fmt.Errorf("%w: the screen did not come to rest a moment ago; look at a screenshot, or do something", driver.ErrNoTree)
	}
	var err error
	for n := range dumpTries {
		if n > 0 && nap.For(ctx, dumpWait) != nil {
			break
		}
		var t *driver.Tree
		var again bool
		if t, again, err = d.dumpOnce(ctx); err == nil || !again {
			return t, err
		}
	}
	return nil, err
}

// dumpOnce takes one dump. Truth is the file: the tool prints success where writing failed, and
// fails where the file is good.
func (d *Driver) dumpOnce(ctx context.Context) (t *driver.Tree, again bool, err error) {
	file := tempFile(".xml")
	out, err := d.dumpFile(ctx, file)
	if err != nil {
		return nil, false, err
	}
	t, parseErr := ParseDump(out.stdout)
	if parseErr == nil {
		return d.placed(t), false, nil
	}
	again, err = d.dumpFailure(out, parseErr)
	return nil, again, err
}

// dumpFile runs the tool and reads its file, in one line. A file of its own keeps the dumps of two
// programs, and of yesterday, apart. A call that ends early has the file removed all the same.
func (d *Driver) dumpFile(ctx context.Context, file string) (*output, error) {
	option := ""
	if d.opts.CompressedTree {
		option = "--compressed "
	}
	if d.opts.AllWindows {
		option += "--windows " // passed over by releases that do not know it
	}
	old := d.litter.take()
	line := fmt.Sprintf("%[3]s; uiautomator dump %[1]s%[2]s; cat %[2]s 2>/dev/null; rm -f %[2]s", option, file, removeLine(append(old, file)))
	out, err := d.askFor(ctx, request{line: line})
	if err != nil {
		d.litter.add(old...)
		d.giveUp(ctx, file)
		return nil, err
	}
	return out, nil
}

// dumpFailure says why there is no tree, and whether another try may help.
func (d *Driver) dumpFailure(out *output, parseErr error) (again bool, err error) {
	text := append(append([]byte(nil), out.stdout...), out.stderr...)
	has := func(s string) bool { return bytes.Contains(text, []byte(s)) }
	no := func(why string) error { return fmt.Errorf("%w: %s", driver.ErrNoTree, why) }
	switch {
	case has("could not get idle state"):
		d.idle.note(restless)
		return false, no("the screen never came to rest (a video, an animation); look at a screenshot instead")
	case has("already registered"):
		d.treeServer.lookAgain()
		return false, no("another program holds the phone's automation (an Appium or uiautomator2 server); end it")
	case has("Illegal character"):
		return false, no("this Android cannot dump a page with emoji; look at a screenshot instead")
	case has("null root node"):
		return true, no("the window had no root; the page may be changing")
	case has("uiautomator: not found"), has("uiautomator: inaccessible"):
		return false, driver.Unsupported("the phone has no uiautomator: %s", complaint(text))
	case has("<hierarchy"):
		return true, no(parseErr.Error())
	case has("dumped to:"):
		return true, no("uiautomator said that it wrote the tree, and wrote none; the phone's storage may be full")
	case has("Killed"):
		return true, no("the phone ended uiautomator, as it does when its memory is short; close apps, or look at a screenshot")
	}
	return true, no("uiautomator gave none: " + complaint(out.stderr, printable(out.stdout)))
}

// placed puts a tree into the pixels of the frame, which its rotation tells.
func (d *Driver) placed(t *driver.Tree) *driver.Tree {
	t.App = d.app(t.App.ID)
	logical, frame := d.screen.sawRotation(t.Rotation)
	if logical == (image.Point{}) {
		return t
	}
	t.Size = frame
	if logical == frame {
		return t
	}
	for n := range t.Root.All() {
		n.Bounds.Min = scaled(n.Bounds.Min, logical, frame)
		n.Bounds.Max = scaled(n.Bounds.Max, logical, frame)
	}
	return t
}

// scaled converts an edge, which lies between pixels.
func scaled(p, from, to image.Point) image.Point {
	return image.Pt(p.X*to.X/from.X, p.Y*to.Y/from.Y)
}
