package chat_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/agent"
	"github.com/handset-go/handset/agent/chat"
)

var (
	png  = []byte("\x89PNG\r\n\x1a\nrest")
	jpeg = []byte("\xff\xd8\xffrest")
)

// recorded serves a short reply and keeps what it was asked.
type recorded struct {
	mu      sync.Mutex
	bodies  []string
	headers []http.Header
	paths   []string
}

func (s *recorded) serve(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	s.bodies = append(s.bodies, string(body))
	s.headers = append(s.headers, r.Header)
	s.paths = append(s.paths, r.Method+" "+r.URL.RequestURI())
	s.mu.Unlock()
	_, _ = fmt.Fprint(w, events(said("ok"), stopped))
}

// last decodes the last body.
func (s *recorded) last(t *testing.T) map[string]any {
	t.Helper()
	var m map[string]any
	require.NoError(t, json.Unmarshal([]byte(s.bodies[len(s.bodies)-1]), &m))
	return m
}

func TestTheRequestOfAutoGLM(t *testing.T) {
	var s recorded
	client := serve(t, chat.Options{APIKey: " k3y-k3y ", Header: http.Header{"X-Title": {"phone"}}}, s.serve)
	_, err := client.Reply(t.Context(), &agent.Request{Messages: []agent.Message{
		{Role: agent.RoleSystem, Text: "你是 <agent> & \"more\""},
		{Role: agent.RoleUser, Text: "first"},
		{Role: agent.RoleAssistant, Text: "<think>t</think><answer>a</answer>"},
		{Role: agent.RoleUser, Text: "second", Image: &agent.Image{Data: png, MIME: "image/png"}},
	}}, nil)
	require.NoError(t, err)
	require.Equal(t, []string{"POST /v1/chat/completions"}, s.paths)
	require.Equal(t, "Bearer k3y-k3y", s.headers[0].Get("Authorization"))
	require.Equal(t, "phone", s.headers[0].Get("X-Title"))
	require.Equal(t, "application/json", s.headers[0].Get("Content-Type"))
	require.JSONEq(t, `{
		"model": "autoglm-phone-9b", "stream": true, "stream_options": {"include_usage": true},
		"max_tokens": 3000, "temperature": 0, "top_p": 0.85, "frequency_penalty": 0.2,
		"messages": [
			{"role": "system", "content": "你是 <agent> & \"more\""},
			{"role": "user", "content": "first"},
			{"role": "assistant", "content": "<think>t</think><answer>a</answer>"},
			{"role": "user", "content": [
				{"type": "image_url", "image_url": {"url": "data:image/png;base64,`+base64.StdEncoding.EncodeToString(png)+`"}},
				{"type": "text", "text": "second"}
			]}
		]}`, s.bodies[0])
	require.Contains(t, s.bodies[0], `<agent> &`, "nothing is escaped for HTML")
}

func TestSamplingIsSentAsItIsSet(t *testing.T) {
	var s recorded
	client := serve(t, chat.Options{
		Model:    "m",
		Sampling: &chat.Sampling{Temperature: new(0.5)},
		Extra:    map[string]any{"top_k": 3, "stream_options": nil},
	}, s.serve)
	_, err := client.Reply(t.Context(), question("hi"), nil)
	require.NoError(t, err)
	require.JSONEq(t, `{"model":"m","stream":true,"temperature":0.5,"top_k":3,"stream_options":null,"messages":[{"role":"user","content":"hi"}]}`, s.bodies[0])

	_, err = client.Reply(t.Context(), &agent.Request{Messages: question("hi").Messages, MaxTokens: 9, Temperature: new(1.0)}, nil)
	require.NoError(t, err)
	require.Equal(t, 9.0, s.last(t)["max_tokens"])
	require.Equal(t, 1.0, s.last(t)["temperature"])
	require.NotContains(t, s.headers[0], "Authorization", "no key, no header")
}

func TestProbeSendsAShortText(t *testing.T) {
	var s recorded
	client := serve(t, chat.Options{}, s.serve)
	got, err := client.Probe(t.Context())
	require.NoError(t, err)
	require.Equal(t, "ok", got.Text)
	require.Equal(t, 16.0, s.last(t)["max_tokens"])
}

