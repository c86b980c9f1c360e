package hdc

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
)

const bmUsage = `usage: bm <command> <options>
These are common bm commands list:
  help         list available commands
  install      install a bundle with options
  uninstall    uninstall a bundle with options
  dump         dump the bundle info
  get          obtain device udid
  clean        clean the bundle data
`

// runBm is the tool of bundles.
func runBm(_ context.Context, p *proc) int {
	command, args := "help", []string{}
	if len(p.Args) > 1 {
		command, args = p.Args[1], p.Args[2:]
	}
	opts := bmOptions(args)
	switch command {
	case "dump":
		return p.dumpBundles(opts)
	case "clean":
		return p.clean(opts)
	case "install":
		return p.say(p.d.install(p.Abs(opts["-p"]), opts["-p"] != ""))
	case "uninstall":
		return p.say(p.d.uninstall(opts["-n"]))
	case "get":
		p.Print("udid of current device is :\n%X\n", sha256.Sum256([]byte(p.d.key)))
		return 0
	case "help":
		p.Print("%s", bmUsage)
		return 0
	}
	p.Print("error: unknown command.\n%s", bmUsage)
	return 1
}

// say prints how an installation ended; the status tells nothing.
func (p *proc) say(text string) int {
	p.Print("%s\n", text)
	return 0
}

// bmOptions reads options; one without a value is "" and set.
func bmOptions(args []string) map[string]string {
	opts := map[string]string{}
	for i := 0; i < len(args); i++ {
		value := ""
		if i+1 < len(args) && !strings.HasPrefix(args[i+1], "-") {
			value = args[i+1]
		}
		opts[args[i]] = value
		if value != "" {
			i++
		}
	}
	return opts
}

func (p *proc) dumpBundles(opts map[string]string) int {
	bundle, one := opts["-n"]
	_, all := opts["-a"]
	_, debug := opts["-g"]
	_, labels := opts["-l"]
	labels = labels && p.d.profile.API >= apiDisplayOption
	switch {
	case one && p.d.installed(bundle):
		p.Print("%s:\n%s\n", bundle, p.d.bundleInfo(bundle))
	case one:
		p.Print("error: failed to get information and the parameters may be wrong.\n")
	case debug:
		p.d.mu.Lock()
		p.Print("ID: 100:\n%s", indented(p.d.bundles))
		p.d.mu.Unlock()
	case all && labels:
		p.Print("ID: 100:\n")
		for _, name := range p.d.bundleNames() {
			label := name
			if app, ok := p.d.app(name); ok {
				label = app.Name
			}
			p.Print("\tbundleName: %s, label: %s\n", name, label)
		}
	case all:
		p.Print("ID: 100:\n%s", indented(p.d.bundleNames()))
	default:
		p.Print("error: option requires a value.\nusage: bm dump <options>\n  -a  -g  -n <bundle-name>  -l\n")
		return 1
	}
	return 0
}

func indented(names []string) string {
	var b strings.Builder
	for _, n := range names {
		b.WriteString("\t" + n + "\n")
	}
	return b.String()
}

// abilityInfo and moduleInfo are what bm tells of an app, as far as anybody asks.
type abilityInfo struct {
	BundleName string  `json:"bundleName"`
	LabelID    int     `json:"labelId"`
	ModuleName string  `json:"moduleName"`
	Name       string  `json:"name"`
	Skills     []skill `json:"skills"`
	Type       int     `json:"type"`
	Visible    bool    `json:"visible"`
}

type skill struct {
	Actions  []string `json:"actions"`
	Entities []string `json:"entities"`
}

type moduleInfo struct {
	AbilityInfos    []abilityInfo `json:"abilityInfos"`
	MainAbility     string        `json:"mainAbility"`
	MainElementName string        `json:"mainElementName"`
	ModuleName      string        `json:"moduleName"`
	Name            string        `json:"name"`
}

