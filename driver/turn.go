package driver

import "sync"

var turns = struct {
	sync.Mutex
	of map[string]chan struct{}
}{of: map[string]chan struct{}{}}

// turnOf returns the queue of a device: whoever has put a token into it is at work. Queues are few and
// small, and stay for the life of the process.
func turnOf(device string) chan struct{} {
	turns.Lock()
	defer turns.Unlock()
	t := turns.of[device]
	if t == nil {
		t = make(chan struct{}, 1)
		turns.of[device] = t
	}
	return t
}
