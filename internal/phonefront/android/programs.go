package android

import (
	"context"
	"strconv"

	"github.com/handset-go/handset/internal/phonefront/phoneshell"
)

// proc is one running program of this phone.
type proc struct {
	*phoneshell.Proc
	d *Device
}

// program is the code of a program. It returns the exit status.
type program func(ctx context.Context, p *proc) int

// programs are Android's own.
var programs = map[string]program{
	"am": runAm, "app_process": runAppProcess, "cmd": runCmd, "content": runContent, "dumpsys": runDumpsys, "getprop": runGetprop,
	"ifconfig": runIfconfig, "ime": runIme, "ip": runIP,
	"input": runInput, "log": runLog, "logcat": runLogcat, "monkey": runMonkey, "nc": runNc, "pm": runPm, "screencap": runScreencap,
	"service": runService, "setprop": runSetprop, "settings": runSettings, "svc": runSvc, "uiautomator": runUiautomator, "wm": runWm,
}

// environment is what a command of the shell user sees.
var environment = []string{
	"PATH=/product/bin:/apex/com.android.runtime/bin:/system/bin:/system/xbin:/odm/bin:/vendor/bin",
	"HOME=/", "USER=shell", "LOGNAME=shell", "SHELL=/bin/sh", "TERM=dumb", "ANDROID_DATA=/data", "ANDROID_ROOT=/system",
	"ANDROID_STORAGE=/storage", "EXTERNAL_STORAGE=/sdcard", "HOSTNAME=localhost", "UID=2000", "EUID=2000", "GID=2000", "USER_ID=2000",
}

// newSystem is the system of a phone that has just been set up: /sdcard and /data/local/tmp can be written, the
// rest cannot.
func (d *Device) newSystem() *phoneshell.System {
	own := map[string]phoneshell.Program{}
	names := phoneshell.Toybox()
	for name, run := range programs {
		own[name] = func(ctx context.Context, p *phoneshell.Proc) int { return d.runProgram(ctx, run, &proc{p, d}) }
		names = append(names, name)
	}
	fs := phoneshell.NewFS(d.now, "system/bin", names)
	fs.Plant(phoneshell.EROFS, "vendor", "proc", "sys", "storage/emulated", "mnt")
	fs.Plant(phoneshell.EACCES, "data", "data/app", "data/data", "data/system", "data/local")
	fs.Plant(0, "storage/emulated/0", "data/local/tmp", "storage/emulated/0/Download", "storage/emulated/0/DCIM", "storage/emulated/0/Pictures")
	for name, text := range procFiles {
		fs.PlantFile("/proc/"+name, []byte(text))
	}
	fs.Link("sdcard", "/storage/emulated/0")
	fs.Link("bin", "/system/bin")
	notFound := "not found"
	if d.profile.SDK >= 29 {
		notFound = "inaccessible or not found"
	}
	return &phoneshell.System{
		FS: fs, Now: d.now, Boot: d.boot, Shell: "/system/bin/sh", NotFound: notFound, Bin: "/system/bin", Env: environment,
		Prompt: d.prompt, Programs: own, Running: d.processes, Kernel: "5.10.157-android13-4", OS: "Toybox",
		Identity: "uid=2000(shell) gid=2000(shell) groups=2000(shell),1004(input),1007(log),1011(adb),1015(sdcard_rw),1028(sdcard_r)," +
			"3001(net_bt_admin),3002(net_bt),3003(inet),3006(net_bw_stats),3009(readproc),3011(uhid) context=u:r:shell:s0",
	}
}

// procFiles are what programs that measure a phone read.
var procFiles = map[string]string{
	"version": "Linux version 5.10.157-android13-4 (build-user@build-host) #1 SMP PREEMPT\n",
	"meminfo": "MemTotal:        7733256 kB\nMemFree:          412340 kB\nMemAvailable:    3512008 kB\nBuffers:            4240 kB\nCached:          3021448 kB\n",
	"stat":    "cpu  31042 2210 28841 402113 812 0 944 0 0 0\ncpu0 15521 1105 14420 201056 406 0 472 0 0 0\ncpu1 15521 1105 14421 201057 406 0 472 0 0 0\nctxt 9120113\nbtime 1772000000\nprocesses 28411\n",
}

// prompt is that of the mkshrc that Android has: the last status unless it was 0, the phone and the folder.
func (d *Device) prompt(status int, dir string) string {
	text := d.profile.Banner.Device + ":" + dir + " $ "
	if status != 0 {
		text = strconv.Itoa(status) + "|" + text
	}
	return text
}

// runProgram runs a program with the faults that a shell, which was open before they came, must not escape.
func (d *Device) runProgram(ctx context.Context, run program, p *proc) int {
	if d.faults.On(FaultHang) {
		<-ctx.Done()
		return 137
	}
	if !d.faults.On(FaultDropAfterSend) {
		return run(ctx, p)
	}
	before := len(d.phone.Log())
	status := run(ctx, p)
	if breakLine, ok := ctx.Value(lineKey{}).(func()); ok && len(d.phone.Log()) > before {
		breakLine()
	}
	return status
}

// lineKey finds, in the context of a command, what breaks the line to the phone.
type lineKey struct{}

// processes lists the names of what runs.
func (d *Device) processes() []string {
	list := append([]string{"init", "zygote64", "system_server", "surfaceflinger", "adbd", "com.android.systemui"}, d.phone.Running()...)
	return append(list, d.helperProcesses()...)
}

// Stdio are the streams of a command on the phone.
type Stdio = phoneshell.Stdio

// Run runs a command line as /system/bin/sh -c does and returns its exit status. It ends with ctx. An empty
// one is a shell that reads its input, with a prompt where it has a terminal.
func (d *Device) Run(ctx context.Context, command string, std Stdio) int {
	return d.sys.Run(ctx, command, std)
}

// FS returns the device's files.
func (d *Device) FS() *phoneshell.FS { return d.sys.FS }
