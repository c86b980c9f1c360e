package hdc_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/internal/phonefront/control"
)

// The phone can be looked at from behind, as every other one.
func TestControl(t *testing.T) {
	s, d := onePhone(t, "")
	web := httptest.NewServer(control.Handler(d))
	defer web.Close()
	client := web.Client()
	defer client.CloseIdleConnections()
	get := func(path string) string {
		r, err := client.Get(web.URL + path)
		require.NoError(t, err)
		defer r.Body.Close()
		data, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		return string(data)
	}
	out(t, s, "shell", "uitest uiInput click 5 5")
	require.Contains(t, get("/log"), `"event":"tap"`)
	require.Contains(t, get("/faults"), `"name":"dump-first-empty"`)
	r, err := client.Post(web.URL+"/fault?name=unauthorized", "", nil)
	require.NoError(t, err)
	defer r.Body.Close()
	require.Equal(t, http.StatusNoContent, r.StatusCode)
	require.Equal(t, "[Fail][E000003]:"+denied, out(t, s, "shell", "echo hi"))
}
