package demomodel

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// step is what to do next. A done step ends its part of the task with a message; a failed one ends
// the whole task.
type step struct {
	thought string
	action  string
	message string
	done    bool
	failed  bool
}

// plan is all that a step is decided on.
type plan struct {
	goal
	now  *screen
	past history // of this part of the task
	say  language
}

// answer is the model's reply to a conversation.
func answer(messages []message) string {
	task := taskIn(messages)
	say := languageOf(task)
	s := say.able()
	if goals := goalsIn(task); understood(goals) {
		last := messages[len(messages)-1]
		if now := screenIn(string(last.Content)); now != nil {
			s = next(goals, now, historyIn(messages), say)
		} else {
			s = say.blind(last.Picture)
		}
	}
	switch {
	case s.failed:
		s.action = call("finish", "message", s.message, "status", "infeasible")
	case s.done:
		s.action = call("finish", "message", s.message)
	}
	return "<think>" + s.thought + "</think>\n<answer>" + s.action + "</answer>"
}

func understood(goals []goal) bool {
	for _, g := range goals {
		if g.kind == unknown {
			return false
		}
	}
	return len(goals) > 0
}

// next takes the parts of a task one after the other. Which part it is at stands in front of the
// thoughts of the earlier turns: a part that was done is not looked at again.
func next(goals []goal, now *screen, past history, say language) step {
	at, from := 1, 0
	for i, t := range past {
		if n := partOf(t.thought); n > at && n <= len(goals) {
			at, from = n, i
		}
	}
	var said []string
	for ; ; at++ {
		s := plan{goals[at-1], now, past[from:], say}.step()
		said = append(said, s.message)
		if !s.done || at == len(goals) {
			s.thought = partLabel(at, len(goals)) + s.thought
			s.message = strings.TrimSpace(strings.Join(said, " "))
			return s
		}
		from = len(past)
	}
}

var partPattern = regexp.MustCompile(`^\((\d+)/\d+\) `)

func partOf(thought string) int {
	if m := partPattern.FindStringSubmatch(thought); m != nil {
		n, _ := strconv.Atoi(m[1]) // digits
		return n
	}
	return 1
}

func partLabel(n, of int) string {
	if of < 2 {
		return ""
	}
	return fmt.Sprintf("(%d/%d) ", n, of)
}

func (p plan) step() step {
	switch p.kind {
	case openApp:
		return p.open()
	case openPage:
		return p.openPage()
	case setSwitch:
		return p.setSwitch()
	case sendMessage:
		return p.send()
	case addToCart:
		return p.addToCart()
	case payCart:
		return p.pay()
	case lookFor:
		return p.look()
	}
	return p.home()
}

// call writes an action: a verb, or finish, with names and values in turn. A string is quoted, a
// value of another kind is written as it is.
func call(verb string, args ...any) string {
	var b strings.Builder
	sep := ""
	if verb == "finish" {
		b.WriteString("finish(")
	} else {
		b.WriteString(`do(action=` + quoted(verb))
		sep = ", "
	}
	for i := 0; i+1 < len(args); i += 2 {
		value := fmt.Sprint(args[i+1])
		if s, ok := args[i+1].(string); ok {
			value = quoted(s)
		}
		b.WriteString(sep + fmt.Sprint(args[i]) + "=" + value)
		sep = ", "
	}
	return b.String() + ")"
}

// pair is a point in an action.
type pair [2]int

// String writes it as the protocol does.
func (p pair) String() string { return fmt.Sprintf("[%d,%d]", p[0], p[1]) }

var quoting = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`)

func quoted(s string) string { return `"` + quoting.Replace(s) + `"` }
