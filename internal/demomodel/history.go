package demomodel

import (
	"regexp"
	"slices"
	"strings"
)

// turn is one of the model's own earlier turns.
type turn struct {
	thought string
	verb    string
	app     string
	upward  bool    // of a Swipe: the finger went up, so that the list went on
	before  *screen // what it was decided on; nil where it was trimmed away
}

// history is what the model did in this part of the task.
type history []turn

var (
	verbPattern  = regexp.MustCompile(`(?s)do\(\s*action\s*=\s*"([^"]+)"`)
	appPattern   = regexp.MustCompile(`app\s*=\s*"((?:[^"\\]|\\.)*)"`)
	startPattern = regexp.MustCompile(`start\s*=\s*\[\s*\d+\s*,\s*(\d+)`)
	endPattern   = regexp.MustCompile(`end\s*=\s*\[\s*\d+\s*,\s*(\d+)`)
	thinkPattern = regexp.MustCompile(`(?s)<think>(.*?)</think>`)
)

// historyIn reads the model's turns, each with the screen that it saw.
func historyIn(messages []message) history {
	var h history
	var seen *screen
	for _, m := range messages {
		switch m.Role {
		case "user":
			seen = screenIn(string(m.Content))
		case "assistant":
			h = append(h, turnIn(string(m.Content), seen))
		}
	}
	return h
}

func turnIn(text string, seen *screen) turn {
	t := turn{before: seen}
	if m := thinkPattern.FindStringSubmatch(text); m != nil {
		t.thought = strings.TrimSpace(m[1])
		text = strings.Replace(text, m[0], "", 1)
	}
	if m := verbPattern.FindStringSubmatch(text); m != nil {
		t.verb = m[1]
	}
	if m := appPattern.FindStringSubmatch(text); m != nil {
		t.app = m[1]
	}
	start, end := startPattern.FindStringSubmatch(text), endPattern.FindStringSubmatch(text)
	t.upward = start != nil && end != nil && number(start[1]) > number(end[1])
	return t
}

func (h history) count(verb string) int {
	n := 0
	for _, t := range h {
		if t.verb == verb {
			n++
		}
	}
	return n
}

func (h history) launched(name string) bool {
	return slices.ContainsFunc(h, func(t turn) bool { return t.verb == "Launch" && normal(t.app) == normal(name) })
}

// last returns the last turn, or an empty one.
func (h history) last() turn {
	if len(h) == 0 {
		return turn{}
	}
	return h[len(h)-1]
}

// thought says whether the model has had a thought that holds a phrase.
func (h history) thought(phrase string) bool {
	for _, t := range h {
		if strings.Contains(t.thought, phrase) {
			return true
		}
	}
	return false
}

// since returns the turns after the last one of these verbs.
func (h history) since(verbs ...string) history {
	for i := len(h) - 1; i >= 0; i-- {
		for _, v := range verbs {
			if h[i].verb == v {
				return h[i+1:]
			}
		}
	}
	return h
}

var stillPattern = regexp.MustCompile(`(?i)\b(?:no|not|without|nothing)\b[^.\n]*\bchanged?\b|(?:没有|无|未)[^。\n]*(?:变化|改变)`)

// still says whether the last action changed nothing on the screen.
func (h history) still(now *screen) bool {
	if len(h) == 0 {
		return false
	}
	if before := h.last().before; before != nil {
		return before.labels() == now.labels()
	}
	return stillPattern.MatchString(now.notes)
}
