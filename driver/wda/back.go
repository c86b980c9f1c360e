package wda

import (
	"context"
	"image"
	"slices"
	"time"

	"github.com/handset-go/handset/driver"
)

const (
	// backEdge is how far from the left edge a finger may touch for a swipe back, in parts of the width.
	backEdge = 0.005
	// backReach is how far it must go at least, in parts of the width; less springs back.
	backReach = 0.7
	backTime  = 250 * time.Millisecond
	// backZone is where a back button begins, in parts of the width.
	backZone = 0.12
)

// notBack are the labels of first buttons of a navigation bar that lead elsewhere: they close, change or open something.
var notBack = []string{
	"cancel", "close", "done", "edit", "add", "menu", "save", "skip", "search", "more", "profile", "settings",
	"取消", "关闭", "完成", "编辑", "添加", "菜单", "保存", "跳过", "搜索", "更多", "我的", "设置",
}

// backIDs are the identifiers that the system gives its own back button.
var backIDs = []string{"BackButton", "Back", "back", "返回"}

// back leaves the page. iOS has no key for that: what a person would use is the button at the left of the navigation bar, and a swipe
// from the left edge where there is none. The log says which it was.
func (d *Driver) back(ctx context.Context) error {
	t, err := d.tree(ctx)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		d.log.InfoContext(ctx, "Back by a swipe from the left edge, as there is no tree", "because", err)
	default:
		if b := backButton(t); b != nil {
			d.log.InfoContext(ctx, "Back by the button of the navigation bar", "label", b.Label())
			return d.tapAt(ctx, b.Center())
		}
		d.log.InfoContext(ctx, "Back by a swipe from the left edge")
	}
	frame, err := d.frameSize(ctx)
	if err != nil {
		return err
	}
	from := image.Pt(int(backEdge*float64(frame.X)), frame.Y/2)
	to := image.Pt(int(backReach*float64(frame.X)), frame.Y/2)
	return d.perform(ctx, []driver.Stroke{{{At: from}, {At: to, After: backTime}}})
}

func (d *Driver) tapAt(ctx context.Context, at image.Point) error {
	p, err := d.toPoints(ctx, at)
	if err != nil {
		return err
	}
	return d.tap(ctx, p[0])
}

// backButton returns the back button of the topmost navigation bar, or nil.
func backButton(t *driver.Tree) *driver.Node {
	bars := t.FindAll(func(_ *driver.Tree, n *driver.Node) bool {
		return n.Class == typePrefix+"NavigationBar" && onScreen(t, n)
	})
	if len(bars) == 0 {
		return nil
	}
	bar := bars[len(bars)-1]
	var left *driver.Node
	for n := range bar.All() {
		if n.Class != typePrefix+"Button" || !onScreen(t, n) || n.Not(driver.Enabled) {
			continue
		}
		if slices.Contains(backIDs, n.ID) || slices.Contains(backIDs, n.Text) {
			return n
		}
		if left == nil || n.Bounds.Min.X < left.Bounds.Min.X {
			left = n
		}
	}
	if left == nil || left.Bounds.Min.X > bar.Bounds.Min.X+int(backZone*float64(t.Size.X)) ||
		left.Bounds.Dx() > t.Size.X/2 || slices.Contains(notBack, driver.FoldName(left.Text)) {
		return nil
	}
	return left
}

func onScreen(t *driver.Tree, n *driver.Node) bool {
	return !n.Not(driver.Visible) && n.Center().In(t.Bounds()) && !n.Bounds.Empty()
}
