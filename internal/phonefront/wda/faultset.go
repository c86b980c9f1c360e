package wda

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// faultSet is the set of faults that are on.
type faultSet struct {
	mu      sync.Mutex
	on      map[string]string
	changed chan struct{} // closed and replaced at each change
}

func newFaultSet() *faultSet {
	return &faultSet{on: map[string]string{}, changed: make(chan struct{})}
}

// parseFault reads "name" or "name=arg".
func parseFault(s string) (Fault, string, error) {
	name, arg, given := strings.Cut(s, "=")
	i := slices.IndexFunc(faults, func(f Fault) bool { return f.Name == name })
	if i < 0 {
		return Fault{}, "", fmt.Errorf("unknown fault %q, sim --list names them", name)
	}
	f := faults[i]
	if given && f.Arg == "" {
		return f, "", fmt.Errorf("fault %s takes no argument", name)
	}
	if !given {
		arg = f.Arg
	}
	return f, arg, checkArg(f, arg)
}

// checkArg refuses an argument of another kind than the fault's own.
func checkArg(f Fault, arg string) error {
	if f.Arg == "" {
		return nil
	}
	if _, err := time.ParseDuration(f.Arg); err == nil {
		if d, err := time.ParseDuration(arg); err != nil || d < 0 {
			return fmt.Errorf("fault %s takes a duration such as %s, got %q", f.Name, f.Arg, arg)
		}
		return nil
	}
	var n int
	if _, err := fmt.Sscanf(arg, "%d", &n); err != nil || n < 1 || n > 1_000_000 {
		return fmt.Errorf("fault %s takes a number such as %s, got %q", f.Name, f.Arg, arg)
	}
	return nil
}

func (f *faultSet) set(name, arg string, on bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if on {
		f.on[name] = arg
	} else {
		delete(f.on, name)
	}
	close(f.changed)
	f.changed = make(chan struct{})
}

// has says that the fault is on.
func (f *faultSet) has(name string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, on := f.on[name]
	return on
}

// next returns whether the fault is on, and what is closed at the next change of any fault.
func (f *faultSet) next(name string) (bool, <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, on := f.on[name]
	return on, f.changed
}

// duration returns a fault's argument, 0 while it is off.
func (f *faultSet) duration(name string) time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	d, _ := time.ParseDuration(f.on[name])
	return d
}

// number returns a fault's argument, 0 while it is off.
func (f *faultSet) number(name string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	var n int
	_, _ = fmt.Sscanf(f.on[name], "%d", &n)
	return n
}
