package hdc

import "context"

// ErrOpen says that there is no lock screen to type a PIN on.
var ErrOpen = errOpen

// TypePIN types a PIN, on a lock screen only.
func TypePIN(ctx context.Context, d *Driver, pin string) error { return d.typePIN(ctx, pin) }
