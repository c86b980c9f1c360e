package chat

import (
	"sort"
	"strings"
	"time"
)

// clock remembers when the text had reached which length.
type clock struct{ marks []mark }

type mark struct {
	length int
	at     time.Duration
}

func (c *clock) mark(length int, at time.Duration) {
	c.marks = append(c.marks, mark{length, at})
}

// first returns when the first piece came, 0 if none did.
func (c *clock) first() time.Duration {
	if len(c.marks) == 0 {
		return 0
	}
	return c.marks[0].at
}

// at returns when the byte at an offset came, and 0 for an offset below zero.
func (c *clock) at(offset int) time.Duration {
	i := sort.Search(len(c.marks), func(i int) bool { return c.marks[i].length > offset })
	if offset < 0 || i == len(c.marks) {
		return 0
	}
	return c.marks[i].at
}

// actionStart returns the offset of the action in a reply, -1 if there is none: the first call in
// the answer, and without an answer the last call, as a thought may name one.
func actionStart(text string) int {
	if answer := strings.LastIndex(text, "<answer>"); answer >= 0 {
		first := -1
		for _, marker := range actionMarkers {
			if i := strings.Index(text[answer:], marker); i >= 0 && (first < 0 || answer+i < first) {
				first = answer + i
			}
		}
		if first >= 0 {
			return first
		}
	}
	last := -1
	for _, marker := range actionMarkers {
		last = max(last, strings.LastIndex(text, marker))
	}
	return last
}

var actionMarkers = []string{"do(action=", "finish(message="}
