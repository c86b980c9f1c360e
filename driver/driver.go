package driver

import (
	"context"
	"image"
	"io"
	"time"
)

// Driver is one phone. The package comment has the rules that bind both sides.
type Driver interface {
	// Screenshot returns the frame that the phone shows now, upright as a person holds it.
	// It never returns a picture that the phone did not give.
	Screenshot(ctx context.Context) (*Screen, error)

	// Tree returns the tree of what is on the screen, in pixels of the frame that Screenshot returns.
	// ErrNoTree says that there is none now; a driver that never has trees returns an error that
	// matches errors.ErrUnsupported.
	Tree(ctx context.Context) (*Tree, error)

	// Tap touches a point shortly, once.
	Tap(ctx context.Context, at image.Point) error

	// Swipe moves one finger in a straight line, taking over from the touch to the release. from == to
	// holds the finger there. over <= 0 is the driver's default.
	Swipe(ctx context.Context, from, to image.Point, over time.Duration) error

	// Key presses and releases a key. A key that the phone does not have is an error that matches
	// errors.ErrUnsupported and names those it has.
	Key(ctx context.Context, key Key) error

	// Launch brings an app to the front and returns when it is there. app is an id or a name, with
	// the one meaning that Resolve gives it.
	Launch(ctx context.Context, app string) error

	// Close ends the driver, unblocks what is in progress and waits, within a bound, for undos. It may
	// be called from any goroutine and more than once.
	io.Closer
}

// App is an app, and where known the page of it that is in front.
type App struct {
	ID   string `json:"id"`             // package, bundle name or bundle id
	Name string `json:"name,omitempty"` // as a person says it, "" if not known
	Page string `json:"page,omitempty"` // activity, ability or page, "" if not known
}

// String returns the name, or the id where there is no name.
func (a App) String() string {
	if a.Name != "" {
		return a.Name
	}
	return a.ID
}
