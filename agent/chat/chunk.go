package chat

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"github.com/handset-go/handset/agent"
)

// chunk is one piece of a streamed reply, or a whole reply that was not streamed. Servers differ, so
// each field takes more shapes than the standard has.
type chunk struct {
	ID      loose    `json:"id"`
	Choices []choice `json:"choices"`
	Usage   *usage   `json:"usage"`
}

type choice struct {
	Index        int    `json:"index"`
	Delta        *turn  `json:"delta"`
	Message      *turn  `json:"message"` // of a reply that was not streamed
	FinishReason loose  `json:"finish_reason"`
	Usage        *usage `json:"usage"` // where Moonshot puts it
}

// turn is what a model says. The thinking has four names; where a server uses two at a time they
// hold the same text.
type turn struct {
	Content          rich              `json:"content"`
	ReasoningContent rich              `json:"reasoning_content"`
	Reasoning        rich              `json:"reasoning"`
	Thinking         rich              `json:"thinking"`
	ReasoningDetails rich              `json:"reasoning_details"`
	ToolCalls        []json.RawMessage `json:"tool_calls"`
}

type usage struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
	Total      int `json:"total_tokens"`
}

func (u *usage) sum() agent.Usage {
	total := u.Total
	if total == 0 {
		total = u.Prompt + u.Completion
	}
	return agent.Usage{Prompt: u.Prompt, Completion: u.Completion, Total: total}
}

// decodeChunk reads a chunk. A field of an unexpected type is left empty: only what is no JSON object
// is an error.
func decodeChunk(data []byte) (chunk, error) {
	var c chunk
	err := json.Unmarshal(data, &c)
	var shape *json.UnmarshalTypeError
	if errors.As(err, &shape) && shape.Field != "" {
		err = nil
	}
	return c, err
}

// choice returns the first choice, or nil: usage comes without choices.
func (c *chunk) choice() *choice {
	for i := range c.Choices {
		if c.Choices[i].Index == 0 {
			return &c.Choices[i]
		}
	}
	return nil
}

// said returns the text and the thinking of a choice.
func (c *choice) said() agent.Delta {
	t := c.Delta
	if t == nil {
		t = c.Message
	}
	if t == nil {
		return agent.Delta{}
	}
	d := agent.Delta{Text: t.Content.text, Thinking: t.Content.thinking}
	for _, r := range []rich{t.ReasoningContent, t.Reasoning, t.Thinking, t.ReasoningDetails} {
		if all := r.thinking + r.text; all != "" && d.Thinking == "" {
			d.Thinking = all
		}
	}
	return d
}

func (c *choice) callsTools() bool {
	return (c.Delta != nil && len(c.Delta.ToolCalls) > 0) || (c.Message != nil && len(c.Message.ToolCalls) > 0)
}

// loose is a string that may come as a number, or as null.
type loose string

// UnmarshalJSON takes any scalar; anything else is "".
func (l *loose) UnmarshalJSON(data []byte) error {
	var s string
	switch {
	case json.Unmarshal(data, &s) == nil:
		*l = loose(s)
	case bytes.ContainsAny(data[:1], "[{n"):
		*l = ""
	default:
		*l = loose(data)
	}
	return nil
}

// rich is text that may come as a string, as null, as one part or as an array of parts, some of
// which are thoughts.
type rich struct{ text, thinking string }

// part is an element of content: a text, or a thought (Gemini, Mistral, OpenRouter).
type part struct {
	Type     loose    `json:"type"`
	Text     loose    `json:"text"`
	Summary  loose    `json:"summary"`
	Thinking thoughts `json:"thinking"`
	Thought  bool     `json:"thought"`
}

// UnmarshalJSON never fails: a shape that is not known is no text.
func (r *rich) UnmarshalJSON(data []byte) error {
	*r = rich{}
	parts := []json.RawMessage{data}
	if data[0] == '[' && json.Unmarshal(data, &parts) != nil {
		return nil
	}
	for _, p := range parts {
		r.add(p)
	}
	return nil
}

func (r *rich) add(data []byte) {
	if data[0] != '{' {
		var s string
		if json.Unmarshal(data, &s) == nil {
			r.text += s
		}
		return
	}
	var p part
	_ = json.Unmarshal(data, &p) // a field of another shape stays empty
	kind := string(p.Type)
	if p.Thought || strings.Contains(kind, "thinking") || strings.Contains(kind, "reasoning") {
		r.thinking += string(p.Thinking) + string(p.Text) + string(p.Summary)
		return
	}
	r.text += string(p.Text)
}

// thoughts is a string, or an array of parts with texts.
type thoughts string

// UnmarshalJSON never fails: a shape that is not known is no thought.
func (t *thoughts) UnmarshalJSON(data []byte) error {
	var s string
	var parts []struct {
		Text loose `json:"text"`
	}
	*t = ""
	if json.Unmarshal(data, &s) == nil {
		*t = thoughts(s)
	} else if json.Unmarshal(data, &parts) == nil {
		for _, p := range parts {
			*t += thoughts(p.Text)
		}
	}
	return nil
}
