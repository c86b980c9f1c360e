package demomodel

import (
	"regexp"
	"strings"
)

// kind is what a part of a task wants.
type kind int

const (
	unknown kind = iota
	openApp
	openPage // something inside an app
	setSwitch
	sendMessage
	addToCart
	payCart
	lookFor
	goHome
)

// goal is one part of a task.
type goal struct {
	kind kind
	app  string // where it is done; for openApp what is opened
	name string // the switch, the page, the thing or the person
	text string // of the message
	on   bool
}

var taskEnd = regexp.MustCompile("\\n\\s*\\n|```|<screen|\\*\\* Screen|(?m)^app \\S+ · ")

// taskIn returns the task: the start of the first message of the person.
func taskIn(messages []message) string {
	for _, m := range messages {
		if m.Role != "user" {
			continue
		}
		text := strings.TrimSpace(string(m.Content))
		if at := taskEnd.FindStringIndex(text); at != nil {
			text = text[:at[0]]
		}
		text = strings.TrimSpace(text)
		for _, label := range []string{"Task:", "task:", "任务:", "任务："} {
			text = strings.TrimSpace(strings.TrimPrefix(text, label))
		}
		return text
	}
	return ""
}

// goalsIn reads a task. What is not understood is a goal of unknown kind.
func goalsIn(task string) []goal {
	var goals []goal
	if before, g, after, ok := messageIn(task); ok {
		goals = append(goals, clausesIn(before)...)
		goals = append(append(goals, g), clausesIn(after)...)
	} else {
		goals = clausesIn(task)
	}
	return joined(goals, languageOf(task))
}

// clausesIn reads a text of several clauses. A clause begins at a word that asks for something; a
// comma or an "and" before any other word belongs to a name.
func clausesIn(text string) []goal {
	var goals []goal
	clause := ""
	flush := func() {
		if clause = strings.Trim(clause, " ,，.。;；!！"); clause != "" {
			goals = append(goals, clauseGoal(clause))
		}
		clause = ""
	}
	rest := text
	for rest != "" {
		at := separator.FindStringIndex(rest)
		if at == nil {
			clause += rest
			break
		}
		clause += rest[:at[0]]
		if verbStart.MatchString(rest[at[1]:]) || strings.TrimSpace(rest[at[1]:]) == "" {
			flush()
		} else {
			clause += rest[at[0]:at[1]]
		}
		rest = rest[at[1]:]
	}
	flush()
	return goals
}

var (
	separator  = regexp.MustCompile(`(?i)\s*[,;，；。、!！]\s*(?:and then |then |and |然后|再|接着|并且|并)?|\.\s+|\.$|\s+(?:and then|then|and)\s+|\s*(?:然后|接着|并且|之后再)\s*`)
	verbStart  = regexp.MustCompile(`(?i)^(?:please |请|帮我|再|并|and |then )*(?:open|launch|start|turn|switch|enable|disable|activate|deactivate|send|text|message|tell|pay|buy|order |add|put|check ?out|purchase|find|look|search|scroll|locate|show|go |打开|启动|进入|运行|把|将|关|开启|启用|停用|禁用|给|向|发|找|搜|查|滑|付|支付|结|买|购|加|在|去|回|返)`)
	politeness = regexp.MustCompile(`(?i)^(?:please |can you |could you |i want to |i'd like to |请你|请|帮我|帮忙|麻烦你|麻烦|我想|我要|再|并|去)+`)
)

// joined lets "open X" name the app for the part that follows, where that part can be done in X.
func joined(goals []goal, say language) []goal {
	var out []goal
	for i, g := range goals {
		if i > 0 && goals[i-1].kind == openApp && g.kind != openApp && g.kind != unknown && g.kind != goHome {
			if g.app == "" || sameApp(g.app, goals[i-1].app) {
				g.app = goals[i-1].app
				out = out[:len(out)-1]
			}
		}
		if i > 0 && goals[i-1].kind == openApp && g.kind == openApp && !apps.know(g.app) {
			g = goal{kind: openPage, app: goals[i-1].app, name: g.app}
			out = out[:len(out)-1]
		}
		out = append(out, g)
	}
	out = bought(out)
	for i := range out {
		if out[i].app == "" {
			out[i].app = usualApp(out[i].kind, say)
		}
	}
	return out
}

// bought makes two parts of a purchase: the product is put into the cart, and the cart is paid for.
func bought(goals []goal) []goal {
	var out []goal
	for i, g := range goals {
		if g.kind == payCart && g.name != "" {
			out = append(out, goal{kind: addToCart, app: g.app, name: g.name})
			g.name = ""
		} else if g.kind == payCart && i > 0 && (goals[i-1].kind == payCart || goals[i-1].kind == addToCart) && g.app == "" {
			g.app = goals[i-1].app
			if goals[i-1].kind == payCart {
				continue // it is paid for already
			}
		}
		out = append(out, g)
	}
	return out
}

func sameApp(a, b string) bool { return apps.group(a)[0] == apps.group(b)[0] }

// usualApp is where a goal is reached if the task does not say.
func usualApp(k kind, say language) string {
	switch k {
	case setSwitch, openPage, lookFor:
		return say.in("Settings", "设置")
	case sendMessage:
		return say.in("Messages", "信息")
	case addToCart, payCart:
		return say.in("Shop", "商城")
	}
	return ""
}
