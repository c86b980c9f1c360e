package adb

import (
	"context"
	"errors"
	"fmt"
	"image"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/nap"
)

func TestCancelLimitAndCloseOfAHungPhone(t *testing.T) {
	f := newFake(t)
	f.setShell(func(string) answer { return answer{hang: true} })
	calls := map[string]func(d *Driver, ctx context.Context) error{
		"tap":        func(d *Driver, ctx context.Context) error { return d.Tap(ctx, image.Pt(1, 1)) },
		"screenshot": func(d *Driver, ctx context.Context) error { _, err := d.Screenshot(ctx); return err },
		"foreground": func(d *Driver, ctx context.Context) error { _, err := d.Foreground(ctx); return err },
		"type":       func(d *Driver, ctx context.Context) error { return d.Type(ctx, "x") },
		"launch":     func(d *Driver, ctx context.Context) error { return d.Launch(ctx, "Settings") },
	}
	for name, call := range calls {
		t.Run(name, func(t *testing.T) {
			d := f.open()
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
			defer cancel()
			err := call(d, ctx)
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.NotErrorIs(t, err, driver.ErrTimeout)

			quick := f.open()
			quick.opts.Limit = 30 * time.Millisecond // now: on a busy computer it would not open
			err = call(quick, t.Context())
			require.ErrorIs(t, err, driver.ErrTimeout)
			require.NotErrorIs(t, err, context.DeadlineExceeded)

			done := make(chan error, 1)
			f.ran("")
			go func() { done <- call(d, t.Context()) }()
			for len(f.ran("")) == 0 {
				require.NoError(t, nap.For(t.Context(), time.Millisecond))
			}
			require.NoError(t, d.Close())
			require.ErrorIs(t, <-done, driver.ErrClosed)
			require.ErrorIs(t, call(d, t.Context()), driver.ErrClosed)
		})
	}
}

func TestServerKilledInMidCall(t *testing.T) {
	f := newFake(t)
	f.on("screencap", answer{hang: true}, "input", answer{hang: true})
	d := f.open()
	done := make(chan error, 2)
	go func() { _, err := d.Screenshot(t.Context()); done <- err }()
	go func() { done <- d.Tap(t.Context(), image.Pt(1, 1)) }()
	for n := 0; n < 2; n += len(f.ran("")) {
		require.NoError(t, nap.For(t.Context(), time.Millisecond))
	}
	f.stop()
	for range 2 {
		err := <-done
		require.True(t, errors.Is(err, driver.ErrOffline) || errors.Is(err, ErrNoServer), "%v", err)
	}
}

func TestNoDescriptorsAreKept(t *testing.T) {
	f := newFake(t)
	f.on("screencap", string(picture(t, 1080, 2400, false)), "input", answer{drop: true}, "ls", answer{refuse: true})
	d := f.open()
	before := openFiles(t)
	for range 20 {
		_, _ = d.Screenshot(t.Context())
		_ = d.Tap(t.Context(), image.Pt(1, 1))
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		_, _ = d.Shell(ctx, "ls")
		cancel()
	}
	require.Eventually(t, func() bool { return openFiles(t) < before+15 }, 20*time.Second, 10*time.Millisecond)
}

func TestDescribeNamesWhatThereIs(t *testing.T) {
	f := newFake(t)
	desc, err := f.open().Describe(t.Context())
	require.NoError(t, err)
	require.Equal(t, image.Pt(1080, 2400), desc.Size)
	require.Equal(t, driver.Keys(), desc.Keys)
	require.Contains(t, desc.Ops, driver.OpInstall)
	require.Equal(t, "android", desc.Platform)
	require.Contains(t, fmt.Sprint(desc.Ops), "drag")
}
