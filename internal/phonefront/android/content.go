package android

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
)

const settingsURI = "content://settings/"

// runContent asks a provider. Only the settings have one here.
func runContent(_ context.Context, p *proc) int {
	if len(p.Args) < 2 {
		p.Print("usage: adb shell content [subcommand] [options]\n")
		return 0
	}
	options := contentOptions(p.Args[2:])
	uri := options["--uri"]
	table, ours := strings.CutPrefix(uri, settingsURI)
	ns, key, _ := strings.Cut(table, "/")
	switch {
	case !slices.Contains([]string{"insert", "update", "delete", "query"}, p.Args[1]):
		p.Print("usage: adb shell content [subcommand] [options]\n")
		return p.Fail(1, "[ERROR] Unsupported operation: %s", p.Args[1])
	case uri == "":
		return p.Fail(1, "[ERROR] Content provider URI not specified. Did you specify --uri argument?")
	case !ours || !isNamespace(ns):
		provider, _, _ := strings.Cut(strings.TrimPrefix(uri, "content://"), "/")
		return p.Fail(1, "Error while accessing provider:%s\njava.lang.IllegalStateException: Could not find provider: %s", provider, provider)
	}
	if name := whereName(options["--where"]); key == "" {
		key = name
	}
	return p.contentSettings(p.Args[1], ns, key, options)
}

// contentOptions are the options by name, and the columns of --bind name:type:value.
func contentOptions(args []string) map[string]string {
	options := map[string]string{}
	for i := 0; i+1 < len(args); i += 2 {
		if args[i] != "--bind" {
			options[args[i]] = args[i+1]
			continue
		}
		name, typed, _ := strings.Cut(args[i+1], ":")
		_, options["bind "+name], _ = strings.Cut(typed, ":")
	}
	return options
}

// whereName is the key that a condition such as name='user_rotation' asks for.
func whereName(where string) string {
	name, value, ok := strings.Cut(where, "=")
	if !ok || strings.TrimSpace(name) != "name" {
		return ""
	}
	return strings.Trim(strings.TrimSpace(value), `'"`)
}

// contentSettings reads or writes a table of the settings. key is "" for all of it.
func (p *proc) contentSettings(operation, ns, key string, options map[string]string) int {
	d := p.d
	if operation == "query" {
		return p.contentQuery(ns, key, options["--projection"])
	}
	if d.faults.On(FaultSecureSettings) {
		return p.Fail(1, "Error while accessing provider:settings\njava.lang.SecurityException: Permission denial: writing to settings requires:android.permission.WRITE_SECURE_SETTINGS")
	}
	if operation == "delete" {
		d.deleteSetting(ns, key)
		return 0
	}
	if name, ok := options["bind name"]; ok {
		key = name
	}
	if key != "" {
		d.putSetting(ns, key, options["bind value"])
	}
	return 0
}

// contentQuery prints the rows of a table, or that of one key.
func (p *proc) contentQuery(ns, key, projection string) int {
	table := p.d.settingsTable(ns)
	row := 0
	for i, k := range slices.Sorted(maps.Keys(table)) {
		if key != "" && k != key {
			continue
		}
		columns := map[string]string{"_id": itoa(i + 1), "name": k, "value": table[k]}
		var shown []string
		for _, c := range strings.Split(cmp.Or(projection, "_id:name:value"), ":") {
			shown = append(shown, c+"="+columns[c])
		}
		p.Print("Row: %d %s\n", row, strings.Join(shown, ", "))
		row++
	}
	if row == 0 {
		p.Print("No result found.\n")
	}
	return 0
}
