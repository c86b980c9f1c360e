package adb

import (
	"context"
	"errors"
	"sync"
)

// held is what callers have been given that ends with the driver: connections, forwarded ports.
type held struct {
	mu   sync.Mutex
	all  map[any]func(context.Context) error
	over bool
}

// add keeps the end of thing for Close. Where Close was already, it ends it at once.
func (h *held) add(thing any, end func(context.Context) error) {
	h.mu.Lock()
	over := h.over
	if !over {
		if h.all == nil {
			h.all = map[any]func(context.Context) error{}
		}
		h.all[thing] = end
	}
	h.mu.Unlock()
	if over {
		_ = end(context.Background()) // nobody is there to hear of it
	}
}

// drop forgets what its owner has ended, and says whether it was there.
func (h *held) drop(thing any) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	_, there := h.all[thing]
	delete(h.all, thing)
	return there
}

// end ends everything.
func (h *held) end(ctx context.Context) error {
	h.mu.Lock()
	all := h.all
	h.all, h.over = nil, true
	h.mu.Unlock()
	var errs []error
	for _, end := range all {
		errs = append(errs, end(ctx))
	}
	return errors.Join(errs...)
}
