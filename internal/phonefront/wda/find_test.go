package wda

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func locator(t *testing.T, using, value string) string {
	body, err := json.Marshal(map[string]string{"using": using, "value": value})
	require.NoError(t, err)
	return string(body)
}

// TestLocators says how many elements each locator finds on the first page of Settings.
func TestLocators(t *testing.T) {
	c := open(t, nil, settingsApp)
	cases := []struct {
		using, value string
		want         int
	}{
		{"accessibility id", "row_bluetooth", 1},
		{"id", "Bluetooth", 2},  // the text and the switch; the row has an identifier, and that is its name
		{"name", "Settings", 3}, // the app, the bar and its title
		{"name", "nobody", 0},
		{"class name", "XCUIElementTypeSwitch", 2},
		{"class name", "XCUIElementTypeApplication", 1}, // what the search begins at is among what it finds
		{"predicate string", "type == 'XCUIElementTypeApplication'", 1},
		{"link text", "label=Bluetooth", 3},
		{"link text", "row_bluetooth", 1},
		{"partial link text", "row_blue", 1},
		{"partial link text", "label=Blue", 4}, // and a note: Bluetooth, NFC
		{"predicate string", "label == 'Bluetooth'", 3},
		{"predicate string", "name == \"row_bluetooth\"", 1},
		{"predicate string", "type == 'XCUIElementTypeSwitch' AND value == '1'", 1},
		{"predicate string", "type == 'XCUIElementTypeSwitch' && (value == '0' || value == '1')", 2},
		{"predicate string", "label CONTAINS[c] 'BLUE'", 4},
		{"predicate string", "label CONTAINS 'BLUE'", 0},
		{"predicate string", "name BEGINSWITH 'row_' AND NOT name ENDSWITH 'bluetooth' AND type == 'XCUIElementTypeCell' AND rect.y < 400", 3},
		{"predicate string", "label MATCHES 'Blue.*th' AND visible == true", 3},
		{"predicate string", "label LIKE '*tooth'", 3},
		{"predicate string", "label IN {'Bluetooth', 'Airplane mode'} AND type == 'XCUIElementTypeStaticText'", 2},
		{"predicate string", "enabled == 1 AND selected == 0 AND type == 'XCUIElementTypeSwitch'", 2},
		{"predicate string", "rect.width BETWEEN {40, 60} AND type == 'XCUIElementTypeSwitch'", 2},
		{"predicate string", "placeholderValue != nil AND placeholderValue != ''", 1},
		{"class chain", "**/XCUIElementTypeSwitch", 2},
		{"class chain", "**/XCUIElementTypeSwitch[2]", 1},
		{"class chain", "**/XCUIElementTypeSwitch[-1]", 1},
		{"class chain", "**/XCUIElementTypeSwitch[3]", 0},
		{"class chain", "**/XCUIElementTypeTable/XCUIElementTypeCell[`name == 'row_bluetooth'`]/XCUIElementTypeSwitch", 1},
		{"class chain", "**/XCUIElementTypeCell[$type == 'XCUIElementTypeSwitch' AND value == '1'$]", 1},
		{"class chain", "XCUIElementTypeWindow", 2},
		{"class chain", "*/*", 2},
		{"xpath", "//XCUIElementTypeSwitch", 2},
		{"xpath", "//*[@name='row_bluetooth']", 1},
		{"xpath", "//XCUIElementTypeCell[@name='row_bluetooth']/XCUIElementTypeSwitch[@value=\"1\"]", 1},
		{"xpath", "//XCUIElementTypeCell[2]", 1},
		{"xpath", "//XCUIElementTypeCell[position()=2]//XCUIElementTypeSwitch", 1},
		{"xpath", "//XCUIElementTypeTable/XCUIElementTypeCell[last()]", 1},
		{"xpath", "//*[contains(@label,'Blue') and not(@name='row_bluetooth')]", 3},
		{"xpath", "//*[starts-with(@label,'Blue') or @label='Airplane mode']", 7},
		{"xpath", "//*[@placeholderValue]", 1},
		{"xpath", "//XCUIElementTypeCell[@y > 200 and @y <= 300]", 2},
		{"xpath", "/XCUIElementTypeApplication/XCUIElementTypeWindow", 2},
		{"xpath", "//XCUIElementTypeButton[@name='none']", 0},
		{"xpath", "//x", 0},
		{"xpath", "//x[@name='none']/y", 0},
		{"xpath", "(//XCUIElementTypeSwitch)[2]", 1},
		{"xpath", "(//XCUIElementTypeSwitch)[last()]/..", 1},
		{"xpath", "((//XCUIElementTypeSwitch)[1]/..)[@name='row_bluetooth']", 1},
		{"xpath", "(//XCUIElementTypeSwitch)[3]", 0},
		{"xpath", "//XCUIElementTypeSwitch/parent::XCUIElementTypeCell", 2},
		{"xpath", "//XCUIElementTypeSwitch/..//XCUIElementTypeSwitch", 2},
		{"xpath", "//*[@name='row_bluetooth']/./descendant::XCUIElementTypeSwitch", 1},
		{"xpath", "//XCUIElementTypeSwitch/ancestor::XCUIElementTypeTable", 1},
		{"xpath", "//XCUIElementTypeSwitch/ancestor-or-self::XCUIElementTypeSwitch", 2},
		{"xpath", "//XCUIElementTypeCell[@name='row_bluetooth']/preceding-sibling::XCUIElementTypeCell[1]", 1},
		{"xpath", "//XCUIElementTypeTable/XCUIElementTypeCell[1]/following-sibling::*[@name='row_bluetooth']", 1},
		{"xpath", "/XCUIElementTypeApplication/..", 0},
		{"xpath", "/*/../*/self::XCUIElementTypeApplication", 1},
	}
	for _, k := range cases {
		a := c.ok("POST", "+/elements", locator(t, k.using, k.value))
		require.Len(t, a.value, k.want, "%s %s", k.using, k.value)
	}
}

