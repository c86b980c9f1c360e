package adb

import (
	"context"
	"fmt"
	"strings"

	"github.com/handset-go/handset/driver"
)

// Operations that are no part of the driver contract.
const (
	opNotifications driver.Op = "notifications"
	opQuickSettings driver.Op = "quick settings"
	opCollapse      driver.Op = "collapse panels"
)

// ShowNotifications pulls the notification shade down.
func (d *Driver) ShowNotifications(ctx context.Context) error {
	return d.statusBar(ctx, opNotifications, "expand-notifications")
}

// ShowQuickSettings pulls the panel of quick settings down.
func (d *Driver) ShowQuickSettings(ctx context.Context) error {
	return d.statusBar(ctx, opQuickSettings, "expand-settings")
}

// CollapsePanels puts both away.
func (d *Driver) CollapsePanels(ctx context.Context) error {
	return d.statusBar(ctx, opCollapse, "collapse")
}

// statusBar needs Android 7, from which on the status bar takes commands.
func (d *Driver) statusBar(ctx context.Context, op driver.Op, command string) error {
	return d.do(ctx, op, limitShort, func(ctx context.Context) error {
		if d.beforeAndroid7() {
			return driver.Unsupported("Android %s takes no commands for its status bar: it needs Android 7; swipe down from the upper edge", d.info.release)
		}
		out, err := d.act(ctx, "cmd statusbar "+command)
		if err != nil {
			return err
		}
		text := string(out.stdout) + string(out.stderr)
		if out.code > 0 || strings.Contains(text, "Exception") || strings.Contains(text, "Can't find service") {
			driver.MarkRefused(ctx)
			return fmt.Errorf("cmd statusbar ended with %d: %s", out.code, complaint(out.stderr, out.stdout))
		}
		return nil
	})
}
