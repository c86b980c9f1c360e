package hdc

import (
	"context"
	"fmt"
	"strings"

	"github.com/handset-go/handset/internal/nap"
)

const aaUsage = `usage: aa <command> <options>
These are common aa commands list:
  help                        list available commands
  start                       start ability with options
  stop-service                stop service with options
  dump                        dump the ability info
  force-stop <bundle-name>    force stop the process with bundle name
  test                        start the test framework with options
  process                     debug ability with options
`

// runAa is the tool of abilities. Its status is 0 whatever happens.
func runAa(ctx context.Context, p *proc) int {
	command, args := "help", []string{}
	if len(p.Args) > 1 {
		command, args = p.Args[1], p.Args[2:]
	}
	switch command {
	case "start":
		p.startAbility(ctx, args)
	case "force-stop":
		p.forceStop(args)
	case "dump":
		p.dumpAbilities(args)
	case "help":
		p.Print("%s", aaUsage)
	default:
		p.Print("error: unknown command.\n%s", aaUsage)
	}
	return 0
}

// failure is one of aa's, as both generations word it.
type failure struct {
	code  int
	text  string
	cause string
	old   string
}

var (
	failNoMatch = failure{10103101, "Failed to find a matching application for implicit launch",
		"The parameters of the Want do not match any ability.", "error: implicit start ability fail."}
	failNoAbility = failure{10104001, "The specified ability does not exist",
		"The specified bundleName or abilityName is incorrect.", "error: resolve ability err."}
	failLocked = failure{10106102, "The device screen is locked during the application launch",
		"The current device is in the locked screen state.", "error: unlock screen failed in developer mode."}
	failNoBundle = failure{10104002, "The specified bundle does not exist", "The specified bundleName is incorrect.",
		"error: get appmgr proxy failed."}
	failNotDeveloper = failure{10106001, "The current device is not in developer mode", "The developer mode is off.",
		"error: not developer mode."}
)

// fail prints why an operation failed, as the release words it.
func (p *proc) fail(what string, f failure) {
	p.Print("error: failed to %s.\n", what)
	if p.d.profile.API < apiAbilityCode {
		p.Print("%s\n", f.old)
		return
	}
	p.Print("Error Code:%d  Error Message:%s\nError cause:%s\n", f.code, f.text, f.cause)
}

// wantArgs are the arguments of aa start.
type wantArgs struct {
	ability, bundle, module, uri string
	wait                         bool
	problem                      string
}

// wantValues are the options of aa start that take one value.
const wantValues = " -d -a -b -m -p -s -U -A -e -t --wl --wt --ww --wh "

func (p *proc) wantArgs(args []string) (w wantArgs) {
	for len(args) > 0 {
		opt := args[0]
		args = args[1:]
		switch {
		case opt == "--ps" || opt == "--pi" || opt == "--pb":
			if len(args) < 2 {
				w.problem = "error: option requires a value."
				return w
			}
			args = args[2:]
			continue
		case opt == "--psn":
			args = args[min(1, len(args)):]
			continue
		case opt == "-W" && p.d.profile.API >= apiDisplayOption:
			w.wait = true
			continue
		case strings.Contains(" -D -S -N -C -R -E -c ", " "+opt+" "):
			continue
		case !strings.Contains(wantValues, " "+opt+" "):
			w.problem = "error: unknown option: " + opt
			return w
		case len(args) == 0:
			w.problem = "error: option requires a value."
			return w
		}
		switch opt {
		case "-a":
			w.ability = args[0]
		case "-b":
			w.bundle = args[0]
		case "-m":
			w.module = args[0]
		case "-U":
			w.uri = args[0]
		}
		args = args[1:]
	}
	return w
}

func (p *proc) startAbility(ctx context.Context, args []string) {
	w := p.wantArgs(args)
	switch {
	case w.problem != "":
		p.Print("%s\n%s", w.problem, aaUsage)
	case p.d.phone.Power().Locked:
		p.fail("start ability", failLocked)
	case p.d.faults.On(FaultNotDeveloper):
		p.fail("start ability", failNotDeveloper)
	case w.ability == "" && w.bundle == "" && w.uri != "":
		p.openURI(w.uri)
	case w.ability == "" || w.bundle == "": // an implicit start, which a chooser would have to end
		p.fail("start ability", failNoMatch)
	case w.module != "" && w.module != moduleName || !p.launchable(w):
		p.fail("start ability", failNoAbility)
	default:
		p.launch(ctx, w)
	}
}

// launchable says that the ability is there, by its full name or the short one.
func (p *proc) launchable(w wantArgs) bool {
	own := p.d.ability(w.bundle)
	return own != "" && sameAbility(own, w.ability)
}

func (p *proc) openURI(uri string) {
	if err := p.d.phone.OpenURL(uri); err != nil {
		p.fail("start ability", failNoMatch)
		return
	}
	p.Print("start ability successfully.\n")
}

