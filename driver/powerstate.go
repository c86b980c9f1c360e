package driver

import "context"

// Power says whether the display is on and whether the phone is locked.
type Power struct {
	On     bool `json:"on"`
	Locked bool `json:"locked"`
}

// PowerStateDriver is a Driver that can tell whether the phone is awake.
type PowerStateDriver interface {
	Driver
	PowerState(ctx context.Context) (Power, error)
}

// PowerState returns whether the display is on and the phone locked. There is no slow path.
func PowerState(ctx context.Context, d Driver) (Power, error) {
	if d, ok := d.(PowerStateDriver); ok {
		return d.PowerState(ctx)
	}
	return Power{}, noSlowPath(OpPowerState, nil)
}
