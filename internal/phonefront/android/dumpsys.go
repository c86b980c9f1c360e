package android

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/phoneshell"
)

func runDumpsys(ctx context.Context, p *proc) int {
	args := p.Args[1:]
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		switch args[0] {
		case "-l":
			p.Print("Currently running services:\n  SurfaceFlinger\n  activity\n  battery\n  display\n  input\n  input_method\n  package\n  power\n  trust\n  window\n")
			return 0
		case "-t", "-T":
			args = args[1:]
		}
		args = args[min(1, len(args)):]
	}
	if len(args) == 0 {
		args = []string{"window"}
	}
	dumps := map[string]func(*proc, []string) int{
		"window": (*proc).dumpWindow, "activity": (*proc).dumpActivity, "power": (*proc).dumpPower, "input": (*proc).dumpInput,
		"display": (*proc).dumpDisplay, "input_method": (*proc).dumpInputMethod, "battery": (*proc).dumpBattery,
		"SurfaceFlinger": (*proc).dumpSurfaceFlinger, "package": (*proc).dumpPackage, "trust": (*proc).dumpTrust,
		"accessibility": (*proc).dumpAccessibility,
	}
	dump := dumps[args[0]]
	if dump == nil {
		return p.Fail(0, "Can't find service: %s", args[0])
	}
	return dump(p, args[1:])
}

// dumpWindow is dumpsys window, with a part of it or whole.
func (p *proc) dumpWindow(args []string) int {
	d := p.d
	if d.faults.On(FaultDumpsysTimeout) {
		p.Print("\n*** SERVICE 'window' DUMP TIMEOUT (10000ms) EXPIRED ***\n\n")
		return 0
	}
	part := ""
	for _, a := range args {
		if !strings.HasPrefix(a, "-") {
			part = a
			break
		}
	}
	var b strings.Builder
	switch part {
	case "displays", "d":
		d.writeDisplays(&b, d.profile.SDK >= 29)
	case "windows", "w", "visible", "all":
		d.writeWindows(&b, d.profile.SDK <= 28)
	case "policy", "p":
		d.writePolicy(&b)
	case "":
		d.writePolicy(&b)
		b.WriteString("\n")
		d.writeDisplays(&b, d.profile.SDK >= 29)
		b.WriteString("\n")
		d.writeWindows(&b, d.profile.SDK <= 28)
	default:
		p.Print("Bad window command, or no windows match: %s\nUse -h for help.\n", part)
		return 0
	}
	p.Print("%s", b.String())
	return 0
}

// focusLines are mCurrentFocus and mFocusedApp, once for each display.
func (d *Device) focusLines() []string {
	f := d.focused()
	var lines []string
	if d.faults.On(FaultFocusCover) {
		lines = []string{"mCurrentFocus=null", "mFocusedApp=" + d.recordText(component{"com.android.systemui", "com.android.systemui.subscreen.SubHomeActivity"})}
	}
	return append(lines, "mCurrentFocus="+d.windowText(f.window), "mFocusedApp="+d.focusedAppText(f))
}

func (d *Device) writeDisplays(b *strings.Builder, focus bool) {
	size, cur, dpi := d.phone.NaturalSize(), d.logicalSize(), d.logicalDensity()
	fmt.Fprintf(b, "WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)\n  Display: mDisplayId=0\n")
	fmt.Fprintf(b, "    init=%dx%d %ddpi", size.X, size.Y, d.phone.Density())
	if cur != d.phone.Size() || dpi != d.phone.Density() {
		base := cur
		if d.phone.Rotation()%2 == 1 {
			base.X, base.Y = base.Y, base.X
		}
		fmt.Fprintf(b, " base=%dx%d %ddpi", base.X, base.Y, dpi)
	}
	bars := 48 * dpi / 160
	short, long := min(cur.X, cur.Y), max(cur.X, cur.Y)
	fmt.Fprintf(b, " cur=%dx%d app=%dx%d rng=%dx%d-%dx%d\n", cur.X, cur.Y, cur.X, cur.Y-bars, short, short-bars, long-bars, long-bars)
	fmt.Fprintf(b, "    deferred=false layoutNeeded=false\n")
	fmt.Fprintf(b, "    mCurrentRotation=ROTATION_%d\n", d.phone.Rotation()*90)
	if focus {
		for _, line := range d.focusLines() {
			b.WriteString("  " + line + "\n")
		}
	}
}

