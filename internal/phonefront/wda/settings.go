package wda

import (
	"maps"
	"slices"
	"strings"
)

// setting is one of the settings of a session, with its default and the release that first had it.
type setting struct {
	name  string
	value any
	since version
}

var settings = []setting{
	{"shouldUseCompactResponses", true, version{}},
	{"elementResponseAttributes", "type,label", version{}},
	{"mjpegServerScreenshotQuality", 25.0, version{}},
	{"mjpegServerFramerate", 10.0, version{}},
	{"mjpegScalingFactor", 100.0, version{}},
	{"mjpegFixOrientation", false, version{5, 15, 1}},
	{"screenshotQuality", 3.0, version{}},
	{"keyboardAutocorrection", false, version{}},
	{"keyboardPrediction", false, version{}},
	{"snapshotMaxDepth", 50.0, version{2, 5, 2}},
	{"snapshotMaxChildren", 2147483647.0, version{11, 4, 0}},
	{"accessibilityDeadline", 0.0, hasDeadline},
	{"useFirstMatch", false, version{0, 5, 0}},
	{"boundElementsByIndex", false, version{}},
	{"defaultActiveApplication", "auto", version{}},
	{"activeAppDetectionPoint", "64.00,64.00", version{}},
	{"defaultAlertAction", "", version{}},
	{"acceptAlertButtonSelector", "", version{2, 1, 0}},
	{"dismissAlertButtonSelector", "", version{2, 1, 0}},
	{"autoClickAlertSelector", "", version{9, 5, 0}},
	{"screenshotOrientation", "auto", version{2, 6, 0}},
	{"waitForIdleTimeout", 10.0, version{2, 28, 0}},
	{"animationCoolOffTimeout", 2.0, version{2, 28, 0}},
	{"maxTypingFrequency", 60.0, version{}},
	{"respectSystemAlerts", false, version{8, 7, 0}},
	{"useClearTextShortcut", true, version{8, 10, 0}},
	{"limitXPathContextScope", true, version{9, 3, 2}},
	{"includeHittableInPageSource", false, version{9, 11, 0}},
	{"includeNativeFrameInPageSource", false, version{9, 13, 0}},
	{"includeMinMaxValueInPageSource", false, version{9, 14, 0}},
	{"includeCustomActionsInPageSource", false, version{9, 14, 0}},
	{"includeNativeAccessibilityElementInPageSource", false, version{10, 5, 0}},
	{"enforceCustomSnapshots", false, version{10, 5, 0}},
}

// alertSettings are those that null clears. Any other ignores it.
var alertSettings = []string{"defaultAlertAction", "acceptAlertButtonSelector", "dismissAlertButtonSelector", "autoClickAlertSelector"}

var orientations = []string{"auto", "portrait", "portraitUpsideDown", "landscapeRight", "landscapeLeft"}

// outlives says that a setting belongs to WebDriverAgent and not to a session.
func outlives(name string) bool { return strings.HasPrefix(name, "mjpeg") }

func sharedSettings() map[string]any {
	m := map[string]any{}
	for _, s := range settings {
		if outlives(s.name) {
			m[s.name] = s.value
		}
	}
	return m
}

func defaultSettings(v version) map[string]any {
	m := map[string]any{}
	for _, s := range settings {
		if !outlives(s.name) && v.atLeast(s.since) {
			m[s.name] = s.value
		}
	}
	return m
}

func (c *call) getSettings() (any, error) { return c.d.allSettings(c.ses), nil }

// setSettings takes {"settings":{...}}. A flat body has no "settings", and changes nothing.
func (c *call) setSettings() (any, error) {
	v, ok := c.body["settings"]
	if !ok {
		return c.d.allSettings(c.ses), nil
	}
	all, ok := v.(map[string]any)
	if !ok {
		return nil, fail(errArgument, "settings must be a dictionary")
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if err := c.d.setOne(c.ses, name, all[name]); err != nil {
			return nil, err
		}
	}
	return c.d.allSettings(c.ses), nil
}

func (d *Device) allSettings(s *session) map[string]any {
	d.mu.Lock()
	defer d.mu.Unlock()
	all := maps.Clone(s.settings)
	for _, k := range settings {
		if outlives(k.name) && d.version.atLeast(k.since) {
			all[k.name] = d.shared[k.name]
		}
	}
	return all
}

// setOne sets one setting. An unknown name, and null for most, is ignored.
func (d *Device) setOne(s *session, name string, v any) error {
	i := slices.IndexFunc(settings, func(k setting) bool { return k.name == name && d.version.atLeast(k.since) })
	if i < 0 {
		return nil
	}
	if v == nil {
		if !slices.Contains(alertSettings, name) {
			return nil
		}
		v = ""
	}
	value, err := coerce(settings[i], v)
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if outlives(name) {
		d.shared[name] = value
	} else {
		s.settings[name] = value
	}
	return nil
}

// coerce makes the value of the kind that the setting has.
func coerce(k setting, v any) (any, error) {
	switch k.value.(type) {
	case bool:
		return truth(v), nil
	case float64:
		n, ok := number(v)
		if !ok {
			return nil, fail(errArgument, "the value of the setting '%s' must be a number", k.name)
		}
		return n, nil
	}
	s, ok := v.(string)
	if !ok {
		return nil, fail(errArgument, "the value of the setting '%s' must be a string", k.name)
	}
	if k.name == "screenshotOrientation" && !slices.Contains(orientations, s) {
		return nil, fail(errArgument, "'%s' is not a known screenshotOrientation. Only the following values are supported: (%s)",
			s, strings.Join(orientations, ", "))
	}
	return s, nil
}

// set returns a setting of the session of the call, or its default.
func (c *call) set(name string) any {
	c.d.mu.Lock()
	defer c.d.mu.Unlock()
	return c.settings().settings[name]
}

func (c *call) setNumber(name string) float64 {
	n, _ := c.set(name).(float64)
	return n
}
