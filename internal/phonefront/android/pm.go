package android

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/handset-go/handset/internal/phonefront/apk"
	"github.com/handset-go/handset/internal/phonefront/phoneshell"
)

func runPm(ctx context.Context, p *proc) int { return p.packageManager(ctx, p.Args[1:]) }

// runCmd is cmd SERVICE ..., the way to the commands of the system's services.
func runCmd(ctx context.Context, p *proc) int {
	if len(p.Args) < 2 {
		return p.Fail(20, "cmd: No service specified; use -l to list all running services. Use -w to start and wait for a service.")
	}
	if p.d.profile.SDK < 24 {
		return p.Fail(1, "Unknown command")
	}
	service := p.Args[1]
	programs := map[string]program{"activity": runAm, "package": runPm, "input_method": runIme, "window": runWm, "settings": runSettings,
		"input": runInput, "uiautomator": runUiautomator, "display": runCmdDisplay, "clipboard": runCmdClipboard, "statusbar": runStatusbar}
	if service == "-l" {
		p.Print("Currently running services:\n")
		for _, s := range []string{"activity", "clipboard", "display", "input", "input_method", "package", "settings", "statusbar", "window"} {
			p.Print("  %s\n", s)
		}
		return 0
	}
	run := programs[service]
	if run == nil {
		return p.Fail(20, "cmd: Can't find service: %s", service)
	}
	inner := *p.Proc
	inner.Args = p.Args[1:]
	return run(ctx, &proc{&inner, p.d})
}

func runCmdClipboard(_ context.Context, p *proc) int {
	return p.Fail(255, "No shell command implementation.")
}

func runStatusbar(_ context.Context, p *proc) int {
	if len(p.Args) > 1 {
		switch p.Args[1] {
		case "expand-notifications", "expand-settings":
			p.d.phone.ShowShade(true)
		case "collapse":
			p.d.phone.ShowShade(false)
		}
	}
	return 0
}

func (p *proc) packageManager(_ context.Context, args []string) int {
	if len(args) == 0 {
		p.Print("Package manager (package) commands:\n  help\n  path [--user USER_ID] PACKAGE\n  list packages [-f] [-d] [-e] [-s] [-3] [-i] [-l] [-u] [-U] [--show-versioncode] [--user USER_ID] [FILTER]\n" +
			"  resolve-activity [--brief] [--components] [--user USER_ID] INTENT\n  query-activities [--brief] [--components] [--user USER_ID] INTENT\n")
		return 0
	}
	switch rest := args[1:]; args[0] {
	case "list":
		return p.pmList(rest)
	case "path":
		return p.pmPath(rest)
	case "resolve-activity":
		return p.resolveActivity(rest)
	case "query-activities", "query-intent-activities":
		return p.queryActivities(rest)
	case "clear":
		return p.pmClear(rest)
	case "grant", "revoke", "enable", "disable-user", "set-install-location":
		return 0
	case "install":
		return p.pmInstall(rest)
	case "install-create", "install-write", "install-commit", "install-abandon":
		return p.pmSession(args[0], rest)
	case "uninstall":
		return p.pmUninstall(rest)
	case "dump":
		return p.dumpPackage(rest)
	}
	return p.Fail(255, "Unknown command: %s", args[0])
}

// pmList is pm list packages, features and users.
func (p *proc) pmList(args []string) int {
	if len(args) == 0 {
		return p.Fail(1, "Error: didn't specify type of data to list")
	}
	switch args[0] {
	case "packages", "package":
		return p.listPackages(args[1:])
	case "features":
		for _, f := range p.d.profile.features() {
			p.Print("feature:%s\n", f)
		}
		return 0
	case "users":
		p.Print("Users:\n\tUserInfo{0:Owner:c13} running\n")
		if p.d.faults.On(FaultWorkProfile) {
			p.Print("\tUserInfo{10:Work profile:1030} running\n")
		}
		return 0
	}
	return p.Fail(255, "Error: unknown list type '%s'", args[0])
}

