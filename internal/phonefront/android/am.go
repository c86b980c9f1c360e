package android

import (
	"context"
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/nap"
)

const amUsage = `Activity manager (activity) commands:
  help
      Print this help text.
  start-activity [-D] [-N] [-W] [-P <FILE>] [--start-profiler <FILE>] <INTENT>
      Start an Activity.
  broadcast [--user <USER_ID> | all | current] <INTENT>
      Send a broadcast Intent.
  force-stop [--user <USER_ID> | all | current] <PACKAGE>
      Completely stop the given application package.
`

func runAm(ctx context.Context, p *proc) int {
	if len(p.Args) < 2 {
		p.Print("%s", amUsage)
		return 0
	}
	switch args := p.Args[2:]; p.Args[1] {
	case "start", "start-activity":
		return p.amStart(ctx, args)
	case "broadcast":
		return p.amBroadcast(args)
	case "force-stop", "kill":
		return p.amStop(args)
	case "get-current-user":
		p.Print("0\n")
		return 0
	case "stack", "task":
		return p.amTasks()
	case "kill-all", "idle-maintenance", "set-debug-app", "clear-debug-app":
		return 0
	case "instrument":
		return p.Fail(1, "INSTRUMENTATION_STATUS: id=ActivityManagerService\nINSTRUMENTATION_STATUS: Error=Unable to find instrumentation info for: ComponentInfo{%s}\nINSTRUMENTATION_STATUS_CODE: -1\nandroid.util.AndroidException: INSTRUMENTATION_FAILED: %s", p.Args[len(p.Args)-1], p.Args[len(p.Args)-1])
	}
	p.Print("Unknown command: %s\n", p.Args[1])
	return 255
}

func (p *proc) amTasks() int {
	for i, id := range p.d.phone.Running() {
		c, _ := p.d.entry(id)
		p.Print("RootTask id=%d bounds=[0,0][%d,%d] displayId=0 userId=0\n  taskId=%d: %s visible=%v\n", taskID(id),
			p.d.logicalSize().X, p.d.logicalSize().Y, taskID(id), c.full(), i == 0)
	}
	return 0
}

func (p *proc) amStop(args []string) int {
	pkg := ""
	for i := 0; i < len(args); i++ {
		switch {
		case args[i] == "--user":
			i++
		case !strings.HasPrefix(args[i], "-"):
			pkg = args[i]
		}
	}
	if pkg == "" {
		return p.exception("force-stop", "java.lang.IllegalArgumentException: Argument expected after \"force-stop\"",
			"android.os.BasicShellCommandHandler.getNextArgRequired(BasicShellCommandHandler.java:325)")
	}
	_ = p.d.phone.StopApp(pkg) // am is silent about a package that is not there
	return 0
}

func (p *proc) amStart(ctx context.Context, args []string) int {
	d := p.d
	in, err := parseIntent(args)
	if err != nil {
		return p.exception("start", "java.lang.IllegalArgumentException: "+err.Error(),
			"com.android.server.am.ActivityManagerShellCommand.makeIntent(ActivityManagerShellCommand.java:383)")
	}
	if in.flags == 0 {
		in.flags = 0x10000000 // FLAG_ACTIVITY_NEW_TASK, which am adds
	}
	if in.comp.pkg == "" && in.action == "" && in.data != "" {
		in.action = "android.intent.action.VIEW"
	}
	p.Print("Starting: %s\n", in.text(d.profile.SDK >= 31))
	if err := nap.For(ctx, d.latency.Launch); err != nil {
		return 137
	}
	target, found := d.resolve(in)
	switch {
	case d.faults.On(FaultStartDenied):
		return p.startDenied(in)
	case d.faults.On(FaultStartAborted):
		return p.Fail(0, "Error: Activity not started, you requested to abort...")
	case !found && in.comp.pkg != "":
		return p.Fail(0, "Error type 3\nError: Activity class {%s} does not exist.", in.comp.full())
	case !found:
		return p.Fail(0, "Error: Activity not started, unable to resolve %s", in.text(d.profile.SDK >= 31))
	}
	return p.launch(in, target)
}

func (p *proc) startDenied(in *intent) int {
	text := "java.lang.SecurityException: Permission Denial: starting " + in.text(false) + " from null (pid=12345, uid=2000) not exported from uid 10102"
	if p.d.profile.SDK < 30 {
		return p.Fail(1, "%s\n\tat android.os.Parcel.createException(Parcel.java:1950)", text)
	}
	return p.exception("start", text, "com.android.server.wm.ActivityTaskSupervisor.checkStartAnyActivityPermission(ActivityTaskSupervisor.java:1178)")
}

// resolve finds the activity that an intent starts.
func (d *Device) resolve(in *intent) (component, bool) {
	if in.comp.pkg != "" {
		return in.comp, d.hasActivity(in.comp)
	}
	switch {
	case in.pkg != "" && in.data == "" && !d.hasCategories(in.pkg, in.categories):
		return component{}, false
	case in.pkg != "" && in.data == "":
		return d.entry(in.pkg)
	case strings.HasPrefix(in.action, "android.settings."):
		return d.entry(settings)
	case strings.HasPrefix(in.data, "http://"), strings.HasPrefix(in.data, "https://"):
		return d.entry(browser)
	}
	for _, c := range in.categories {
		if c == "android.intent.category.HOME" {
			return d.entry(launcher)
		}
	}
	return component{}, false
}

