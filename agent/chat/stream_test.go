package chat_test

import (
	"compress/gzip"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/agent"
	"github.com/handset-go/handset/agent/chat"
)

// The rows of the matrix that are whole replies: what endpoints send, and what is meant.
func TestStreamsThatAreReplies(t *testing.T) {
	const action = "<think>看一下</think>\n<answer>do(action=\"Back\")</answer>"
	usage := `{"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3,"total_tokens":10}}`
	cases := []struct {
		name, stream string
		want         agent.Response // without ID and Times
	}{
		{"plain", events(said(action), stopped), agent.Response{Text: action, Finish: "stop"}},
		{"role first", events(`{"choices":[{"delta":{"role":"assistant"}}]}`, said("hi"), stopped), agent.Response{Text: "hi", Finish: "stop"}},
		{"content null, more than once, with progress", events(
			`{"choices":[{"delta":{"role":"assistant","content":null}}],"prompt_progress":{"total":9}}`,
			`{"choices":[{"delta":{"role":null,"content":null,"tool_calls":null},"matched_stop":null}],"usage":null}`,
			said("hi"), `{"choices":[{"delta":{},"finish_reason":"stop"}],"timings":{"prompt_n":1}}`,
		), agent.Response{Text: "hi", Finish: "stop"}},
		{"reasoning_content, then content", events(`{"choices":[{"delta":{"reasoning_content":"hmm"}}]}`, said("hi"), stopped),
			agent.Response{Text: "hi", Thinking: "hmm", Finish: "stop"}},
		{"reasoning, then content", events(`{"choices":[{"delta":{"content":"","reasoning":"hmm"}}]}`, said("hi"), stopped),
			agent.Response{Text: "hi", Thinking: "hmm", Finish: "stop"}},
		{"thinking, then content", events(`{"choices":[{"delta":{"thinking":"hmm"}}]}`, said("hi"), stopped),
			agent.Response{Text: "hi", Thinking: "hmm", Finish: "stop"}},
		{"reasoning twice under two names", events(
			`{"choices":[{"delta":{"reasoning":"hmm","reasoning_details":[{"type":"reasoning.text","text":"hmm"}]}}]}`, said("hi"), stopped),
			agent.Response{Text: "hi", Thinking: "hmm", Finish: "stop"}},
		{"reasoning_details alone", events(
			`{"choices":[{"delta":{"reasoning_details":[{"type":"reasoning.text","text":"h"},{"type":"reasoning.summary","summary":"m"},{"type":"reasoning.encrypted","data":"x"}]}}]}`, said("hi"), stopped),
			agent.Response{Text: "hi", Thinking: "hm", Finish: "stop"}},
		{"reasoning only", events(`{"choices":[{"delta":{"reasoning_content":"hmm"}}]}`, stopped), agent.Response{Thinking: "hmm", Finish: "stop"}},
		{"finish on the last content", events(`{"choices":[{"delta":{"content":"hi"},"finish_reason":"stop"}]}`), agent.Response{Text: "hi", Finish: "stop"}},
		{"finish of no letters", events(`{"choices":[{"delta":{"content":"h"},"finish_reason":""}]}`, `{"choices":[{"delta":{"content":"i"},"finish_reason":""}]}`, stopped),
			agent.Response{Text: "hi", Finish: "stop"}},
		{"finish twice, the first counts", events(said("hi"), stopped, `{"choices":[{"delta":{},"finish_reason":"length"}]}`), agent.Response{Text: "hi", Finish: "stop"}},
		{"finish never, but the end said", events(said("hi")), agent.Response{Text: "hi"}},
		{"finish of length", events(said("do(action="), `{"choices":[{"delta":{},"finish_reason":"length"}]}`), agent.Response{Text: "do(action=", Finish: "length"}},
		{"length before any text", events(`{"choices":[{"delta":{},"finish_reason":"length"}]}`), agent.Response{Finish: "length"}},
		{"usage after the finish", events(said("hi"), stopped, usage), agent.Response{Text: "hi", Finish: "stop", Usage: agent.Usage{Prompt: 7, Completion: 3, Total: 10}}},
		{"usage in the choice", events(said("hi"), `{"choices":[{"delta":{},"finish_reason":"stop","usage":{"prompt_tokens":7,"completion_tokens":3}}]}`),
			agent.Response{Text: "hi", Finish: "stop", Usage: agent.Usage{Prompt: 7, Completion: 3, Total: 10}}},
		{"comments", ": OPENROUTER PROCESSING\n\n" + ":\n" + events(said("hi"), stopped), agent.Response{Text: "hi", Finish: "stop"}},
		{"CRLF", strings.ReplaceAll(events(said("hi"), stopped), "\n", "\r\n"), agent.Response{Text: "hi", Finish: "stop"}},
		{"CR", strings.ReplaceAll(events(said("hi"), stopped), "\n", "\r"), agent.Response{Text: "hi", Finish: "stop"}},
		{"no space after data:", strings.ReplaceAll(events(said("hi"), stopped), "data: ", "data:"), agent.Response{Text: "hi", Finish: "stop"}},
		{"other fields of events", "id: 1\nevent: message\nretry: 5\n" + events(said("hi"), stopped), agent.Response{Text: "hi", Finish: "stop"}},
		{"a byte order mark", "\xef\xbb\xbf" + events(said("hi"), stopped), agent.Response{Text: "hi", Finish: "stop"}},
		{"several lines of data", "data: {\"choices\":\ndata: [{\"delta\":{\"content\":\"hi\"},\ndata: \"finish_reason\":\"stop\"}]}\n\n", agent.Response{Text: "hi", Finish: "stop"}},
		{"no blank line between events", "data: " + said("h") + "\ndata: " + said("i") + "\ndata: " + stopped + "\ndata: [DONE]\n", agent.Response{Text: "hi", Finish: "stop"}},
		{"empty events", "data:\n\ndata: \n\n" + events(said("hi"), stopped), agent.Response{Text: "hi", Finish: "stop"}},
		{"the last event without its blank line", "data: " + said("hi") + "\n\ndata: " + stopped + "\n", agent.Response{Text: "hi", Finish: "stop"}},
		{"the last event without its line end", "data: " + said("hi") + "\n\ndata: " + stopped, agent.Response{Text: "hi", Finish: "stop"}},
		{"no [DONE]", strings.TrimSuffix(events(said("hi"), stopped), "data: [DONE]\n\n"), agent.Response{Text: "hi", Finish: "stop"}},
		{"text after [DONE]", events(said("hi"), stopped) + events(said("more")), agent.Response{Text: "hi", Finish: "stop"}},
		{"error null", events(`{"error":null,"choices":[{"delta":{"content":"hi"}}]}`, stopped), agent.Response{Text: "hi", Finish: "stop"}},
		{"the word error in the text", events(said(`an "error" here`), stopped), agent.Response{Text: `an "error" here`, Finish: "stop"}},
		{"tool calls without an id beside text", events(`{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{"}}]}}]}`, said("hi"), stopped),
			agent.Response{Text: "hi", Finish: "stop"}},
		{"content as an array", events(`{"choices":[{"delta":{"content":[{"type":"text","text":"hi "},{"type":"thinking","thinking":[{"type":"text","text":"hmm"}]}]}}]}`,
			`{"choices":[{"delta":{"content":[{"type":"text","text":"let me see","thought":true},{"type":"text","text":"there"}]},"finishReason":"STOP"}]}`),
			agent.Response{Text: "hi there", Thinking: "hmmlet me see"}},
		{"a second choice", events(`{"choices":[{"index":1,"delta":{"content":"no"}},{"index":0,"delta":{"content":"hi"}}]}`, stopped), agent.Response{Text: "hi", Finish: "stop"}},
		{"fields of unexpected types", events(`{"id":5,"choices":[{"index":null,"delta":{"content":"hi"},"usage":"none"}],"usage":[]}`, stopped), agent.Response{Text: "hi", Finish: "stop"}},
		{"not streamed", `{"id":"x","choices":[{"index":0,"message":{"role":"assistant","content":"hi","reasoning":"hmm"},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":3,"total_tokens":10}}`,
			agent.Response{Text: "hi", Thinking: "hmm", Finish: "stop", Usage: agent.Usage{Prompt: 7, Completion: 3, Total: 10}}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			client := serveStream(t, chat.Options{}, c.stream)
			var streamed agent.Delta
			got, err := client.Reply(t.Context(), question("hi"), func(d agent.Delta) {
				streamed.Text += d.Text
				streamed.Thinking += d.Thinking
			})
			require.NoError(t, err)
			require.Equal(t, agent.Delta{Text: got.Text, Thinking: got.Thinking}, streamed, "what was streamed is the reply")
			got.ID, got.Times = "", agent.Times{}
			require.Equal(t, c.want, *got)
		})
	}
}