// windowFlags are the fl= of a window, by name from Android 10 on and in hex before.
func (d *Device) windowFlags(secure bool) string {
	if d.profile.SDK >= 29 {
		flags := "LAYOUT_IN_SCREEN LAYOUT_INSET_DECOR SPLIT_TOUCH HARDWARE_ACCELERATED DRAWS_SYSTEM_BAR_BACKGROUNDS"
		if secure {
			flags = "SECURE " + flags
		}
		return flags
	}
	flags := 0x81810100
	if secure {
		flags |= 0x2000
	}
	return fmt.Sprintf("#%x", flags)
}

// secure says that the page in front may not be captured.
func (d *Device) secure() bool { return d.phone.Protected() || d.faults.On(FaultScreencapBlack) }

// writeWindows lists the windows from the front to the back.
func (d *Device) writeWindows(b *strings.Builder, focus bool) {
	b.WriteString("WINDOW MANAGER WINDOWS (dumpsys window windows)\n")
	list := d.phone.Windows()
	for i, w := range slices.Backward(list) {
		title := d.windowTitle(w)
		fmt.Fprintf(b, "  Window #%d %s:\n", i, d.windowText(title))
		fmt.Fprintf(b, "    mDisplayId=0 rootTaskId=%d mSession=Session{%s 1234:u0a10099} mClient=android.os.BinderProxy@%s\n", taskID(w.App.ID), objectHash("session"+title), objectHash("client"+title))
		fmt.Fprintf(b, "    mOwnerUid=10099 showForAllUsers=false package=%s appop=NONE\n", w.App.ID)
		fmt.Fprintf(b, "    mAttrs={(0,0)(fillxfill) sim={adjust=pan} ty=%s fmt=TRANSPARENT wanim=0x10302fe\n", windowType(w.Kind))
		fmt.Fprintf(b, "      fl=%s\n", d.windowFlags(w.Kind == driver.WindowApp && d.secure()))
		fmt.Fprintf(b, "      pfl=FORCE_DRAW_STATUS_BAR_BACKGROUND}\n")
		bounds := w.Bounds
		fmt.Fprintf(b, "    mFrame=[%d,%d][%d,%d] last=[%d,%d][%d,%d]\n", bounds.Min.X, bounds.Min.Y, bounds.Max.X, bounds.Max.Y, bounds.Min.X, bounds.Min.Y, bounds.Max.X, bounds.Max.Y)
		fmt.Fprintf(b, "    mHasSurface=true isReadyForDisplay()=true\n")
	}
	if focus {
		b.WriteString("\n")
		for _, line := range d.focusLines() {
			b.WriteString("  " + line + "\n")
		}
	}
	if d.profile.SDK >= 33 {
		fmt.Fprintf(b, "  imeLayeringTarget in display# 0 %s\n", d.windowText(d.focused().window))
	}
}

// windowTitle is what the window manager calls a window.
func (d *Device) windowTitle(w sim.Window) string {
	switch {
	case w.Kind == driver.WindowKeyboard:
		return "InputMethod"
	case w.App.Page != "":
		return componentOf(w.App).full()
	case w.Kind == driver.WindowSystem && !w.Active:
		return "StatusBar"
	}
	return d.shadeTitle()
}

func windowType(kind string) string {
	switch kind {
	case driver.WindowKeyboard:
		return "INPUT_METHOD"
	case driver.WindowSystem, driver.WindowNotification:
		return "NOTIFICATION_SHADE"
	case driver.WindowDialog:
		return "APPLICATION"
	}
	return "BASE_APPLICATION"
}

