//go:build unix

package cmdrun

import (
	"os/exec"
	"syscall"
)

// ownGroup starts cmd as the leader of a process group, and has a cancel kill that whole group, or with alone
// only its leader.
func ownGroup(cmd *exec.Cmd, alone bool) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if alone {
		return // exec kills the process itself
	}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
