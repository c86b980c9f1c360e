package hdc

import (
	"context"
	"sync"
	"time"
)

// lingers is how long a uitest that nobody waits for any more may go on: it cannot be stopped from here, and the phone
// takes no second one beside it.
const lingers = 2500 * time.Millisecond

var uitests = struct {
	sync.Mutex
	of map[string]chan struct{}
}{of: map[string]chan struct{}{}}

// uitestOf returns what holds a token while a uitest is at work on a phone: the accessibility service of
// HarmonyOS takes one client, and a second waits for 20 s and fails.
func uitestOf(phone string) chan struct{} {
	uitests.Lock()
	defer uitests.Unlock()
	c := uitests.of[phone]
	if c == nil {
		c = make(chan struct{}, 1)
		uitests.of[phone] = c
	}
	return c
}

// alone runs f while no other uitest of this program is at work on the phone. f gets a context that lives on for a
// while after ctx has ended.
func (d *Driver) alone(ctx context.Context, f func(context.Context) (*output, error)) (*output, error) {
	select {
	case d.uitest <- struct{}{}:
		defer func() { <-d.uitest }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	own, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	stop := context.AfterFunc(ctx, func() {
		t := time.AfterFunc(lingers, cancel)
		context.AfterFunc(own, func() { t.Stop() })
	})
	defer stop()
	out, err := f(own)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return out, err
}
