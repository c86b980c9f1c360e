package drivertest_test

import (
	"context"
	"errors"
	"image"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/drivertest"
)

// refuser refuses what is not ASCII, before or after it has typed the rest.
type refuser struct {
	*toyDriver
	late bool
}

func (d refuser) Type(ctx context.Context, text string) error {
	if strings.IndexFunc(text, func(r rune) bool { return r > unicode.MaxASCII }) < 0 {
		return d.toyDriver.Type(ctx, text)
	}
	if d.late {
		if err := d.toyDriver.Type(ctx, "?"); err != nil {
			return err
		}
	}
	return d.refused(ctx, driver.OpType, driver.ErrNoTextInput)
}

func TestRefuses(t *testing.T) {
	for _, tt := range []struct {
		name string
		made func(*toyDriver) driver.Driver
		want error
		text string // of the failure, "" for none
	}{
		{"the refusal", func(d *toyDriver) driver.Driver { return refuser{d, false} }, driver.ErrNoTextInput, ""},
		{"another refusal", func(d *toyDriver) driver.Driver { return refuser{d, false} }, driver.ErrInputBlocked, "this phone must refuse it with"},
		{"no refusal", good, driver.ErrNoTextInput, "it was done"},
		{"a late refusal", func(d *toyDriver) driver.Driver { return refuser{d, true} }, driver.ErrNoTextInput, "events reached the phone"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cfg := toyConfig(tt.made)
			cfg.More, cfg.Refuses = nil, map[string]error{"text/emoji": tt.want}
			r := resultOf(t, cfg, "text/emoji")
			require.Empty(t, r.Skipped)
			if tt.text == "" {
				require.NoError(t, r.Err)
			} else {
				require.ErrorContains(t, r.Err, tt.text)
			}
		})
	}
}

// blocked is a driver of a phone that blocks injected input, some of it late or with another error.
type blocked struct {
	*toyDriver
	ops  map[driver.Op]error
	sent bool // one event, before the refusal
}

func (d blocked) refuse(ctx context.Context, op driver.Op, do func() error) error {
	want, ok := d.ops[op]
	if !ok {
		return do()
	}
	return d.Do(ctx, op, d.limit, func(ctx context.Context) error {
		if d.sent {
			if err := d.send(ctx, tapAt(image.Point{})); err != nil {
				return err
			}
		}
		return want
	})
}

func (d blocked) Tap(ctx context.Context, at image.Point) error {
	return d.refuse(ctx, driver.OpTap, func() error { return d.toyDriver.Tap(ctx, at) })
}

func (d blocked) Type(ctx context.Context, text string) error {
	return d.refuse(ctx, driver.OpType, func() error { return d.toyDriver.Type(ctx, text) })
}

func (d blocked) ClearText(ctx context.Context) error {
	return d.refuse(ctx, driver.OpClearText, func() error { return d.toyDriver.ClearText(ctx) })
}

func (d blocked) Drag(ctx context.Context, from, to image.Point, hold, over time.Duration) error {
	return d.refuse(ctx, driver.OpDrag, func() error { return d.toyDriver.Drag(ctx, from, to, hold, over) })
}

// TestRefusesOps wants whole operations refused, and says what else comes of them.
func TestRefusesOps(t *testing.T) {
	want := map[driver.Op]error{driver.OpTap: driver.ErrInputBlocked, driver.OpType: driver.ErrInputBlocked, driver.OpClearText: driver.ErrInputBlocked}
	for _, tt := range []struct {
		name   string
		ops    map[driver.Op]error // that the driver refuses
		sent   bool
		want   map[driver.Op]error
		failed string // a case, "" for none
		text   string // of its failure
	}{
		{"the refusals", want, false, want, "", ""},
		{"no refusals", nil, false, want, "op/tap", "it was done"},
		{"other refusals", map[driver.Op]error{driver.OpTap: driver.ErrLocked}, false, want, "op/tap", "this phone must refuse it with"},
		{"late refusals", want, true, want, "op/tap", "nothing may be sent"},
		{"refusals of what nobody named", want, false, nil, "op/type", "blocks injected input"},
		{"refusals of another operation", want, false, map[driver.Op]error{driver.OpSwipe: driver.ErrInputBlocked}, "text/ascii", "blocks injected input"},
		{
			"what Describe names", map[driver.Op]error{driver.OpDrag: errors.ErrUnsupported}, false,
			map[driver.Op]error{driver.OpDrag: errors.ErrUnsupported}, "op/drag", "named by Describe",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cfg := toyConfig(func(d *toyDriver) driver.Driver { return blocked{d, tt.ops, tt.sent} })
			cfg.More, cfg.RefusesOps = nil, tt.want
			failed := failures(t, cfg)
			if tt.failed == "" {
				require.Empty(t, failed)
				return
			}
			require.ErrorContains(t, failed[tt.failed], tt.text)
		})
	}
}

// failures are the cases that fail.
func failures(t *testing.T, cfg *drivertest.Config) map[string]error {
	failed := map[string]error{}
	synctest.Test(t, func(t *testing.T) {
		for _, r := range drivertest.Results(t, cfg) {
			if r.Err != nil {
				failed[r.Name] = r.Err
			}
		}
	})
	return failed
}
