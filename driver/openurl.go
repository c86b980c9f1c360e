package driver

import "context"

// OpenURLDriver is a Driver that can open a URL.
type OpenURLDriver interface {
	Driver
	// OpenURL opens a URL in the app that takes it.
	OpenURL(ctx context.Context, url string) error
}

// OpenURL opens a URL in the app that takes it. There is no slow path.
func OpenURL(ctx context.Context, d Driver, url string) error {
	if d, ok := d.(OpenURLDriver); ok {
		return d.OpenURL(ctx, url)
	}
	return noSlowPath(OpOpenURL, nil)
}
