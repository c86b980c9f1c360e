package adb_test

import (
	"context"
	"sync"
	"time"

	"github.com/handset-go/handset/driver/adb"
	"github.com/handset-go/handset/internal/nap"
	"github.com/handset-go/handset/internal/phonefront/android"
)

// tempo is a phone's clock. It stands still while a driver makes a gesture over scrcpy's channel, but for the
// time that the gesture is to take: a tap is no long press, however long this computer dozes off between the
// finger's two events.
type tempo struct {
	mu     sync.Mutex
	stands time.Time // zero while it goes
	behind time.Duration
}

func (c *tempo) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.read()
}

func (c *tempo) read() time.Time {
	if !c.stands.IsZero() {
		return c.stands
	}
	return time.Now().Add(-c.behind)
}

// set has the clock stand at a time.
func (c *tempo) set(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stands = at
}

// goOn has it go on from where it stands.
func (c *tempo) goOn() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stands, c.behind = time.Time{}, time.Since(c.stands)
}

// lead has a driver make its gestures by this clock, which is the device's.
func (c *tempo) lead(d *adb.Driver, device *android.Device) {
	adb.Pace(d, func(sent func() int64, alive func() bool) adb.Gestures {
		before := len(device.ScrcpyMessages()) // of an earlier channel
		felt := func(ctx context.Context) error {
			for alive() && int64(len(device.ScrcpyMessages())-before) < sent() {
				if err := nap.For(ctx, 100*time.Microsecond); err != nil {
					return err
				}
			}
			return ctx.Err()
		}
		return func() (wait func(context.Context, time.Duration) error, end func()) {
			start := c.now()
			c.set(start)
			wait = func(ctx context.Context, after time.Duration) error {
				err := felt(ctx)
				c.set(start.Add(after))
				return err
			}
			return wait, func() {
				_ = felt(context.Background()) // there is no end to it
				c.goOn()
			}
		}
	})
}
