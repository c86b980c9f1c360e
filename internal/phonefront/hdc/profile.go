package hdc

import (
	"fmt"
	"slices"
	"strings"
)

// Profile is how phones of one HarmonyOS release answer, and the hdc that belongs to it.
type Profile struct {
	Name string // as --profile takes it
	Doc  string // one line
	API  int    // const.ohos.apiversion
	Tool string // version of the hdc tool of that time
	OS   string // const.product.software.version
	// UITest is what uitest --version prints.
	UITest string
	// Render and Panel: from 6.0 on a phone renders less than its panel has. Panel is the physical size for each
	// ten pixels rendered, 10 where the two are the same.
	Panel int
}

var profiles = []Profile{
	{
		Name: "6.0", Doc: "HarmonyOS 6.0: render resolution=, a panel finer than the frame, originalText, hdc 3.2.0f",
		API: 20, Tool: "3.2.0f", OS: "SIM-AL00 6.0.0.110(SP6C00E110R4P7)", UITest: "6.0.2.1", Panel: 11,
	},
	{
		Name: "5.1", Doc: "HarmonyOS 5.1: width with a colon, error codes, uiInput text, render size:, hdc 3.1.0e",
		API: 18, Tool: "3.1.0e", OS: "SIM-AL00 5.1.0.150(SP8C00E150R4P11)", UITest: "5.1.1.2", Panel: 10,
	},
	{
		Name: "5.0", Doc: "HarmonyOS 5.0: width without a colon, no error codes, no uiInput text, labels under buttons, hdc 3.1.0b",
		API: 12, Tool: "3.1.0b", OS: "SIM-AL00 5.0.0.102(SP5C00E73R4P17)", UITest: "5.0.1.1", Panel: 10,
	},
}

// The first API levels of what changed between releases.
const (
	apiSnapshotColon = 18 // snapshot_display's texts of today, and its -t png
	apiInputText     = 18 // uiInput text
	apiAbilityCode   = 18 // Error Code: in aa's failures
	apiFocusTable    = 18 // All Focus window: in the window manager's dump
	apiDisplayOption = 20 // -d of uitest, -W of aa start, -l of bm dump
	apiRender        = 20 // render resolution=
)

// coded says that the tool prints the codes of its failures.
func (p Profile) coded() bool { return p.Tool >= "3.1.0e" }

// Profiles lists the profiles, the usual ones first.
func Profiles() []Profile { return slices.Clone(profiles) }

// FindProfile returns the profile of that name; "" is 6.0.
func FindProfile(name string) (Profile, error) {
	if name == "" {
		name = "6.0"
	}
	var names []string
	for _, p := range profiles {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return Profile{}, fmt.Errorf("unknown profile %q, known are %s", name, strings.Join(names, ", "))
}
