package hdc

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"syscall"

	"github.com/handset-go/handset/internal/posix"
)

// toolFlag tells a program that it was started as hdc.
const toolFlag = "--as-simulated-hdc"

// AsTool says whether a program was started by what WriteTool wrote, and if so does what hdc does and returns
// the exit status. A main, or a TestMain, calls it before anything else:
//
//	if code, ok := hdc.AsTool(os.Args, os.LookupEnv); ok {
//		os.Exit(code)
//	}
func AsTool(args []string, lookup func(string) (string, bool)) (code int, ok bool) {
	if len(args) < 3 || args[1] != toolFlag {
		return 0, false
	}
	dir, err := os.Getwd()
	if err != nil {
		dir = "/"
	}
	t := &Tool{Addr: args[2], Args: args[3:], Dir: dir, Lookup: lookup, Out: os.Stdout, Err: os.Stderr}
	return t.Run(context.Background()), true
}

// WriteTool writes a program named hdc into dir, which is made if it is missing, and returns its path. It runs
// program, the one that calls AsTool, and this one if that is "". It needs a POSIX shell, and so is an error on
// Windows.
func (s *Server) WriteTool(dir, program string) (string, error) {
	if runtime.GOOS == "windows" {
		return "", fmt.Errorf("write hdc into %s: the simulated hdc is a shell script, which Windows does not run; use Linux, macOS or WSL", dir)
	}
	if program == "" {
		own, err := os.Executable()
		if err != nil {
			return "", fmt.Errorf("find this program: %w", err)
		}
		program = own
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("make a folder for hdc: %w", err)
	}
	name := filepath.Join(dir, "hdc")
	script := "#!/bin/sh\n" + noRest + "exec " + posix.QuoteAll([]string{program, toolFlag, s.Addr()}) + ` "$@"` + "\n"
	if err := writeProgram(name, []byte(script)); err != nil {
		return "", fmt.Errorf("write hdc: %w", err)
	}
	return name, nil
}

// writeProgram writes a file that can be executed at once. No process may be started in the meantime: it would
// hold the file open for a moment, and the system refuses to execute what is open for writing.
func writeProgram(name string, data []byte) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	return os.WriteFile(name, data, 0o755)
}

// noRest keeps a program that was built with the race detector from resting a second before it ends.
const noRest = "export GORACE=\"atexit_sleep_ms=0 $GORACE\"\n"

// Run runs the tool in this process, with dir as the folder that it runs in. It ends with ctx at the latest,
// as one that is killed does.
func (s *Server) Run(ctx context.Context, dir string, out, err io.Writer, args ...string) {
	t := &Tool{Addr: s.Addr(), Args: args, Dir: dir, Out: out, Err: err}
	t.Run(ctx)
}
