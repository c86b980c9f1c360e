package hdc

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
)

const missions = `User ID #100
  current mission lists:{
    Mission ID #368  mission name #[#com.example.old:entry:MainAbility]  lockedState #0  mission affinity #[]
      AbilityRecord ID #1
        app name [com.example.old]
        main name [MainAbility]
        bundle name [com.example.old]
        ability type [PAGE]
        state #BACKGROUND  start time [1]
        app state #FOREGROUND
        isKeepAlive: false
    Mission ID #369  mission name #[#com.example.video:entry:EntryAbility]  lockedState #0  mission affinity #[]
      AbilityRecord ID #179
        app name [com.example.video]
        main name [EntryAbility]
        bundle name [com.example.video]
        ability type [PAGE]
        state #STATE  start time [261181964]
        app state #FOREGROUND
        isKeepAlive: true
 }
  ExtensionRecords:
    uri [/com.ohos.sceneboard/engineservice/EngineServiceAbility1]
      AbilityRecord ID #18   state #FOREGROUND   start time [216722029]
      main name [EngineServiceAbility]
      bundle name [com.example.extension]
      state #FOREGROUND
`

func TestParseMissions(t *testing.T) {
	front, ok := parseMissions("start ability successfully.\nINFO: x\n" + strings.Replace(missions, "STATE", "FOREGROUND", 1))
	require.True(t, ok)
	require.Equal(t, driver.App{ID: "com.example.video", Page: "EntryAbility"}, front, "kept alive or not")
	front, ok = parseMissions(strings.Replace(missions, "STATE", "BACKGROUND", 1))
	require.True(t, ok)
	require.Equal(t, desktop, front.ID, "an extension in the foreground is no app")
	_, ok = parseMissions("usage: aa dump <options>\n")
	require.False(t, ok)
}

func TestParseBundle(t *testing.T) {
	const abilities = `"abilityInfos":[{"name":"com.example.a.DomainAbility","skills":[]},{"name":"com.example.a.MainAbility","skills":[
		{"entities":["entity.system.home"],"actions":["ohos.want.action.home"]}]}]`
	tests := map[string]struct {
		text string
		want entry
		err  error
	}{
		"short in one place":   {`{"mainEntry":"phone","hapModuleInfos":[{"moduleName":"wear","mainAbility":"X"},{"moduleName":"phone","mainAbility":"MainAbility",` + abilities + `}]}`, entry{"phone", "com.example.a.MainAbility"}, nil},
		"full in one place":    {`{"entryModuleName":"entry","hapModuleInfos":[{"name":"entry","mainElementName":"com.example.a.B","abilityInfos":[{"name":"B"}]}]}`, entry{"entry", "B"}, nil},
		"by what it can do":    {`{"hapModuleInfos":[{"name":"entry",` + abilities + `}]}`, entry{"entry", "com.example.a.MainAbility"}, nil},
		"abilities apart":      {`{"hapModuleInfos":[{"name":"entry"}],"abilityInfos":[{"name":"A","moduleName":"entry","skills":[{"entities":["entity.system.home"],"actions":["action.system.home"]}]}]}`, entry{"entry", "A"}, nil},
		"no list of abilities": {`{"mainEntry":"entry","hapModuleInfos":[{"moduleName":"entry","mainAbility":"EntryAbility"}]}`, entry{"entry", "EntryAbility"}, nil},
		"in another module":    {`{"mainEntry":"a","hapModuleInfos":[{"name":"a","mainAbility":""},{"name":"b","mainAbility":"B"}]}`, entry{"b", "B"}, nil},
		"a service":            {`{"mainEntry":"entry","hapModuleInfos":[{"moduleName":"entry","mainAbility":"","abilityInfos":[]}]}`, entry{}, errNoAbility},
		"no module":            {`{"name":"com.example.a"}`, entry{}, errNoAbility},
		"a name with syntax":   {`{"hapModuleInfos":[{"name":"entry","mainAbility":"A; reboot"}]}`, entry{}, errNoAbility},
		"unknown":              {"error: failed to get information and the parameters may be wrong.\n", entry{}, errNoBundle},
		"cut":                  {`{"mainEntry":"entry","hapMod`, entry{}, errNoBundle},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := parseBundle("com.example.a:\n" + tt.text)
			require.ErrorIs(t, err, tt.err)
			if tt.err == nil {
				require.NoError(t, err)
				require.Equal(t, tt.want, got)
			}
		})
	}
}

func TestStarted(t *testing.T) {
	tests := map[string]struct {
		text, want string
		is         error
	}{
		"ok":                    {"start ability successfully.\n", "", nil},
		"queued":                {"start ability successfully. waiting...\n", "", nil},
		"no such ability":       {"error: failed to start ability.\nError Code:10104001  Error Message:The specified ability does not exist\nError cause:x\n", "10104001: The specified ability does not exist", nil},
		"no such ability, old":  {"error: failed to start ability.\nerror: resolve ability err.\n" + missions, "resolve ability err", nil},
		"locked":                {"error: failed to start ability.\nError Code:10106102  Error Message:The device screen is locked\n", "unlock", driver.ErrLocked},
		"locked, old":           {"error: failed to start ability.\nerror: unlock screen failed in developer mode.\n", "unlock", driver.ErrLocked},
		"not a developer's":     {"error: failed to start ability.\nError Code:10106001  Error Message:x\nError cause:y\n", "10106001: x: switch developer mode on", nil},
		"managed":               {"error: failed to start ability.\nError Code:10106106  Error Message:x\n", "whoever manages this phone", nil},
		"nobody takes the link": {"error: failed to start ability.\nError Code:10103101  Error Message:x\n", "no app", nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			err := started(&output{text: tt.text})
			if tt.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, tt.want)
			require.NotContains(t, err.Error(), "mission")
			if tt.is != nil {
				require.ErrorIs(t, err, tt.is)
			}
		})
	}
}

func TestInstallTexts(t *testing.T) {
	require.NoError(t, installOutcome("[Info]App install path:/x.hap msg:install bundle successfully. \r\nAppMod finish\r\n"))
	require.NoError(t, installOutcome("[Info]App install path:/x.hap, queuesize:0, msg:install bundle successfully. \nAppMod finish"))
	err := installOutcome("[Info]App install path:/x.hap msg:error: failed to install bundle. code:9568320 error: no signature file. \r\nAppMod finish\r\n")
	require.ErrorContains(t, err, "sign it")
	require.Error(t, installOutcome("[Info]App install path:/x.hap, queuesize:0, msg:error: failed to install bundle. code:9568322 error: x \nAppMod finish"))
	require.ErrorIs(t, installOutcome(""), errBroken)
}
