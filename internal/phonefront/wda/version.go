package wda

import (
	"fmt"
	"strconv"
	"strings"
)

// version is a release of WebDriverAgent.
type version [3]int

// releases are what a major version alone stands for: the last one of that age, or nearly.
var releases = map[int]version{
	4: {4, 9, 1}, 5: {5, 15, 8}, 6: {6, 1, 1}, 7: {7, 3, 1}, 8: {8, 12, 2}, 9: {9, 15, 3}, 16: {16, 12, 7},
}

// parseVersion reads "16" or "16.7.2"; "" is the newest. Releases before 1.0.0 spoke another protocol.
func parseVersion(s string) (version, error) {
	var v version
	if s == "" {
		return releases[16], nil
	}
	parts := strings.Split(s, ".")
	if len(parts) > 3 {
		return v, fmt.Errorf("version %q: want one such as 16 or 16.7.2", s)
	}
	for i, p := range parts {
		n, err := strconv.Atoi(p)
		if err != nil || n < 0 {
			return v, fmt.Errorf("version %q: want one such as 16 or 16.7.2", s)
		}
		v[i] = n
	}
	if v[0] < 1 || v[0] > 16 {
		return v, fmt.Errorf("version %q: want 1.0.0 to 16", s)
	}
	if r, ok := releases[v[0]]; ok && len(parts) == 1 {
		return r, nil
	}
	return v, nil
}

func (v version) String() string { return fmt.Sprintf("%d.%d.%d", v[0], v[1], v[2]) }

// atLeast says that v is w or newer.
func (v version) atLeast(w version) bool {
	for i := range v {
		if v[i] != w[i] {
			return v[i] > w[i]
		}
	}
	return true
}

// The releases that changed more than a route.
var (
	plainBase64    = version{4, 10, 1}  // screenshots without CR LF
	typesAnywhere  = version{6, 0, 0}   // /wda/keys wants no keyboard
	htmlHealth     = version{8, 7, 11}  // /health is a page
	ownServer      = version{16, 7, 0}  // its own HTTP server: no trailing slash
	strictServer   = version{16, 7, 2}  // refuses Transfer-Encoding and large headers
	offMainQueue   = version{16, 7, 3}  // status, screenshot and DELETE pass a hung command
	hasDeadline    = version{16, 8, 0}  // accessibilityDeadline
	gonesAnswered  = version{16, 11, 2} // requests of a deleted session are answered at once
	hasAccessible  = version{3, 8, 0}   // the attribute of a source
	hasPlaceholder = version{9, 1, 0}
	hasTraits      = version{9, 12, 0}
	hasProcessID   = version{10, 1, 0}
	hasExclusion   = version{2, 3, 0}
)
