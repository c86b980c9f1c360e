package wda

import "fmt"

// status answers with the active session at the top of the envelope, as every answer does.
func (c *call) status() (any, error) {
	d := c.d
	build := map[string]any{"time": "Aug 12 2026 10:21:07", "productBundleIdentifier": runnerProduct}
	value := map[string]any{
		"state": "success",
		"os": map[string]any{
			"name": d.osName(), "version": d.profile.OS, "sdkVersion": d.profile.OS, "testmanagerdVersion": 28,
		},
		"ios":   map[string]any{"ip": "192.0.2.17"},
		"build": build,
		"ready": true,
	}
	if d.version.atLeast(version{2, 0, 0}) {
		value["message"] = "WebDriverAgent is ready to accept commands"
	}
	if d.version.atLeast(version{4, 10, 0}) {
		value["device"] = d.idiom()
	}
	if d.version.atLeast(version{7, 0, 0}) {
		build["version"] = d.version.String()
	}
	return value, nil
}

func (d *Device) osName() string {
	if d.profile.Tablet {
		return "iPadOS"
	}
	return "iOS"
}

// idiom returns "iphone" or "ipad".
func (d *Device) idiom() string {
	if d.profile.Tablet {
		return "ipad"
	}
	return "iphone"
}

// health is plain text, and a page from 8.7.11 on.
func (c *call) health() (any, error) {
	if c.d.version.atLeast(htmlHealth) {
		const page = "<!DOCTYPE html><html><title>Health Check</title><body><p>I-AM-ALIVE</p></body></html>"
		return document{"text/html;charset=UTF-8", page}, nil
	}
	return document{"text/html;charset=UTF-8", "I-AM-ALIVE"}, nil
}

// healthCheck presses home and opens an app, to see whether the phone still takes touches.
func (c *call) healthCheck() (any, error) {
	c.d.pressHome()
	if err := c.d.launch(preferences); err != nil {
		return nil, nsError("Health check failed")
	}
	c.d.pressHome()
	return nil, nil
}

func (c *call) shutdown() (any, error) {
	c.d.Restart() // whoever started it starts it again
	return document{"text/plain;charset=UTF-8", "Shutting down"}, nil
}

func (c *call) deviceInfo() (any, error) {
	d, locale := c.d, "en_US"
	if d.phone.Lang() == "zh" {
		locale = "zh_CN"
	}
	style := "light"
	if d.phone.Value("dark_theme") == "true" {
		style = "dark"
	}
	idiom, name := 0, "iPhone"
	if d.profile.Tablet {
		idiom, name = 1, "iPad"
	}
	return map[string]any{
		"currentLocale": locale, "timeZone": "GMT", "name": name, "model": name, "uuid": d.udid, "userInterfaceIdiom": idiom,
		"userInterfaceStyle": style, "isSimulator": false, "thermalState": 0,
	}, nil
}

// batteryInfo reads the battery off the status bar; -1 and 0 say that nobody has seen it yet.
func (c *call) batteryInfo() (any, error) {
	level := c.d.readBattery()
	state := 1
	switch {
	case level < 0:
		state = 0
	case level >= 1:
		state = 3
	}
	return map[string]any{"level": level, "state": state}, nil
}

func (d *Device) readBattery() float64 {
	for _, w := range d.phone.Windows() {
		for n := range w.Root.All() {
			var pc int
			if n.ID != "battery" {
				continue
			}
			if _, err := fmt.Sscanf(n.Text, "%d%%", &pc); err == nil {
				d.mu.Lock()
				d.battery = float64(pc) / 100
				d.mu.Unlock()
			}
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.battery
}
