package chat

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"

	"github.com/handset-go/handset/agent"
)

// encodeMessages returns the JSON array of a conversation. A message without a picture has a plain
// string as its content, as text-only servers want it; one with a picture has the picture first.
func encodeMessages(messages []agent.Message) ([]byte, error) {
	if len(messages) == 0 {
		return nil, fmt.Errorf("chat: a request without messages")
	}
	size := 2
	for _, m := range messages {
		size += len(m.Text) + 128
		if m.Image != nil {
			size += base64.StdEncoding.EncodedLen(len(m.Image.Data))
		}
	}
	b := append(make([]byte, 0, size), '[')
	for i, m := range messages {
		if i > 0 {
			b = append(b, ',')
		}
		var err error
		if b, err = appendMessage(b, m); err != nil {
			return nil, fmt.Errorf("chat: message %d: %w", i, err)
		}
	}
	return append(b, ']'), nil
}

// appendMessage writes by hand: a picture of 1 MB goes through no second copy and no escaping.
func appendMessage(b []byte, m agent.Message) ([]byte, error) {
	switch m.Role {
	case agent.RoleSystem, agent.RoleUser, agent.RoleAssistant:
	default:
		return nil, fmt.Errorf("unknown role %q", m.Role)
	}
	b = append(b, `{"role":"`+string(m.Role)+`","content":`...)
	if m.Image == nil {
		return append(appendJSON(b, m.Text), '}'), nil
	}
	if m.Role != agent.RoleUser {
		return nil, fmt.Errorf("a picture in a message of role %s", m.Role)
	}
	mime, err := mimeOf(m.Image)
	if err != nil {
		return nil, err
	}
	b = append(b, `[{"type":"image_url","image_url":{"url":"data:`+mime+`;base64,`...)
	b = base64.StdEncoding.AppendEncode(b, m.Image.Data)
	b = append(b, `"}}`...)
	if m.Text != "" {
		b = append(appendJSON(append(b, `,{"type":"text","text":`...), m.Text), '}')
	}
	return append(b, "]}"...), nil
}

// mimeOf checks a picture before it is sent: one bad picture in a history makes every later call
// fail, and several servers take nothing but PNG and JPEG.
func mimeOf(image *agent.Image) (string, error) {
	magic := map[string]string{"image/png": "\x89PNG\r\n\x1a\n", "image/jpeg": "\xff\xd8\xff"}
	mime := image.MIME
	if mime == "image/jpg" {
		mime = "image/jpeg"
	}
	start, ok := magic[mime]
	if !ok {
		return "", fmt.Errorf("a picture of type %q: endpoints take image/png and image/jpeg", image.MIME)
	}
	if !bytes.HasPrefix(image.Data, []byte(start)) {
		return "", fmt.Errorf("a picture of %d bytes that is no %s", len(image.Data), mime)
	}
	return mime, nil
}

// field is one key of the body.
type field struct {
	key   string
	value any
}

// fields returns the keys of the body beside the messages, without what the endpoint refuses.
func (c *Client) fields(r *agent.Request) []field {
	s := *c.options.Sampling
	if r.MaxTokens > 0 {
		s.MaxTokens = &r.MaxTokens
	}
	if r.Temperature != nil {
		s.Temperature = r.Temperature
	}
	all := []field{{"model", c.options.Model}, {"stream", true}}
	all = appendSet(all, "max_tokens", s.MaxTokens)
	all = appendSet(all, "temperature", s.Temperature)
	all = appendSet(all, "top_p", s.TopP)
	all = appendSet(all, "frequency_penalty", s.FrequencyPenalty)
	all = append(all, field{"stream_options", map[string]bool{"include_usage": true}})
	return c.accepted(all)
}

func appendSet[T any](all []field, key string, value *T) []field {
	if value == nil {
		return all
	}
	return append(all, field{key, *value})
}

// accepted renames and drops the fields as the endpoint taught, and drops those that Extra sets.
func (c *Client) accepted(all []field) []field {
	c.mu.Lock()
	defer c.mu.Unlock()
	kept := all[:0]
	for _, f := range all {
		if instead, refused := c.replaced[f.key]; refused {
			f.key = instead
		}
		if _, own := c.options.Extra[f.key]; f.key != "" && !own {
			kept = append(kept, f)
		}
	}
	return kept
}

// body puts the fields, the caller's extra keys and the messages together.
func (c *Client) body(fields []field, messages []byte) []byte {
	b := append(make([]byte, 0, len(messages)+1024), '{')
	for _, f := range fields {
		b = append(appendJSON(append(appendJSON(b, f.key), ':'), f.value), ',')
	}
	if extra := appendJSON(nil, c.options.Extra); len(extra) > len("{}") && string(extra) != "null" {
		b = append(append(b, extra[1:len(extra)-1]...), ',')
	}
	b = append(b, `"messages":`...)
	return append(append(b, messages...), '}')
}

// appendJSON writes a value that is known to be encodable, without escaping for HTML.
func appendJSON(b []byte, value any) []byte {
	var w bytes.Buffer
	e := json.NewEncoder(&w)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		panic("chat: a value that was checked cannot be encoded: " + err.Error())
	}
	return append(b, bytes.TrimRight(w.Bytes(), "\n")...)
}
