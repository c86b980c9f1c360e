package chat

import "slices"

// A small model may fall into saying the same words for ever. Waiting for its last token then costs
// minutes, so a reply whose end is one short passage over and over is cut.
const (
	loopWindow = 4096 // bytes at the end of the reply that are looked at
	loopPeriod = 512  // the longest passage: eight times in the window
	loopStep   = 1024 // bytes between two looks
)

// loopGuard sees a reply grow.
type loopGuard struct {
	tail   []byte
	unseen int // bytes since the last look
}

// add takes a piece and says whether the reply now repeats itself.
func (g *loopGuard) add(piece string) bool {
	g.tail = append(g.tail, piece...)
	if over := len(g.tail) - loopWindow; over > 0 {
		g.tail = slices.Delete(g.tail, 0, over)
	}
	if g.unseen += len(piece); g.unseen < loopStep || len(g.tail) < loopWindow {
		return false
	}
	g.unseen = 0
	return period(g.tail) <= loopPeriod
}

// period returns the length of the shortest passage that all of b repeats, len(b) if there is none.
// It is b without its longest border, found as Knuth, Morris and Pratt do.
func period(b []byte) int {
	border := make([]int, len(b)+1)
	border[0] = -1
	for i, k := 0, -1; i < len(b); {
		for k >= 0 && b[i] != b[k] {
			k = border[k]
		}
		i, k = i+1, k+1
		border[i] = k
	}
	return len(b) - border[len(b)]
}