// launch says success, and brings the app to the front after a while.
func (p *proc) launch(ctx context.Context, w wantArgs) {
	after := p.d.takes().Launch + p.d.faults.Duration(FaultStartSlow)
	start := func() {
		if !p.d.faults.On(FaultStartIgnored) {
			_, _ = p.d.phone.StartApp(w.bundle) // it is installed: launchable saw it
			if w.uri != "" {
				_ = p.d.phone.OpenURL(w.uri) // an app that takes no URL shows its first page
			}
		}
	}
	p.d.logLine("AbilityManagerService", "StartAbility "+w.bundle+"/"+w.ability)
	if !w.wait {
		p.d.later(after, start)
		p.Print("start ability successfully.\n")
		return
	}
	if nap.For(ctx, after) != nil {
		return
	}
	start()
	p.Print("start ability successfully.\nStartMode: Cold\nBundleName: %s\nAbilityName: %s\nTotalTime: %d\nWaitTime: %d\n",
		w.bundle, w.ability, after.Milliseconds()+180, after.Milliseconds()+200)
}

func (p *proc) forceStop(args []string) {
	switch {
	case len(args) == 0 || strings.HasPrefix(args[0], "-"):
		p.Print("usage: aa force-stop <bundle-name> [-p pid] [-r kill-reason]\n")
	case !p.d.installed(args[0]):
		p.fail("force stop process", failNoBundle)
	default:
		_ = p.d.phone.StopApp(args[0]) // one that does not run, or has no page, is a success too
		p.Print("force stop process successfully.\n")
	}
}

// dumpAbilities lists the missions, and with -a what runs beside them.
func (p *proc) dumpAbilities(args []string) {
	var all bool
	switch {
	case len(args) > 0 && (args[0] == "-l" || args[0] == "--mission-list"):
	case len(args) > 0 && (args[0] == "-a" || args[0] == "--all"):
		all = true
	default:
		p.Print("usage: aa dump <options>\n  -a, --all             dump all abilities\n  -l, --mission-list    dump mission list\n")
		return
	}
	p.Print("User ID #100\n  current mission lists:{\n")
	front := p.d.phone.FocusedApp().ID
	for _, bundle := range p.d.phone.Running() {
		if bundle != desktopBundle {
			p.mission(bundle, bundle == front)
		}
	}
	p.Print(" }\n")
	if all {
		p.extensions(front)
	}
}

func (p *proc) mission(bundle string, front bool) {
	state := "BACKGROUND"
	if front {
		state = "FOREGROUND"
	}
	id := processID(bundle) % 500
	ability := p.d.ability(bundle)
	p.Print("    Mission ID #%d  mission name #[#%s:%s:%s]  lockedState #0  mission affinity #[]\n", id, bundle, moduleName, ability)
	p.Print("      AbilityRecord ID #%d\n        app name [%s]\n        main name [%s]\n        bundle name [%s]\n        ability type [PAGE]\n",
		id+40, bundle, ability, bundle)
	p.Print("        state #%s  start time [%d]\n        app state #%s\n        ready #1  window attached #0  launcher #0\n", state, 150000+id, state)
	p.Print("        callee connections: \n        isKeepAlive: %v\n", bundle == "com.ohos.mms")
}

// extensions are services of the system, one of which says FOREGROUND too, and the processes.
func (p *proc) extensions(front string) {
	p.Print("  ExtensionRecords:\n")
	for i, e := range []struct{ bundle, module, name, kind, state string }{
		{keyboardBundle, "default", "InputService", "SERVICE", "ACTIVE"},
		{desktopBundle, "engineservice", "EngineServiceAbility", "UIEXTENSION", "FOREGROUND"},
		{desktopBundle, "phone_sceneboard", desktopBundle + ".MainAbility", "SERVICE", "ACTIVE"},
	} {
		p.Print("    uri [/%s/%s/%s]\n      AbilityRecord ID #%d   state #%s   start time [%d]\n      main name [%s]\n      bundle name [%s]\n",
			e.bundle, e.module, e.name, 7+i, e.state, 21000+i, e.name, e.bundle)
		p.Print("      ability type [%s]\n      app state #BACKGROUND\n        isKeepAlive: %v\n      Connections: 0\n", e.kind, i > 0)
	}
	p.Print("    PendingWantRecords:\n  AppRunningRecords:\n")
	for i, name := range p.d.phone.Running() {
		state := "BACKGROUND"
		if name == front {
			state = "FOREGROUND"
		}
		p.Print("    AppRunningRecord ID #%d\n      process name [%s]\n      pid #%s  uid #%d\n      state #%s\n", i, name,
			fmt.Sprint(processID(name)), 20020000+i, state)
	}
}
