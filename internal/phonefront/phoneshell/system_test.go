package phoneshell_test

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/handset-go/handset/internal/phonefront/phoneshell"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func newSystem(background func(func()) bool) *phoneshell.System {
	fs := phoneshell.NewFS(time.Now, "bin", phoneshell.Toybox())
	fs.Plant(0, "tmp")
	return &phoneshell.System{FS: fs, Now: time.Now, Boot: time.Now(), Shell: "/bin/sh", NotFound: "not found", Bin: "/bin", Background: background}
}

func run(ctx context.Context, s *phoneshell.System, command string) string {
	var b bytes.Buffer
	s.Run(ctx, command, phoneshell.Stdio{Out: &b, Err: &b})
	return b.String()
}

// behind lets go what a wait group counts.
func behind(jobs *sync.WaitGroup) func(func()) bool {
	return func(f func()) bool {
		jobs.Go(f)
		return true
	}
}

// A command ends before what it left in the background only if that holds none of its output.
func TestBackground(t *testing.T) {
	for command, waits := range map[string]bool{
		"hold; %":                            true,
		"(hold; %) &":                        true,
		"(hold; %) >/dev/null &":             true,
		"(hold; %) >/dev/null 2>&1 &":        false,
		"(hold; %) 2>&1 >/dev/null &":        true,
		"(hold; %) 2>/dev/null >/dev/null &": false,
		"sh -c '(hold; %) &'":                true,
		"sh -c '(hold; %) >/tmp/o 2>&1 &'":   false,
	} {
		t.Run(command, func(t *testing.T) {
			var jobs sync.WaitGroup
			s := newSystem(behind(&jobs))
			started, release := make(chan struct{}), make(chan struct{})
			s.Programs = map[string]phoneshell.Program{"hold": func(context.Context, *phoneshell.Proc) int {
				close(started)
				<-release
				return 0
			}}
			over := make(chan string, 1)
			go func() { over <- run(context.Background(), s, strings.ReplaceAll(command, "%", "touch /tmp/done")) }()
			<-started
			if waits {
				select {
				case <-over:
					t.Error("it ended before what holds its output")
				case <-time.After(50 * time.Millisecond):
				}
				close(release)
				require.Empty(t, <-over)
			} else {
				require.Empty(t, <-over)
				close(release)
			}
			jobs.Wait()
			_, err := s.FS.Stat("/tmp/done", true)
			require.NoError(t, err, "it goes on to its end")
		})
	}
}

// What is in the background ends with the context.
func TestBackgroundEnds(t *testing.T) {
	var jobs sync.WaitGroup
	s := newSystem(behind(&jobs))
	ctx, cancel := context.WithCancel(context.Background())
	require.Equal(t, "on\n", run(ctx, s, "nohup sleep 500 >/dev/null 2>&1 & echo on"))
	cancel()
	jobs.Wait()
}

// Where nothing more begins in the background, the command waits for it.
func TestBackgroundRefused(t *testing.T) {
	s := newSystem(func(func()) bool { return false })
	require.Equal(t, "on\n", run(context.Background(), s, "(sleep 0.02; touch /tmp/done) >/dev/null 2>&1 & echo on"))
	_, err := s.FS.Stat("/tmp/done", true)
	require.NoError(t, err)
}

// TestEnv: each variable once, as the command has it, and none of the machine or of the interpreter.
func TestEnv(t *testing.T) {
	s := newSystem(nil)
	s.Env = []string{"PATH=/bin", "HOME=/"}
	require.Equal(t, "HOME=/\nPATH=/bin\nTMPDIR=/data/local/tmp\n", run(context.Background(), s, "env"))
	require.Equal(t, "HOME=/x\nNEW=y\nPATH=/bin\nTMPDIR=/tmp\n", run(context.Background(), s, "export HOME=/x TMPDIR=/tmp; NEW=y printenv"))
	require.Equal(t, "/bin\n1\n", run(context.Background(), s, "printenv PATH NONE; echo $?"))
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
