package wda

import (
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestManyClients lets clients of several phones work at once, one of which deletes sessions all the time.
func TestManyClients(t *testing.T) {
	var wg sync.WaitGroup
	for range 3 {
		first := open(t, &Options{Profile: "scale-1"}, settingsApp)
		for n := range 4 {
			c := &client{t: t, s: first.s, id: first.id, http: &http.Client{Transport: &http.Transport{}}}
			t.Cleanup(c.http.CloseIdleConnections)
			wg.Go(func() {
				for i := range 25 {
					if n == 0 && i%5 == 4 {
						_ = c.s.Evict()
					}
					c.id = c.s.SessionID()
					for _, r := range [][3]string{
						{"GET", "+/source", ""}, {"POST", "+/wda/tap", `{"x":100,"y":10}`}, {"GET", "/status", ""}, {"GET", "+/appium/settings", ""},
						{"POST", "+/element", `{"using":"class name","value":"XCUIElementTypeTable"}`},
					} {
						a, err := c.try(r[0], r[1], r[2])
						if err != nil {
							t.Errorf("%s %s: %v", r[0], r[1], err)
							return
						}
						if a.status != 200 && a.code() != "invalid session id" {
							t.Errorf("%s %s: %s", r[0], r[1], a.raw)
						}
					}
				}
			})
		}
	}
	wg.Wait()
}

func TestOneHungPhoneDoesNotSlowAnother(t *testing.T) {
	hung, well := open(t, nil, settingsApp), open(t, nil, settingsApp)
	hung.fault(FaultHang)
	waiting := hung.later("POST", "+/wda/tap", `{"x":1,"y":1}`)
	for range 20 {
		well.ok("POST", "+/wda/tap", `{"x":100,"y":400}`)
	}
	select {
	case <-waiting:
		t.Fatal("the hung phone has answered")
	default:
	}
	hung.heal(FaultHang)
	require.Equal(t, 200, (<-waiting).status)
}