func (p *proc) listPackages(args []string) int {
	var filter string
	third, system, version, path, uid, none, user := false, false, false, false, false, false, "all"
	for i := 0; i < len(args); i++ {
		switch args[i] {
		case "-3":
			third = true
		case "-s":
			system = true
		case "-d":
			none = true
		case "-f":
			path = true
		case "-U":
			uid = true
		case "--show-versioncode":
			version = true
		case "--user":
			if i++; i < len(args) {
				user = args[i]
			}
		case "-e", "-i", "-l", "-u", "-a":
		default:
			if strings.HasPrefix(args[i], "-") {
				return p.Fail(255, "Error: Unknown option: %s", args[i])
			}
			filter = args[i]
		}
	}
	if user != "0" && user != "current" && p.d.faults.On(FaultWorkProfile) {
		return p.exception("list", "java.lang.SecurityException: Shell does not have permission to access user 10",
			"com.android.server.pm.PackageManagerService.enforceCrossUserPermission(PackageManagerService.java:4540)")
	}
	for _, pkg := range p.d.packages() {
		if none || third && !p.d.thirdParty(pkg) || system && p.d.thirdParty(pkg) || !strings.Contains(pkg, filter) {
			continue
		}
		line := "package:" + pkg
		if path {
			line = "package:" + p.d.apkPath(pkg) + "=" + pkg
		}
		if version {
			line += " versionCode:" + fmt.Sprint(p.d.versionOf(pkg))
		}
		if uid {
			line += " uid:" + fmt.Sprint(10000+phoneshell.PID(pkg)%900)
		}
		p.Print("%s\n", line)
	}
	return 0
}

// versionOf is the versionCode of a package; what came with the system has that of the system.
func (d *Device) versionOf(pkg string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	if i, ours := d.installations[pkg]; ours {
		return i.Version
	}
	return d.profile.SDK
}

// versionName is the version of a package as people read it; the phone's own have that of the system.
func (d *Device) versionName(pkg string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if i, ours := d.installations[pkg]; ours && i.Name != "" {
		return i.Name
	}
	return d.profile.Release
}

// codePath is the folder of an installed package.
func codePath(pkg string) string { return "/data/app/" + pkg + "-1" }

// apkPath is the file of a package. It is there at the latest when somebody asks for it.
func (d *Device) apkPath(pkg string) string {
	file := "/system/app/" + pkg + "/" + pkg + ".apk"
	switch {
	case pkg == "android":
		file = "/system/framework/framework-res.apk"
	case d.thirdParty(pkg):
		file = codePath(pkg) + "/base.apk"
	}
	if _, err := d.FS().Stat(file, true); err != nil {
		c, _ := d.entry(pkg)
		m := apk.Manifest{Package: pkg, Version: d.versionOf(pkg), Name: d.versionName(pkg), Activity: c.class}
		d.FS().PlantFile(file, apk.Make(m))
	}
	return file
}

func lastWord(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[len(args)-1]
}

func (p *proc) pmPath(args []string) int {
	pkg := lastWord(args)
	if !slices.Contains(p.d.packages(), pkg) {
		return 1
	}
	p.Print("package:%s\n", p.d.apkPath(pkg))
	p.d.mu.Lock()
	splits := p.d.installations[pkg].splits
	p.d.mu.Unlock()
	for _, name := range splits {
		p.Print("package:%s/split_%s.apk\n", codePath(pkg), name)
	}
	return 0
}

func (p *proc) pmClear(args []string) int {
	if !slices.Contains(p.d.packages(), lastWord(args)) {
		return p.Fail(1, "Failed")
	}
	_ = p.d.phone.ClearApp(lastWord(args)) // a package without a page has no data
	p.Print("Success\n")
	return 0
}

// matchLine is the first line of a resolved activity.
func matchLine(match int, def bool) string {
	return fmt.Sprintf("priority=0 preferredOrder=0 match=0x%x specificIndex=-1 isDefault=%v", match, def)
}