// The rows that are no replies. What had come before is kept.
func TestStreamsThatAreNoReplies(t *testing.T) {
	whole := events(said("half a "), said("replý"), stopped)
	cases := []struct {
		name, stream, says, partial string
		want                        error
	}{
		{"nothing at all", "", "the body is empty", "", agent.ErrModelReply},
		{"spaces", " \n\n ", "the body is empty", "", agent.ErrModelReply},
		{"comments only", ": ping\n\n: ping\n\n", "without a sign of its end", "", agent.ErrModelReply},
		{"an empty reply", events(stopped), "it is empty", "", agent.ErrModelReply},
		{"the end alone", events(), "it is empty", "", agent.ErrModelReply},
		{"a web page", "<!DOCTYPE html><html><head><title>Sign in &amp; more</title></head></html>", "a web page: check the base URL, which mostly ends in /v1 (HTTP 200): Sign in & more", "", agent.ErrModelReply},
		{"text that is no stream", "upstream is asleep\n", "without a sign of its end", "", agent.ErrModelReply},
		{"an event that is no JSON", "data: oops\n\n" + whole, "an event of the stream is no JSON object (HTTP 200): oops", "", agent.ErrModelReply},
		{"an event that is a number", "data: 5\n\n" + whole, "no JSON object", "", agent.ErrModelReply},
		{"no [DONE] and no finish", "data: " + said("half") + "\n\n", "without a sign of its end", "half", agent.ErrModelReply},
		{"cut in a rune", whole[:strings.Index(whole, "ý")+1], "cut in the middle of an event", "half a ", agent.ErrModelReply},
		{"cut in a word", whole[:strings.Index(whole, "repl")+2], "cut in the middle of an event", "half a ", agent.ErrModelReply},
		{"an error object", events(said("half"), `{"error":{"message":"engine died","type":"InternalServerError","code":500}}`), "(HTTP 200, code 500): engine died", "half", agent.ErrModelReply},
		{"an error object of a busy server", events(`{"error":{"message":"overloaded","code":503}}`), "(HTTP 200, code 503): overloaded", "", agent.ErrModelBusy},
		{"a flat error", events(said("half"), `{"object":"error","message":"too many","type":"x","param":null,"code":429}`), "code 429): too many", "half", agent.ErrModelBusy},
		{"an error that is a string", events(said("half"), `{"error":"out of memory"}`), "out of memory", "half", agent.ErrModelReply},
		{"an event named error", "event: error\ndata: {\"code\":\"1301\",\"message\":\"敏感\"}\n\n", "code 1301): 敏感", "", agent.ErrContentPolicy},
		{"an event named error with text", "event: error\ndata: all gone\n\n", "all gone", "", agent.ErrModelReply},
		{"a field named error", "data: " + said("half") + "\n\nerror: {\"code\":400,\"message\":\"the request exceeds the available context size\",\"type\":\"exceed_context_size_error\",\"n_prompt_tokens\":9,\"n_ctx\":8}\n\n", "exceeds the available", "half", agent.ErrContextTooLong},
		{"an error beside choices", events(`{"choices":[{"delta":{"content":""},"finish_reason":"error"}],"error":{"code":502,"message":"provider went away"}}`), "provider went away", "", agent.ErrModelBusy},
		{"a finish of error", events(said("half"), `{"choices":[{"delta":{},"finish_reason":"error"}]}`), "ended it as error", "half", agent.ErrModelReply},
		{"a finish for its content", events(said("half"), `{"choices":[{"delta":{},"finish_reason":"sensitive"}]}`), "refused the content", "half", agent.ErrContentPolicy},
		{"a finish for its length before the end", events(said("half"), `{"choices":[{"delta":{},"finish_reason":"model_context_window_exceeded"}]}`), "too long", "half", agent.ErrContextTooLong},
		{"a gateway's own object", `{"code":1302,"msg":"速率限制","success":false}`, "code 1302): 速率限制", "", agent.ErrModelBusy},
		{"DashScope's object", events(`{"error":{"code":"data_inspection_failed","message":"no"},"request_id":"r-7"}`), "no [request r-7]", "", agent.ErrContentPolicy},
		{"only a tool call", events(`{"choices":[{"delta":{"tool_calls":[{"function":{"name":"f"}}]}}]}`, `{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}`), "called a tool", "", agent.ErrModelReply},
		{"half a JSON object", `{"choices":[{"message":{"content":"hi"`, "cut", "", agent.ErrModelReply},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			client := serveStream(t, chat.Options{}, c.stream)
			got, err := client.Reply(t.Context(), question("hi"), nil)
			require.Nil(t, got)
			require.ErrorIs(t, err, c.want)
			require.ErrorContains(t, err, c.says)
			var e *agent.ModelError
			require.ErrorAs(t, err, &e)
			require.Equal(t, c.partial, e.Partial)
			require.Equal(t, 200, e.Status)
		})
	}
}

