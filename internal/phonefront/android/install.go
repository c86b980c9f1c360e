package android

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/apk"
)

// installation is an app that came as a package.
type installation struct {
	apk.Manifest
	splits []string
}

// session is an installation in parts that is not yet committed.
type session struct {
	options installOptions
	parts   [][]byte
}

// installOptions are the options of pm install and pm install-create.
type installOptions struct {
	replace, test, downgrade bool
	size                     int64 // -S, below 0 for none
	rest                     []string
}

func parseInstall(args []string) (o installOptions) {
	o.size = -1
	for i := 0; i < len(args); i++ {
		switch args[i] {
		case "-r":
			o.replace = true
		case "-t":
			o.test = true
		case "-d":
			o.downgrade = true
		case "-S":
			i++
			if i < len(args) {
				o.size, _ = strconv.ParseInt(args[i], 10, 64)
			}
		case "--user", "-i", "--install-location", "--abi", "--pkg":
			i++
		default:
			if !strings.HasPrefix(args[i], "-") || args[i] == "-" {
				o.rest = append(o.rest, args[i])
			}
		}
	}
	return o
}

// maxAPK bounds a package, in bytes.
const maxAPK = 1 << 30

// packageBytes reads a package from a file, or as many bytes as were announced from the input.
func (p *proc) packageBytes(o installOptions, file string) (data []byte, failure string) {
	switch {
	case file != "" && file != "-":
		data, err := p.d.FS().ReadFile(p.Abs(file))
		if err != nil {
			return nil, "Error: failed to open file: " + file + ": " + err.Error()
		}
		return data, ""
	case o.size < 0 || o.size > maxAPK:
		return nil, "Error: must either specify a package size or an APK file"
	}
	data, err := io.ReadAll(io.LimitReader(p.In, o.size))
	if err != nil || int64(len(data)) < o.size {
		return nil, fmt.Sprintf("Error: java.io.IOException: expected %d bytes, got %d", o.size, len(data))
	}
	return data, ""
}

// pmInstall installs one package.
func (p *proc) pmInstall(args []string) int {
	o := parseInstall(args)
	file := lastWord(o.rest)
	if p.d.profile.SDK < 24 {
		p.Print("\tpkg: %s\n", file)
	}
	data, failure := p.packageBytes(o, file)
	if failure != "" {
		return p.Fail(1, "%s", failure)
	}
	return p.installed(p.d.install(o, [][]byte{data}))
}

// installed prints how an installation ended.
func (p *proc) installed(failure string) int {
	if failure == "" {
		p.Print("Success\n")
		return 0
	}
	p.Print("Failure [%s]\n", failure)
	return 1
}

// install does one installation of all its parts. failure is "" for a success.
func (d *Device) install(o installOptions, parts [][]byte) (failure string) {
	base, splits, failure := readParts(parts)
	d.mu.Lock()
	old, again := d.installations[base.Package]
	d.mu.Unlock()
	switch {
	case d.faults.On(FaultInstallDenied):
		return "INSTALL_FAILED_USER_RESTRICTED: Install canceled by user"
	case d.faults.On(FaultInstallFull):
		return "INSTALL_FAILED_INSUFFICIENT_STORAGE: Failed to override installation location"
	case failure != "":
		return failure
	case base.TestOnly && !o.test:
		return "INSTALL_FAILED_TEST_ONLY: installPackageLI"
	case d.preinstalled(base.Package):
		return "INSTALL_FAILED_UPDATE_INCOMPATIBLE: Existing package " + base.Package + " signatures do not match newer version; ignoring!"
	case again && !o.replace && d.profile.SDK < 28:
		return "INSTALL_FAILED_ALREADY_EXISTS: Attempt to re-install " + base.Package + " without first uninstalling."
	case again && old.Version > base.Version && !o.downgrade:
		return fmt.Sprintf("INSTALL_FAILED_VERSION_DOWNGRADE: Downgrade detected: Update version code %d is older than current %d", base.Version, old.Version)
	}
	if err := d.phone.InstallApp(base.app()); err != nil {
		return "INSTALL_FAILED_INTERNAL_ERROR: " + err.Error()
	}
	d.mu.Lock()
	d.installations[base.Package] = installation{base.Manifest, splits}
	d.mu.Unlock()
	d.FS().Uproot(codePath(base.Package))
	for _, data := range parts {
		name := "base"
		if m, err := apk.Read(data); err == nil && m.Split != "" {
			name = "split_" + m.Split
		}
		d.FS().PlantFile(codePath(base.Package)+"/"+name+".apk", data)
	}
	return ""
}

// basePart is the part of an installation that the others belong to.
type basePart struct{ apk.Manifest }

// readParts reads the manifests: one base, and any splits of the same package.
func readParts(parts [][]byte) (base basePart, splits []string, failure string) {
	for i, data := range parts {
		m, err := apk.Read(data)
		switch {
		case err != nil:
			return basePart{}, nil, fmt.Sprintf("INSTALL_PARSE_FAILED_NOT_APK: Failed to parse /data/app/vmdl1.tmp/%d.apk: AndroidManifest.xml", i)
		case badName(m) != "":
			return basePart{}, nil, "INSTALL_PARSE_FAILED_BAD_PACKAGE_NAME: Invalid manifest " + badName(m)
		case base.Package != "" && m.Split == "":
			return basePart{}, nil, "INSTALL_FAILED_INVALID_APK: Split null was defined multiple times"
		case m.Split == "":
			base = basePart{m}
		default:
			splits = append(splits, m.Package+"/"+m.Split)
		}
	}
	if base.Package == "" {
		return basePart{}, nil, "INSTALL_FAILED_INVALID_APK: Full install must include a base package"
	}
	for i, s := range splits {
		pkg, name, _ := strings.Cut(s, "/")
		if pkg != base.Package {
			return basePart{}, nil, "INSTALL_FAILED_INVALID_APK: " + name + ".apk package " + pkg + " inconsistent with " + base.Package
		}
		splits[i] = name
	}
	return base, splits, ""
}

