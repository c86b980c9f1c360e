package adb

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
)

// TestLaunchFindsTheEntry holds how an app's first activity is found where the phone names its
// chooser instead (appium #17128), and on televisions.
func TestLaunchFindsTheEntry(t *testing.T) {
	const chooser = "priority=0\nandroid/com.android.internal.app.ResolverActivity\n"
	const two = "2 activities found:\n  Activity #0:\n    priority=0\n    com.other/.M\n  Activity #1:\n    priority=0\n    com.example.shop/.Shop$Main\n"
	tests := []struct {
		name, resolve, query, leanback, want string
	}{
		{"resolved", "priority=0\ncom.example.shop/.M\n", two, "", "-n com.example.shop/.M -a android.intent.action.MAIN -c android.intent.category.LAUNCHER "},
		{"a carriage return", "priority=0\r\ncom.example.shop/.M\r\n", "", "", "-n com.example.shop/.M "},
		{"the chooser", chooser, two, "", `-n 'com.example.shop/.Shop$Main' -a android.intent.action.MAIN -c android.intent.category.LAUNCHER `},
		{"another app", "com.other/.M\n", two, "", `-n 'com.example.shop/.Shop$Main' `},
		{"one line", "{}", "No activities found\n", "com.example.shop/.Tv\n", "-n com.example.shop/.Tv -a android.intent.action.MAIN -c android.intent.category.LEANBACK_LAUNCHER "},
	}
	have := installed("com.example.shop")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t)
			f.setShell(func(line string) answer {
				if a, ok := have(line); ok && !strings.Contains(line, "query-activities") {
					return a
				}
				switch {
				case strings.Contains(line, "am start"):
					return answer{out: "Status: ok\n"}
				case strings.Contains(line, "resolve-activity"):
					return answer{out: tt.resolve}
				case strings.Contains(line, "LEANBACK"):
					return answer{out: tt.leanback}
				case strings.Contains(line, "query-activities"):
					return answer{out: tt.query}
				}
				return answer{out: "  mCurrentFocus=Window{1 u0 com.example.shop/.M}\n"}
			})
			d := f.open()
			require.NoError(t, d.Launch(t.Context(), "com.example.shop"))
			started := f.ran("am start")
			require.Len(t, started, 1)
			require.Contains(t, started[0], tt.want)
		})
	}
}

func TestMonkeyOfATelevision(t *testing.T) {
	have := installed("com.example.shop")
	f := newFake(t)
	f.setShell(func(line string) answer {
		if a, ok := have(line); ok {
			return a
		}
		switch {
		case strings.Contains(line, "monkey") && strings.Contains(line, "LEANBACK"):
			return answer{out: "  bash arg: -p\nEvents injected: 1\n"}
		case strings.Contains(line, "monkey"):
			return answer{out: "** No activities found to run, monkey aborted.\n", code: 252}
		}
		return answer{out: "  mCurrentFocus=Window{1 u0 com.example.shop/.M}\n"}
	})
	require.NoError(t, f.open().Launch(t.Context(), "com.example.shop"))
}

func TestLabelsThatThePhoneTells(t *testing.T) {
	f := newFake(t)
	f.on("query-activities", strings.Join([]string{
		"1 activities found:", "  Activity #0:", "    com.example.shop/.M", "No activities found",
		"1 activities found:", "  Activity #0:", "    com.example.tv/.M",
		"      packageName=com.example.shop", "      labelRes=0x7f0b0001 nonLocalizedLabel=null icon=0x0 banner=0x0",
		"        packageName=com.example.shop", "        labelRes=0x0 nonLocalizedLabel=小店 Shop icon=0x7f020000 banner=0x0",
		"      packageName=com.example.tv", "      labelRes=0x7f0b0001 nonLocalizedLabel=null icon=0x7f020000 banner=0x0",
	}, "\n"))
	d := f.open()
	all, err := d.Apps(t.Context())
	require.NoError(t, err)
	require.Equal(t, []driver.App{{ID: "com.example.shop", Name: "小店 Shop"}, {ID: "com.example.tv"}}, all)
	app, err := d.Resolve(t.Context(), "小店 shop")
	require.NoError(t, err)
	require.Equal(t, driver.App{ID: "com.example.shop", Name: "小店 Shop"}, app)
	app, err = d.Resolve(t.Context(), "tv")
	require.NoError(t, err)
	require.Equal(t, driver.App{ID: "com.example.tv"}, app)
}

// TestAWindowManagerThatDoesNotAnswer holds that it is asked once: each question takes it 10 s.
func TestAWindowManagerThatDoesNotAnswer(t *testing.T) {
	f := newFake(t)
	f.on("dumpsys window", "*** SERVICE 'window' DUMP TIMEOUT (10000ms) EXPIRED ***\n",
		"dumpsys activity", "    topResumedActivity=ActivityRecord{1a u10 com.example.shop/.M} t6294}\n")
	app, err := f.open().Foreground(t.Context())
	require.NoError(t, err)
	require.Equal(t, driver.App{ID: "com.example.shop", Page: "com.example.shop.M"}, app)
	require.Len(t, f.ran("dumpsys window"), 1)
}
