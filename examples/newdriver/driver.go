package main

import (
	"context"
	"encoding/json"
	"fmt"
	"image"
	"io"
	"net"
	"time"

	"github.com/handset-go/handset/driver"
)

// Driver drives a kiosk. Its wire takes one line for each connection, and closes it after the answer.
type Driver struct {
	calls *driver.Calls
	dial  func(context.Context) (net.Conn, error)
	limit time.Duration // of each call
}

func Open(name string, limit time.Duration, dial func(context.Context) (net.Conn, error)) *Driver {
	return &Driver{driver.NewCalls("kiosk:" + name), dial, limit}
}

// refusals are the kiosk's words for what it does not do.
var refusals = map[string]error{
	"ERR off-screen": driver.ErrOffScreen, "ERR no-key": driver.Unsupported("no such key; the keys are Home"),
}

// ask makes a call of one line to the kiosk, whose answer is a T. Once the line is sent, a failure leaves open what it did.
func ask[T any](ctx context.Context, d *Driver, op driver.Op, decode func([]byte) (T, error), line ...any) (T, error) {
	return driver.Value(ctx, d.calls, op, d.limit, func(ctx context.Context) (none T, err error) {
		conn, err := d.dial(ctx)
		if err != nil {
			return none, fmt.Errorf("%w: %w", driver.ErrOffline, err)
		}
		defer conn.Close()
		defer context.AfterFunc(ctx, func() { conn.Close() })() // a call that has ended lets go of the wire
		driver.MarkSent(ctx)
		_, _ = fmt.Fprintln(conn, line...) // what goes wrong here shows in the answer
		answer, err := io.ReadAll(conn)
		if err != nil {
			return none, fmt.Errorf("%w: %w", driver.ErrOffline, err)
		}
		if err := refusals[string(answer)]; err != nil {
			driver.MarkRefused(ctx)
			return none, err
		}
		return decode(answer)
	})
}

// do makes a call whose answer is OK.
func (d *Driver) do(ctx context.Context, op driver.Op, line ...any) error {
	_, err := ask(ctx, d, op, func(answer []byte) (any, error) {
		if string(answer) != "OK" {
			return nil, fmt.Errorf("the kiosk answers %q, want OK", answer)
		}
		return nil, nil
	}, line...)
	return err
}

func (d *Driver) Screenshot(ctx context.Context) (*driver.Screen, error) {
	png := func(data []byte) (*driver.Screen, error) { return driver.NewScreen(data, driver.HealthOK) }
	return ask(ctx, d, driver.OpScreenshot, png, "FRAME")
}

func (d *Driver) Tree(ctx context.Context) (*driver.Tree, error) {
	return ask(ctx, d, driver.OpTree, tree, "SHOW")
}

// tree reads what SHOW answers. The kiosk tells that a button can be pressed and nothing else: the other flags
// stay unknown.
func tree(answer []byte) (*driver.Tree, error) {
	var p page
	if err := json.Unmarshal(answer, &p); err != nil {
		return nil, err
	}
	root := &driver.Node{Role: driver.RoleWindow, Bounds: image.Rectangle{Max: p.Size}}
	for _, b := range p.Buttons {
		n := &driver.Node{Role: driver.RoleButton, Text: b.Text, Bounds: b.Bounds}
		n.Set(driver.Clickable, true)
		root.Children = append(root.Children, n)
	}
	return &driver.Tree{Root: root, Size: p.Size, App: driver.App{ID: p.Drink}, At: time.Now()}, nil
}

func (d *Driver) Tap(ctx context.Context, at image.Point) error {
	return d.do(ctx, driver.OpTap, "TOUCH", at.X, at.Y, at.X, at.Y, 0)
}

func (d *Driver) Swipe(ctx context.Context, from, to image.Point, over time.Duration) error {
	if over <= 0 {
		over = 300 * time.Millisecond
	}
	return d.do(ctx, driver.OpSwipe, "TOUCH", from.X, from.Y, to.X, to.Y, over.Milliseconds())
}

func (d *Driver) Key(ctx context.Context, key driver.Key) error {
	return d.do(ctx, driver.OpKey, "KEY", fmt.Sprintf("%q", key)) // quoted: no key is two lines
}

func (d *Driver) Launch(ctx context.Context, app string) error {
	return d.calls.Do(ctx, driver.OpLaunch, d.limit, func(ctx context.Context) error {
		a, err := driver.MatchApp(app, drinks)
		if err != nil {
			return err
		}
		return d.do(ctx, driver.OpLaunch, "START", a.ID) // a part of this call
	})
}

func (d *Driver) Close() error { return d.calls.Close(nil) }