// bundleInfo is the JSON of bm dump -n. A bundle without a page of its own has no main ability.
func (d *Device) bundleInfo(bundle string) string {
	main := d.ability(bundle)
	inModule := main
	if d.faults.On(FaultShortAbility) {
		inModule = main[strings.LastIndexByte(main, '.')+1:]
	}
	module := moduleInfo{AbilityInfos: []abilityInfo{}, MainAbility: inModule, MainElementName: inModule, ModuleName: moduleName, Name: moduleName}
	if main != "" {
		module.AbilityInfos = append(module.AbilityInfos,
			abilityInfo{BundleName: bundle, ModuleName: moduleName, Name: "SettingsExtAbility", Type: 3, Skills: []skill{}},
			abilityInfo{BundleName: bundle, ModuleName: moduleName, Name: main, Type: 1, Visible: true, Skills: []skill{
				{Actions: []string{"action.system.home", "ohos.want.action.home"}, Entities: []string{"entity.system.home"}}}})
	}
	info := map[string]any{
		"name": bundle, "appId": bundle + "_SIM", "versionCode": 1000000, "versionName": "1.0.0", "entryModuleName": moduleName,
		"mainEntry": moduleName, "hapModuleInfos": []moduleInfo{module}, "hapModuleNames": []string{moduleName},
		"applicationInfo": map[string]any{"bundleName": bundle, "name": bundle, "debug": false, "isSystemApp": d.isSystemApp(bundle), "codePath": "/data/app/el1/bundle/public/" + bundle},
	}
	data, err := json.MarshalIndent(info, "", "    ")
	if err != nil {
		return "{}"
	}
	return string(data)
}

// isSystemApp says that a bundle came with the system.
func (d *Device) isSystemApp(bundle string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return !slices.Contains(d.bundles, bundle) && (strings.HasPrefix(bundle, "com.huawei.") || strings.HasPrefix(bundle, "com.ohos."))
}

func (p *proc) clean(opts map[string]string) int {
	kind := "cache"
	if _, data := opts["-d"]; data {
		kind = "data"
	}
	if !p.d.installed(opts["-n"]) {
		p.Print("error: failed to clean bundle %s files.\n", kind)
		return 1
	}
	p.Print("clean bundle %s files successfully.\n", kind)
	return 0
}

// install installs a package that is a file of the phone, and says how that ended.
func (d *Device) install(name string, given bool) string {
	if n := d.faults.Number(FaultInstallFail); n > 0 {
		return fmt.Sprintf("error: failed to install bundle. code:%d error: install verify app source failed.", n)
	}
	data, err := d.FS().ReadFile(name)
	if err != nil || !given {
		return "error: failed to install bundle. code:9568257 error: install file path invalid."
	}
	bundle, ok := bundleOf(data)
	if !ok {
		return "error: failed to install bundle. code:9568320 error: no signature file."
	}
	d.mu.Lock()
	if !slices.Contains(d.bundles, bundle) {
		d.bundles = append(d.bundles, bundle)
	}
	d.mu.Unlock()
	d.logLine("BMSInstall", "installed "+bundle)
	return "install bundle successfully."
}

// uninstall removes a bundle that was installed. The phone's own apps stay.
func (d *Device) uninstall(bundle string) string {
	d.mu.Lock()
	before := len(d.bundles)
	d.bundles = slices.DeleteFunc(d.bundles, func(b string) bool { return b == bundle })
	removed := len(d.bundles) < before
	d.mu.Unlock()
	switch {
	case removed:
		return "uninstall bundle successfully."
	case bundle != "" && d.installed(bundle):
		return "error: failed to uninstall bundle. code:9568388 error: uninstall system app error."
	}
	return "error: failed to uninstall bundle. code:9568386 error: uninstall missing installed bundle."
}

// bundleOf reads the bundle's name out of a package, which is a ZIP file with a module.json.
func bundleOf(data []byte) (string, bool) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return "", false
	}
	for _, f := range z.File {
		if path.Base(f.Name) != "module.json" {
			continue
		}
		r, err := f.Open()
		if err != nil {
			return "", false
		}
		defer r.Close()
		var m struct {
			App struct {
				BundleName string `json:"bundleName"`
			} `json:"app"`
		}
		err = json.NewDecoder(io.LimitReader(r, 1<<20)).Decode(&m)
		return m.App.BundleName, err == nil && m.App.BundleName != ""
	}
	return "", false
}
