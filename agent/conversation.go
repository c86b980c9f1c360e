package agent

import (
	"fmt"
	"strings"
)

// conversation is what the model is told: the prompt, the task, the turns so far without their screens, and
// the present screen. The layout is AutoGLM's: the first user message has the task, the later ones begin
// with a heading, and a picture comes before its text.
type conversation struct {
	system string
	task   string
	turns  []turn
	skip   int     // turns at the front that are left out
	room   int     // tokens for the whole request
	scale  float64 // what the endpoint counts, over what was estimated
}

// turn is a screen, without the screen itself, and the answer to it.
type turn struct {
	info    string
	reply   string
	summary string // one line, for when the turn is left out
}

const (
	laterHeading = "** Screen Info **\n\n"
	// mostSummaries is how many of the turns that were left out are still named in a line each.
	mostSummaries = 20
)

// add appends a turn. reply is in the dialect's own form.
func (c *conversation) add(t turn) { c.turns = append(c.turns, t) }

// request lays out the messages for the present screen, and leaves out old turns until they fit.
func (c *conversation) request(info string, img *Image) []Message {
	for {
		messages := c.messages(info, img)
		if c.estimate(messages) <= c.room || c.skip >= len(c.turns) {
			return messages
		}
		c.skip++
	}
}

// shrink leaves out half of the turns that are left, after the endpoint said that it is too much. It says
// whether there was anything to leave out.
func (c *conversation) shrink() bool {
	left := len(c.turns) - c.skip
	if left == 0 {
		return false
	}
	c.skip += (left + 1) / 2
	return true
}

func (c *conversation) messages(info string, img *Image) []Message {
	out := make([]Message, 0, 2+2*(len(c.turns)-c.skip))
	out = append(out, Message{Role: RoleSystem, Text: c.system})
	first := c.task + c.earlier() + "\n\n"
	for _, t := range c.turns[c.skip:] {
		out = append(out, Message{Role: RoleUser, Text: first + t.info}, Message{Role: RoleAssistant, Text: t.reply})
		first = laterHeading
	}
	return append(out, Message{Role: RoleUser, Text: first + info, Image: img})
}

// earlier names the turns that were left out.
func (c *conversation) earlier() string {
	if c.skip == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n\n(%d earlier steps are left out here:", c.skip)
	from := max(c.skip-mostSummaries, 0)
	if from > 0 {
		b.WriteString("\n...")
	}
	for _, t := range c.turns[from:c.skip] {
		b.WriteString("\n" + t.summary)
	}
	b.WriteString(")")
	return b.String()
}

func (c *conversation) estimate(messages []Message) int {
	n := 0
	for i := range messages {
		n += messageTokens(&messages[i])
	}
	return int(float64(n) * max(c.scale, 1))
}

// learn takes in what the endpoint counted for a request. It only ever makes the estimate more careful.
func (c *conversation) learn(messages []Message, counted int) {
	c.scale = max(c.scale, 1)
	if estimated := c.estimate(messages); counted > estimated {
		c.scale = min(c.scale*float64(counted)/float64(estimated), 3)
	}
}
