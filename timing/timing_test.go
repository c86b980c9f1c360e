package timing_test

import (
	"context"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/timing"
)

func lookupIn(m map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) { v, ok := m[name]; return v, ok }
}

func TestVariablesKeepTheirNames(t *testing.T) {
	require.Equal(t, []string{
		"PHONE_AGENT_TAP_DELAY", "PHONE_AGENT_DOUBLE_TAP_DELAY", "PHONE_AGENT_LONG_PRESS_DELAY",
		"PHONE_AGENT_SWIPE_DELAY", "PHONE_AGENT_BACK_DELAY", "PHONE_AGENT_HOME_DELAY",
		"PHONE_AGENT_LAUNCH_DELAY", "PHONE_AGENT_KEYBOARD_SWITCH_DELAY", "PHONE_AGENT_TEXT_CLEAR_DELAY",
		"PHONE_AGENT_TEXT_INPUT_DELAY", "PHONE_AGENT_KEYBOARD_RESTORE_DELAY",
		"PHONE_AGENT_DOUBLE_TAP_INTERVAL", "PHONE_AGENT_ADB_RESTART_DELAY",
		"PHONE_AGENT_SERVER_RESTART_DELAY", "PHONE_AGENT_SETTLE_LIMIT", "PHONE_AGENT_SETTLE_QUIET",
		"PHONE_AGENT_SETTLE_POLL",
	}, timing.Variables())
}

func TestFromEnvSetsEachVariableAlone(t *testing.T) {
	seen := map[timing.Timing]string{timing.Default(): "the default"}
	for _, name := range timing.Variables() {
		got, err := timing.FromEnv(lookupIn(map[string]string{name: "7.25"}))
		require.NoError(t, err)
		require.NotContains(t, seen, got, "%s changes what another variable changes", name)
		seen[got] = name
	}
}

func TestFromEnvReadsValues(t *testing.T) {
	cases := []struct {
		name, value string
		want        timing.Delay
	}{
		{"seconds", "1.5", timing.Delay(1500 * time.Millisecond)},
		{"whole seconds", "2", timing.Delay(2 * time.Second)},
		{"a fraction that floats round", "0.1", timing.Delay(100 * time.Millisecond)},
		{"a duration", "1500ms", timing.Delay(1500 * time.Millisecond)},
		{"spaces around", " 1s ", timing.Delay(time.Second)},
		{"none", "0", 0},
		{"none, with a sign", "-0", 0},
		{"the longest", "600", timing.Delay(timing.Max)},
		{"settle", "settle", timing.Settle},
		{"settle in capitals", "Settle", timing.Settle},
		{"empty is unset", "", timing.Settle},
		{"blank is unset", "  ", timing.Settle},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := timing.FromEnv(lookupIn(map[string]string{"PHONE_AGENT_TAP_DELAY": c.value}))
			require.NoError(t, err)
			require.Equal(t, c.want, got.Tap)
			got.Tap = timing.Settle
			require.Equal(t, timing.Default(), got, "nothing else changed")
		})
	}
}

