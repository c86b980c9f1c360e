package policy_test

import (
	"context"
	"errors"
	"fmt"
	"image"
	"sync"
	"time"

	"github.com/handset-go/handset/driver"
)

// fakePhone shows a tree and notes what is done to it.
type fakePhone struct {
	mu    sync.Mutex
	tree  *driver.Tree
	err   error // of Tree
	trees int
	done  []string
	slow  chan struct{} // where set, Tree waits for it
}

func (p *fakePhone) note(format string, args ...any) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done = append(p.done, fmt.Sprintf(format, args...))
	return nil
}

func (p *fakePhone) log() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.done...)
}

func (p *fakePhone) treesRead() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.trees
}

func (p *fakePhone) show(t *driver.Tree) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tree = t
}

func (p *fakePhone) Tree(ctx context.Context) (*driver.Tree, error) {
	p.mu.Lock()
	p.trees++
	t, err, slow := p.tree, p.err, p.slow
	p.mu.Unlock()
	if slow != nil {
		select {
		case <-slow:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return t, err
}

func (p *fakePhone) Screenshot(context.Context) (*driver.Screen, error) {
	return driver.NewScreenImage(image.NewGray(image.Rect(0, 0, 10, 20)), driver.HealthOK)
}
func (p *fakePhone) Tap(_ context.Context, at image.Point) error {
	return p.note("tap %d,%d", at.X, at.Y)
}
func (p *fakePhone) Swipe(_ context.Context, from, to image.Point, _ time.Duration) error {
	return p.note("swipe %v %v", from, to)
}
func (p *fakePhone) Key(_ context.Context, k driver.Key) error { return p.note("key %s", k) }
func (p *fakePhone) Launch(_ context.Context, app string) error {
	return p.note("launch %s", app)
}
func (p *fakePhone) Close() error                                     { return nil }
func (p *fakePhone) Type(_ context.Context, text string) error        { return p.note("type") }
func (p *fakePhone) OpenURL(_ context.Context, url string) error      { return p.note("open %s", url) }
func (p *fakePhone) Install(_ context.Context, files ...string) error { return p.note("install") }
func (p *fakePhone) Shell(_ context.Context, argv ...string) (*driver.ShellResult, error) {
	return &driver.ShellResult{}, p.note("shell")
}
func (p *fakePhone) Describe(context.Context) (*driver.Description, error) {
	return &driver.Description{Address: "fake:1"}, nil
}
func (p *fakePhone) Apps(context.Context) ([]driver.App, error) {
	return []driver.App{{ID: "com.bank", Name: "Bank"}, {ID: "com.notes", Name: "Notes"}}, nil
}

var errDump = errors.New("could not get idle state")

// page is a screen of 1000x2000 in the app com.shop.
func page(kids ...*driver.Node) *driver.Tree {
	root := &driver.Node{Role: driver.RoleWindow, Bounds: image.Rect(0, 0, 1000, 2000), Children: kids}
	return &driver.Tree{Root: root, Size: image.Pt(1000, 2000), App: driver.App{ID: "com.shop"}}
}

func button(text string, y int, kids ...*driver.Node) *driver.Node {
	n := &driver.Node{Role: driver.RoleButton, Text: text, Bounds: image.Rect(0, y, 1000, y+100), Children: kids}
	n.Set(driver.Clickable, true)
	return n
}

func label(text string, y int) *driver.Node {
	n := &driver.Node{Role: driver.RoleText, Text: text, Bounds: image.Rect(100, y+10, 900, y+90)}
	n.Set(driver.Clickable, false)
	return n
}