func TestBadLocators(t *testing.T) {
	c := open(t, nil, settingsApp)
	cases := []struct {
		using, value string
		code         errorCode
		message      string
	}{
		{"css selector", "a", errArgument, "Invalid locator requested: css selector"},
		{"xpath", "//[", errSelector, "XPath"},
		{"xpath", "", errSelector, "XPath"},
		{"xpath", "//XCUIElementTypeCell[@name='x", errSelector, "XPath"},
		{"xpath", "//XCUIElementTypeCell[foo()]", errSelector, "XPath"},
		{"xpath", "(//XCUIElementTypeCell[1]", errSelector, "XPath"},
		{"xpath", "//XCUIElementTypeCell)", errSelector, "XPath"},
		{"xpath", "//*[[", errSelector, "XPath"},
		{"xpath", "//cousin::XCUIElementTypeCell", errSelector, "XPath"},
		{"class chain", "**/Button", errSelector, "class chain"},
		{"class chain", "**/XCUIElementTypeCell[x]", errSelector, "index"},
		{"class chain", "**/XCUIElementTypeCell[`label", errSelector, "no end"},
		{"predicate string", "label ==", errUnknown, `Unable to parse the format string "label =="`},
		{"predicate string", "label == 'x' AND", errUnknown, "Unable to parse the format string"},
		{"predicate string", "label == 'x", errUnknown, "Unable to parse the format string"},
		{"predicate string", "(label == 'x'", errUnknown, "Unable to parse the format string"},
		{"predicate string", "colour == 'red'", errUnknown, "key colour"},
		{"predicate string", "colour ==", errUnknown, `Unable to parse the format string "colour =="`},
		{"predicate string", "label MATCHES '('", errUnknown, "regex"},
	}
	for _, k := range cases {
		require.Contains(t, c.refuse(k.code, "POST", "+/elements", locator(t, k.using, k.value)).message(), k.message)
	}
	a := c.refuse(errNoElement, "POST", "+/element", locator(t, "xpath", "//XCUIElementTypeButton[@name='none']"))
	require.Equal(t, "unable to find an element using 'xpath', value '//XCUIElementTypeButton[@name='none']'", a.message())
	a = c.refuse(errNoElement, "POST", "+/element", locator(t, "xpath", "//x"))
	require.Equal(t, "unable to find an element using 'xpath', value '//x'", a.message())
}

