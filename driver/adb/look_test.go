package adb_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/android"
)

func TestLook(t *testing.T) {
	f := newFront(t, "a14", sim.Options{Start: "com.android.settings"})
	s, tree, err := f.open(t).Look(t.Context())
	require.NoError(t, err)
	require.Equal(t, s.Size(), tree.Size)
	require.NotNil(t, tree.Find(driver.ByText("Bluetooth")))
}

// TestLookWhileThePhoneTurns turns it between a picture and the dump.
func TestLookWhileThePhoneTurns(t *testing.T) {
	f := newFront(t, "a14", sim.Options{Start: "com.android.settings"})
	d := f.open(t)
	f.fault(t, android.FaultDumpSlow+"=50ms") // the picture comes first
	turned := make(chan error, 1)
	time.AfterFunc(25*time.Millisecond, func() { turned <- f.phone.SetRotation(1) })
	s, tree, err := d.Look(t.Context())
	require.NoError(t, err)
	require.Equal(t, s.Size(), tree.Size)
	require.NoError(t, <-turned)
}

func TestLookOfARestlessScreen(t *testing.T) {
	f := newFront(t, "a14", sim.Options{})
	f.fault(t, android.FaultDumpIdle)
	s, tree, err := f.open(t).Look(t.Context())
	require.ErrorIs(t, err, driver.ErrNoTree)
	require.Nil(t, tree)
	require.Equal(t, f.phone.Size(), s.Size())
}
