// Package apps knows what people call an app, and its id on each platform.
//
// The tables were read off Open-AutoGLM (Apache-2.0, see NOTICE) and put right where they were
// wrong:
//
//   - android: SimpleCalendarPro was the package of a calculator.
//   - ios: 美团秀秀 is 美图秀秀; 网易邮箱大师 had the id of the Mac app; 有道云笔记 had it too and is left out, so
//     that it is found among the installed apps. SuningEMall, youdaoPro and yyvoice are odd, and right.
//   - harmony: four abilities are services that cannot be launched, and are left out; 电话 and 拨号 named one of
//     their bundles and mean the contacts app, which dials.
//   - harmony: the settings app is called Settings before it is called Android System Settings.
//   - a name with two spaces was a spelling mistake: see driver.FoldName for how names are compared.
//
// android_more.tsv is ours: the system apps as AOSP, Google, Samsung and Xiaomi ship them, in
// English and Chinese, and well-known apps that the table lacks. It comes first, so it also says
// what an app is called. harmony_more.tsv and ios_more.tsv are ours too: the systems' own apps by
// their English names, and a few well-known ones.
package apps

import (
	_ "embed" // the tables
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/handset-go/handset/driver"
)

// The platforms, as driver.Description names them.
const (
	Android = "android"
	Harmony = "harmony"
	IOS     = "ios"
)

var (
	//go:embed android_more.tsv
	androidMore string
	//go:embed android.tsv
	android string
	//go:embed harmony.tsv
	harmony string
	//go:embed harmony_more.tsv
	harmonyMore string
	//go:embed harmony_abilities.tsv
	harmonyAbilities string
	//go:embed ios.tsv
	ios string
	//go:embed ios_more.tsv
	iosMore string
)

// table is one platform's names.
type table struct {
	ids    map[string][]string // by exact name
	folded map[string][]string // by driver.FoldName
	names  map[string][]string // by id, in the order of the table
}

var tables = sync.OnceValue(func() map[string]*table {
	return map[string]*table{
		Android: newTable(androidMore, android),
		Harmony: newTable(harmony, harmonyMore),
		IOS:     newTable(ios, iosMore),
	}
})

func newTable(sources ...string) *table {
	t := &table{ids: map[string][]string{}, folded: map[string][]string{}, names: map[string][]string{}}
	for _, source := range sources {
		for name, id := range pairs(source) {
			add(t.ids, name, id)
			add(t.folded, driver.FoldName(name), id)
			add(t.names, id, name)
		}
	}
	return t
}

// pairs yields the two columns of each line after the header.
func pairs(source string) func(yield func(string, string) bool) {
	return func(yield func(string, string) bool) {
		header := true
		for line := range strings.Lines(source) {
			name, id, ok := strings.Cut(strings.TrimRight(line, "\r\n"), "\t")
			if ok && !header && !yield(name, id) {
				return
			}
			header = false
		}
	}
}

func add(m map[string][]string, key, value string) {
	if !slices.Contains(m[key], value) {
		m[key] = append(m[key], value)
	}
}

// Lookup returns the ids that a name can mean, most likely first: those of the exact name, else
// those of the name whatever its case and separators. Several are several makers' apps, of which a
// phone usually has one. It returns nil for a name or a platform that it does not know.
func Lookup(platform, name string) []string {
	t := tables()[platform]
	if t == nil {
		return nil
	}
	if ids := t.ids[name]; ids != nil {
		return slices.Clone(ids)
	}
	return slices.Clone(t.folded[driver.FoldName(name)])
}

// NameOf returns what a person calls the app: in Chinese for lang "zh", in English for "en", and in the
// language that is there for any other or if there is none in lang. It returns "" for an unknown id.
func NameOf(platform, id, lang string) string {
	t := tables()[platform]
	if t == nil || len(t.names[id]) == 0 {
		return ""
	}
	names := t.names[id]
	want := names[0]
	for _, n := range names {
		if lang == "zh" && isHan(n) || lang == "en" && !isHan(n) {
			want = n
			break
		}
	}
	return bestSpelling(want, names)
}

func isHan(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}

// bestSpelling returns, of the names that are name apart from case and separators, the one with
// spaces and capitals: "Google Docs" and not "googledocs".
func bestSpelling(name string, names []string) string {
	best, score := name, spelling(name)
	for _, n := range names {
		if driver.FoldName(n) == driver.FoldName(name) && spelling(n) > score {
			best, score = n, spelling(n)
		}
	}
	return best
}

func spelling(s string) int {
	score := 2 * strings.Count(s, " ")
	if strings.ContainsFunc(s, unicode.IsUpper) && strings.ContainsFunc(s, unicode.IsLower) {
		score++
	}
	return score
}

var abilities = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for bundle, ability := range pairs(harmonyAbilities) {
		m[bundle] = ability
	}
	return m
})

// Ability returns the ability that starts a HarmonyOS bundle where it is known not to be
// EntryAbility, and otherwise "".
func Ability(bundle string) string { return abilities()[bundle] }
