package driver

import (
	"context"
	"image"
)

// Description is what a driver says of itself and of its phone.
type Description struct {
	Address   string      `json:"address"`  // as Open takes it
	Platform  string      `json:"platform"` // "android", "harmony", "ios", "sim", ...
	Model     string      `json:"model,omitempty"`
	OSVersion string      `json:"os_version,omitempty"`
	Size      image.Point `json:"-"` // of the frame now, zero if not known
	Keys      []Key       `json:"keys"`
	Ops       []Op        `json:"operations"` // those that work, by the driver itself or by a slow path
}

// DescribeDriver is a Driver that describes itself.
type DescribeDriver interface {
	Driver
	Describe(ctx context.Context) (*Description, error)
}

// Describe returns what a driver says of itself and of its phone. The slow path knows only which
// operations there are.
func Describe(ctx context.Context, d Driver) (*Description, error) {
	if d, ok := d.(DescribeDriver); ok {
		if desc, err := d.Describe(ctx); !unsupported(err) {
			return desc, err
		}
	}
	return &Description{Ops: Operations(d)}, nil
}