func TestFromEnvNamesTheBadVariable(t *testing.T) {
	cases := []struct{ name, variable, value, want string }{
		{"a word", "PHONE_AGENT_TAP_DELAY", "fast", `PHONE_AGENT_TAP_DELAY="fast": want seconds such as 1.5, or a duration such as 1500ms`},
		{"negative", "PHONE_AGENT_BACK_DELAY", "-1", `PHONE_AGENT_BACK_DELAY="-1": a wait is not negative`},
		{"negative duration", "PHONE_AGENT_BACK_DELAY", "-1ms", `PHONE_AGENT_BACK_DELAY="-1ms": a wait is not negative`},
		{"not a number", "PHONE_AGENT_HOME_DELAY", "NaN", `PHONE_AGENT_HOME_DELAY="NaN": want seconds such as 1.5, or a duration such as 1500ms`},
		{"infinite", "PHONE_AGENT_HOME_DELAY", "Inf", `PHONE_AGENT_HOME_DELAY="Inf": a wait is at most 10m0s`},
		{"out of float range", "PHONE_AGENT_HOME_DELAY", "1e999", `PHONE_AGENT_HOME_DELAY="1e999": a wait is at most 10m0s`},
		{"milliseconds given as seconds", "PHONE_AGENT_SWIPE_DELAY", "1500", `PHONE_AGENT_SWIPE_DELAY="1500": a wait is at most 10m0s`},
		{"huge duration", "PHONE_AGENT_SWIPE_DELAY", "3h", `PHONE_AGENT_SWIPE_DELAY="3h": a wait is at most 10m0s`},
		{"settle where only a time can stand", "PHONE_AGENT_SETTLE_LIMIT", "settle", `PHONE_AGENT_SETTLE_LIMIT="settle": want seconds such as 1.5, or a duration such as 1500ms`},
		{"a comma for a point", "PHONE_AGENT_TAP_DELAY", "1,5", `PHONE_AGENT_TAP_DELAY="1,5": want seconds such as 1.5, or a duration such as 1500ms`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := timing.FromEnv(lookupIn(map[string]string{c.variable: c.value}))
			require.EqualError(t, err, c.want)
			require.Equal(t, timing.Default(), got, "a bad value changes nothing")
		})
	}
}

func TestFromEnvNamesAllBadVariables(t *testing.T) {
	got, err := timing.FromEnv(lookupIn(map[string]string{
		"PHONE_AGENT_TAP_DELAY":    "x",
		"PHONE_AGENT_LAUNCH_DELAY": "1",
		"PHONE_AGENT_SETTLE_POLL":  "-2",
	}))
	require.ErrorContains(t, err, "PHONE_AGENT_TAP_DELAY")
	require.ErrorContains(t, err, "PHONE_AGENT_SETTLE_POLL")
	require.NotContains(t, err.Error(), "LAUNCH")
	require.Equal(t, timing.Delay(time.Second), got.Launch, "the good one is in")
}

func TestAfter(t *testing.T) {
	kinds := []timing.Kind{
		timing.AfterTap, timing.AfterDoubleTap, timing.AfterLongPress, timing.AfterSwipe,
		timing.AfterBack, timing.AfterHome, timing.AfterLaunch, timing.AfterType,
	}
	distinct := timing.Timing{Tap: 1, DoubleTap: 2, LongPress: 3, Swipe: 4, Back: 5, Home: 6, Launch: 7, TextInput: 8}
	for i, k := range kinds {
		require.Equal(t, timing.Settle, timing.Default().After(k))
		require.Zero(t, timing.Timing{}.After(k), "a zero Timing waits for nothing")
		require.Equal(t, timing.Delay(i+1), distinct.After(k))
	}
	require.Zero(t, timing.Default().After(timing.AfterNothing))
	require.Zero(t, timing.Default().After(timing.Kind(math.MaxInt)))
}

func TestAfterTypeAddsTheKeyboardWaitsUp(t *testing.T) {
	second := timing.Delay(time.Second)
	cases := []struct {
		name string
		t    timing.Timing
		want timing.Delay
	}{
		{"all four", timing.Timing{KeyboardSwitch: second, TextClear: second, TextInput: second, KeyboardRestore: second}, 4 * second},
		{"an exact one beats settling", timing.Timing{TextInput: timing.Settle, KeyboardSwitch: second}, second},
		{"settling alone", timing.Timing{KeyboardRestore: timing.Settle}, timing.Settle},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { require.Equal(t, c.want, c.t.After(timing.AfterType)) })
	}
}

func TestDelayTellsItself(t *testing.T) {
	require.Equal(t, "settle", timing.Settle.String())
	require.Equal(t, "1.5s", timing.Delay(1500*time.Millisecond).String())
	d, ok := timing.Delay(time.Second).Exact()
	require.True(t, ok)
	require.Equal(t, time.Second, d)
	_, ok = timing.Settle.Exact()
	require.False(t, ok)
}

func TestSleepEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		require.ErrorIs(t, timing.Sleep(ctx, time.Hour), context.DeadlineExceeded)
		require.Equal(t, time.Second, time.Since(start))
	})
}
