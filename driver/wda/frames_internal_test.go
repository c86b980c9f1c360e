package wda

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTheLastFrameComesBeforeTheEnd is a stream that has ended before anybody asked for a frame.
func TestTheLastFrameComesBeforeTheEnd(t *testing.T) {
	part := func(data string) string {
		return fmt.Sprintf("--BoundaryString\r\nContent-type: image/jpeg\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", len(data), data)
	}
	s := &stream{r: bufio.NewReader(strings.NewReader(part("first") + part("last") + "--Bound")), fresh: make(chan struct{}, 1)}
	s.read()
	data, err := s.next(t.Context())
	require.NoError(t, err)
	require.Equal(t, "last", string(data))
	for range 2 {
		_, err = s.next(t.Context())
		require.ErrorIs(t, err, io.EOF)
	}
}
