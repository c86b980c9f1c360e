package demomodel

import (
	"encoding/json"
	"strings"
)

// request is what is read of a chat/completions request.
type request struct {
	Model         string    `json:"model"`
	Messages      []message `json:"messages"`
	Stream        bool      `json:"stream"`
	MaxTokens     int       `json:"max_tokens"`
	StreamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
}

type message struct {
	Role    string
	Content content
	Picture bool // it has one
}

// content is the text of a message.
type content string

// UnmarshalJSON reads a message whose content is a string, null, or an array of parts.
func (m *message) UnmarshalJSON(data []byte) error {
	var in struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	}
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	*m = message{Role: in.Role}
	if len(in.Content) == 0 || in.Content[0] != '[' {
		if len(in.Content) == 0 {
			return nil
		}
		return json.Unmarshal(in.Content, (*string)(&m.Content))
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if err := json.Unmarshal(in.Content, &parts); err != nil {
		return err
	}
	texts := make([]string, 0, len(parts))
	for _, p := range parts {
		m.Picture = m.Picture || p.Type == "image_url"
		if p.Text != "" {
			texts = append(texts, p.Text)
		}
	}
	m.Content = content(strings.Join(texts, "\n\n"))
	return nil
}

// chunk is a piece of a streamed reply; a whole reply has the same shape with a message.
type chunk struct {
	ID      string   `json:"id"`
	Object  string   `json:"object"`
	Created int64    `json:"created"`
	Model   string   `json:"model"`
	Choices []choice `json:"choices"`
	Usage   *usage   `json:"usage,omitempty"`
}

type choice struct {
	Index        int     `json:"index"`
	Delta        *spoken `json:"delta,omitempty"`
	Message      *spoken `json:"message,omitempty"`
	FinishReason *string `json:"finish_reason"`
}

type spoken struct {
	Role    string `json:"role,omitempty"`
	Content string `json:"content"`
}

// usage counts pieces, of a few letters each: there is no tokenizer.
type usage struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
	Total      int `json:"total_tokens"`
}
