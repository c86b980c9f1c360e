//go:build unix

package android

import "syscall"

// sysOf lets the shell's test -O and -G compare owners.
func sysOf(i *Info) any { return &syscall.Stat_t{Uid: i.UID, Gid: i.GID} }
