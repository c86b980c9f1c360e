//go:build unix

package phoneshell

import "syscall"

// sysOf lets the shell's test -O and -G compare owners.
func sysOf(i *Info) any { return &syscall.Stat_t{Uid: i.UID, Gid: i.GID} }
