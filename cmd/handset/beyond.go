package main

import (
	"context"
	"io/fs"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/adb"
	"github.com/handset-go/handset/driver/wda"
	"github.com/handset-go/handset/policy"
)

// What some drivers can do beyond the contract.
type (
	unlocker interface {
		Unlock(ctx context.Context) error
	}
	pinUnlocker interface {
		Unlock(ctx context.Context, pin string) error
	}
	panels interface {
		ShowNotifications(ctx context.Context) error
		ShowQuickSettings(ctx context.Context) error
		CollapsePanels(ctx context.Context) error
	}
	powered interface {
		Battery(ctx context.Context) (adb.Battery, error)
	}
	keyboardHider interface {
		DismissKeyboard(ctx context.Context, keys ...string) error
	}
	turner interface {
		AutoRotate(ctx context.Context, on bool) error
	}
	keyHolder interface {
		LongKey(ctx context.Context, key driver.Key) error
	}
	dataClearer interface {
		ClearData(ctx context.Context, id string) error
	}
	alerter interface {
		Alert(ctx context.Context) (*wda.Alert, error)
		PressAlert(ctx context.Context, label string) error
	}
	folders interface {
		Stat(ctx context.Context, remote string) (adb.File, error)
		PushDir(ctx context.Context, src fs.FS, remote string) error
		PullDir(ctx context.Context, remote, dir string) error
	}
	tunneler interface {
		Forward(ctx context.Context, socket string) (*adb.Tunnel, error)
		Reverse(ctx context.Context, socket, to string) (*adb.Tunnel, error)
	}
)

// ability returns what the phone can do beyond the contract. to says what that is, as in "unlock the phone".
func ability[T any](a *app, to string) (T, error) {
	can, ok := a.opened.(T)
	if !ok {
		return can, driver.Unsupported("this driver cannot %s", to)
	}
	return can, nil
}

// instead has f do an operation of the phone, so that the gate in front judges f as that operation.
func (a *app) instead(d driver.Driver, op driver.Op, f func(ctx context.Context) error) driver.Driver {
	return driver.Wrap(d, func(ctx context.Context, c *driver.Call, next func(context.Context) error) error {
		if c.Op != op {
			return next(ctx)
		}
		return a.tell(ctx, c, f)
	})
}

// actAllowing is act for an operation that the gate would deny a model, and that the person has asked for by the name of
// the command. Gestures are judged as ever.
func (a *app) actAllowing(op driver.Op, f func(ctx context.Context, d driver.Driver) error) error {
	return a.actWith(map[driver.Op]policy.Verdict{op: policy.Allow}, f)
}

// actAsking is actAllowing for what is asked about all the same, as it cannot be taken back.
func (a *app) actAsking(op driver.Op, f func(ctx context.Context, d driver.Driver) error) error {
	return a.actWith(map[driver.Op]policy.Verdict{op: policy.Ask}, f)
}

// saidDone reports a step that was carried out and what it did, if f did not fail.
func (a *app) saidDone(err error, op string, fields map[string]any) error {
	if err == nil {
		a.done(op, fields)
	}
	return err
}