func TestABrokenCharacterInAThoughtIsNoFailure(t *testing.T) {
	client := serveStream(t, chat.Options{}, events(said("<think>\ufffd</think><answer>do(action=\"Back\")</answer>"), stopped))
	_, err := client.Reply(t.Context(), question("hi"), nil)
	require.NoError(t, err)
}

func TestOneByteWrites(t *testing.T) {
	client := serve(t, chat.Options{}, func(w http.ResponseWriter, r *http.Request) {
		for _, b := range []byte(strings.ReplaceAll(events(said("打开设置 🙂"), stopped), "\n", "\r\n")) {
			_, _ = w.Write([]byte{b})
			w.(http.Flusher).Flush()
		}
	})
	got, err := client.Reply(t.Context(), question("hi"), func(d agent.Delta) { require.NotContains(t, d.Text, "\ufffd") })
	require.NoError(t, err)
	require.Equal(t, "打开设置 🙂", got.Text)
}

func TestGzip(t *testing.T) {
	zip := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		_, _ = z.Write([]byte(events(said("hi"), stopped)))
		_ = z.Close()
	}
	for _, asked := range []bool{true, false} {
		t.Run(fmt.Sprintf("asked for %v", asked), func(t *testing.T) {
			h := &http.Client{Transport: &http.Transport{DisableCompression: !asked}}
			client := serve(t, chat.Options{HTTPClient: h}, zip)
			got, err := client.Reply(t.Context(), question("hi"), nil)
			require.NoError(t, err)
			require.Equal(t, "hi", got.Text)
		})
	}
}