func TestPicturesAreCheckedBeforeTheyAreSent(t *testing.T) {
	user := func(data []byte, mime string) []agent.Message {
		return []agent.Message{{Role: agent.RoleUser, Text: "x"}, {Role: agent.RoleUser, Image: &agent.Image{Data: data, MIME: mime}}}
	}
	cases := []struct {
		name     string
		messages []agent.Message
		says     string // "" for fine
	}{
		{"png", user(png, "image/png"), ""},
		{"jpeg", user(jpeg, "image/jpeg"), ""},
		{"jpg", user(jpeg, "image/jpg"), ""},
		{"webp", user([]byte("RIFF"), "image/webp"), `chat: message 1: a picture of type "image/webp": endpoints take image/png and image/jpeg`},
		{"empty", user(nil, "image/png"), "chat: message 1: a picture of 0 bytes that is no image/png"},
		{"jpeg called png", user(jpeg, "image/png"), "a picture of 7 bytes that is no image/png"},
		{"no messages", nil, "without messages"},
		{"a role of nobody", []agent.Message{{Role: "tool", Text: "x"}}, `unknown role "tool"`},
		{"a picture from the model", []agent.Message{{Role: agent.RoleAssistant, Image: &agent.Image{Data: png, MIME: "image/png"}}}, "a picture in a message of role assistant"},
	}
	var s recorded
	client := serve(t, chat.Options{}, s.serve)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			before := len(s.bodies)
			_, err := client.Reply(t.Context(), &agent.Request{Messages: c.messages}, nil)
			if c.says == "" {
				require.NoError(t, err)
				require.Contains(t, s.bodies[before], `"content":[{"type":"image_url"`)
				require.NotContains(t, s.bodies[before], `"type":"text"`, "no empty text beside a picture")
				return
			}
			require.ErrorContains(t, err, c.says)
			require.Len(t, s.bodies, before, "nothing was sent")
		})
	}
}

// An optional parameter that an endpoint refuses by its name is left out, now and later.
func TestRefusedParameters(t *testing.T) {
	cases := []struct{ name, parameter, refusal, instead string }{
		{"stream_options by vLLM", "stream_options", `{"object":"error","message":"[{'type': 'extra_forbidden', 'loc': ('body', 'stream_options'), 'msg': 'Extra inputs are not permitted'}]","code":400}`, ""},
		{"frequency_penalty by Gemini", "frequency_penalty", `[{"error":{"code":400,"message":"Invalid JSON payload received. Unknown name \"frequency_penalty\": Cannot find field.","status":"INVALID_ARGUMENT"}}]`, ""},
		{"top_p", "top_p", `{"error":{"message":"Unsupported parameter: 'top_p' is not supported with this model.","param":"top_p"}}`, ""},
		{"temperature", "temperature", `{"error":{"message":"Unsupported value: 'temperature' does not support 0 with this model."}}`, ""},
		{"max_tokens, renamed", "max_tokens", `{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."}}`, "max_completion_tokens"},
		{"pydantic's detail", "stream_options", `{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]}`, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var s recorded
			client := serve(t, chat.Options{}, func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				r.Body = io.NopCloser(bytes.NewReader(body))
				if bytes.Contains(body, []byte(`"`+c.parameter+`":`)) {
					w.WriteHeader(http.StatusBadRequest)
					_, _ = fmt.Fprint(w, c.refusal)
					return
				}
				s.serve(w, r)
			})
			for range 2 {
				got, err := client.Reply(t.Context(), question("hi"), nil)
				require.NoError(t, err)
				require.Equal(t, "ok", got.Text)
			}
			require.Len(t, s.bodies, 2)
			require.NotContains(t, s.last(t), c.parameter)
			if c.instead != "" {
				require.Equal(t, 3000.0, s.last(t)[c.instead])
			}
			require.Len(t, s.last(t), 7+len(c.instead)/len("max_completion_tokens"), "all else is still sent")
		})
	}
}

