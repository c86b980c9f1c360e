package wda_test

import (
	"context"
	"fmt"
	"image"
	"sync"
	"testing"

	"github.com/electricbubble/gwda"
	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/driver/wda"
	front "github.com/handset-go/handset/internal/phonefront/wda"
)

// TestHungPhoneHoldsUpNoOther has one phone hang in a call that gwda makes, through the one client that it has for all.
func TestHungPhoneHoldsUpNoOther(t *testing.T) {
	hung, well := newRig(t, "16", "iphone-15", sim.Options{}), newRig(t, "16", "iphone-se", sim.Options{})
	a, b := hung.open(nil), well.open(nil)
	_, err := a.Screenshot(t.Context())
	require.NoError(t, err)
	off := hung.set(front.FaultHang)
	defer off()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 2)
	go func() { done <- a.DoubleTap(ctx, image.Pt(10, 10)) }()
	go func() {
		done <- a.Do(ctx, func(wd gwda.WebDriver) error {
			_, err := wd.WindowSize()
			return err
		})
	}()
	hung.awaitRequest()
	for range 20 {
		require.NoError(t, b.DoubleTap(t.Context(), image.Pt(10, 10)))
	}
	select {
	case err := <-done:
		t.Fatal("the phone that hangs answered:", err)
	default:
	}
	cancel()
	require.ErrorIs(t, <-done, context.Canceled)
	require.ErrorIs(t, <-done, context.Canceled)
}

// TestManyPhones drives several phones from several goroutines; the race detector watches gwda's global client.
func TestManyPhones(t *testing.T) {
	const phones, calls = 4, 20
	var wg sync.WaitGroup
	errs := make(chan error, phones*2)
	for i := range phones {
		version := []string{"5", "6", "7", "16"}[i%4]
		r := newRig(t, version, "iphone-se", sim.Options{})
		d := r.open(nil)
		wg.Go(func() { errs <- taps(t.Context(), d, calls) })
		wg.Go(func() { errs <- reads(t.Context(), d, calls) })
		t.Cleanup(func() { require.Len(t, r.phone.Events("tap"), 2*calls+calls) }) // a double tap is two
	}
	wg.Wait()
	close(errs)
	for err := range errs {
		require.NoError(t, err)
	}
}

func taps(ctx context.Context, d *wda.Driver, n int) error {
	for i := range n {
		if err := d.Tap(ctx, image.Pt(10+i, 700)); err != nil {
			return err
		}
		if err := d.DoubleTap(ctx, image.Pt(10+i, 900)); err != nil {
			return err
		}
	}
	return nil
}

func reads(ctx context.Context, d *wda.Driver, n int) error {
	for range n {
		if _, err := d.Tree(ctx); err != nil {
			return err
		}
		if _, err := d.Foreground(ctx); err != nil {
			return err
		}
		if r, err := d.Rotation(ctx); err != nil || r != 0 {
			return fmt.Errorf("rotation %d: %w", r, err)
		}
	}
	return nil
}

// TestGwdaIsLeftAsItWas is for a program that uses gwda by itself too.
func TestGwdaIsLeftAsItWas(t *testing.T) {
	r := newRig(t, "16", "iphone-15", sim.Options{})
	before := gwda.HTTPClient
	d := r.open(nil)
	require.NoError(t, d.DoubleTap(t.Context(), image.Pt(10, 10)))
	require.Same(t, before, gwda.HTTPClient)
}

// TestDoIsBounded ends gwda's requests with the context, and keeps driver's errors.
func TestDoIsBounded(t *testing.T) {
	r := newRig(t, "16", "iphone-15", sim.Options{})
	d := r.open(nil)
	off := r.set(front.FaultHang)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		done <- d.Do(ctx, func(wd gwda.WebDriver) error {
			_, err := wd.Status()
			return err
		})
	}()
	cancel()
	require.ErrorIs(t, <-done, context.Canceled)
	off()
	require.NoError(t, d.Close())
	require.ErrorIs(t, d.Do(t.Context(), func(gwda.WebDriver) error { return nil }), driver.ErrClosed)
	require.Error(t, d.Do(t.Context(), nil))
}
