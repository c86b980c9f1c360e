package demomodel_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/action"
	"github.com/handset-go/handset/agent"
	"github.com/handset-go/handset/agent/chat"
	"github.com/handset-go/handset/internal/demomodel"
)

func server(t *testing.T, o *demomodel.Options) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(demomodel.New(o))
	t.Cleanup(s.Close)
	return s
}

func body(t *testing.T, resp *http.Response, err error) string {
	t.Helper()
	require.NoError(t, err)
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return string(data)
}

func TestItSaysWhatItIs(t *testing.T) {
	s := server(t, nil)
	for _, path := range []string{"/", "/v1/models"} {
		resp, err := http.Get(s.URL + path)
		require.Contains(t, body(t, resp, err), "no intelligence", path)
	}
}

func TestARequestThatIsNotStreamed(t *testing.T) {
	s := server(t, nil)
	ask := func(limit string) (text, finish string, tokens int) {
		resp, err := http.Post(s.URL+"/v1/chat/completions", "application/json", strings.NewReader(
			`{"model":"any","messages":[{"role":"system","content":null},{"role":"user","content":"tell a joke"}]`+limit+`}`))
		var reply struct {
			Object  string
			Choices []struct {
				Message struct{ Role, Content string }
				Finish  string `json:"finish_reason"`
			}
			Usage struct {
				Completion int `json:"completion_tokens"`
			}
		}
		require.NoError(t, json.Unmarshal([]byte(body(t, resp, err)), &reply))
		require.Equal(t, "chat.completion", reply.Object)
		require.Equal(t, "assistant", reply.Choices[0].Message.Role)
		return reply.Choices[0].Message.Content, reply.Choices[0].Finish, reply.Usage.Completion
	}
	text, finish, _ := ask("")
	require.Equal(t, "stop", finish)
	parsed, err := action.Parse(text)
	require.NoError(t, err)
	require.Contains(t, parsed.Action.(action.Finish).Message, "Not done. I am the demo model")

	short, finish, tokens := ask(`,"max_tokens":5`)
	require.Equal(t, "length", finish)
	require.Equal(t, 5, tokens)
	require.True(t, strings.HasPrefix(text, short) && len(short) < len(text))
}

func TestBadRequests(t *testing.T) {
	s := server(t, nil)
	cases := []struct {
		name, method, path, body, says string
		status                         int
	}{
		{"no JSON", "POST", "/v1/chat/completions", "hi", "cannot be read", 400},
		{"content of another kind", "POST", "/v1/chat/completions", `{"messages":[{"content":5}]}`, "cannot be read", 400},
		{"no messages", "POST", "/v1/chat/completions", "{}", "no messages", 400},
		{"another path", "POST", "/v1/completions", "{}", "no such path: POST /v1/completions", 404},
		{"another method", "GET", "/v1/chat/completions", "", "no such path: GET", 404},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r, err := http.NewRequest(c.method, s.URL+c.path, strings.NewReader(c.body))
			require.NoError(t, err)
			resp, err := http.DefaultClient.Do(r)
			text := body(t, resp, err)
			require.Equal(t, c.status, resp.StatusCode)
			require.Contains(t, text, c.says)
			require.True(t, json.Valid([]byte(text)))
		})
	}
}

func TestItStreams(t *testing.T) {
	s := server(t, &demomodel.Options{PieceDelay: time.Millisecond})
	client, err := chat.New(&chat.Options{BaseURL: s.URL + "/v1"})
	require.NoError(t, err)
	defer client.Close()
	var parts []string
	reply, err := client.Reply(t.Context(), &agent.Request{Messages: []agent.Message{
		{Role: agent.RoleUser, Text: "打开设置\n\napp com.android.launcher3 · 桌面 · 1080x2400 · kb off · 0 of 1 nodes"},
	}}, func(d agent.Delta) { parts = append(parts, d.Text) })
	require.NoError(t, err)
	require.Equal(t, "<think>当前不在设置,先打开它。</think>\n<answer>do(action=\"Launch\", app=\"设置\")</answer>", reply.Text)
	require.Greater(t, len(parts), 10)
	require.Positive(t, reply.Usage.Prompt)
	require.Equal(t, len(parts), reply.Usage.Completion)
	require.Positive(t, reply.Times.ThinkingEnd)
	require.NotEmpty(t, reply.ID)
}

// A model that cannot see must not claim to: it hands over, and says what it lacks.
func TestPicturesAreNotSeen(t *testing.T) {
	s := server(t, nil)
	client, err := chat.New(&chat.Options{BaseURL: s.URL + "/v1"})
	require.NoError(t, err)
	defer client.Close()
	for _, c := range []struct {
		name    string
		picture *agent.Image
		says    string
	}{
		{"a picture", &agent.Image{MIME: "image/png", Data: []byte("\x89PNG\r\n\x1a\n")}, "Run me in tree mode"},
		{"no rows in tree mode", nil, "the phone gives none of this screen"},
	} {
		reply, err := client.Reply(t.Context(), &agent.Request{Messages: []agent.Message{{
			Role: agent.RoleUser, Text: "turn off Bluetooth\n\n{\"current_app\": \"System Home\"}", Image: c.picture,
		}}}, nil)
		require.NoError(t, err)
		parsed, err := action.Parse(reply.Text)
		require.NoError(t, err)
		require.Contains(t, parsed.Action.(action.TakeOver).Message, c.says, c.name)
	}
}

func TestAServerEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s, err := demomodel.Listen(ctx, "127.0.0.1:0", nil)
	require.NoError(t, err)
	resp, err := http.Get(s.BaseURL() + "/models")
	require.Contains(t, body(t, resp, err), demomodel.Name)
	_, err = demomodel.Listen(t.Context(), strings.TrimSuffix(strings.TrimPrefix(s.BaseURL(), "http://"), "/v1"), nil)
	require.ErrorContains(t, err, "demo model: listen tcp")
	cancel()
	require.NoError(t, s.Wait())
	require.NoError(t, s.Close(), "a second end is fine")
}
