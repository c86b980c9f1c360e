package wda

import "strings"

// form says under which paths a route is.
type form int

const (
	inSession form = iota // only under /session/:id
	bare                  // only without
	anyForm               // both
)

// command does what a request asks for.
type command func(*call) (any, error)

// route is one row of the table of routes.
type route struct {
	method, path string
	form         form
	since, until version // until is the first release without it; zero for neither
	bareSince    version // of anyForm: the first release with the bare form
	apart        bool    // passes the main queue from 16.7.3 on
	run          command
	parts        []string
}

// routesOf returns the routes of a release, in the order in which they are tried.
func routesOf(v version) []*route {
	var all []*route
	for _, r := range routeTable() {
		if !v.atLeast(r.since) || r.until != (version{}) && v.atLeast(r.until) {
			continue
		}
		if r.form != inSession && v.atLeast(r.bareSince) {
			b := r
			b.parts, b.form = strings.Split(r.path, "/"), bare
			all = append(all, &b)
		}
		if r.form != bare {
			s := r
			s.path = "/session/:sessionID" + r.path
			s.parts, s.form = strings.Split(s.path, "/"), inSession
			all = append(all, &s)
		}
	}
	return all
}

// match returns the route of a request with the values of its parameters.
func (d *Device) match(r *request) (*route, map[string]string) {
	path := r.path
	if !d.version.atLeast(ownServer) && len(path) > 1 {
		path = strings.TrimSuffix(path, "/")
	}
	parts := strings.Split(path, "/")
	for _, rt := range d.routes {
		if rt.method != strings.ToUpper(r.method) {
			continue
		}
		if params, ok := matchParts(rt.parts, parts); ok {
			return rt, params
		}
	}
	return nil, nil
}

func matchParts(want, got []string) (map[string]string, bool) {
	if len(want) != len(got) {
		return nil, false
	}
	params := map[string]string{}
	for i, w := range want {
		if name, ok := strings.CutPrefix(w, ":"); ok {
			if got[i] == "" {
				return nil, false
			}
			params[name] = got[i]
			continue
		}
		if !strings.EqualFold(w, got[i]) {
			return nil, false
		}
	}
	return params, true
}
