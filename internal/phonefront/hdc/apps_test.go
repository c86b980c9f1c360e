package hdc_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/internal/phonefront/hdc"
)

const startOK = "start ability successfully.\n"

func TestAaStart(t *testing.T) {
	coded := func(code, text, cause string) string {
		return "error: failed to start ability.\nError Code:" + code + "  Error Message:" + text + "\nError cause:" + cause + "\n"
	}
	noAbility := coded("10104001", "The specified ability does not exist", "The specified bundleName or abilityName is incorrect.")
	for name, c := range map[string]struct {
		profile, fault, args, want, front string
	}{
		"in full":          {"", "", "-a " + settings + ".MainAbility -b " + settings, startOK, settings},
		"short":            {"", "", "-b " + settings + " -a MainAbility -m entry", startOK, settings},
		"other app":        {"", "", "-b com.handset.shop -a EntryAbility", startOK, "com.handset.shop"},
		"with parameters":  {"", "", "-b com.handset.shop -a EntryAbility --ps k v --pi n 3 --pb t true --psn x -D", startOK, "com.handset.shop"},
		"not at a dot":     {"", "", "-b " + settings + " -a Ability", noAbility, ""},
		"unknown bundle":   {"", "", "-b com.no -a EntryAbility", noAbility, ""},
		"wrong module":     {"", "", "-b com.handset.shop -a EntryAbility -m other", noAbility, ""},
		"unknown, old":     {"5.0", "", "-b com.no -a X", "error: failed to start ability.\nerror: resolve ability err.\n", ""},
		"implicit":         {"", "", "-b com.handset.shop", coded("10103101", "Failed to find a matching application for implicit launch", "The parameters of the Want do not match any ability."), ""},
		"locked":           {"", hdc.FaultLocked, "-b com.handset.shop -a EntryAbility", coded("10106102", "The device screen is locked during the application launch", "The current device is in the locked screen state."), ""},
		"locked, old":      {"5.0", hdc.FaultLocked, "-b com.handset.shop -a EntryAbility", "error: failed to start ability.\nerror: unlock screen failed in developer mode.\n", ""},
		"ignored":          {"", hdc.FaultStartIgnored, "-b com.handset.shop -a EntryAbility", startOK, ""},
		"a url":            {"", "", "-U https://example.com/", startOK, "com.huawei.hmos.browser"},
		"a url for nobody": {"", "", "-U frob://x", coded("10103101", "Failed to find a matching application for implicit launch", "The parameters of the Want do not match any ability."), ""},
		"the desktop":      {"", "", "-b com.ohos.sceneboard -a EntryAbility", noAbility, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s, d := onePhone(t, c.profile)
			if c.fault != "" {
				set(t, d, c.fault)
			}
			require.Equal(t, c.want+"RC=0\n", out(t, s, "shell", "aa start "+c.args+"; echo RC=$?"))
			if c.front == "" {
				c.front = "com.ohos.sceneboard"
			}
			require.Equal(t, c.front, d.Phone().FocusedApp().ID)
		})
	}
}

func TestAaUsage(t *testing.T) {
	s, d := onePhone(t, "")
	require.Contains(t, out(t, s, "shell", "aa start -x"), "error: unknown option: -x\nusage: aa")
	require.Contains(t, out(t, s, "shell", "aa start -b"), "error: option requires a value.\n")
	require.Contains(t, out(t, s, "shell", "aa frob"), "error: unknown command.\n")
	require.Contains(t, out(t, s, "shell", "aa"), "usage: aa")
	start(t, d, settings)
	require.Contains(t, out(t, s, "shell", "aa force-stop -b "+settings), "usage: aa force-stop")
	require.Equal(t, settings, d.Phone().FocusedApp().ID, "nothing was stopped")
}

// Success is said before the app is in front; -W waits.
func TestAaStartIsEarly(t *testing.T) {
	s, d := onePhone(t, "")
	set(t, d, hdc.FaultStartSlow+"=300ms")
	require.Equal(t, startOK, out(t, s, "shell", "aa start -b com.handset.shop -a EntryAbility"))
	require.Eventually(t, func() bool { return d.Phone().FocusedApp().ID == "com.handset.shop" }, 20*time.Second, 10*time.Millisecond)
	got := out(t, s, "shell", "aa start -W -b "+settings+" -a MainAbility")
	require.Equal(t, settings, d.Phone().FocusedApp().ID)
	require.True(t, strings.HasPrefix(got, startOK+"StartMode: Cold\nBundleName: "+settings+"\nAbilityName: MainAbility\nTotalTime: "), got)

	old, _ := onePhone(t, "5.1")
	require.Contains(t, out(t, old, "shell", "aa start -W -b "+settings+" -a MainAbility"), "error: unknown option: -W\n")
}

