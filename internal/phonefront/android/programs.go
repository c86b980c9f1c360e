package android

import (
	"maps"
	"slices"
)

// builtins are the shell's own commands that the interpreter does not do as mksh does.
var builtins map[string]program

// toybox are the programs of a phone that have nothing to do with Android.
var toybox map[string]program

// system are the programs of Android itself.
var system map[string]program

// init fills the tables: programs that start programs would otherwise refer to themselves.
func init() {
	builtins = map[string]program{
		"echo": runEcho, "kill": runKill, "pwd": runPwd, "ulimit": runUlimit, "umask": runUmask, "type": runCommandV,
		"command": runCommandV, "jobs": runTrue, "hash": runTrue, "which": runWhich,
	}
	toybox = map[string]program{
		"base64": runBase64, "basename": runBasename, "cat": runCat, "chmod": runChmod,
		"cp": runCp, "cut": runCut, "date": runDate, "dd": runDd, "df": runDf, "dirname": runDirname, "echo": runEcho,
		"env": runEnv, "false": runFalse, "find": runFind, "grep": runGrep, "egrep": runGrep, "fgrep": runGrep,
		"gzip": runGzip, "head": runHead, "hostname": runHostname, "id": runID, "kill": runKill, "ls": runLs,
		"md5sum": runSum, "mkdir": runMkdir, "mktemp": runMktemp, "mv": runMv, "nohup": runWrapped, "od": runOd, "pidof": runPidof,
		"printenv": runEnv, "printf": runPrintf, "ps": runPs, "pwd": runPwd, "readlink": runReadlink, "realpath": runReadlink,
		"rm": runRm, "rmdir": runRmdir, "sed": runSed, "seq": runSeq, "setsid": runWrapped, "sha1sum": runSum, "sha256sum": runSum,
		"sleep": runSleep, "sort": runSort, "stat": runStat, "sync": runTrue, "tail": runTail, "tee": runTee, "test": runTest,
		"[": runTest, "timeout": runTimeout, "touch": runTouch, "tr": runTr, "true": runTrue, "tty": runTty, "uname": runUname,
		"uniq": runUniq, "uptime": runUptime, "wc": runWc, "which": runWhich, "whoami": runWhoami, "xargs": runXargs,
	}
	system = map[string]program{
		"sh": runSh, "am": runAm, "cmd": runCmd, "content": runContent, "dumpsys": runDumpsys, "getprop": runGetprop, "ime": runIme,
		"input": runInput, "log": runTrue, "logcat": runLogcat, "monkey": runMonkey, "pm": runPm, "screencap": runScreencap,
		"service": runService, "setprop": runSetprop, "settings": runSettings, "svc": runSvc, "uiautomator": runUiautomator, "wm": runWm,
	}
}

// program returns the code of a program in the search path, or nil.
func (s *shell) program(name string) program {
	if run := system[name]; run != nil {
		return run
	}
	return toybox[name]
}

// programNames lists what is in /system/bin.
func programNames() []string {
	return slices.Sorted(maps.Keys(merge(toybox, system)))
}

func merge(tables ...map[string]program) map[string]program {
	all := map[string]program{}
	for _, t := range tables {
		maps.Copy(all, t)
	}
	return all
}
