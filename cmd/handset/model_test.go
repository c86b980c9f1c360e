package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/internal/demomodel"
)

// script is an OpenAI-compatible endpoint that says what it was told to say, the last reply for ever.
type script struct {
	url string

	mu      sync.Mutex
	replies []string
	bodies  []string
	keys    []string
}

func scripted(t *testing.T, replies ...string) *script {
	t.Helper()
	s := &script{replies: replies}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", s.complete)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	s.url = server.URL + "/v1"
	return s
}

func (s *script) complete(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	w.Header().Set("Content-Type", "text/event-stream")
	for piece := range strings.SplitAfterSeq(s.next(string(body), r.Header.Get("Authorization")), " ") {
		quoted, _ := json.Marshal(piece)
		fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%s}}]}\n\n", quoted)
	}
	fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
}

func (s *script) next(body, key string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bodies, s.keys = append(s.bodies, body), append(s.keys, key)
	reply := s.replies[0]
	if len(s.replies) > 1 {
		s.replies = s.replies[1:]
	}
	return reply
}

// asked returns the requests so far.
func (s *script) asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bodies
}

// demo serves the demo model and returns its address.
func demo(t *testing.T) string {
	t.Helper()
	server, err := demomodel.Listen(t.Context(), "127.0.0.1:0", nil)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	return server.BaseURL()
}
