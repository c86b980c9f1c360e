package android

import (
	"context"
	"slices"
)

func runLogcat(ctx context.Context, p *proc) int {
	d := p.device()
	if slices.Contains(p.args, "-c") {
		d.mu.Lock()
		d.logcat = nil
		d.mu.Unlock()
		return 0
	}
	d.mu.Lock()
	lines := slices.Clone(d.logcat)
	d.mu.Unlock()
	p.print("--------- beginning of main\n")
	for _, line := range lines {
		p.print("%s\n", line)
	}
	if !slices.Contains(p.args, "-d") && !slices.Contains(p.args, "-t") {
		<-ctx.Done()
	}
	return 0
}

// runSvc takes the switches that a phone has; it is silent.
func runSvc(_ context.Context, p *proc) int {
	if len(p.args) < 3 {
		p.print("Available commands:\n    help     Show information about the subcommands\n    power    Control the power manager\n    data     Control mobile data connectivity\n    wifi     Control the Wi-Fi manager\n")
		return 0
	}
	on := map[string]string{"enable": "true", "disable": "false"}[p.args[2]]
	if on != "" && p.device().phone.Value(p.args[1]) != "" {
		p.device().phone.SetValue(p.args[1], on)
	}
	return 0
}

func runContent(_ context.Context, p *proc) int {
	p.print("usage: adb shell content [subcommand] [options]\n")
	if len(p.args) < 2 {
		return 0
	}
	return p.fail(1, "[ERROR] Unsupported operation: %s", p.args[1])
}

func runService(_ context.Context, p *proc) int {
	if len(p.args) > 1 && p.args[1] == "list" {
		p.print("Found 3 services:\n0\tactivity: [android.app.IActivityManager]\n1\tpackage: [android.content.pm.IPackageManager]\n2\twindow: [android.view.IWindowManager]\n")
		return 0
	}
	if len(p.args) > 2 && p.args[1] == "check" {
		p.print("Service %s: found\n", p.args[2])
		return 0
	}
	p.print("Usage: service [-h|-?]\n       service list\n       service check SERVICE\n")
	return 10
}
