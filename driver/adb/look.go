package adb

import (
	"context"
	"errors"

	"github.com/handset-go/handset/driver"
)

// lookTries is how often a frame and a tree are taken anew that show the display turned differently.
const lookTries = 3

// errTurning is a display that is turned again and again.
var errTurning = errors.New("the display was turned between the frame and the tree")

// Look takes a frame and a tree side by side, in the time of the slower one. The two are of one
// orientation, and taken anew where the display was turned between them. What there is comes with an
// error too: on a screen that never rests, that is the frame.
func (d *Driver) Look(ctx context.Context) (*driver.Screen, *driver.Tree, error) {
	for n := 1; ; n++ {
		s, t, err := d.lookOnce(ctx)
		switch {
		case err != nil, s.Size() == t.Size:
			return s, t, err
		case n == lookTries:
			return s, t, errTurning
		}
	}
}

func (d *Driver) lookOnce(ctx context.Context) (s *driver.Screen, t *driver.Tree, err error) {
	var treeErr error
	done := make(chan struct{})
	go func() {
		defer close(done)
		t, treeErr = d.Tree(ctx)
	}()
	s, err = d.Screenshot(ctx)
	<-done
	return s, t, errors.Join(err, treeErr)
}
