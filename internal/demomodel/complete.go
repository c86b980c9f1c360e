package demomodel

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/http"
	"time"
	"unicode/utf8"

	"github.com/handset-go/handset/internal/nap"
)

type server struct{ delay time.Duration }

// pieceRunes is the length of a piece: short, as real tokens are.
const pieceRunes = 4

// complete answers one request.
func (s *server) complete(w http.ResponseWriter, r *http.Request) {
	var q request
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxRequest)).Decode(&q); err != nil {
		refuse(w, http.StatusBadRequest, "the request cannot be read: "+err.Error())
		return
	}
	if len(q.Messages) == 0 {
		refuse(w, http.StatusBadRequest, "the request has no messages")
		return
	}
	all := pieces(answer(q.Messages))
	finish := "stop"
	if q.MaxTokens > 0 && len(all) > q.MaxTokens {
		all, finish = all[:q.MaxTokens], "length"
	}
	a := reply{pieces: all, finish: finish, usage: usageOf(q.Messages, len(all)), id: idOf(q.Messages)}
	if q.Stream {
		s.stream(w, r, a, q.StreamOptions.IncludeUsage)
		return
	}
	a.whole(w)
}

// reply is what is said, in pieces.
type reply struct {
	pieces []string
	finish string
	usage  usage
	id     string
}

func (a reply) chunk(object string, choices ...choice) chunk {
	if choices == nil {
		choices = []choice{}
	}
	return chunk{ID: a.id, Object: object, Created: time.Now().Unix(), Model: Name, Choices: choices}
}

func (a reply) whole(w http.ResponseWriter) {
	text := ""
	for _, p := range a.pieces {
		text += p
	}
	c := a.chunk("chat.completion", choice{Message: &spoken{"assistant", text}, FinishReason: &a.finish})
	c.Usage = &a.usage
	writeJSON(w, http.StatusOK, c)
}

func (s *server) stream(w http.ResponseWriter, r *http.Request, a reply, withUsage bool) {
	const object = "chat.completion.chunk"
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	send := func(c chunk) {
		data, _ := json.Marshal(c) // strings and numbers only
		_, _ = fmt.Fprintf(w, "data: %s\n\n", data)
		if f, ok := w.(http.Flusher); ok {
			f.Flush()
		}
	}
	send(a.chunk(object, choice{Delta: &spoken{Role: "assistant"}}))
	for _, p := range a.pieces {
		if nap.For(r.Context(), s.delay) != nil {
			return
		}
		send(a.chunk(object, choice{Delta: &spoken{Content: p}}))
	}
	send(a.chunk(object, choice{Delta: &spoken{}, FinishReason: &a.finish}))
	if withUsage {
		c := a.chunk(object)
		c.Usage = &a.usage
		send(c)
	}
	_, _ = fmt.Fprint(w, "data: [DONE]\n\n")
}

// pieces cuts a text into pieces of a few runes.
func pieces(text string) []string {
	var out []string
	for text != "" {
		n := 0
		for i := 0; i < pieceRunes && n < len(text); i++ {
			_, size := utf8.DecodeRuneInString(text[n:])
			n += size
		}
		out = append(out, text[:n])
		text = text[n:]
	}
	return out
}

func usageOf(messages []message, completion int) usage {
	prompt := 0
	for _, m := range messages {
		prompt += (utf8.RuneCountInString(string(m.Content)) + pieceRunes - 1) / pieceRunes
	}
	return usage{Prompt: prompt, Completion: completion, Total: prompt + completion}
}

// idOf makes an id of the conversation, the same for the same one.
func idOf(messages []message) string {
	h := fnv.New64a()
	for _, m := range messages {
		_, _ = h.Write([]byte(m.Role + "\x00" + string(m.Content) + "\x00")) // a hash takes all
	}
	return fmt.Sprintf("demo-%016x", h.Sum64())
}
