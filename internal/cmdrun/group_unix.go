//go:build unix

package cmdrun

import (
	"os/exec"
	"syscall"
)

// ownGroup starts cmd as the leader of a process group, and has a cancel kill that whole group.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
