package phoneshell_test

import (
	"bytes"
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/handset-go/handset/internal/phonefront/phoneshell"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func newSystem(background *sync.WaitGroup) *phoneshell.System {
	fs := phoneshell.NewFS(time.Now, "bin", phoneshell.Toybox())
	fs.Plant(0, "tmp")
	return &phoneshell.System{FS: fs, Now: time.Now, Boot: time.Now(), Shell: "/bin/sh", NotFound: "not found", Bin: "/bin", Background: background}
}

func run(ctx context.Context, s *phoneshell.System, command string) string {
	var b bytes.Buffer
	s.Run(ctx, command, phoneshell.Stdio{Out: &b, Err: &b})
	return b.String()
}

// A command ends before what it left in the background only if that holds none of its output.
func TestBackground(t *testing.T) {
	for command, waits := range map[string]bool{
		"sleep 0.3; %":                            true,
		"(sleep 0.3; %) &":                        true,
		"(sleep 0.3; %) >/dev/null &":             true,
		"(sleep 0.3; %) >/dev/null 2>&1 &":        false,
		"(sleep 0.3; %) 2>&1 >/dev/null &":        true,
		"(sleep 0.3; %) 2>/dev/null >/dev/null &": false,
		"sh -c '(sleep 0.3; %) &'":                true,
		"sh -c '(sleep 0.3; %) >/tmp/o 2>&1 &'":   false,
	} {
		t.Run(command, func(t *testing.T) {
			var jobs sync.WaitGroup
			s := newSystem(&jobs)
			text := bytes.ReplaceAll([]byte(command), []byte("%"), []byte("touch /tmp/done"))
			require.Empty(t, run(context.Background(), s, string(text)))
			_, err := s.FS.Stat("/tmp/done", true)
			require.Equal(t, waits, err == nil)
			jobs.Wait()
			_, err = s.FS.Stat("/tmp/done", true)
			require.NoError(t, err, "it goes on to its end")
		})
	}
}

// What is in the background ends with the context.
func TestBackgroundEnds(t *testing.T) {
	var jobs sync.WaitGroup
	s := newSystem(&jobs)
	ctx, cancel := context.WithCancel(context.Background())
	require.Equal(t, "on\n", run(ctx, s, "nohup sleep 500 >/dev/null 2>&1 & echo on"))
	cancel()
	jobs.Wait()
}

func TestProgramsOfTheSystem(t *testing.T) {
	s := newSystem(nil)
	s.Programs = map[string]phoneshell.Program{"hello": func(_ context.Context, p *phoneshell.Proc) int {
		set, rest, unknown := p.Options("a", "b")
		p.Print("%d %v %v %c %v\n", len(p.Args), phoneshell.Has(set, 'a'), set['b'], unknown|' ', rest)
		return 3
	}}
	require.Equal(t, "5 true x   [y]\n3\n", run(context.Background(), s, "hello -a -b x y; echo $?"))
	require.Equal(t, "/bin/sh: nosuch: not found\n", run(context.Background(), s, "nosuch"))
}
