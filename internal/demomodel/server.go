package demomodel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"
)

// Name is the name of the model in /v1/models and in each reply.
const Name = "handset-demo"

const about = "handset demo model: a few rules, no intelligence. It reads the rows of a simulated phone's screen and " +
	"knows a few kinds of task. It cannot see pictures. POST to /v1/chat/completions."

// maxRequest bounds a request: a conversation with one large picture.
const maxRequest = 32 << 20

// Options sets the server up; nil is all defaults.
type Options struct {
	// PieceDelay is the pause between two pieces of a streamed reply; none.
	PieceDelay time.Duration
}

// New returns the server as a handler.
func New(o *Options) http.Handler {
	if o == nil {
		o = &Options{}
	}
	s := &server{delay: o.PieceDelay}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprintln(w, about) })
	mux.HandleFunc("GET /v1/models", models)
	mux.HandleFunc("POST /v1/chat/completions", s.complete)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		refuse(w, http.StatusNotFound, "no such path: "+r.Method+" "+r.URL.Path)
	})
	return mux
}

func models(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, map[string]any{"object": "list", "data": []map[string]any{{
		"id": Name, "object": "model", "owned_by": "handset", "description": about,
	}}})
}

func writeJSON(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value) // a client that has gone needs no answer
}

func refuse(w http.ResponseWriter, status int, text string) {
	writeJSON(w, status, map[string]any{"error": map[string]any{
		"message": text, "type": "invalid_request_error", "code": nil,
	}})
}

// Server is a listening demo model.
type Server struct {
	url  string
	http *http.Server
	done chan error
}

// Listen serves the demo model on an address such as 127.0.0.1:0, until ctx is done or Close.
func Listen(ctx context.Context, addr string, o *Options) (*Server, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("demo model: %w", err)
	}
	s := &Server{
		url:  "http://" + l.Addr().String() + "/v1",
		http: &http.Server{Handler: New(o), ReadHeaderTimeout: time.Minute},
		done: make(chan error, 1),
	}
	stop := context.AfterFunc(ctx, func() { _ = s.http.Close() })
	go func() {
		err := s.http.Serve(l)
		stop()
		if errors.Is(err, http.ErrServerClosed) {
			err = nil
		}
		s.done <- err
		close(s.done)
	}()
	return s, nil
}

// BaseURL is the address for a chat client, with its /v1.
func (s *Server) BaseURL() string { return s.url }

// Wait returns when the server has ended, with what ended it if that was neither Close nor the context.
func (s *Server) Wait() error { return <-s.done }

// Close ends the server and the replies in progress, and waits for its end.
func (s *Server) Close() error {
	err := s.http.Close()
	return errors.Join(err, s.Wait())
}
