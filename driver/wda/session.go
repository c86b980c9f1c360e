package wda

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"sync"

	"github.com/electricbubble/gwda"

	"github.com/handset-go/handset/driver"
)

// session is the one session that a WebDriverAgent has: ours, or that of another client that we share. Making one ends
// the other's, so that two clients that each insist on their own would take it from each other for ever.
type session struct {
	making chan struct{} // holds a token while one goroutine looks for a session

	mu     sync.Mutex
	id     string         // "" where there is none
	own    bool           // made by us
	before map[string]any // settings to be put back, of a session that we share
	refuse string         // one that is bound to an app that has died
	asked  *status        // the status that New has just read, for the first session
}

func newSession() session { return session{making: make(chan struct{}, 1)} }

func (s *session) current() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.id
}

// set notes a session.
func (s *session) set(id string, own bool, before map[string]any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.id, s.own, s.before = id, own, before
}

// drop forgets a session, if it is still the one in use. bad has it never taken again.
func (s *session) drop(id string, bad bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if bad {
		s.refuse = id
	}
	if s.id == id {
		s.id, s.own, s.before = "", false, nil
	}
}

// take returns the session and forgets it.
func (s *session) take() (id string, own bool, before map[string]any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id, own, before = s.id, s.own, s.before
	s.id, s.own, s.before = "", false, nil
	return id, own, before
}

func (s *session) refused(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.refuse == id
}

// ensure returns the session, after looking for one or making one where there is none.
func (s *session) ensure(ctx context.Context, d *Driver) (string, error) {
	if id := s.current(); id != "" {
		return id, nil
	}
	select {
	case s.making <- struct{}{}:
		defer func() { <-s.making }()
	case <-ctx.Done():
		return "", ctx.Err()
	}
	if id := s.current(); id != "" {
		return id, nil
	}
	ctx = quiet(ctx)
	for n := 1; ; n++ {
		id, err := d.obtain(ctx)
		if n == sessionTries || !errors.Is(err, driver.ErrSessionLost) || sessionPause(ctx, n) != nil {
			return id, err
		}
		d.log.WarnContext(ctx, "the session was lost as soon as it was there; taking another", "because", err)
	}
}

// obtain takes over the session that there is, or makes one. ErrSessionLost says that another client ended it meanwhile.
func (d *Driver) obtain(ctx context.Context) (string, error) {
	if err := d.adopt(ctx); err != nil {
		return "", err
	}
	if d.session.current() == "" {
		if err := d.create(ctx); err != nil {
			return "", err
		}
	}
	return d.session.current(), nil
}

// adopt takes over the session that WebDriverAgent has, if it has one that works.
func (d *Driver) adopt(ctx context.Context) error {
	st := d.session.asked // only one goroutine is here
	d.session.asked = nil
	if st == nil {
		var err error
		if st, err = d.status(ctx); err != nil {
			return err
		}
	}
	id := st.session
	if id == "" || d.session.refused(id) {
		return nil
	}
	err := d.agentDo(ctx, d.inSession(id), func(wd gwda.WebDriver) error {
		_, err := wd.ActiveSession()
		return err
	})
	if err != nil {
		if hasCode(err, codeNoSession, codeUnknownCommand) {
			return nil
		}
		return d.explain(ctx, err)
	}
	d.log.DebugContext(ctx, "sharing the session that there is", "session", id)
	before, err := d.tune(ctx, id, true)
	if err != nil {
		return d.explain(ctx, err)
	}
	d.session.set(id, false, before)
	return nil
}

// create makes a session that is bound to no app: nothing is launched with it, and nothing dies with it.
func (d *Driver) create(ctx context.Context) error {
	caps := gwda.NewCapabilities().WithShouldTerminateApp(false)
	if !d.opts.KeepSettings {
		caps = caps.WithWaitForIdleTimeout(0)
	}
	var made gwda.SessionInfo
	err := d.agentDo(ctx, d.single, func(wd gwda.WebDriver) (err error) {
		made, err = wd.NewSession(caps)
		return err
	})
	if err == nil && made.SessionId == "" {
		err = errors.New("the new session has no id")
	}
	if err != nil {
		return fmt.Errorf("a new session: %w", d.explain(ctx, err))
	}
	_, err = d.tune(ctx, made.SessionId, false)
	if !hasCode(err, codeNoSession) {
		d.session.set(made.SessionId, true, nil)
	}
	return d.explain(ctx, err)
}

