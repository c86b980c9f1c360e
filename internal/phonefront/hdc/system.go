package hdc

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// startParams are the system parameters of a phone that has booted.
func (d *Device) startParams() map[string]string {
	locale := "en-US"
	if d.phone.Lang() == "zh" {
		locale = "zh-Hans-CN"
	}
	return map[string]string{
		"const.product.name": d.phone.Model(), "const.product.model": "SIM-AL00", "const.product.brand": "HUAWEI",
		"const.product.manufacturer": "HUAWEI", "const.product.devicetype": "phone", "const.product.software.version": d.profile.OS,
		"const.product.cpu.abilist": "arm64-v8a", "const.ohos.apiversion": strconv.Itoa(d.profile.API),
		"const.product.os.dist.name": "HarmonyOS", "const.ohos.fullname": "OpenHarmony-" + d.profile.Name + ".0.0",
		"const.build.characteristics": "phone", "const.hdc.version": "Ver: " + d.profile.Tool, "const.security.developermode.state": "true",
		"persist.ace.testmode.enabled": "0", "persist.global.locale": locale, "ohos.boot.sn": d.key, "bootevent.boot.completed": "true",
	}
}

// runParam reads and writes system parameters.
func runParam(_ context.Context, p *proc) int {
	args := p.Args[1:]
	switch {
	case len(args) == 1 && args[0] == "get":
		p.d.mu.Lock()
		params := maps.Clone(p.d.params)
		p.d.mu.Unlock()
		for _, k := range slices.Sorted(maps.Keys(params)) {
			p.Print("    %s = %s\n", k, params[k])
		}
	case len(args) >= 2 && args[0] == "get":
		p.d.mu.Lock()
		value, ok := p.d.params[args[1]]
		p.d.mu.Unlock()
		switch {
		case ok:
			p.Print("%s \n", value)
		case len(args) > 2:
			p.Print("%s \n", args[2])
		default:
			p.Print("Get parameter \"%s\" fail! errNum is:106!\n", args[1])
		}
	case len(args) == 3 && args[0] == "set" && !strings.HasPrefix(args[1], "const."):
		p.d.SetParam(args[1], args[2])
		p.Print("Set parameter %s %s success\n", args[1], args[2])
	case len(args) == 3 && args[0] == "set":
		p.Print("Set parameter %s %s fail! errNum is:107!\n", args[1], args[2])
	default:
		p.Print("usage: param get [key]\n       param set key value\n       param ls [-r] [name]\n")
	}
	return 0
}

// runPowerShell wakes the panel and puts it to sleep. It says nothing where it may not.
func runPowerShell(_ context.Context, p *proc) int {
	if p.d.faults.On(FaultNotDeveloper) || len(p.Args) < 2 {
		return 0
	}
	args := p.Args[2:]
	switch p.Args[1] {
	case "wakeup":
		p.d.phone.Wake()
		p.Print("WakeupDevice is called\n")
	case "suspend":
		p.d.phone.Sleep()
		p.Print("SuspendDevice is called\n")
	case "setmode":
		if len(args) == 0 || !slices.Contains([]string{"600", "601", "602", "603"}, args[0]) {
			p.Print("Set Mode: %s\nSet Mode Failed!\n", strings.Join(args, " "))
			return 0
		}
		p.Print("Set Mode: %s\nSet Mode Success!\n", args[0])
	case "timeout":
		switch {
		case slices.Contains(args, "-r"):
			p.Print("Restore screen off time success.\n")
		case len(args) == 2 && args[0] == "-o":
			p.Print("Override screen off time to %s success.\n", args[1])
		}
	case "display":
		if len(args) == 2 && args[0] == "-d" {
			p.Print("Set display brightness to %s\n", args[1])
		}
	default:
		p.Print("usage: power-shell <command> <options>\n  help  setmode  wakeup  suspend  display  timeout\n")
	}
	return 0
}

// runHilog prints the log, and what comes after it unless -x says that it shall end.
func runHilog(ctx context.Context, p *proc) int {
	if slices.Contains(p.Args, "-r") {
		p.d.mu.Lock()
		p.d.hilog = nil
		p.d.mu.Unlock()
		p.Print("Log type core,app clear successfully\n")
		return 0
	}
	p.d.mu.Lock()
	lines := slices.Clone(p.d.hilog)
	p.d.mu.Unlock()
	if i := slices.Index(p.Args, "-z"); i >= 0 && i+1 < len(p.Args) {
		n := max(atoi(p.Args[i+1]), 0)
		lines = lines[max(len(lines)-n, 0):]
	}
	for _, line := range lines {
		fmt.Fprintln(p.Out, line)
	}
	if slices.Contains(p.Args, "-x") || slices.Contains(p.Args, "-z") {
		return 0
	}
	<-ctx.Done()
	return killed
}

func runIfconfig(_ context.Context, p *proc) int {
	p.Print("lo        Link encap:Local Loopback  \n          inet addr:127.0.0.1  Mask:255.0.0.0 \n\n")
	p.Print("wlan0     Link encap:Ethernet  HWaddr 02:00:00:00:00:01\n          inet addr:192.0.2.15  Bcast:192.0.2.255  Mask:255.255.255.0 \n")
	return 0
}

// runReboot only remembers that it was asked for: the simulated phone does not go away.
func runReboot(_ context.Context, p *proc) int {
	p.d.logLine("init", "reboot "+strings.Join(p.Args[1:], " "))
	return 0
}
