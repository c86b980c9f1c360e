package cmdrun

import (
	"bytes"
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/internal/nap"
)

// slow is a writer that takes longer than a stream is left alone.
type slow struct {
	bytes.Buffer
	begun chan struct{}
}

func (s *slow) Write(p []byte) (int, error) {
	close(s.begun)
	_ = nap.For(context.Background(), 3*quietFor)
	return s.Buffer.Write(p)
}

// TestWatch gives up a stream without deadlines that somebody else holds open, and not while it is written to.
func TestWatch(t *testing.T) {
	into := &slow{begun: make(chan struct{})}
	s, err := newStream(into)
	require.NoError(t, err)
	held := s.end
	s.end, err = os.Open(os.DevNull) // the tool's, which begin closes
	require.NoError(t, err)
	_, err = held.WriteString("all")
	require.NoError(t, err)
	s.begin()
	<-into.begun
	s.watch()
	require.NoError(t, <-s.over)
	require.Equal(t, "all", into.String())
	_, err = s.Write([]byte("late"))
	require.ErrorIs(t, err, os.ErrClosed)
	require.Equal(t, "all", into.String())
	require.NoError(t, held.Close())
}
