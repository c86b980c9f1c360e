package adb

import (
	"context"
	"errors"
	"image"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/nap"
)

func TestTreeFailures(t *testing.T) {
	tests := []struct {
		name  string
		say   answer
		want  error
		text  string
		tries int
	}{
		{"never idle", answer{err: "ERROR: could not get idle state."}, driver.ErrNoTree, "never came to rest", 1},
		{"null root", answer{err: "ERROR: null root node returned by UiTestAutomationBridge."}, driver.ErrNoTree, "root", dumpTries},
		{"says nothing", answer{code: 1}, driver.ErrNoTree, "printed nothing", dumpTries},
		{"busy", answer{err: "java.lang.IllegalStateException: UiAutomationService … already registered!"}, driver.ErrNoTree, "Appium", 1},
		{"emoji on an old one", answer{err: "java.lang.IllegalArgumentException: Illegal character (d83d)"}, driver.ErrNoTree, "emoji", 1},
		{"success without a file", answer{out: "UI hierchary dumped to: /x\n"}, driver.ErrNoTree, "wrote none", dumpTries},
		{"killed", answer{err: "Killed"}, driver.ErrNoTree, "memory", dumpTries},
		{"none at all", answer{err: "/system/bin/sh: uiautomator: inaccessible or not found", code: 127}, errors.ErrUnsupported, "", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t)
			f.on("uiautomator", tt.say)
			d := f.open()
			_, err := d.Tree(t.Context())
			require.ErrorIs(t, err, tt.want)
			require.ErrorContains(t, err, tt.text)
			require.Len(t, f.ran("uiautomator"), tt.tries)
		})
	}
}

func TestTreeJudgesTheFile(t *testing.T) {
	f := newFake(t)
	f.on("uiautomator", answer{out: plainDump, err: "java.io.FileNotFoundException: /data/system/theme_config/theme_compatibility.xml", code: 1})
	d := f.open()
	tree, err := d.Tree(t.Context())
	require.NoError(t, err, "a status of 1 with a good file is a tree")
	require.Equal(t, image.Pt(2400, 1080), tree.Size)
	line := f.ran("uiautomator")[0]
	require.Regexp(t, `^rm -f (/data/local/tmp/handset-\w+\.xml); uiautomator dump (/data/local/tmp/handset-\w+\.xml); cat (\S+) 2>/dev/null; rm -f (\S+)$`, line)
}

func TestARestlessScreenIsRemembered(t *testing.T) {
	f := newFake(t)
	f.on("uiautomator", answer{err: "ERROR: could not get idle state."})
	d := f.open()
	for range 3 {
		_, err := d.Tree(t.Context())
		require.ErrorIs(t, err, driver.ErrNoTree)
	}
	require.Len(t, f.ran("uiautomator"), 1)
	f.on("uiautomator", plainDump)
	require.NoError(t, d.Tap(t.Context(), image.Pt(1, 1)))
	_, err := d.Tree(t.Context())
	require.NoError(t, err, "after a gesture it looks again")
}

func TestCancelledTreeLeavesNoFile(t *testing.T) {
	f := newFake(t)
	f.on("uiautomator", answer{hang: true})
	d := f.open()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { _, err := d.Tree(ctx); done <- err }()
	var line string
	for line == "" {
		require.NoError(t, nap.For(t.Context(), time.Millisecond))
		if l := f.ran("uiautomator"); len(l) > 0 {
			line = l[0]
		}
	}
	cancel()
	require.ErrorIs(t, <-done, context.Canceled)
	file := strings.Fields(strings.Split(line, ";")[0])[2]
	require.NoError(t, d.Close(), "Close waits for the undo")
	remove := "rm -f " + file
	require.Equal(t, []string{remove, remove}, f.ran("rm -f"), "at once, and by Close: the line may have run on")
}