// writePolicy is dumpsys window policy: what tells a locked phone.
func (d *Device) writePolicy(b *strings.Builder) {
	power := d.phone.Power()
	screen, interactive := "SCREEN_STATE_ON", "INTERACTIVE_STATE_AWAKE"
	if !power.On {
		screen, interactive = "SCREEN_STATE_OFF", "INTERACTIVE_STATE_SLEEP"
	}
	fmt.Fprintf(b, "WINDOW MANAGER POLICY STATE (dumpsys window policy)\n    mSafeMode=false mSystemReady=true mSystemBooted=true\n    mAwake=%v mScreenOnEarly=%v mScreenOnFully=%v\n", power.On, power.On, power.On)
	if d.profile.SDK <= 23 {
		fmt.Fprintf(b, "    mShowingLockscreen=%v mShowingDream=false mDreamingLockscreen=%v mTopIsFullscreen=false\n", power.Locked, power.Locked && !power.On)
	}
	fmt.Fprintf(b, "    KeyguardServiceDelegate\n      showing=%v\n      showingAndNotOccluded=%v\n      inputRestricted=%v\n      occluded=false\n      secure=false\n", power.Locked, power.Locked, power.Locked)
	fmt.Fprintf(b, "      dreaming=false\n      systemIsReady=true\n      deviceHasKeyguard=true\n      enabled=true\n      offReason=OFF_BECAUSE_OF_USER\n      currentUser=-10000\n      bootCompleted=true\n")
	fmt.Fprintf(b, "      screenState=%s\n      interactiveState=%s\n      KeyguardStateMonitor\n        mIsShowing=%v\n        mSimSecure=false\n        mInputRestricted=%v\n        mTrusted=false\n        mCurrentUserId=0\n", screen, interactive, power.Locked, power.Locked)
	if d.profile.SDK >= 33 {
		fmt.Fprintf(b, "    isKeyguardShowing=%v\n", power.Locked)
	}
}

func (p *proc) dumpActivity(args []string) int {
	d := p.d
	if part := lastWord(args); part == "processes" || part == "p" {
		return p.dumpProcesses()
	}
	f := d.focused()
	record := d.recordText(f.app)
	p.Print("ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)\nDisplay #0 (activities from top to bottom):\n")
	for _, id := range d.phone.Running() {
		c, _ := d.entry(id)
		if c.pkg == f.app.pkg {
			c = f.app
		}
		p.Print("  * Task{%s #%d type=standard A=10099:%s U=0 visible=%v}\n    * Hist #0: %s\n      packageName=%s processName=%s\n", objectHash("task"+id), taskID(id), id, c == f.app, d.recordText(c), id, id)
	}
	switch sdk := d.profile.SDK; {
	case sdk >= 31:
		p.Print("    topResumedActivity=%s\n", record)
		p.Print("\n  ResumedActivity: %s\n", record)
	case sdk >= 30:
		p.Print("    mResumedActivity: %s\n\n  ResumedActivity: %s\n", record, record)
	default:
		p.Print("    mResumedActivity: %s\n\n  mResumedActivity: %s\n", record, record)
	}
	if d.profile.SDK <= 28 {
		p.Print("  mFocusedActivity: %s\n", record)
	}
	if d.faults.On(FaultFocusSplit) {
		p.Print("  ResumedActivity: %s\n", d.recordText(component{settings, settings + ".Settings"}))
	}
	p.Print("  mFocusedStack=ActivityStack{%s stackId=%d type=standard}\n", objectHash("stack"+f.app.pkg), taskID(f.app.pkg))
	p.Print("  KeyguardController:\n    mKeyguardShowing=%v\n    mAodShowing=false\n", d.phone.Power().Locked)
	return 0
}

