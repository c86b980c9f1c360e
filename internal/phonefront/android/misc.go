package android

import "context"

// runSvc takes the switches that a phone has; it is silent.
func runSvc(_ context.Context, p *proc) int {
	if len(p.Args) < 3 {
		p.Print("Available commands:\n    help     Show information about the subcommands\n    power    Control the power manager\n    data     Control mobile data connectivity\n    wifi     Control the Wi-Fi manager\n")
		return 0
	}
	on := map[string]string{"enable": "true", "disable": "false"}[p.Args[2]]
	if on != "" && p.d.phone.Value(p.Args[1]) != "" {
		p.d.phone.SetValue(p.Args[1], on)
	}
	return 0
}

func runService(_ context.Context, p *proc) int {
	if len(p.Args) > 1 && p.Args[1] == "list" {
		p.Print("Found 3 services:\n0\tactivity: [android.app.IActivityManager]\n1\tpackage: [android.content.pm.IPackageManager]\n2\twindow: [android.view.IWindowManager]\n")
		return 0
	}
	if len(p.Args) > 2 && p.Args[1] == "check" {
		p.Print("Service %s: found\n", p.Args[2])
		return 0
	}
	p.Print("Usage: service [-h|-?]\n       service list\n       service check SERVICE\n")
	return 10
}