// tune makes the settings, which every new session has lost, and returns what those were before if asked. A server without
// settings is used as it is.
func (d *Driver) tune(ctx context.Context, id string, ask bool) (before map[string]any, err error) {
	if d.opts.KeepSettings {
		return nil, nil
	}
	want := QuickSettings()
	maps.Copy(want, d.opts.Settings)
	path := "/session/" + id + "/appium/settings"
	var had map[string]any
	if ask {
		r, err := d.single(ctx, http.MethodGet, path, nil)
		if err == nil {
			err = r.into(&had)
		}
		if err != nil {
			return nil, d.untuned(ctx, err)
		}
	}
	if err := d.setSettings(ctx, path, want); err != nil {
		return nil, d.untuned(ctx, err)
	}
	before = map[string]any{}
	for name, wanted := range want {
		if old, ok := had[name]; ok && fmt.Sprint(old) != fmt.Sprint(wanted) {
			before[name] = old
		}
	}
	return before, nil
}

// untuned lets a server do without settings that it does not know.
func (d *Driver) untuned(ctx context.Context, err error) error {
	if hasCode(err, codeUnknownCommand, codeBadArgument, codeUnknown) {
		d.log.WarnContext(ctx, "WebDriverAgent keeps its own settings", "because", err)
		return nil
	}
	return err
}

func (d *Driver) setSettings(ctx context.Context, path string, settings map[string]any) error {
	body, err := json.Marshal(map[string]any{"settings": settings}) // a flat body is accepted and ignored
	if err != nil {
		return err
	}
	_, err = d.single(ctx, http.MethodPost, path, body)
	return err
}

// giveBack puts the settings of a shared session back, or ends our own. One that is gone already is well given back, and so is one
// of a WebDriverAgent that is: there is nothing left to clean up.
func (d *Driver) giveBack(ctx context.Context) error {
	id, own, before := d.session.take()
	if id == "" {
		return nil
	}
	ctx = quiet(ctx)
	var err error
	switch {
	case own:
		_, err = d.single(ctx, http.MethodDelete, "/session/"+id, nil)
	case len(before) > 0:
		err = d.setSettings(ctx, "/session/"+id+"/appium/settings", before)
	}
	if err != nil && !hasCode(err, codeNoSession) {
		d.log.WarnContext(ctx, "the session could not be given back", "session", id, "error", err)
	}
	return ctx.Err()
}

// status is what a WebDriverAgent says of itself.
type status struct {
	session string
	Ready   *bool  `json:"ready"`
	Message string `json:"message"`
	OS      struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	} `json:"os"`
	IOS struct {
		SimulatorVersion string `json:"simulatorVersion"`
	} `json:"ios"`
	Build struct {
		Version string `json:"version"`
		Runner  string `json:"productBundleIdentifier"`
	} `json:"build"`
	Device string `json:"device"`
}

// status asks for it, and for the active session, which gwda leaves out.
func (d *Driver) status(ctx context.Context) (*status, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, d.opts.limit(limitStatus), driver.ErrTimeout)
	defer cancel()
	r, err := d.single(ctx, http.MethodGet, "/status", nil)
	if err != nil {
		if errors.Is(context.Cause(ctx), driver.ErrTimeout) {
			return nil, fmt.Errorf("%w: WebDriverAgent at %s does not say its status: it hangs, or another program listens there",
				driver.ErrTimeout, d.target.device())
		}
		return nil, d.explain(ctx, err)
	}
	st := &status{session: r.session}
	if err := r.into(st); err != nil {
		return nil, err
	}
	return st, nil
}
