package android

import (
	"context"
	"slices"
	"strings"
)

// The classes that the phone has code for.
const (
	scrcpyClass = "com.genymobile.scrcpy.Server"
	u2Class     = "com.wetest.uia2.Main"
)

// runAppProcess starts a Java program from a file: app_process [-Doptions] DIR [--nice-name=N] CLASS args.
func runAppProcess(ctx context.Context, p *proc) int {
	path := p.Env.Get("CLASSPATH").String()
	args := p.Args[1:]
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		if given, ok := strings.CutPrefix(args[0], "-Djava.class.path="); ok {
			path = given
		}
		args = args[1:]
	}
	if len(args) > 0 {
		args = args[1:] // the folder, which is not used
	}
	for len(args) > 0 && strings.HasPrefix(args[0], "--") {
		args = args[1:]
	}
	if len(args) == 0 {
		return p.Fail(1, "Error: no class name or --zygote supplied.")
	}
	path, _, _ = strings.Cut(path, ":")
	file, err := p.d.FS().ReadFile(path)
	if err != nil || !slices.Contains([]string{scrcpyClass, u2Class}, args[0]) {
		return p.noClass(args[0])
	}
	defer p.d.runsAs("app_process / " + strings.Join(args, " "))()
	if args[0] == u2Class {
		return p.u2Jar(ctx, args[1:])
	}
	return p.scrcpyServer(ctx, path, file, args[1:])
}

// noClass is what the runtime prints of a class that no file has.
func (p *proc) noClass(class string) int {
	return p.Fail(134, "java.lang.ClassNotFoundException: %s\n\tat java.lang.Class.classForName(Native Method)\n"+
		"\tat com.android.internal.os.RuntimeInit.main(RuntimeInit.java:381)\nAborted ", class)
}

// runsAs adds a process to the list until the function that it returns is called.
func (d *Device) runsAs(args string) (ended func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.helpers.processes = append(d.helpers.processes, args)
	return func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		if i := slices.Index(d.helpers.processes, args); i >= 0 {
			d.helpers.processes = slices.Delete(d.helpers.processes, i, i+1)
		}
	}
}

// helperProcesses lists the programs that app_process runs, and the helpers that faults have made run.
func (d *Device) helperProcesses() []string {
	d.mu.Lock()
	list := slices.Clone(d.helpers.processes)
	d.mu.Unlock()
	if d.faults.On(FaultU2Server) {
		list = append(list, "app_process / "+u2Class)
	}
	if d.faults.On(FaultAppium) {
		list = append(list, "io.appium.uiautomator2.server", "io.appium.uiautomator2.server.test")
	}
	return list
}
