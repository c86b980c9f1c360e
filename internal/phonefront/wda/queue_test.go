package wda

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// later sends a request and returns where its answer will be.
func (c *client) later(method, path, body string) <-chan answer {
	got := make(chan answer, 1)
	go func() {
		if a, err := c.try(method, path, body); err == nil {
			got <- a
		}
		close(got)
	}()
	return got
}

// queued waits until a command holds the main queue.
func (c *client) queued() {
	c.t.Helper()
	require.Eventually(c.t, func() bool { return len(c.s.queue) == 1 }, time.Minute, time.Millisecond)
}

func TestBusyQueue(t *testing.T) {
	c := open(t, nil, settingsApp)
	c.fault(FaultBusy)
	first := c.later("POST", "+/wda/tap", `{"x":100,"y":400}`)
	c.queued()
	for _, path := range []string{"/status", "/screenshot", "+/screenshot", "/wda/screens"} {
		c.ok("GET", path, "") // these pass the queue
	}
	second := c.later("GET", "+/window/size", "")
	select {
	case <-first:
		t.Fatal("a command was answered while the queue was held")
	case <-second:
		t.Fatal("a command overtook the one that holds the queue")
	case <-time.After(30 * time.Millisecond):
	}
	require.Empty(t, c.s.Phone().Events("tap"))
	c.heal(FaultBusy)
	require.Equal(t, 200, (<-first).status)
	require.Equal(t, 200, (<-second).status)
	require.Len(t, c.s.Phone().Events("tap"), 1, "it was done late, and once")
}

func TestStatusWaitsInOldReleases(t *testing.T) {
	c := open(t, &Options{Version: "16.7.2"}, "")
	c.fault(FaultBusy)
	tap := c.later("POST", "+/wda/tap", `{"x":100,"y":400}`)
	c.queued()
	status := c.later("GET", "/status", "")
	select {
	case <-status:
		t.Fatal("status passed the queue")
	case <-time.After(30 * time.Millisecond):
	}
	c.heal(FaultBusy)
	require.Equal(t, 200, (<-tap).status)
	require.Equal(t, 200, (<-status).status)
}

func TestPendingRequestsOfADeletedSession(t *testing.T) {
	cases := map[string]struct {
		version, message string
		atOnce           bool
	}{
		"newest":        {"16.12.7", "was deleted while this request was still pending", true},
		"before 16.11":  {"16.10.0", "was deleted while this request was still pending", false},
		"before 16.7.3": {"16.7.2", "Session does not exist", false},
	}
	for name, k := range cases {
		t.Run(name, func(t *testing.T) {
			c := open(t, &Options{Version: k.version}, settingsApp)
			c.fault(FaultBusy)
			tap := c.later("POST", "+/wda/tap", `{"x":100,"y":400}`)
			c.queued()
			c.s.Evict()
			if !k.atOnce {
				select {
				case <-tap:
					t.Fatal("answered before its turn")
				case <-time.After(20 * time.Millisecond):
				}
				c.heal(FaultBusy)
			}
			a := <-tap
			require.Equal(t, "invalid session id", a.code())
			require.Equal(t, 404, a.status)
			require.Contains(t, a.message(), k.message)
			require.Empty(t, c.s.Phone().Events("tap"))
		})
	}
}

func TestFrozenApp(t *testing.T) {
	commands := [][3]string{
		{"GET", "+/window/size", ""}, {"GET", "+/source", ""}, {"GET", "+/wda/activeAppInfo", ""},
		{"POST", "+/actions", `{"actions":[{"type":"pointer","id":"a","parameters":{"pointerType":"touch"},"actions":[]}]}`},
		{"POST", "+/wda/tap", `{"x":1,"y":1}`},
	}
	t.Run("commands hang", func(t *testing.T) {
		for _, r := range commands {
			c := open(t, &Options{Version: "7"}, settingsApp)
			c.fault(FaultFrozenApp)
			got := c.later(r[0], r[1], r[2])
			c.queued()
			select {
			case <-got:
				t.Fatal("answered: " + r[1])
			case <-time.After(10 * time.Millisecond):
			}
			c.heal(FaultFrozenApp)
			require.NotZero(t, (<-got).status)
		}
	})
	t.Run("a deadline ends them", func(t *testing.T) {
		c := open(t, nil, settingsApp)
		c.ok("POST", "+/appium/settings", `{"settings":{"accessibilityDeadline":10}}`)
		c.fault(FaultFrozenApp)
		for _, r := range commands {
			require.Contains(t, c.refuse(errElementState, r[0], r[1], r[2]).message(), settingsApp)
		}
		c.ok("POST", "/wda/homescreen", "") // helps
		c.ok("GET", "+/window/size", "")
	})
}

func TestSlowCommandEndsWithItsSession(t *testing.T) {
	c := open(t, nil, settingsApp)
	require.NoError(t, c.s.SetFault(FaultTreeSlow+"=1h", true))
	source := c.later("GET", "+/source", "")
	c.queued()
	c.s.Evict()
	require.Contains(t, (<-source).message(), "was deleted while this request was still pending")
}
