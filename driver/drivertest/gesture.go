package drivertest

import (
	"context"
	"errors"
	"fmt"
	"image"
	"slices"
	"strings"
	"time"

	"github.com/handset-go/handset/driver"
)

func gestureCases() []Case {
	return []Case{
		{Name: "gesture/hold", Rule: "Swipe from a point to itself holds there", check: swipeToItselfHolds},
		{Name: "gesture/path", Rule: "Swipe moves one finger from the one point to the other, once", check: func(b *bench) error {
			return b.swipes(moving)
		}},
		{Name: "gesture/default", Rule: "a duration of zero or less is the driver's default", check: func(b *bench) error {
			return errors.Join(b.swipes(0), b.swipes(-time.Second))
		}},
		{Name: "gesture/hold-default", Rule: "a hold of zero or less is a long press", check: longPressHasADefault},
	}
}

func swipeToItselfHolds(b *bench) error {
	at, err := b.middle()
	if err != nil {
		return err
	}
	b.ready()
	err = b.try(func(ctx context.Context) error { return b.Driver.Swipe(ctx, at, at, holding) })
	if err != nil {
		return err
	}
	return b.held(at, holding/2)
}

// held wants one hold on a point.
func (b *bench) held(at image.Point, least time.Duration) error {
	e, err := b.oneTouch(KindHold)
	if err != nil {
		return err
	}
	if !near(e.At, at, b.cfg.Slack) {
		return fmt.Errorf("the finger held %v, want %v", e.At, at)
	}
	if e.Over > 0 && e.Over < least {
		return fmt.Errorf("the finger held for %v, want at least %v", e.Over, least)
	}
	return nil
}

func longPressHasADefault(b *bench) error {
	at, err := b.middle()
	if err != nil {
		return err
	}
	b.ready()
	err = b.try(func(ctx context.Context) error { return driver.LongPress(ctx, b.Driver, at, 0) })
	if err != nil {
		return err
	}
	return b.held(at, holding/2)
}

func (b *bench) swipes(over time.Duration) error {
	c, err := b.caller()
	if err != nil {
		return err
	}
	b.ready()
	err = b.try(func(ctx context.Context) error { return b.Driver.Swipe(ctx, c.at, c.to, over) })
	if err != nil {
		return fmt.Errorf("swipe over %v: %w", over, err)
	}
	e, err := b.oneTouch(KindSwipe)
	if err != nil {
		return fmt.Errorf("swipe over %v: %w", over, err)
	}
	if !near(e.At, c.at, b.cfg.Slack) || !near(e.To, c.to, b.cfg.Slack) {
		return fmt.Errorf("the finger went from %v to %v, want from %v to %v", e.At, e.To, c.at, c.to)
	}
	return nil
}

func keyCases() []Case {
	return []Case{
		{Name: "key/pressed", Rule: "Key presses and releases a key, once", check: keyIsPressed},
		{Name: "key/unknown", Rule: "a key that the phone does not have matches errors.ErrUnsupported, with nothing sent", check: unknownKey},
		{Name: "key/described", Rule: "every key of Describe can be pressed", check: describedKeys},
	}
}

func keyIsPressed(b *bench) error {
	b.ready()
	err := b.try(func(ctx context.Context) error { return b.Driver.Key(ctx, driver.KeyHome) })
	if errors.Is(err, errors.ErrUnsupported) {
		return skipf("the phone has no Home key")
	}
	if err != nil {
		return err
	}
	all, err := b.events()
	if err != nil {
		return err
	}
	if seen := only(all, KindKey); len(seen) != 1 || seen[0].Key != driver.KeyHome {
		return fmt.Errorf("the phone saw the keys %v, want one Home", seen)
	}
	return nil
}

func unknownKey(b *bench) error {
	b.ready()
	for _, key := range []driver.Key{"NoSuchKey", "", "; input tap 3 3", "Back\nHome"} {
		err := b.try(func(ctx context.Context) error { return b.Driver.Key(ctx, key) })
		if !errors.Is(err, errors.ErrUnsupported) {
			return fmt.Errorf("the key %q: got %v, want what matches errors.ErrUnsupported", key, err)
		}
		if err := b.nothingSent(); err != nil {
			return fmt.Errorf("the key %q: %w", key, err)
		}
	}
	err := b.try(func(ctx context.Context) error { return b.Driver.Key(ctx, "NoSuchKey") })
	if keys := b.describedKeys(); len(keys) > 0 && !strings.Contains(err.Error(), string(keys[0])) {
		return fmt.Errorf("the error does not name the keys that there are: %w", err)
	}
	return nil
}

func (b *bench) describedKeys() []driver.Key {
	var keys []driver.Key
	_ = b.try(func(ctx context.Context) error {
		desc, err := driver.Describe(ctx, b.Driver)
		if err == nil {
			keys = desc.Keys
		}
		return err
	})
	return keys
}

func describedKeys(b *bench) error {
	keys := b.describedKeys()
	if len(keys) == 0 {
		return skipf("Describe names no keys")
	}
	// Power comes last: no key can be counted on after it.
	slices.SortStableFunc(keys, func(x, y driver.Key) int { return last(x) - last(y) })
	for _, key := range keys {
		if err := b.try(func(ctx context.Context) error { return b.Driver.Key(ctx, key) }); err != nil {
			return fmt.Errorf("the key %q, which Describe names: %w", key, err)
		}
	}
	return nil
}

func last(k driver.Key) int {
	if k == driver.KeyPower {
		return 1
	}
	return 0
}
