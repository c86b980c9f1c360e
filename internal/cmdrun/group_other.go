//go:build !unix

package cmdrun

import "os/exec"

// ownGroup does nothing where there are no process groups: a cancel kills the tool itself.
func ownGroup(*exec.Cmd, bool) {}
