package main

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestVersion(t *testing.T) {
	require.Regexp(t, `^handset \S+.* go1\.\S+\n$`, run(t, "--version").ok(t))
	require.Equal(t, "handset v1.2.3 abc with changes go1.26", versionOf(&debug.BuildInfo{
		GoVersion: "go1.26", Main: debug.Module{Version: "v1.2.3"},
		Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: "true"}},
	}))
	require.Equal(t, "handset (devel) go1.26", versionOf(&debug.BuildInfo{GoVersion: "go1.26"}))
}
