package action

import (
	"strings"
	"time"
)

// A Verb is the name of an action, spelled as in the protocol.
type Verb string

// The verbs of the AutoGLM protocol. Type_Name is another name of Type: Parse makes a Type of it.
const (
	VerbLaunch    Verb = "Launch"
	VerbTap       Verb = "Tap"
	VerbType      Verb = "Type"
	VerbTypeName  Verb = "Type_Name"
	VerbInteract  Verb = "Interact"
	VerbSwipe     Verb = "Swipe"
	VerbNote      Verb = "Note"
	VerbCallAPI   Verb = "Call_API"
	VerbLongPress Verb = "Long Press"
	VerbDoubleTap Verb = "Double Tap"
	VerbTakeOver  Verb = "Take_over"
	VerbBack      Verb = "Back"
	VerbHome      Verb = "Home"
	VerbWait      Verb = "Wait"
	VerbFinish    Verb = "finish"
)

// The verbs that are not in the AutoGLM protocol.
const (
	VerbKey     Verb = "Key"
	VerbDrag    Verb = "Drag"
	VerbPinch   Verb = "Pinch"
	VerbGesture Verb = "Gesture"
	VerbOpenURL Verb = "OpenURL"
	VerbLook    Verb = "Look"
)

// Verbs lists every verb in the order of the prompts.
func Verbs() []Verb { return verbsWhere(func(*row) bool { return true }) }

// ProtocolVerbs lists the verbs on which the AutoGLM weights were trained.
func ProtocolVerbs() []Verb { return verbsWhere(func(r *row) bool { return r.protocol }) }

func verbsWhere(keep func(*row) bool) []Verb {
	var out []Verb
	for i := range rows {
		if keep(&rows[i]) {
			out = append(out, rows[i].verb)
		}
	}
	return out
}

// A row of the table is all that is known of a verb.
type row struct {
	verb     Verb
	protocol bool     // AutoGLM's, not ours
	alias    bool     // another name of an earlier row
	rowsOnly bool     // of use only where the screen is shown as rows
	also     []string // what other models call it, in normal form
	fields   []field
	doc      words  // what it does, for the prompt and the schema
	warned   words  // the second line of the prompt: the same with a message
	fn       string // the name of the tool
	codec
}

// words is a text in both languages.
type words struct{ zh, en string }

func (w words) in(l Lang) string {
	if l.english() {
		return w.en
	}
	return w.zh
}

// A record has a place for every argument that any verb takes.
type record struct {
	App, Text, Message, Instruction, URL, Key, Status string
	At, From, To                                      Target
	Duration                                          time.Duration
	Scale                                             float64
	Paths                                             [][]Point
}

// A codec turns the record of a verb into its typed action and back.
type codec struct {
	pack   func(record) Action
	unpack func(Action) (record, bool)
}

func codecOf[A Action](pack func(record) A, unpack func(A) record) codec {
	return codec{
		pack: func(r record) Action { return pack(r) },
		unpack: func(a Action) (record, bool) {
			typed, ok := a.(A)
			if !ok {
				return record{}, false
			}
			return unpack(typed), true
		},
	}
}

// unpack finds the row of an action and takes the action apart.
func unpack(a Action) (*row, record, bool) {
	if a == nil {
		return nil, record{}, false
	}
	row := rowOf(a.Verb())
	if row == nil {
		return nil, record{}, false
	}
	rec, ok := row.codec.unpack(a)
	return row, rec, ok
}

func rowOf(v Verb) *row {
	for i := range rows {
		if rows[i].verb == v {
			return &rows[i]
		}
	}
	return nil
}

// rowNamed finds a verb by what a model may call it.
func rowNamed(name string) *row {
	if r := rowOf(Verb(name)); r != nil {
		return r
	}
	if len(name) > maxVerb {
		return nil
	}
	return byName[normal(name)]
}

const maxVerb = 64

// byName holds the normal form of every verb and alias.
var byName = func() map[string]*row {
	m := map[string]*row{}
	for i := range rows {
		r := &rows[i]
		for _, name := range append([]string{string(r.verb), r.fn}, r.also...) {
			m[normal(name)] = r
		}
	}
	return m
}()

// normal leaves only what tells names apart: "Long Press", "long_press" and "LongPress" are one.
func normal(name string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c == ' ' || c == '_' || c == '-':
			return -1
		case c >= 'A' && c <= 'Z':
			return c + 'a' - 'A'
		}
		return c
	}, strings.TrimSpace(name))
}

// warns says whether the message of the verb marks a sensitive step.
func (r *row) warns() bool {
	for i := range r.fields {
		if r.fields[i].warning {
			return true
		}
	}
	return false
}

func knownVerbs() string {
	var names []string
	for i := range rows {
		if !rows[i].alias {
			names = append(names, string(rows[i].verb))
		}
	}
	return strings.Join(names, ", ")
}
