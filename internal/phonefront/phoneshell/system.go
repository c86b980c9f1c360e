// Package phoneshell is the part that the simulated phones' systems have in common: mksh's language, toybox's
// programs and a file system in memory. Nothing in it reaches the machine that it runs on.
package phoneshell

import (
	"maps"
	"slices"
	"time"
)

// System is one phone's system, as its shell sees it.
type System struct {
	FS       *FS
	Now      func() time.Time
	Boot     time.Time
	Shell    string                              // how the shell names itself in its errors: "/system/bin/sh"
	NotFound string                              // what it says of an unknown program: "not found"
	Bin      string                              // the folder of the programs: "/system/bin"
	Env      []string                            // of a command, as "NAME=value"
	Prompt   func(status int, dir string) string // of an interactive shell, after a command that ended so
	Programs map[string]Program                  // the system's own, beside toybox
	Running  func() []string                     // the names of the processes
	Identity string                              // what id prints
	Kernel   string                              // what uname -r prints
	OS       string                              // what uname -a says after the hardware, "Toybox" on most phones
	// Background, where it is set, goes on with what a command left behind with its output sent elsewhere:
	// then the command's end does not wait for it. It is false where the phone goes away and nothing more begins.
	Background func(func()) bool
}

// Toybox lists the names of the programs that every phone has.
func Toybox() []string { return slices.Sorted(maps.Keys(toybox)) }

// builtins are the shell's own commands that the interpreter does not do as mksh does.
var builtins map[string]Program

// toybox are the programs that have nothing to do with one system.
var toybox map[string]Program

// init fills the tables: programs that start programs would otherwise refer to themselves.
func init() {
	builtins = map[string]Program{
		"echo": runEcho, "kill": runKill, "pwd": runPwd, "ulimit": runUlimit, "umask": runUmask, "type": runCommandV,
		"command": runCommandV, "jobs": runTrue, "hash": runTrue, "which": runWhich,
	}
	toybox = map[string]Program{
		"base64": runBase64, "basename": runBasename, "cat": runCat, "chmod": runChmod,
		"cp": runCp, "cut": runCut, "date": runDate, "dd": runDd, "df": runDf, "dirname": runDirname, "echo": runEcho,
		"env": runEnv, "false": runFalse, "find": runFind, "grep": runGrep, "egrep": runGrep, "fgrep": runGrep,
		"gzip": runGzip, "head": runHead, "hostname": runHostname, "id": runID, "kill": runKill, "ls": runLs,
		"md5sum": runSum, "mkdir": runMkdir, "mktemp": runMktemp, "mv": runMv, "nohup": runWrapped, "od": runOd, "pidof": runPidof,
		"printenv": runEnv, "printf": runPrintf, "ps": runPs, "pwd": runPwd, "readlink": runReadlink, "realpath": runReadlink,
		"rm": runRm, "rmdir": runRmdir, "sed": runSed, "seq": runSeq, "setsid": runWrapped, "sh": runSh, "sha1sum": runSum, "sha256sum": runSum,
		"sleep": runSleep, "sort": runSort, "stat": runStat, "sync": runTrue, "tail": runTail, "tee": runTee, "test": runTest,
		"[": runTest, "timeout": runTimeout, "touch": runTouch, "tr": runTr, "true": runTrue, "tty": runTty, "uname": runUname,
		"uniq": runUniq, "uptime": runUptime, "wc": runWc, "which": runWhich, "whoami": runWhoami, "xargs": runXargs,
	}
}

// program returns the code of a program in the search path, or nil.
func (s *shell) program(name string) Program {
	if run := s.sys.Programs[name]; run != nil {
		return run
	}
	return toybox[name]
}