func TestAParameterThatIsNotOursIsNotLeftOut(t *testing.T) {
	for name, refusal := range map[string]string{
		"another parameter": `{"error":{"message":"Unknown name \"top_k\""}}`,
		"a value":           `{"error":{"message":"max_tokens is too large: 3000"}}`,
	} {
		t.Run(name, func(t *testing.T) {
			asked := 0
			client := serve(t, chat.Options{Extra: map[string]any{"top_k": 1}}, func(w http.ResponseWriter, r *http.Request) {
				asked++
				w.WriteHeader(http.StatusBadRequest)
				_, _ = fmt.Fprint(w, refusal)
			})
			_, err := client.Reply(t.Context(), question("hi"), nil)
			require.ErrorIs(t, err, agent.ErrModelConfig)
			require.Equal(t, 1, asked)
		})
	}
}

func TestLogsHoldNoSecrets(t *testing.T) {
	var logged bytes.Buffer
	log := slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelDebug}))
	refuse := true
	client := serve(t, chat.Options{APIKey: "k3y-k3y", Logger: log}, func(w http.ResponseWriter, r *http.Request) {
		if refuse {
			refuse = false
			w.WriteHeader(http.StatusBadRequest)
			_, _ = fmt.Fprint(w, `{"error":{"message":"Unknown name \"frequency_penalty\""}}`)
			return
		}
		_, _ = fmt.Fprint(w, events(said("my secret reply"), stopped))
	})
	_, err := client.Reply(t.Context(), &agent.Request{Messages: []agent.Message{
		{Role: agent.RoleUser, Text: "my secret question", Image: &agent.Image{Data: png, MIME: "image/png"}},
	}}, nil)
	require.NoError(t, err)
	require.Contains(t, logged.String(), "model replied")
	require.Contains(t, logged.String(), "parameter=frequency_penalty")
	for _, secret := range []string{"k3y", "secret", base64.StdEncoding.EncodeToString(png)} {
		require.NotContains(t, logged.String(), secret)
	}
}

func TestNewRefusesWhatCannotBeRight(t *testing.T) {
	cases := []struct {
		name string
		o    chat.Options
		says string
	}{
		{"no scheme", chat.Options{BaseURL: "localhost:8000/v1"}, "write it as http://host:8000/v1"},
		{"another scheme", chat.Options{BaseURL: "ws://host/v1"}, "with the scheme"},
		{"no address", chat.Options{BaseURL: "http://user:pa%ss@host"}, "cannot be read"},
		{"a key with a line break", chat.Options{APIKey: "k3y\nX: y"}, "the API key holds a space"},
		{"a model in Extra", chat.Options{Extra: map[string]any{"model": "x"}}, `Extra cannot set "model"`},
		{"a stream in Extra", chat.Options{Extra: map[string]any{"stream": false}}, `Extra cannot set "stream"`},
		{"an Extra that is no JSON", chat.Options{Extra: map[string]any{"f": func() {}}}, "Extra"},
		{"negative retries", chat.Options{Retries: new(-1)}, "negative"},
		{"a negative length", chat.Options{MaxReply: -1}, "negative"},
		{"a proxy beside a client", chat.Options{HTTPClient: http.DefaultClient, Proxy: http.ProxyFromEnvironment}, "Proxy"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := chat.New(&c.o)
			require.ErrorContains(t, err, c.says)
			require.NotContains(t, err.Error(), "k3y")
			require.NotContains(t, err.Error(), "pa%ss")
		})
	}
	c, err := chat.New(nil)
	require.NoError(t, err)
	require.NoError(t, c.Close())
}

func TestBaseURLsAsPeopleWriteThem(t *testing.T) {
	for suffix, path := range map[string]string{
		"/v1":                   "/v1/chat/completions",
		"/v1/ ":                 "/v1/chat/completions",
		"/v1/chat/completions/": "/v1/chat/completions",
		"/v1?api-version=2":     "/v1/chat/completions?api-version=2",
		"":                      "/chat/completions",
	} {
		t.Run(suffix, func(t *testing.T) {
			var s recorded
			server := httptest.NewServer(http.HandlerFunc(s.serve))
			t.Cleanup(server.Close)
			_, err := newClient(t, chat.Options{BaseURL: server.URL + suffix}).Probe(t.Context())
			require.NoError(t, err)
			require.Equal(t, []string{"POST " + path}, s.paths)
		})
	}
}
