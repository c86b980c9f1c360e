package action

import (
	"strings"
)

// A Reply is what a model answered: what it thought, and the one action that it asked for.
type Reply struct {
	Thinking string
	Action   Action
}

// Parse reads a reply in the language of the AutoGLM protocol: do(action="Tap", element=[x,y]) and
// finish(message="..."), wherever in the reply they stand.
//
// The last top-level call counts, inside <answer> if it has one; a call inside a closed <think>
// never does. Tags, code fences and text after the call are ignored, and so are arguments that the
// verb does not have. Both kinds of quotes, curly quotes, raw newlines, unescaped inner quotes, a
// missing last parenthesis, tuples, boxes (the centre is meant) and JSON are read too.
//
// What cannot be read is a *SyntaxError. Points are in PerMille, or in Fraction where they are surely
// meant so (see ReadPoint; of a swipe or a gesture, either all points are fractions or none). One
// outside 0 to 1000 is an error that matches ErrOutside, and [-1,-1] is one that matches ErrNoTarget.
func Parse(reply string) (Reply, error) {
	s := scanner{src: reply}
	found, fault := s.choose()
	if fault != nil {
		return Reply{}, fault.in(reply)
	}
	a, fault := found.call.action(PerMille)
	if fault != nil {
		return Reply{}, fault.in(reply)
	}
	return Reply{Thinking: thought(reply[:found.start]), Action: a}, nil
}

// choose picks the call that the reply stands for.
func (s *scanner) choose() (*attempt, *SyntaxError) {
	s.survey()
	best := s.last
	if s.answered {
		best = s.lastAnswer
	}
	if best == nil {
		return nil, s.nothing()
	}
	if best.call.fault != nil {
		return nil, best.call.fault
	}
	return best, nil
}

// nothing explains a reply without any call.
func (s *scanner) nothing() *SyntaxError {
	if s.near != nil {
		return s.near
	}
	if strings.TrimSpace(s.src) == "" {
		return faultf(0, "the reply is empty: write do(action=...) or finish(message=...)")
	}
	at := s.space(s.body)
	return faultf(at, "no do(action=...) and no finish(message=...) in the reply: write exactly one")
}

// thought is the text before the call without the protocol's marks.
func thought(before string) string {
	text := strings.TrimSpace(unmark.Replace(before))
	if i := strings.LastIndex(text, "```"); i >= 0 && onlyName(text[i+3:]) {
		text = strings.TrimSpace(text[:i])
	}
	return text
}

func onlyName(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isNameByte(s[i]) {
			return false
		}
	}
	return true
}

// unmark removes the protocol's marks from text that is shown.
var unmark = func() *strings.Replacer {
	var pairs []string
	for _, m := range marks {
		pairs = append(pairs, m.text, "")
	}
	return strings.NewReplacer(pairs...)
}()