// dumpProcesses lists the processes of the apps that run, under the numbers that ps gives them.
func (p *proc) dumpProcesses() int {
	p.Print("ACTIVITY MANAGER RUNNING PROCESSES (dumpsys activity processes)\n  All known processes:\n")
	for _, id := range p.d.phone.Running() {
		n := phoneshell.PID(id) % 900
		p.Print("  *APP* UID %d ProcessRecord{%s %d:%s/u0a%d}\n    user #0 uid=%d\n    packageList={%s}\n    pid=%d\n", 10000+n, objectHash("process"+id),
			phoneshell.PID(id), id, n, 10000+n, id, phoneshell.PID(id))
	}
	return 0
}

func (p *proc) dumpPower([]string) int {
	power := p.d.phone.Power()
	state, display := "Awake", "ON"
	if !power.On {
		state, display = "Asleep", "OFF"
	}
	p.Print("POWER MANAGER (dumpsys power)\n\nPower Manager State:\n  mDirty=0x0\n  mWakefulness=%s\n  mWakefulnessChanging=false\n  mIsPowered=true\n  mPlugType=2\n  mBatteryLevel=%d\n  mStayOn=false\n", state, p.d.batteryLevel())
	p.Print("  mHoldingWakeLockSuspendBlocker=false\n  mHoldingDisplaySuspendBlocker=%v\n\nDisplay Power: state=%s\n", power.On, display)
	return 0
}

func (p *proc) dumpTrust([]string) int {
	p.Print("Trust manager state:\n User \"Owner\" (id=0, flags=0x4c13) (current): trustState=UNTRUSTED, trustManaged=0, deviceLocked=0, strongAuthRequired=0x0\n   Enabled agents:\n")
	return 0
}

func (p *proc) dumpInputMethod([]string) int {
	d := p.d
	shown := d.phone.KeyboardShown()
	p.Print("Current Input Method Manager state:\n  Input Methods: mMethodMapUpdateCount=1\n")
	for i, m := range d.imes() {
		p.Print("  InputMethod #%d:\n    mId=%s mSettingsActivityName=null mIsVrOnly=false\n", i, m.ID)
	}
	p.Print("  mCurMethodId=%s\n  mCurSeq=1 mCurClient=null\n  mCurId=%s mHaveConnection=true mBoundToMethod=true\n  mShowRequested=%v mShowExplicitlyRequested=false mShowForced=false mInputShown=%v\n", d.phone.CurrentIME(), d.phone.CurrentIME(), shown, shown)
	field, served := d.phone.Focused()
	p.Print("  mSystemReady=true mInteractive=%v\n  Input method service state for current method:\n    mIsInputViewShown=%v\n    mInputStarted=%v mInputViewStarted=%v\n", d.phone.Power().On, shown, served, shown)
	if served {
		p.Print("    mInputEditorInfo:\n      inputType=0x%x imeOptions=0x%x privateImeOptions=null\n", inputType(field), imeActions[field.Action])
	}
	return 0
}

// inputType is what android.text.InputType has for a field.
func inputType(f sim.Field) int {
	switch {
	case f.Many:
		return 0x20001
	case f.Secret:
		return 0x81
	}
	return 0x1
}

// imeActions are those of android.view.inputmethod.EditorInfo.
var imeActions = map[string]int{"go": 2, "search": 3, "send": 4, "next": 5, "done": 6}

// dumpAccessibility tells whether an automation holds the only connection of its kind.
func (p *proc) dumpAccessibility([]string) int {
	p.Print("ACCESSIBILITY MANAGER (dumpsys accessibility)\n\nUser state[\n     attributes:{id=0, touchExplorationEnabled=false, installedServiceCount=1}\n     Bound services:{}\n     Enabled services:{}\n")
	if p.d.automated() {
		p.Print("     Ui Automation[eventTypes=TYPES_ALL_MASK, feedbackType=FEEDBACK_GENERIC]\n")
	}
	p.Print("]\n")
	return 0
}
