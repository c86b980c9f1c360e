// Package fault is the set of things that a simulated phone, or the way to it, can be told to do wrong.
package fault

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// Fault is something that a phone, or the way to it, can do wrong. It is switched on by name.
type Fault struct {
	Name string
	Doc  string
	Arg  string // what "name=arg" sets it to when no arg is given; "" where it takes none
}

// Set is the faults that there are, and which of them are on. It may be used from several goroutines.
type Set struct {
	known []Fault

	mu      sync.Mutex
	on      map[string]string
	changed chan struct{} // closed and replaced at each change
}

// NewSet makes a set in which none is on.
func NewSet(known []Fault) *Set {
	return &Set{known: known, on: map[string]string{}, changed: make(chan struct{})}
}

// List lists the faults that there are, in a fixed order.
func (s *Set) List() []Fault { return slices.Clone(s.known) }

// Known says that there is a fault of that name.
func (s *Set) Known(name string) bool {
	return slices.ContainsFunc(s.known, func(f Fault) bool { return f.Name == name })
}

// Switch turns a fault on or off, given as "name" or "name=arg". An unknown name is an error.
func (s *Set) Switch(fault string, on bool) error {
	name, arg, given := strings.Cut(fault, "=")
	i := slices.IndexFunc(s.known, func(f Fault) bool { return f.Name == name })
	switch {
	case i < 0:
		return fmt.Errorf("unknown fault %q, sim --list names them", name)
	case given && s.known[i].Arg == "":
		return fmt.Errorf("fault %s takes no argument", name)
	case !given:
		arg = s.known[i].Arg
	}
	if err := checkArg(s.known[i], arg); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if on {
		s.on[name] = arg
	} else {
		delete(s.on, name)
	}
	s.tell()
	return nil
}

// tell wakes those that wait for a change. The lock must be held.
func (s *Set) tell() {
	close(s.changed)
	s.changed = make(chan struct{})
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
	if _, err := fmt.Sscanf(arg, "%d", &n); err != nil || n < 1 {
		return fmt.Errorf("fault %s takes a number such as %s, got %q", f.Name, f.Arg, arg)
	}
	return nil
}

// On says that the fault is on.
func (s *Set) On(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, on := s.on[name]
	return on
}

// Next says that the fault is on, and returns what is closed at the next change of any fault.
func (s *Set) Next(name string) (on bool, changed <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, on = s.on[name]
	return on, s.changed
}

// Duration returns a fault's argument as a duration, 0 while it is off.
func (s *Set) Duration(name string) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, _ := time.ParseDuration(s.on[name])
	return d
}

// Number returns a fault's argument as a number, 0 while it is off.
func (s *Set) Number(name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	var n int
	_, _ = fmt.Sscanf(s.on[name], "%d", &n)
	return n
}

// Names lists those that are on, sorted.
func (s *Set) Names() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.on))
}

// Take says that the fault is on, and turns it off: it happens once.
func (s *Set) Take(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, on := s.on[name]
	if on {
		delete(s.on, name)
		s.tell()
	}
	return on
}
