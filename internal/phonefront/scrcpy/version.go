// Package scrcpy is the wire of scrcpy's server as its device side sees it: the control messages of each
// release from 1.21 on, the messages that go back, and how a server file tells its version.
package scrcpy

import (
	"fmt"
	"strings"
)

// Version is a release of scrcpy, such as 3.3.4.
type Version struct {
	Major, Minor, Patch int
	Name                string // as it is written: client and server compare names, byte by byte
}

// ParseVersion reads a name such as "2.4" or "3.0.1". A suffix, as forks have, is part of the name only.
func ParseVersion(name string) (Version, error) {
	v := Version{Name: name}
	bare, _, _ := strings.Cut(name, "-")
	if n, err := fmt.Sscanf(bare, "%d.%d.%d", &v.Major, &v.Minor, &v.Patch); n < 2 {
		return Version{}, fmt.Errorf("scrcpy version %q: want a name such as 3.3.4: %w", name, err)
	}
	if v.Major < 0 || v.Minor < 0 || v.Patch < 0 {
		return Version{}, fmt.Errorf("scrcpy version %q: a part is negative", name)
	}
	return v, nil
}

// AtLeast says that the release is that one or a newer one.
func (v Version) AtLeast(major, minor, patch int) bool {
	switch {
	case v.Major != major:
		return v.Major > major
	case v.Minor != minor:
		return v.Minor > minor
	}
	return v.Patch >= patch
}

// String returns the name.
func (v Version) String() string { return v.Name }
