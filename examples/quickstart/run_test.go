package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/agent"
	"github.com/handset-go/handset/driver/sim"
)

func TestAddress(t *testing.T) {
	for device, want := range map[string]string{
		"": "sim:", "sim:mine": "sim:mine", "adb:": "adb:", "emulator-5554": "adb:emulator-5554", "192.168.1.9:5555": "adb:192.168.1.9:5555",
	} {
		require.Equal(t, want, address(device))
	}
}

// A real endpoint is shown pictures, and its key is sent.
func TestRunWithAnEndpoint(t *testing.T) {
	t.Setenv("PHONE_AGENT_API_KEY", "sk-1")
	replies := []string{`do(action="Launch", app="Notes")`, `finish(message="Notes is open.")`}
	var keys []string
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct {
			Model    string
			Messages []struct{ Content json.RawMessage }
		}
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil || len(q.Messages) == 0 {
			http.Error(w, "no messages", http.StatusBadRequest)
			return
		}
		keys = append(keys, q.Model+" "+r.Header.Get("Authorization"))
		content, _ := json.Marshal(replies[0])
		replies = replies[1:]
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: {\"choices\":[{\"delta\":{\"content\":%s},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n", content)
	}))
	defer model.Close()
	phone := sim.New(nil)
	require.NoError(t, run(t.Context(), phone.Address(), model.URL+"/v1", "some-model", "open Notes"))
	require.Equal(t, "com.handset.notes", phone.Foreground().ID)
	require.Equal(t, []string{"some-model Bearer sk-1", "some-model Bearer sk-1"}, keys)
}

func TestRunThatCannotBegin(t *testing.T) {
	require.ErrorContains(t, run(t.Context(), "nokia:1", "", "", "x"), "nokia")
	require.ErrorContains(t, run(t.Context(), "sim:", "no endpoint", "", "x"), "base URL")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, run(ctx, "sim:", "", "", "open Notes"), context.Canceled)
	var end *agent.EndError
	require.ErrorAs(t, run(t.Context(), "sim:", "", "", "compose a symphony"), &end)
	require.Equal(t, agent.StatusInfeasible, end.Status)
}