// maxPackageName bounds the name of a package, in bytes, as it is that of a folder too.
const maxPackageName = 255

// badName says what is wrong with the names in a manifest, as PackageParser does; "" for nothing.
func badName(m apk.Manifest) string {
	if bad := badCharacter(m.Package); bad != "" {
		return "package: " + bad
	}
	switch bad := badCharacter(m.Split); {
	case m.Package == "." || m.Package == ".." || len(m.Package) > maxPackageName:
		return "package: Invalid filename"
	case !strings.Contains(m.Package, ".") && m.Package != "android":
		return "package: must have at least one '.' separator"
	case bad != "":
		return "split: " + bad
	}
	return ""
}

// badCharacter says what may not be in a name: it has letters, and behind these also digits and underscores,
// in parts between dots.
func badCharacter(name string) string {
	front := true
	for _, c := range name {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
			front = false
		case c == '.':
			front = true
		case front || c != '_' && (c < '0' || c > '9'):
			return fmt.Sprintf("bad character '%c'", c)
		}
	}
	return ""
}

// app is what the phone shows of a package: one page with its name.
func (b basePart) app() sim.App {
	name := b.Label
	if name == "" {
		name = b.Package[strings.LastIndexByte(b.Package, '.')+1:]
	}
	page := b.Activity
	return sim.App{ID: b.Package, Name: sim.T(name, ""), Hidden: page == "", Screens: []sim.Screen{{ID: "main", Title: sim.T(name, ""), Page: page,
		Body: []sim.Widget{{Kind: sim.KindText, Text: sim.T(name, "")}}}}}
}

// preinstalled says that a package is the phone's own.
func (d *Device) preinstalled(pkg string) bool {
	d.mu.Lock()
	_, ours := d.installations[pkg]
	d.mu.Unlock()
	return !ours && slices.Contains(d.packages(), pkg)
}

// pmUninstall removes an app that did not come with the system.
func (p *proc) pmUninstall(args []string) int {
	o := parseInstall(args)
	pkg := lastWord(o.rest)
	d := p.d
	switch {
	case !slices.Contains(d.packages(), pkg) && d.profile.SDK >= 26:
		return p.installed("not installed for 0")
	case !slices.Contains(d.packages(), pkg), !d.thirdParty(pkg):
		return p.installed("DELETE_FAILED_INTERNAL_ERROR")
	}
	if d.phone.RemoveApp(pkg) != nil {
		return p.installed("DELETE_FAILED_INTERNAL_ERROR")
	}
	d.mu.Lock()
	delete(d.installations, pkg)
	d.mu.Unlock()
	d.FS().Uproot(codePath(pkg))
	return p.installed("")
}

// thirdParty says that a package did not come with the system.
func (d *Device) thirdParty(pkg string) bool {
	d.mu.Lock()
	_, ours := d.installations[pkg]
	d.mu.Unlock()
	return ours || thirdParty(pkg)
}

// firstSession numbers the sessions of an installation in parts.
const firstSession = 1482030701

// pmSession is install-create, install-write, install-commit and install-abandon.
func (p *proc) pmSession(command string, args []string) int {
	d, o := p.d, parseInstall(args)
	if command == "install-create" {
		d.mu.Lock()
		id := firstSession + len(d.sessions)
		d.sessions[id] = &session{options: o}
		d.mu.Unlock()
		p.Print("Success: created install session [%d]\n", id)
		return 0
	}
	id := 0
	if len(o.rest) > 0 {
		id, _ = strconv.Atoi(o.rest[0])
	}
	d.mu.Lock()
	s := d.sessions[id]
	d.mu.Unlock()
	if s == nil {
		return p.exception(command, "java.lang.SecurityException: Caller has no access to session "+strconv.Itoa(id),
			"com.android.server.pm.PackageInstallerService.openSessionInternal(PackageInstallerService.java:1020)")
	}
	switch command {
	case "install-write":
		return p.pmWrite(s, o)
	case "install-commit":
		failure := d.install(s.options, s.parts)
		d.endSession(id)
		return p.installed(failure)
	}
	d.endSession(id)
	return p.installed("")
}

// endSession forgets the parts of a session; its number is not used again.
func (d *Device) endSession(id int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.sessions[id] = nil
}

// pmWrite adds a part to a session: install-write [-S SIZE] SESSION NAME [FILE].
func (p *proc) pmWrite(s *session, o installOptions) int {
	file := "-"
	if len(o.rest) > 2 {
		file = o.rest[2]
	}
	data, failure := p.packageBytes(o, file)
	if failure != "" {
		return p.Fail(1, "%s", failure)
	}
	p.d.mu.Lock()
	s.parts = append(s.parts, data)
	p.d.mu.Unlock()
	p.Print("Success: streamed %d bytes\n", len(data))
	return 0
}
