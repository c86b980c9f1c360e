package android

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// startSettings are the tables of a phone that has been set up.
func (d *Device) startSettings() map[string]map[string]string {
	return map[string]map[string]string{
		"system": {"accelerometer_rotation": "0", "screen_off_timeout": "60000", "screen_brightness": "102", "font_scale": "1.0",
			"user_rotation": strconv.Itoa(d.phone.Rotation())},
		"secure": {"android_id": "a1b2c3d4e5f60718", "show_ime_with_hard_keyboard": "0", "accessibility_enabled": "0"},
		"global": {"adb_enabled": "1", "window_animation_scale": "1.0", "transition_animation_scale": "1.0",
			"animator_duration_scale": "1.0", "stay_on_while_plugged_in": "0", "device_provisioned": "1",
			"device_name": d.profile.Banner.Model, "airplane_mode_on": "0"},
	}
}

// switches are the settings that are switches of the phone, with the values of the phone behind them.
var switches = map[string]string{
	"global/bluetooth_on": "bluetooth", "global/airplane_mode_on": "airplane_mode", "global/wifi_on": "wifi",
}

// setting reads a setting; "null" where it is not set.
func (d *Device) setting(ns, key string) string {
	switch ns + "/" + key {
	case "secure/default_input_method":
		if m := d.phone.CurrentIME(); m != "" {
			return m
		}
		return "null"
	case "secure/enabled_input_methods":
		return d.enabledIMEs()
	}
	if value := switches[ns+"/"+key]; value != "" {
		if v := d.phone.Value(value); v != "" {
			return map[bool]string{true: "1", false: "0"}[v == "true"]
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if v, ok := d.settings[ns][key]; ok {
		return v
	}
	return "null"
}

func (d *Device) enabledIMEs() string {
	var ids []string
	for _, m := range d.imes() {
		if m.Enabled {
			ids = append(ids, m.ID)
		}
	}
	return strings.Join(ids, ":")
}

// putSetting writes a setting and does what the system does about it.
func (d *Device) putSetting(ns, key, value string) {
	switch ns + "/" + key {
	case "secure/default_input_method":
		d.phone.SetIME(value)
		return
	case "secure/enabled_input_methods":
		for _, m := range d.imes() {
			d.phone.EnableIME(m.ID, slices.Contains(strings.Split(value, ":"), m.ID))
		}
		return
	}
	if name := switches[ns+"/"+key]; name != "" && d.phone.Value(name) != "" {
		d.phone.SetValue(name, map[bool]string{true: "true", false: "false"}[value == "1"])
	}
	d.mu.Lock()
	d.settings[ns][key] = value
	locked := d.settings["system"]["accelerometer_rotation"] == "0"
	rotation, err := strconv.Atoi(d.settings["system"]["user_rotation"])
	d.mu.Unlock()
	if ns == "system" && locked && err == nil && (key == "user_rotation" || key == "accelerometer_rotation") {
		_ = d.phone.SetRotation(rotation) // a rotation that does not exist changes nothing on a phone either
	}
}

func (d *Device) deleteSetting(ns, key string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.settings[ns][key]; !ok {
		return 0
	}
	delete(d.settings[ns], key)
	return 1
}

func isNamespace(ns string) bool { return ns == "system" || ns == "secure" || ns == "global" }

// settingsTable is a table of the settings with all that is set.
func (d *Device) settingsTable(ns string) map[string]string {
	d.mu.Lock()
	table := maps.Clone(d.settings[ns])
	d.mu.Unlock()
	if ns == "secure" {
		table["default_input_method"], table["enabled_input_methods"] = d.setting(ns, "default_input_method"), d.enabledIMEs()
	}
	return table
}

const settingsUsage = `Settings provider (settings) commands:
  help
      Print this help text.
  get [--user <USER_ID> | current] NAMESPACE KEY
      Retrieve the current value of KEY.
  put [--user <USER_ID> | current] NAMESPACE KEY VALUE [TAG] [default]
      Change the contents of KEY to VALUE.
  delete [--user <USER_ID> | current] NAMESPACE KEY
      Delete the entry for KEY.
  list [--user <USER_ID> | current] NAMESPACE
      Print all defined keys.
`

func runSettings(_ context.Context, p *proc) int {
	d, args := p.d, p.Args[1:]
	if i := slices.Index(args, "--user"); i >= 0 && i+1 < len(args) {
		args = slices.Delete(slices.Clone(args), i, i+2)
	}
	need := map[string]int{"get": 3, "put": 4, "delete": 3, "list": 2}
	switch {
	case len(args) == 0 || args[0] == "help":
		p.Print("%s", settingsUsage)
		return 0
	case need[args[0]] == 0:
		return p.Fail(255, "Invalid command: %s", args[0])
	case len(args) < need[args[0]]:
		return p.Fail(255, "Bad arguments\n%s", strings.TrimSuffix(settingsUsage, "\n"))
	case !isNamespace(args[1]):
		return p.Fail(255, "Invalid namespace '%s'", args[1])
	}
	ns := args[1]
	if (args[0] == "put" || args[0] == "delete") && d.faults.On(FaultSecureSettings) {
		return p.Fail(255, "\nException occurred while executing '%s':\njava.lang.SecurityException: Permission denial: writing to settings requires:android.permission.WRITE_SECURE_SETTINGS", args[0])
	}
	switch args[0] {
	case "get":
		p.Print("%s\n", d.setting(ns, args[2]))
	case "put":
		d.putSetting(ns, args[2], args[3])
	case "delete":
		p.Print("Deleted %d rows\n", d.deleteSetting(ns, args[2]))
	case "list":
		table := d.settingsTable(ns)
		for _, k := range slices.Sorted(maps.Keys(table)) {
			p.Print("%s=%s\n", k, table[k])
		}
	}
	return 0
}
