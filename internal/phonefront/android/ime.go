package android

import (
	"context"
	"slices"
	"strings"

	"github.com/handset-go/handset/driver/sim"
)

// forUser ends the lines of ime from Android 10 on.
func (d *Device) forUser() string {
	if d.profile.SDK >= 29 {
		return " for user #0"
	}
	return ""
}

func runIme(_ context.Context, p *proc) int {
	d := p.d
	args := p.Args[1:]
	if i := slices.Index(args, "--user"); i >= 0 && i+1 < len(args) {
		args = slices.Delete(slices.Clone(args), i, i+2)
	}
	if len(args) == 0 {
		p.Print("ime <command>:\n  list [-a] [-s]\n  enable [--user <USER_ID>] <ID>\n  disable [--user <USER_ID>] <ID>\n  set [--user <USER_ID>] <ID>\n  reset [--user <USER_ID>]\n")
		return 0
	}
	if d.faults.On(FaultSecureSettings) {
		return p.exception(args[0], "java.lang.SecurityException: uid 2000 does not have android.permission.WRITE_SECURE_SETTINGS",
			"com.android.server.inputmethod.InputMethodManagerService.onShellCommand(InputMethodManagerService.java:5714)")
	}
	switch {
	case args[0] == "list":
		return p.imeList(args[1:])
	case args[0] == "reset":
		return p.imeReset()
	case len(args) < 2:
		return p.exception(args[0], "java.lang.IllegalArgumentException: Argument expected after \""+args[0]+"\"",
			"android.os.BasicShellCommandHandler.getNextArgRequired(BasicShellCommandHandler.java:325)")
	case args[0] == "enable", args[0] == "disable":
		return p.imeEnable(args[1], args[0] == "enable")
	case args[0] == "set":
		return p.imeSet(args[1])
	}
	return p.Fail(255, "Unknown command: %s", args[0])
}

func (p *proc) imeList(args []string) int {
	for _, m := range p.d.imes() {
		if !m.Enabled && !slices.Contains(args, "-a") {
			continue
		}
		if slices.Contains(args, "-s") {
			p.Print("%s\n", m.ID)
			continue
		}
		pkg, class, _ := strings.Cut(m.ID, "/")
		p.Print("%s:\n  mId=%s mSettingsActivityName=null mIsVrOnly=false mSupportsSwitchingToNextInputMethod=false\n", m.ID, m.ID)
		p.Print("  mIsDefaultResId=0x0\n  Service:\n    packageName=%s\n    name=%s\n", pkg, fullClass(pkg, class))
	}
	return 0
}

// hasIME says that an input method is installed.
func (d *Device) hasIME(id string) bool {
	return slices.ContainsFunc(d.imes(), func(m sim.IME) bool { return m.ID == id })
}

func (p *proc) imeEnable(id string, on bool) int {
	d := p.d
	word := map[bool]string{true: "enabled", false: "disabled"}[on]
	if !d.hasIME(id) {
		return p.Fail(255, "Unknown input method %s cannot be %s%s", id, word, d.forUser())
	}
	state := "already"
	if _, changed := d.phone.EnableIME(id, on); changed {
		state = "now"
	}
	p.Print("Input method %s: %s %s%s\n", id, state, word, d.forUser())
	return 0
}

func (p *proc) imeSet(id string) int {
	d := p.d
	if !d.hasIME(id) || !d.phone.SetIME(id) {
		return p.Fail(255, "Unknown input method %s cannot be selected%s", id, d.forUser())
	}
	d.mu.Lock()
	d.imeSince = d.now()
	d.mu.Unlock()
	p.Print("Input method %s selected%s\n", id, d.forUser())
	return 0
}

func (p *proc) imeReset() int {
	d := p.d
	list := d.imes()
	for i, m := range list {
		d.phone.EnableIME(m.ID, i == 0)
	}
	d.phone.SetIME(list[0].ID)
	p.Print("Reset current and enabled IMEs%s\n  Newly selected IME%s: %s\n  Newly enabled IMEs%s:\n    %s\n", d.forUser(), d.forUser(), list[0].ID, d.forUser(), list[0].ID)
	return 0
}
