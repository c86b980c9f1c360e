package chat

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/handset-go/handset/agent"
)

// droppable are the parameters that a reply is possible without.
var droppable = []string{"stream_options", "frequency_penalty", "top_p", "temperature", "max_tokens"}

// refusing are the words by which endpoints refuse a parameter, in lower case.
var refusing = []string{
	"unknown", "unsupported", "not support", "does not support", "unrecognized", "unexpected", "invalid",
	"not permitted", "not allowed", "forbidden", "deprecated", "不支持",
}

// learn finds out whether the endpoint refused one of the fields by its name; if so it is left out, or
// renamed, from now on, and the call may be made again. Each time there is one field less.
func (c *Client) learn(err *agent.ModelError, fields []field) bool {
	if err.Partial != "" || (err.Status != http.StatusBadRequest && err.Status != http.StatusUnprocessableEntity) {
		return false
	}
	if !errors.Is(err, agent.ErrModelConfig) {
		return false
	}
	text := strings.ToLower(err.Message)
	if !slices.ContainsFunc(refusing, func(word string) bool { return strings.Contains(text, word) }) {
		return false
	}
	for _, name := range droppable {
		sent := slices.ContainsFunc(fields, func(f field) bool { return f.key == name })
		if sent && strings.Contains(text, name) {
			c.replace(name, text)
			return true
		}
	}
	return false
}

func (c *Client) replace(name, text string) {
	instead := ""
	if name == "max_tokens" && strings.Contains(text, "max_completion_tokens") {
		instead = "max_completion_tokens"
	}
	c.log.Warn("the endpoint refuses a parameter", "endpoint", c.shown, "parameter", name, "instead", instead)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.replaced[name] = instead
}
