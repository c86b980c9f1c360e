package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/internal/nap"
)

// patience bounds what must come at once, on a slow machine too.
const patience = 30 * time.Second

// built is the command as a program, made when the first test needs it.
var built struct {
	once sync.Once
	dir  string
	out  []byte
	err  error
}

// program returns the file of the command.
func program(t *testing.T) string {
	t.Helper()
	built.once.Do(func() {
		if built.dir, built.err = os.MkdirTemp("", "handset-*"); built.err != nil {
			return
		}
		build := exec.Command(tools["go"], "build", "-o", filepath.Join(built.dir, "handset"), ".")
		build.Env = testerEnv
		built.out, built.err = build.CombinedOutput()
	})
	require.NoError(t, built.err, "%s", built.out)
	return filepath.Join(built.dir, "handset")
}

// process is a running command.
type process struct {
	t      *testing.T
	cmd    *exec.Cmd
	out    *bufio.Reader
	stderr buffer
	done   chan error
}

// start starts the program with more variables. What the test leaves running is killed.
func start(t *testing.T, env []string, args ...string) *process {
	t.Helper()
	p := &process{t: t, cmd: exec.Command(program(t), args...), done: make(chan error, 1)}
	p.cmd.Env = append(os.Environ(), env...)
	p.cmd.Stderr = &p.stderr
	// A pipe of our own: Wait of the process must not close it before the test has read it.
	r, w, err := os.Pipe()
	require.NoError(t, err)
	p.cmd.Stdout, p.out = w, bufio.NewReader(r)
	require.NoError(t, p.cmd.Start())
	require.NoError(t, w.Close())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		p.done <- p.cmd.Wait()
	}()
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill() // an error says that it has ended by itself
		<-ended
		require.NoError(t, r.Close())
	})
	return p
}

// line returns the next line of stdout.
func (p *process) line() string {
	p.t.Helper()
	s, err := p.out.ReadString('\n')
	require.NoError(p.t, err, "stderr: %s", p.stderr.String())
	return s
}

// signal sends one.
func (p *process) signal(s os.Signal) {
	p.t.Helper()
	require.NoError(p.t, p.cmd.Process.Signal(s))
}

// wait returns the exit status, -1 for a process that a signal killed, and the rest of stdout.
func (p *process) wait() (int, string) {
	p.t.Helper()
	rest := make(chan []byte, 1)
	go func() {
		data, _ := io.ReadAll(p.out)
		rest <- data
	}()
	ctx, cancel := context.WithTimeout(p.t.Context(), patience)
	defer cancel()
	select {
	case <-p.done:
	case <-ctx.Done():
		p.t.Fatalf("still running; stderr: %s", p.stderr.String())
	}
	return p.cmd.ProcessState.ExitCode(), string(bytes.TrimSpace(<-rest))
}

// command runs the program to its end.
func command(t *testing.T, env []string, args ...string) result {
	t.Helper()
	p := start(t, env, args...)
	status, out := p.wait()
	return result{status, out, p.stderr.String()}
}

// soon waits for what another process does.
func soon(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !holds(); {
		require.True(t, time.Now().Before(end), "waited in vain: %s", what)
		require.NoError(t, nap.For(t.Context(), 5*time.Millisecond))
	}
}
