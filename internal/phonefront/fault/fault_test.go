package fault_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/internal/phonefront/fault"
)

func newSet() *fault.Set {
	return fault.NewSet([]fault.Fault{{Name: "hang", Doc: "hangs"}, {Name: "slow", Doc: "is late", Arg: "2s"}, {Name: "big", Doc: "is big", Arg: "50"}})
}

func TestArguments(t *testing.T) {
	s := newSet()
	require.NoError(t, s.Switch("slow", true))
	require.Equal(t, "2s", s.Duration("slow").String())
	require.NoError(t, s.Switch("slow=30ms", true))
	require.Equal(t, "30ms", s.Duration("slow").String())
	require.NoError(t, s.Switch("big=7", true))
	require.Equal(t, 7, s.Number("big"))
	require.Equal(t, []string{"big", "slow"}, s.Names())
	require.NoError(t, s.Switch("slow", false))
	require.False(t, s.On("slow"))
	require.Zero(t, s.Duration("slow"))
	require.Equal(t, []string{"big"}, s.Names())
	require.Len(t, s.List(), 3)
}

func TestRefusals(t *testing.T) {
	for name, text := range map[string]string{"nonsense": "unknown fault", "hang=1": "takes no argument", "slow=fast": "takes a duration",
		"big=0": "takes a number", "slow=-1s": "takes a duration", "": "unknown fault"} {
		s := newSet()
		require.ErrorContains(t, s.Switch(name, true), text)
		require.Empty(t, s.Names())
	}
}

func TestTakeIsOnce(t *testing.T) {
	s := newSet()
	require.False(t, s.Take("hang"))
	require.NoError(t, s.Switch("hang", true))
	require.True(t, s.Take("hang"))
	require.False(t, s.Take("hang"))
}

// TestNext waits for changes, each of which is told to everybody.
func TestNext(t *testing.T) {
	s := newSet()
	for _, change := range []func() error{
		func() error { return s.Switch("hang", true) },
		func() error { return s.Switch("slow=3s", true) },
		func() error { return s.Switch("hang", false) },
		func() error { s.Take("slow"); return nil },
	} {
		was, changed := s.Next("hang")
		require.Equal(t, s.On("hang"), was)
		_, again := s.Next("slow")
		select {
		case <-changed:
			t.Fatal("nothing has changed yet")
		default:
		}
		require.NoError(t, change())
		<-changed
		<-again
	}
	_, changed := s.Next("hang")
	require.Error(t, s.Switch("nonsense", true))
	require.False(t, s.Take("hang"))
	select {
	case <-changed:
		t.Fatal("what was refused changes nothing")
	default:
	}
}
