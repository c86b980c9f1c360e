package wda

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/control"
)

func TestFaultNames(t *testing.T) {
	p, err := NewPhone("", &sim.Options{Start: shop})
	require.NoError(t, err)
	d, err := New(p, nil)
	require.NoError(t, err)
	seen := map[string]bool{}
	for _, f := range FaultList() {
		require.NotEmpty(t, f.Doc, f.Name)
		require.False(t, seen[f.Name], "%s is there twice", f.Name)
		seen[f.Name] = true
		require.NoError(t, d.SetFault(f.Name, true), f.Name)
		require.NoError(t, d.SetFault(f.Name, false), f.Name)
		require.False(t, d.faults.On(f.Name))
		if f.Arg == "" {
			require.Error(t, d.SetFault(f.Name+"=1", true), f.Name)
		} else {
			require.NoError(t, d.SetFault(f.Name+"="+f.Arg, true))
			require.Error(t, d.SetFault(f.Name+"=x", true), f.Name)
			require.NoError(t, d.SetFault(f.Name, false))
		}
	}
	for name := range sim.Faults() {
		require.False(t, seen[name], "%s is a fault of the phone too", name)
		require.NoError(t, d.SetFault(name, true))
		require.NoError(t, d.SetFault(name, false))
	}
	require.ErrorContains(t, d.SetFault("nonsense", true), "nonsense")
}

func TestControl(t *testing.T) {
	c := open(t, nil, settingsApp)
	c.ok("POST", "+/wda/tap", `{"x":100,"y":400}`)
	w := httptest.NewRecorder()
	control.Handler(c.s).ServeHTTP(w, httptest.NewRequest("GET", "/log", nil))
	require.Contains(t, w.Body.String(), `"event":"tap"`)
	w = httptest.NewRecorder()
	control.Handler(c.s).ServeHTTP(w, httptest.NewRequest("POST", "/fault?name="+FaultWindowZero, nil))
	require.Equal(t, http.StatusNoContent, w.Code)
	require.Zero(t, c.ok("GET", "+/window/size", "").field("width"))
}

func TestRefusedSession(t *testing.T) {
	c := serve(t, nil, nil)
	c.fault(FaultNoSession)
	require.Contains(t, c.refuse(errNotCreated, "POST", "/session", `{"capabilities":{}}`).message(), "still in progress after 5 seconds")
}

// TestTwoClients lets two clients push each other out, as two that do not look at the status do.
func TestTwoClients(t *testing.T) {
	a := serve(t, nil, &sim.Options{Start: settingsApp})
	b := &client{t: t, s: a.s, http: a.http}
	a.newSession(`{"capabilities":{}}`)
	b.newSession(`{"capabilities":{}}`)
	a.refuse(errSession, "GET", "+/window/size", "")
	a.id = a.ok("GET", "/status", "").session.(string) // adopts it
	a.ok("GET", "+/window/size", "")
	b.ok("GET", "+/window/size", "")
}
