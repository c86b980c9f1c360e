package android

import (
	"context"
	"slices"
	"strconv"

	"github.com/handset-go/handset/internal/nap"
	"github.com/handset-go/handset/internal/phonefront/apk"
)

// runMonkey starts apps, which is what everybody uses it for. It sends no random events.
func runMonkey(ctx context.Context, p *proc) int {
	d := p.d
	args := p.Args[1:]
	if len(args) == 0 {
		return p.Fail(0, "usage: monkey [-p ALLOWED_PACKAGE [-p ALLOWED_PACKAGE] ...]\n              [-c MAIN_CATEGORY [-c MAIN_CATEGORY] ...]\n              COUNT")
	}
	for _, a := range args {
		p.Print("  bash arg: %s\n", a)
	}
	var pkg string
	sysKeys := true
	categories := []string{}
	for i := 0; i+1 < len(args); i++ {
		switch args[i] {
		case "-p":
			pkg = args[i+1]
		case "-c":
			categories = append(categories, args[i+1])
		case "--pct-syskeys":
			sysKeys = args[i+1] != "0"
		}
	}
	count, err := strconv.Atoi(args[len(args)-1])
	if err != nil {
		return p.Fail(251, "** Error: Count not specified or not a number: %s", args[len(args)-1])
	}
	if d.faults.On(FaultMonkeySysKeys) && sysKeys {
		return p.Fail(251, "** SYS_KEYS has no physical keys but with factor 2.0%%.")
	}
	c, found := d.entry(pkg)
	if !found || !d.monkeyStarts(pkg, categories) {
		p.Print("** No activities found to run, monkey aborted.\n")
		return 252
	}
	if err := nap.For(ctx, d.latency.Launch); err != nil {
		return 137
	}
	d.bringUp(&intent{}, c)
	p.Print("Events injected: %d\n## Network stats: elapsed time=15ms (0ms mobile, 0ms wifi, 15ms not connected)\n", count)
	return 0
}

// monkeyStarts says that a package has an activity in one of the categories, that of a phone's home screen by
// default.
func (d *Device) monkeyStarts(pkg string, categories []string) bool {
	if len(categories) == 0 {
		categories = []string{apk.Launcher}
	}
	return slices.ContainsFunc(categories, func(c string) bool {
		return (c == apk.Launcher || c == apk.Leanback) && d.hasCategories(pkg, []string{c})
	})
}
