package chat_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/handset-go/handset/agent"
	"github.com/handset-go/handset/agent/chat"
)

// BenchmarkReply is one call with a frame of 0.85 MB to a server on this machine that answers at once.
func BenchmarkReply(b *testing.B) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = fmt.Fprint(w, events(said("do(action=\"Back\")"), stopped))
	}))
	defer s.Close()
	c, err := chat.New(&chat.Options{BaseURL: s.URL})
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	frame := append(png, make([]byte, 850<<10)...)
	r := &agent.Request{Messages: []agent.Message{{Role: agent.RoleUser, Text: "x", Image: &agent.Image{Data: frame, MIME: "image/png"}}}}
	for b.Loop() {
		if _, err := c.Reply(b.Context(), r, nil); err != nil {
			b.Fatal(err)
		}
	}
}
