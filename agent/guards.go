package agent

import (
	"fmt"

	"github.com/handset-go/handset/action"
)

// guards notices a model that does not get on. It is a state machine without clock or phone: before each
// action it says whether that may be done, after each it is told what became of it.
type guards struct {
	key       string // of the last action
	same      int    // how often it came in a row while nothing changed
	changed   bool   // the screen, after the last action
	waits     int
	verb      action.Verb
	failures  int // of the same verb in a row
	unread    int // replies in a row that could not be read
	refusedAt int // how many actions in a row were refused
}

const (
	sameTold   = 2 // times in a row until it is told
	sameRefuse = 3
	mostWaits  = 3
	failTold   = 3
	failStuck  = 5
	mostUnread = 3
	// A model that goes on with what was refused is stuck.
	mostRefused = 2
)

// ruling is what the guards say of an action.
type ruling struct {
	refuse string // why it is not done; told to the model
	remark string // told to the model together with the outcome
	stuck  string // why the run ends
}

// before judges an action.
func (g *guards) before(key string, verb action.Verb) ruling {
	if verb == action.VerbWait {
		return g.beforeWait()
	}
	g.waits = 0
	if verb == action.VerbFinish {
		return ruling{}
	}
	if key != g.key || g.changed {
		g.key, g.same, g.changed, g.refusedAt = key, 1, false, 0
		return ruling{}
	}
	g.same++
	switch {
	case g.same > sameRefuse:
		return ruling{stuck: fmt.Sprintf("the model asked for the same %s %d times in a row although nothing changed", verb, g.same)}
	case g.same == sameRefuse:
		return ruling{refuse: "this has been tried twice without any visible change, and is not done again; try another way"}
	case g.same == sameTold:
		return ruling{remark: "this is the second time without a visible change; if the screen is still the same, do something else"}
	}
	return ruling{}
}

func (g *guards) beforeWait() ruling {
	g.waits++
	if g.waits <= mostWaits {
		return ruling{}
	}
	if g.refusedAt++; g.refusedAt > mostRefused {
		return ruling{stuck: fmt.Sprintf("the model only waits: %d times in a row", g.waits)}
	}
	return ruling{refuse: fmt.Sprintf("%d waits in a row are the most; go back, or do something else", mostWaits)}
}

// seen takes in whether the screen changed after the last action.
func (g *guards) seen(changed bool) {
	if g.changed = changed; changed {
		g.refusedAt = 0
	}
}

// fresh forgets everything about the screen: it has been in other hands.
func (g *guards) fresh() { g.key, g.same, g.waits, g.refusedAt = "", 0, 0, 0 }

// after takes in whether an action failed.
func (g *guards) after(verb action.Verb, failed bool) ruling {
	g.unread = 0
	if !failed {
		g.failures = 0
		return ruling{}
	}
	if verb != g.verb {
		g.verb, g.failures = verb, 0
	}
	switch g.failures++; {
	case g.failures >= failStuck:
		return ruling{stuck: fmt.Sprintf("%s failed %d times in a row", verb, g.failures)}
	case g.failures >= failTold:
		return ruling{remark: fmt.Sprintf("%s has failed %d times in a row; reach the goal without it, or finish and say why it cannot be done", verb, g.failures)}
	}
	return ruling{}
}

// unreadable takes in a reply that could not be read, and says whether that was the last one.
func (g *guards) unreadable() (over bool) {
	g.unread++
	return g.unread >= mostUnread
}
