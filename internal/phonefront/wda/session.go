package wda

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// session is one session of WebDriverAgent.
type session struct {
	id        string
	bundle    string // the app under test, "" for none
	alive     bool   // the app under test should run
	terminate bool   // ends the app under test with the session
	settings  map[string]any
	elements  elementCache
	gone      chan struct{} // closed when it is deleted
}

func (d *Device) newSession() *session {
	return &session{id: newUUID(), terminate: true, settings: defaultSettings(d.version), gone: make(chan struct{})}
}

// replace makes s the active session and deletes the one before it. nil leaves none.
func (d *Device) replace(s *session) {
	d.mu.Lock()
	old := d.session
	d.session = s
	d.mu.Unlock()
	if old == nil {
		return
	}
	close(old.gone)
	if old.bundle != "" && old.terminate && slices.Contains(d.phone.Running(), old.bundle) {
		_ = d.phone.StopApp(old.bundle) // it runs, and so it is installed
	}
}

// find returns the active session if it has that id.
func (d *Device) find(id string) *session {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.session == nil || !strings.EqualFold(d.session.id, id) {
		return nil
	}
	return d.session
}

func (c *call) createSession() (any, error) {
	if c.d.faults.On(FaultNoSession) {
		return nil, fail(errNotCreated, "The termination of a previous session's application is still in progress after 5 seconds. "+
			"Please retry the session creation later")
	}
	c.d.replace(nil) // before anything is launched: both sessions may be for the same app
	caps, err := matchCapabilities(c.body)
	if err != nil {
		return nil, err
	}
	s := c.d.newSession()
	if err := s.configure(c.d, caps); err != nil {
		return nil, err
	}
	if err := c.d.openTested(s, caps); err != nil {
		return nil, err
	}
	c.d.replace(s)
	return c.d.sessionValue(s), nil
}

// configure takes over the capabilities that are settings.
func (s *session) configure(d *Device, caps map[string]any) error {
	for _, k := range []string{
		"shouldUseCompactResponses", "elementResponseAttributes", "maxTypingFrequency", "waitForIdleTimeout",
		"accessibilityDeadline", "defaultAlertAction",
	} {
		if v, ok := caps[k]; ok {
			if err := d.setOne(s, k, v); err != nil {
				return err
			}
		}
	}
	if v, ok := caps["shouldTerminateApp"]; ok {
		s.terminate = truth(v)
	}
	return nil
}

// openTested launches the app that the session is for.
func (d *Device) openTested(s *session, caps map[string]any) error {
	bundle := text(caps["bundleId"])
	if url := text(caps["initialUrl"]); url != "" && bundle == "" {
		return d.openURL(url)
	}
	if bundle == "" {
		return nil
	}
	if !d.installed(bundle) {
		return fail(errArgument, "The application with the bundle identifier '%s' is not installed", bundle)
	}
	force := true
	if v, ok := caps["forceAppLaunch"]; ok {
		force = truth(v)
	}
	running := slices.Contains(d.phone.Running(), bundle)
	if force && running {
		_ = d.phone.StopApp(bundle) // it is installed
	}
	if err := d.launch(bundle); err != nil {
		return fail(errNotCreated, "Cannot launch %s application. Make sure the correct bundle identifier has been provided in "+
			"capabilities and check the device log for possible crash report occurrences", bundle)
	}
	s.bundle, s.alive = bundle, true
	return nil
}

func (d *Device) sessionValue(s *session) any {
	caps := map[string]any{"device": d.idiom(), "sdkVersion": d.profile.OS}
	if !d.version.atLeast(version{5, 0, 0}) {
		app := d.phone.FocusedApp()
		caps["browserName"], caps["CFBundleIdentifier"] = app.Name, app.ID
		if s.bundle != "" {
			caps["CFBundleIdentifier"] = s.bundle
		}
	}
	return map[string]any{"sessionId": s.id, "capabilities": caps}
}

func (c *call) getSession() (any, error) { return c.d.sessionValue(c.ses), nil }

func (c *call) deleteSession() (any, error) {
	c.d.replace(nil)
	return nil, nil
}

// standard are the capabilities that have no vendor prefix.
var standard = []string{
	"browserName", "browserVersion", "platformName", "acceptInsecureCerts", "pageLoadStrategy", "proxy",
	"setWindowRect", "timeouts", "unhandledPromptBehavior",
}

// matchCapabilities merges alwaysMatch with the first entry of firstMatch that fits.
func matchCapabilities(body map[string]any) (map[string]any, error) {
	all, ok := body["capabilities"].(map[string]any)
	if !ok {
		return nil, fail(errNotCreated, "'capabilities' is mandatory to create a new session")
	}
	always, _ := all["alwaysMatch"].(map[string]any)
	always, err := unprefixed(always)
	if err != nil {
		return nil, err
	}
	first, ok := all["firstMatch"].([]any)
	if !ok || len(first) == 0 {
		return always, nil
	}
	for _, f := range first {
		one, _ := f.(map[string]any)
		one, err := unprefixed(one)
		if err != nil {
			return nil, err
		}
		if both(always, one) {
			continue
		}
		maps.Copy(one, always)
		return one, nil
	}
	return nil, fail(errNotCreated, "no entry of firstMatch can be merged with alwaysMatch: they name the same capabilities")
}

// unprefixed takes "appium:" from the names. A standard capability must not have it.
func unprefixed(caps map[string]any) (map[string]any, error) {
	out := map[string]any{}
	for k, v := range caps {
		name, prefixed := strings.CutPrefix(k, "appium:")
		if prefixed && slices.Contains(standard, name) {
			return nil, fail(errNotCreated, "the standard capability '%s' must not have the prefix '%s'", name, "appium:")
		}
		out[name] = v
	}
	return out, nil
}

func both(a, b map[string]any) bool {
	for k := range a {
		if _, ok := b[k]; ok {
			return true
		}
	}
	return false
}

// text returns a JSON string, "" for anything else.
func text(v any) string {
	s, _ := v.(string)
	return s
}

// truth reads a boolean as Objective-C's boolValue does.
func truth(v any) bool {
	switch v := v.(type) {
	case bool:
		return v
	case float64:
		return v != 0
	case string:
		return len(v) > 0 && strings.ContainsRune("YyTt123456789", rune(v[0]))
	}
	return false
}

// number reads a number as doubleValue does: a string of digits is one too.
func number(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	case string:
		var f float64
		_, _ = fmt.Sscanf(strings.TrimSpace(v), "%g", &f) // what is no number is 0, as there
		return f, true
	}
	return 0, false
}
