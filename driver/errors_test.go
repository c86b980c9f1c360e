package driver_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
)

var sentinels = []error{
	driver.ErrNoDevice, driver.ErrSeveralDevices, driver.ErrUnauthorized, driver.ErrOffline, driver.ErrAppNotFound,
	driver.ErrAmbiguousApp, driver.ErrOffScreen, driver.ErrInputBlocked, driver.ErrNoTextInput, driver.ErrNoTree,
	driver.ErrAsleep, driver.ErrLocked, driver.ErrSessionLost, driver.ErrDenied, driver.ErrTimeout, driver.ErrClosed,
}

func TestErrorsMatchTheirSentinelOnly(t *testing.T) {
	for _, want := range sentinels {
		err := error(&driver.Error{Op: driver.OpTap, Device: "adb:X", Err: fmt.Errorf("%w: detail", want)})
		for _, s := range sentinels {
			require.Equal(t, s == want, errors.Is(err, s), "%v is %v", err, s)
		}
		for _, s := range []error{errors.ErrUnsupported, context.DeadlineExceeded, context.Canceled} {
			require.NotErrorIs(t, err, s)
		}
	}
}

func TestErrorText(t *testing.T) {
	err := &driver.Error{Op: driver.OpDoubleTap, Device: "adb:X", Err: driver.ErrOffline}
	require.EqualError(t, err, "double tap adb:X: device offline")
	require.False(t, driver.MaybeDone(err))
	err.MaybeDone = true
	require.EqualError(t, err, "double tap adb:X: device offline (it may have reached the phone: look before doing it again)")
	require.True(t, driver.MaybeDone(fmt.Errorf("step 3: %w", err)))
}

func TestUnsupported(t *testing.T) {
	err := driver.Unsupported("no key %q", "Camera")
	require.EqualError(t, err, `no key "Camera"`)
	require.ErrorIs(t, err, errors.ErrUnsupported)
	require.NotErrorIs(t, err, driver.ErrDenied)
}