func TestHTTP2Reset(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprint(w, "data: "+said("half")+"\n\n")
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}))
	s.EnableHTTP2 = true
	s.StartTLS()
	t.Cleanup(s.Close)
	client := newClient(t, chat.Options{BaseURL: s.URL, HTTPClient: s.Client()})
	_, err := client.Reply(t.Context(), question("hi"), nil)
	require.ErrorIs(t, err, agent.ErrModelReply)
	require.ErrorContains(t, err, "broke off")
	var e *agent.ModelError
	require.ErrorAs(t, err, &e)
	require.Equal(t, "half", e.Partial)
}

// counting is at least n bytes of text that do not repeat.
func counting(n int) string {
	var text strings.Builder
	for i := 0; text.Len() < n; i++ {
		_, _ = fmt.Fprintf(&text, "%d, ", i)
	}
	return text.String()
}

func TestAHugeEvent(t *testing.T) {
	text := counting(5 << 20)
	stream := events(said(text), stopped)
	t.Run("within what was allowed", func(t *testing.T) {
		client := serveStream(t, chat.Options{MaxReply: 6 << 20}, stream)
		got, err := client.Reply(t.Context(), question("hi"), nil)
		require.NoError(t, err)
		require.Equal(t, text, got.Text)
	})
	t.Run("beyond it", func(t *testing.T) {
		client := serveStream(t, chat.Options{}, stream)
		_, err := client.Reply(t.Context(), question("hi"), nil)
		require.ErrorIs(t, err, agent.ErrModelReply)
		require.ErrorContains(t, err, "longer than 262144 bytes and was cut")
	})
}

// A model that repeats itself for ever, and an endpoint that never ends a line.
func TestAReplyWithoutEnd(t *testing.T) {
	endless := func(piece string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				_, _ = fmt.Fprint(w, piece)
			}
		}
	}
	for name, piece := range map[string]string{
		"the same again":       "data: " + said("and again ") + "\n\n",
		"always something new": "data: " + said(counting(60<<10)) + "\n\n",
		"one line":             "data: " + strings.Repeat("x", 1000),
		"one event":            "data: " + strings.Repeat("x", 1000) + "\n",
		"one object":           `{"choices":[`,
	} {
		t.Run(name, func(t *testing.T) {
			client := serve(t, chat.Options{}, endless(piece))
			within(t, func() {
				_, err := client.Reply(t.Context(), question("hi"), nil)
				require.ErrorIs(t, err, agent.ErrModelReply)
				require.ErrorContains(t, err, "was cut")
			})
		})
	}
}