// hasActivity says that a package has such a page: the first one of an app, or one that was shown.
func (d *Device) hasActivity(c component) bool {
	for _, a := range d.phone.Apps() {
		if a.ID == c.pkg && fullClass(a.ID, a.Page) == c.class {
			return true
		}
	}
	return componentOf(d.phone.FocusedApp()) == c
}

// launch starts the activity and prints how that went.
func (p *proc) launch(in *intent, target component) int {
	d := p.d
	front := componentOf(d.phone.FocusedApp())
	if in.stop {
		_ = d.phone.StopApp(target.pkg)
	}
	start := d.now()
	d.logLine("ActivityTaskManager", "START u0 "+strings.TrimPrefix(in.text(false), "Intent ")+" from uid 2000")
	cold := d.bringUp(in, target)
	switch {
	case cold || d.faults.On(FaultStartIgnored):
	case front == target:
		p.Fail(0, "Warning: Activity not started, intent has been delivered to currently running top-most instance.")
	default:
		p.Fail(0, "Warning: Activity not started, its current task has been brought to the front")
	}
	if in.wait {
		p.waitReport(target, cold, int(d.now().Sub(start).Milliseconds()))
	}
	return 0
}

// bringUp starts the app or opens its URL, and says whether it was started anew.
func (d *Device) bringUp(in *intent, target component) (cold bool) {
	if d.faults.On(FaultStartIgnored) {
		return true
	}
	d.mu.Lock()
	d.launched = d.now()
	d.mu.Unlock()
	if target.pkg == browser && in.data != "" {
		running := strings.Contains(" "+strings.Join(d.phone.Running(), " ")+" ", " "+target.pkg+" ")
		_ = d.phone.OpenURL(in.data)
		return !running
	}
	if cold, _ = d.phone.StartApp(target.pkg); cold {
		d.logLine("ActivityTaskManager", "Displayed "+target.short()+": +212ms")
	}
	return cold
}

// waitReport is what am start -W prints once the app has been drawn.
func (p *proc) waitReport(c component, cold bool, ms int) {
	d := p.d
	status := "ok"
	switch {
	case d.faults.On(FaultStartTimeout):
		status = "timeout"
	case d.faults.On(FaultStartNull):
		status = "null"
	}
	p.Print("Status: %s\n", status)
	if d.profile.SDK >= 29 {
		p.Print("LaunchState: %s\n", map[bool]string{true: "COLD", false: "HOT"}[cold])
	}
	p.Print("Activity: %s\n", c.short())
	if d.profile.SDK <= 28 {
		p.Print("ThisTime: %d\n", ms)
	}
	p.Print("TotalTime: %d\nWaitTime: %d\nComplete\n", ms, ms+4)
}

// The broadcasts that ADBKeyBoard hears.
const adbKeyboardPackage = "com.android.adbkeyboard"

func (p *proc) amBroadcast(args []string) int {
	d := p.d
	in, err := parseIntent(args)
	if err != nil {
		return p.exception("broadcast", "java.lang.IllegalArgumentException: "+err.Error(),
			"android.os.BasicShellCommandHandler.getNextArgRequired(BasicShellCommandHandler.java:325)")
	}
	in.flags |= 0x400000
	p.Print("Broadcasting: %s\n", in.text(false))
	if d.adbKeyboardHears(in) {
		d.hear(in)
	}
	p.Print("Broadcast completed: result=0\n")
	return 0
}

// adbKeyboardHears says that ADBKeyBoard gets a broadcast: it listens only while it is the input method in use.
func (d *Device) adbKeyboardHears(in *intent) bool {
	d.mu.Lock()
	since := d.now().Sub(d.imeSince)
	d.mu.Unlock()
	return d.phone.CurrentIME() == sim.ADBKeyboardIME && !d.faults.On(FaultNoReceiver) && since >= d.faults.Duration(FaultIMESettle) &&
		(in.pkg == "" || in.pkg == adbKeyboardPackage) && (in.comp.pkg == "" || in.comp.pkg == adbKeyboardPackage)
}

// hear does what ADBKeyBoard does on a broadcast.
func (d *Device) hear(in *intent) {
	msg := in.extras["msg"]
	switch in.action {
	case "ADB_INPUT_TEXT":
		d.commit(msg)
	case "ADB_INPUT_B64":
		clean := strings.NewReplacer("\n", "", "\r", "", " ", "").Replace(msg)
		if text, err := base64.StdEncoding.DecodeString(clean); err == nil {
			d.commit(string(text))
		}
	case "ADB_INPUT_CHARS":
		var text []rune
		for n := range strings.SplitSeq(in.extras["chars"], ",") {
			if r, err := strconv.Atoi(strings.TrimSpace(n)); err == nil {
				text = append(text, rune(r))
			}
		}
		d.commit(string(text))
	case "ADB_INPUT_CODE":
		if code, err := strconv.Atoi(in.extras["code"]); err == nil {
			d.pressKey(code)
		}
	case "ADB_EDITOR_CODE":
		d.phone.EditorAction()
	case "ADB_CLEAR_TEXT":
		d.phone.ClearText()
	}
}

func (d *Device) commit(text string) {
	if text != "" {
		d.phone.InsertText(text)
	}
}
