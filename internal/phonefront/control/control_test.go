package control_test

import (
	"bufio"
	"encoding/json"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/android"
	"github.com/handset-go/handset/internal/phonefront/control"
)

func serve(t *testing.T) (*android.Device, http.Handler) {
	t.Helper()
	d, err := android.New(sim.New(nil), nil)
	require.NoError(t, err)
	return d, control.Handler(d)
}

func do(h http.Handler, method, url string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(method, url, nil))
	return w
}

func TestLog(t *testing.T) {
	d, h := serve(t)
	d.Phone().Tap(image.Pt(3, 4))
	d.Phone().Tap(image.Pt(5, 6))
	read := func(url string) (events []map[string]any) {
		lines := bufio.NewScanner(do(h, "GET", url).Body)
		for lines.Scan() {
			var e map[string]any
			require.NoError(t, json.Unmarshal(lines.Bytes(), &e))
			events = append(events, e)
		}
		return events
	}
	all := read("/log")
	require.Equal(t, "tap", all[0]["event"])
	require.Equal(t, 3.0, all[0]["x"])
	require.Equal(t, all[1:], read("/log?from=1"))
	require.Empty(t, read("/log?from=99"))
	require.Equal(t, 400, do(h, "GET", "/log?from=x").Code)
}

func TestFrame(t *testing.T) {
	_, h := serve(t)
	m, err := png.Decode(do(h, "GET", "/frame.png").Body)
	require.NoError(t, err)
	require.Equal(t, image.Pt(1080, 2400), m.Bounds().Size())
}

func TestFault(t *testing.T) {
	d, h := serve(t)
	require.Equal(t, 204, do(h, "POST", "/fault?name=dump-idle").Code)
	require.True(t, d.Faults().On(android.FaultDumpIdle))
	require.Equal(t, 204, do(h, "POST", "/fault?name=dump-idle&on=false").Code)
	require.False(t, d.Faults().On(android.FaultDumpIdle))
	require.Equal(t, 204, do(h, "POST", "/fault?name=frozen").Code, "a fault of the phone itself")
	bad := do(h, "POST", "/fault?name=nonsense")
	require.Equal(t, 400, bad.Code)
	require.Contains(t, bad.Body.String(), "nonsense")
	require.Equal(t, 405, do(h, "GET", "/fault?name=dump-idle").Code)
}

func TestListsHaveDocs(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range append(control.Faults(), control.Profiles()...) {
		require.NotEmpty(t, c.Doc, c.Name)
		require.False(t, seen[c.Name], "%s is listed twice", c.Name)
		seen[c.Name] = true
	}
	var listed []control.Choice
	_, h := serve(t)
	require.NoError(t, json.NewDecoder(strings.NewReader(do(h, "GET", "/faults").Body.String())).Decode(&listed))
	require.Equal(t, control.Faults(), listed)
}
