package android

import (
	"context"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/handset-go/handset/internal/nap"
	"github.com/handset-go/handset/internal/phonefront/phoneshell"
)

// logPoll is how often a logcat that follows looks for new lines.
const logPoll = 20 * time.Millisecond

// runLogcat prints the log: what there is with -d, the last lines with -t, or all that comes until its end.
func runLogcat(ctx context.Context, p *proc) int {
	d := p.d
	set, filters, _ := p.Options("cdDBLgp", "tTvbfrnmse")
	if phoneshell.Has(set, 'c') {
		d.mu.Lock()
		d.logcat = nil
		d.mu.Unlock()
		return 0
	}
	lines := d.logLines(0)
	next := len(lines)
	for _, option := range []byte{'t', 'T'} {
		if n, err := strconv.Atoi(set[option]); err == nil && n >= 0 && n < len(lines) {
			lines = lines[len(lines)-n:]
		}
	}
	p.Print("--------- beginning of main\n")
	p.logLines(lines, filters)
	if phoneshell.Has(set, 'd') || phoneshell.Has(set, 't') {
		return 0
	}
	for nap.For(ctx, logPoll) == nil {
		fresh := d.logLines(next)
		next += len(fresh)
		if !p.logLines(fresh, filters) {
			break
		}
	}
	return 130
}

// logLines are the lines of the log from one on.
func (d *Device) logLines(from int) []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if from > len(d.logcat) { // it was emptied
		from = 0
	}
	return slices.Clone(d.logcat[from:])
}

// logLines prints lines whose tag a filter such as "AndroidRuntime:E" lets through. false says that nobody
// reads any more.
func (p *proc) logLines(lines, filters []string) bool {
	for _, line := range lines {
		if !logWanted(line, filters) {
			continue
		}
		if _, err := io.WriteString(p.Out, line+"\n"); err != nil {
			return false
		}
	}
	return true
}

// logWanted says that no filter silences the line: "*:S" all but the tags that are named.
func logWanted(line string, filters []string) bool {
	if !slices.Contains(filters, "*:S") {
		return true
	}
	for _, f := range filters {
		tag, _, _ := strings.Cut(f, ":")
		if tag != "*" && strings.Contains(line, " "+tag+": ") {
			return true
		}
	}
	return false
}

// runLog writes into the phone's log.
func runLog(_ context.Context, p *proc) int {
	_, words, _ := p.Options("", "pt")
	p.d.logLine("log", strings.Join(words, " "))
	return 0
}

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

func runContent(_ context.Context, p *proc) int {
	p.Print("usage: adb shell content [subcommand] [options]\n")
	if len(p.Args) < 2 {
		return 0
	}
	return p.Fail(1, "[ERROR] Unsupported operation: %s", p.Args[1])
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