func TestElement(t *testing.T) {
	c := open(t, nil, settingsApp)
	id := c.find("class name", "XCUIElementTypeSwitch")
	require.Regexp(t, `^[0-9A-F]{8}-0000-0000-[0-9A-F]{4}-000000000000$`, id)
	require.Equal(t, id, c.find("class name", "XCUIElementTypeSwitch"), "an element keeps its id")
	get := func(path string) any { return c.ok("GET", "+/element/"+id+path, "").value }
	require.Equal(t, "XCUIElementTypeSwitch", get("/name"))
	require.Equal(t, "1", get("/text"))
	require.Equal(t, true, get("/enabled"))
	require.Equal(t, true, get("/displayed"))
	require.Equal(t, false, get("/selected"))
	require.Equal(t, "Bluetooth", get("/attribute/label"))
	require.Equal(t, "1", get("/attribute/value"))
	require.Equal(t, "true", get("/attribute/visible"))
	require.Nil(t, get("/attribute/placeholderValue"))
	require.Equal(t, 50.0, get("/rect").(map[string]any)["width"])
	require.Equal(t, true, c.ok("GET", "+/wda/element/"+id+"/accessible", "").value)
	require.Contains(t, c.refuse(errUnknown, "GET", "+/element/"+id+"/attribute/colour", "").message(), "colour")

	c.ok("POST", "+/element/"+id+"/click", "")
	require.Equal(t, "false", c.s.Phone().Value("bluetooth"))
	require.Equal(t, "0", get("/attribute/value"), "an id means the element as it is now")

	c.ok("POST", "/wda/homescreen", "")
	a := c.refuse(errStale, "GET", "+/element/"+id+"/rect", "")
	require.Equal(t, `The element identified by "`+id+`" is either not present or it has expired from the internal cache. Try to find it again`, a.message())
	c.newSession(`{"capabilities":{}}`)
	c.refuse(errStale, "GET", "+/element/"+id+"/rect", "")
}

func TestElementInElement(t *testing.T) {
	c := open(t, nil, settingsApp)
	cell := c.find("accessibility id", "row_airplane")
	a := c.ok("POST", "+/element/"+cell+"/elements", locator(t, "class name", "XCUIElementTypeSwitch"))
	require.Len(t, a.value, 1)
	one := c.ok("POST", "+/element/"+cell+"/element", locator(t, "class name", "XCUIElementTypeSwitch")).field("ELEMENT").(string)
	c.ok("POST", "+/element/"+one+"/click", "")
	require.Equal(t, "true", c.s.Phone().Value("airplane"))
	table := c.find("class name", "XCUIElementTypeTable")
	require.NotEmpty(t, c.ok("GET", "+/wda/element/"+table+"/getVisibleCells", "").value)
	c.refuse(errNoElement, "GET", "+/element/active", "")
}

func TestElementReferences(t *testing.T) {
	c := open(t, nil, settingsApp)
	body := locator(t, "class name", "XCUIElementTypeSwitch")
	compact := c.ok("POST", "+/element", body).value.(map[string]any)
	require.Len(t, compact, 2)
	require.Equal(t, compact["ELEMENT"], compact[elementKey])
	c.ok("POST", "+/appium/settings", `{"settings":{"shouldUseCompactResponses":false,"elementResponseAttributes":"type,label,text,rect,enabled"}}`)
	full := c.ok("POST", "+/element", body).value.(map[string]any)
	require.Equal(t, "XCUIElementTypeSwitch", full["type"])
	require.Equal(t, "Bluetooth", full["label"])
	require.Equal(t, "1", full["text"])
	require.Contains(t, full, "rect")
}

func FuzzLocators(f *testing.F) {
	for _, s := range []string{
		"label == 'x' AND NOT (name IN {'a','b'})", "**/XCUIElementTypeCell[`label == 'x'`][-1]/*", "//XCUIElementTypeCell[@name='x' and position()=2]", "((((", "a.b.c ==[cd] \"\\\"",
	} {
		f.Add(s)
	}
	value := "v"
	root := &element{Type: "Application", Children: []*element{{Type: "Cell", Label: "x", Value: &value}}}
	f.Fuzz(func(t *testing.T, s string) {
		for _, using := range []string{"predicate string", "class chain", "xpath", "link text"} {
			found, err := findAll(root, using, s)
			if err != nil {
				require.NotEmpty(t, err.Error())
				require.Nil(t, found)
			}
		}
	})
}
