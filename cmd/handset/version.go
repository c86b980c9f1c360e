package main

import (
	"cmp"
	"runtime/debug"
)

// version says which handset this is: that of the module, and the revision that it was built from where Go recorded it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "handset, of unknown version"
	}
	return versionOf(info)
}

func versionOf(info *debug.BuildInfo) string {
	said := map[string]string{}
	for _, s := range info.Settings {
		said[s.Key] = s.Value
	}
	text := "handset " + cmp.Or(info.Main.Version, "(devel)")
	if revision := said["vcs.revision"]; revision != "" {
		text += " " + revision
		if said["vcs.modified"] == "true" {
			text += " with changes"
		}
	}
	return text + " " + info.GoVersion
}