func TestForceStop(t *testing.T) {
	s, d := onePhone(t, "")
	start(t, d, settings)
	require.Equal(t, "force stop process successfully.\n", out(t, s, "shell", "aa force-stop "+settings))
	require.NotContains(t, d.Phone().Running(), settings)
	require.Equal(t, "force stop process successfully.\n", out(t, s, "shell", "aa force-stop "+settings), "one that does not run")
	require.Contains(t, out(t, s, "shell", "aa force-stop com.no"), "error: failed to force stop process.\nError Code:10104002 ")
}

func TestAaDump(t *testing.T) {
	s, d := onePhone(t, "")
	require.Equal(t, "User ID #100\n  current mission lists:{\n }\n", out(t, s, "shell", "aa dump -l"), "the desktop is no mission")
	start(t, d, settings)
	start(t, d, "com.ohos.mms")
	got := out(t, s, "shell", "aa dump -l")
	blocks := strings.Split(got, "    Mission ID #")[1:]
	require.Len(t, blocks, 2)
	require.Regexp(t, `^\d+  mission name #\[#com\.ohos\.mms:entry:com\.ohos\.mms\.MainAbility\]  lockedState #0  mission affinity #\[\]
      AbilityRecord ID #\d+
        app name \[com\.ohos\.mms\]
        main name \[com\.ohos\.mms\.MainAbility\]
        bundle name \[com\.ohos\.mms\]
        ability type \[PAGE\]
        state #FOREGROUND  start time \[\d+\]
        app state #FOREGROUND
        ready #1  window attached #0  launcher #0
        callee connections: 
        isKeepAlive: true
$`, blocks[0])
	require.Contains(t, blocks[1], "state #BACKGROUND")
	all := out(t, s, "shell", "aa dump -a")
	require.True(t, strings.HasPrefix(all, strings.TrimSuffix(got, "\n")))
	require.Contains(t, all, "      AbilityRecord ID #8   state #FOREGROUND   start time [21001]\n      main name [EngineServiceAbility]\n")
	require.Contains(t, all, "      process name [com.ohos.mms]\n")
	require.Contains(t, out(t, s, "shell", "hidumper -s AbilityManagerService -a -l"), got)
}

func TestBmTellsSystemApps(t *testing.T) {
	s, _ := onePhone(t, "")
	for bundle, system := range map[string]string{"com.huawei.hmos.settings": "true", "com.ohos.mms": "true", "com.handset.notes": "false"} {
		require.Contains(t, out(t, s, "shell", "bm dump -n "+bundle), `"isSystemApp": `+system, bundle)
	}
}

func TestBmDump(t *testing.T) {
	s, d := onePhone(t, "")
	list := out(t, s, "shell", "bm dump -a")
	require.True(t, strings.HasPrefix(list, "ID: 100:\n\tcom.handset.mail\n\t"), list)
	require.Contains(t, out(t, s, "shell", "bm dump -a -l"), "\tbundleName: com.handset.shop, label: Shop\n")
	require.Equal(t, "error: failed to get information and the parameters may be wrong.\n", out(t, s, "shell", "bm dump -n com.no"))
	require.Regexp(t, `^udid of current device is :\n[0-9A-F]{64}\n$`, out(t, s, "shell", "bm get -u"))
	require.Equal(t, "clean bundle cache files successfully.\n", out(t, s, "shell", "bm clean -n com.handset.shop -c"))
	require.Equal(t, "clean bundle data files successfully.\n", out(t, s, "shell", "bm clean -n com.handset.shop -d"))
	require.Equal(t, "error: failed to clean bundle cache files.\n", out(t, s, "shell", "bm clean -n com.no -c"))

	type module struct {
		Name, MainAbility, MainElementName string
		AbilityInfos                       []struct {
			Name   string
			Skills []struct{ Actions, Entities []string }
		}
	}
	var info struct {
		Name, EntryModuleName, MainEntry string
		HapModuleInfos                   []module
	}
	read := func(bundle string) module {
		t.Helper()
		text := out(t, s, "shell", "bm dump -n "+bundle)
		head, body, _ := strings.Cut(text, "\n")
		require.Equal(t, bundle+":", head)
		require.NoError(t, json.Unmarshal([]byte(body), &info))
		require.Equal(t, "entry", info.EntryModuleName)
		require.Len(t, info.HapModuleInfos, 1)
		return info.HapModuleInfos[0]
	}
	m := read(settings)
	require.Equal(t, settings+".MainAbility", m.MainAbility)
	require.Equal(t, []string{"entity.system.home"}, m.AbilityInfos[1].Skills[0].Entities)
	require.Equal(t, "EntryAbility", read("com.handset.shop").MainAbility)
	require.Empty(t, read("com.huawei.hmos.inputmethod").MainAbility, "a service cannot be launched")
	set(t, d, hdc.FaultShortAbility)
	m = read(settings)
	require.Equal(t, "MainAbility", m.MainAbility)
	require.Equal(t, settings+".MainAbility", m.AbilityInfos[1].Name)
}
