package adb

import (
	"context"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/nap"
)

const (
	// turnLimit bounds the wait for the display to turn, which takes it up to a second.
	turnLimit = 3 * time.Second
	turnPoll  = 100 * time.Millisecond
)

// Rotate turns the display to 0 to 3 quarter turns from the natural orientation, and switches
// automatic rotation off, without which it would turn back: AutoRotate switches it on again. An app
// that fixes its own orientation wins; that is an error. A phone that forbids changing its settings is
// fs.ErrPermission.
func (d *Driver) Rotate(ctx context.Context, rotation int) error {
	return d.do(ctx, driver.OpRotate, limitShort, func(ctx context.Context) error {
		if rotation < 0 || rotation > 3 {
			return fmt.Errorf("rotation %d: want 0 to 3 quarter turns", rotation)
		}
		defer d.screen.forget()
		line := fmt.Sprintf("settings put system accelerometer_rotation 0 && settings put system user_rotation %d", rotation)
		if err := d.put(ctx, line); err != nil {
			return err
		}
		return d.awaitTurn(ctx, rotation)
	})
}

// opAutoRotate is no part of the driver contract.
const opAutoRotate driver.Op = "auto rotate"

// AutoRotate switches on, or off, that the display turns as the phone is held.
func (d *Driver) AutoRotate(ctx context.Context, on bool) error {
	return d.do(ctx, opAutoRotate, limitShort, func(ctx context.Context) error {
		defer d.screen.forget()
		n := 0
		if on {
			n = 1
		}
		return d.put(ctx, fmt.Sprintf("settings put system accelerometer_rotation %d", n))
	})
}

// put writes settings; that prints nothing when it worked, whatever its status.
func (d *Driver) put(ctx context.Context, line string) error {
	out, err := d.act(ctx, line)
	if err != nil {
		return err
	}
	text := string(out.stdout) + string(out.stderr)
	switch {
	case strings.Contains(text, "SecurityException") || strings.Contains(text, "Permission denial"):
		driver.MarkRefused(ctx)
		return fmt.Errorf("%w: the phone forbids changing its settings: %s", fs.ErrPermission, d.blockedCure(ctx))
	case out.code > 0 || strings.TrimSpace(text) != "":
		return fmt.Errorf("settings put ended with %d: %s", out.code, complaint(out.stderr, out.stdout))
	}
	return nil
}

// awaitTurn waits until the display is turned. A phone that does not tell is believed.
func (d *Driver) awaitTurn(ctx context.Context, want int) error {
	for end := time.Now().Add(turnLimit); ; {
		parts, err := d.askAll(ctx, rotationLines...)
		if err != nil {
			return err
		}
		turns, err := parseRotation(parts[0], parts[1], parts[2])
		switch {
		case err != nil || turns == want:
			return nil
		case time.Now().After(end):
			return fmt.Errorf("the display stays at %d quarter turns: the app in front fixes its orientation", turns)
		}
		if err := nap.For(ctx, turnPoll); err != nil {
			return err
		}
	}
}