// packageIntent reads the arguments of resolve-activity and query-activities.
func packageIntent(args []string) (in *intent, brief bool, err error) {
	var rest []string
	for _, a := range args {
		switch a {
		case "--brief":
			brief = true
		case "--components", "--query-flags":
		default:
			rest = append(rest, a)
		}
	}
	in, err = parseIntent(rest)
	return in, brief, err
}

func (p *proc) resolveActivity(args []string) int {
	d := p.d
	in, brief, err := packageIntent(args)
	if err != nil {
		return p.Fail(255, "Error: %s", err)
	}
	c, found := d.resolve(in)
	switch {
	case !found && slices.Contains(d.packages(), in.pkg):
		p.Print("%s\n{}\n", matchLine(0, false))
	case !found:
		p.Print("No activity found\n")
	case d.faults.On(FaultResolver):
		p.Print("%s\nandroid/com.android.internal.app.ResolverActivity\n", matchLine(0, false))
	case brief:
		p.Print("%s\n%s\n", matchLine(0x108000, false), c.short())
	default:
		p.Print("%s\nActivityInfo:\n  name=%s\n  packageName=%s\n  %s icon=0x0 banner=0x0\n  enabled=true exported=true directBootAware=false\n",
			matchLine(0x108000, false), c.class, c.pkg, d.labelText(c.pkg))
	}
	return 0
}

func (p *proc) queryActivities(args []string) int {
	d := p.d
	in, brief, err := packageIntent(args)
	if err != nil {
		return p.Fail(255, "Error: %s", err)
	}
	var list []component
	for _, a := range d.phone.Apps() {
		if a.Page != "" && a.ID != launcher && (in.pkg == "" || in.pkg == a.ID) && d.hasCategories(a.ID, in.categories) {
			list = append(list, componentOf(a))
		}
	}
	if len(list) == 0 {
		p.Print("No activities found\n")
		return 0
	}
	p.Print("%d activities found:\n", len(list))
	for i, c := range list {
		p.Print("  Activity #%d:\n    %s\n", i, matchLine(0x108000, true))
		if brief {
			p.Print("    %s\n", c.short())
		} else {
			p.Print("    ActivityInfo:\n      name=%s\n      packageName=%s\n      labelRes=0x7f0d0010 nonLocalizedLabel=null icon=0x0 banner=0x0\n      enabled=true exported=true directBootAware=false\n", c.class, c.pkg)
			p.Print("      ApplicationInfo:\n        packageName=%s\n        %s icon=0x7f0f0000 banner=0x0\n", c.pkg, d.labelText(c.pkg))
		}
	}
	return 0
}

func (p *proc) dumpPackage(args []string) int {
	d, pkg := p.d, lastWord(args)
	if !slices.Contains(d.packages(), pkg) {
		p.Print("Unable to find package: %s\n", pkg)
		return 0
	}
	c, hasPage := d.entry(pkg)
	if hasPage {
		p.Print("Activity Resolver Table:\n  Non-Data Actions:\n      android.intent.action.MAIN:\n        %s %s filter %s\n          Action: \"android.intent.action.MAIN\"\n          Category: \"android.intent.category.LAUNCHER\"\n",
			objectHash(c.full()), c.short(), objectHash("filter "+c.full()))
	}
	p.Print("Packages:\n  Package [%s] (%s):\n    userId=%d\n    codePath=%s\n    versionCode=%d minSdk=24 targetSdk=%d\n    versionName=%s\n    flags=[ HAS_CODE ALLOW_CLEAR_USER_DATA ]\n    User 0: installed=true hidden=false stopped=false enabled=0\n",
		pkg, objectHash(pkg), 10000+phoneshell.PID(pkg)%900, d.apkPath(pkg), d.versionOf(pkg), d.profile.SDK, d.versionName(pkg))
	return 0
}
