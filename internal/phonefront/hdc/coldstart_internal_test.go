package hdc

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// Of several that start the server at once one loses, after a long time.
func TestColdStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		type end struct {
			up    bool
			after time.Duration
		}
		s := &Server{opts: ServerOptions{Start: StartTime, Refused: RefusedTime}, ctx: t.Context()}
		begin, ends := time.Now(), make(chan end, 6)
		for range cap(ends) {
			go func() {
				up := s.up(request{})
				ends <- end{up, time.Since(begin)}
			}()
		}
		count := map[end]int{}
		for range cap(ends) {
			count[<-ends]++
		}
		require.Equal(t, map[end]int{{true, StartTime}: 5, {false, RefusedTime}: 1}, count)
		require.True(t, s.up(request{}))
		require.Equal(t, RefusedTime, time.Since(begin))
	})
}
