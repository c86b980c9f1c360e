package hdc

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// bundle is what is read of `bm dump -n`.
type bundle struct {
	MainEntry       string    `json:"mainEntry"`
	EntryModuleName string    `json:"entryModuleName"`
	Modules         []module  `json:"hapModuleInfos"`
	Abilities       []ability `json:"abilityInfos"` // of old releases
}

type module struct {
	Name            string    `json:"name"`
	ModuleName      string    `json:"moduleName"`
	MainAbility     string    `json:"mainAbility"`
	MainElementName string    `json:"mainElementName"`
	Abilities       []ability `json:"abilityInfos"`
}

type ability struct {
	Name       string  `json:"name"`
	ModuleName string  `json:"moduleName"`
	Skills     []skill `json:"skills"`
}

type skill struct {
	Entities []string `json:"entities"`
	Actions  []string `json:"actions"`
}

// entry is what starts an app.
type entry struct{ module, ability string }

var (
	errNoBundle  = errors.New("bm told nothing of the bundle")
	errNoAbility = errors.New("the bundle is a service, and has nothing that can be launched")
)

// parseBundle finds the main ability in what `bm dump -n` printed: its name in a line of its own, and JSON.
func parseBundle(text string) (entry, error) {
	at := strings.IndexByte(text, '{')
	if at < 0 {
		return entry{}, fmt.Errorf("%w: %s", errNoBundle, complaint(text))
	}
	var b bundle
	if err := json.NewDecoder(strings.NewReader(text[at:])).Decode(&b); err != nil {
		return entry{}, fmt.Errorf("%w: %w", errNoBundle, err)
	}
	return b.entry()
}

// entry chooses the module that is the app's entry, and its main ability, in the spelling that aa takes: one of the two
// places that name it may leave out the bundle's name.
func (b *bundle) entry() (entry, error) {
	if len(b.Modules) == 0 {
		return entry{}, errNoAbility
	}
	main := orElse(b.MainEntry, b.EntryModuleName)
	at := max(slices.IndexFunc(b.Modules, func(m module) bool { return main != "" && m.name() == main }), 0)
	if found, ok := b.entryOf(&b.Modules[at]); ok {
		return found, nil
	}
	for i := range b.Modules {
		if found, ok := b.entryOf(&b.Modules[i]); ok && i != at {
			return found, nil
		}
	}
	return entry{}, errNoAbility
}

func (m *module) name() string { return orElse(m.ModuleName, m.Name) }

func (b *bundle) entryOf(m *module) (entry, bool) {
	all := m.Abilities
	for _, a := range b.Abilities {
		if a.ModuleName == m.name() {
			all = append(all, a)
		}
	}
	name := orElse(m.MainAbility, m.MainElementName)
	for _, a := range all {
		if name != "" && sameAbility(a.Name, name) || name == "" && a.isHome() {
			name = a.Name
			break
		}
	}
	return entry{m.name(), name}, isAbility(name) && isAbility(m.name())
}

// sameAbility compares two names of which one may be short: at a dot, so that MainAbility is not DomainAbility.
func sameAbility(a, b string) bool {
	return a == b || strings.HasSuffix(a, "."+b) || strings.HasSuffix(b, "."+a)
}

// isHome says that the ability is what an icon of the desktop starts.
func (a *ability) isHome() bool {
	return slices.ContainsFunc(a.Skills, func(s skill) bool {
		return slices.Contains(s.Entities, "entity.system.home") &&
			(slices.Contains(s.Actions, "action.system.home") || slices.Contains(s.Actions, "ohos.want.action.home"))
	})
}
