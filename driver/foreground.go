package driver

import "context"

// ForegroundDriver is a Driver that can tell which app is in front without a tree.
type ForegroundDriver interface {
	Driver
	// Foreground returns the app in front, with its page where that is known.
	Foreground(ctx context.Context) (App, error)
}

// Foreground returns the app in front. The slow path reads it from the tree.
func Foreground(ctx context.Context, d Driver) (App, error) {
	var cause error
	if d, ok := d.(ForegroundDriver); ok {
		app, err := d.Foreground(ctx)
		if !unsupported(err) {
			return app, err
		}
		cause = err
	}
	t, err := d.Tree(ctx)
	if err != nil {
		return App{}, err
	}
	if t.App.ID == "" {
		return App{}, noSlowPath(OpForeground, cause)
	}
	return t.App, nil
}
