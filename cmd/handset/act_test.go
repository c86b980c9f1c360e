package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/perception"
)

func TestUsageIsToldBeforeAPhoneIsOpened(t *testing.T) {
	cases := []struct {
		name string
		args []string
		says string
	}{
		{"nothing", nil, "expected one of"},
		{"unknown command", []string{"dance"}, "dance"},
		{"unknown flag", []string{"info", "--fast"}, "--fast"},
		{"tap at nothing", []string{"tap"}, "want one of"},
		{"tap at two things", []string{"tap", "1,2", "--text", "OK"}, "want one of"},
		{"tap a word", []string{"tap", "here"}, "want X,Y"},
		{"tap one number", []string{"tap", "5,"}, "whole pixels"},
		{"tap half a pixel", []string{"tap", "1.5,2"}, "whole pixels"},
		{"tap far away", []string{"tap", "1e400,2"}, "whole pixels"},
		{"rel outside", []string{"tap", "--rel", "1001,5"}, "outside"},
		{"rel negative", []string{"tap", "--rel", "--", "-1,5"}, "is off the screen"},
		{"rel not a number", []string{"tap", "--rel", "NaN,5"}, "NaN"},
		{"rel infinite", []string{"tap", "--rel", "Inf,5"}, "Inf"},
		{"rel of a label", []string{"tap", "--rel", "--text", "OK"}, "--rel goes with X,Y"},
		{"double and long", []string{"tap", "1,2", "--double", "--long", "1s"}, "exclude each other"},
		{"long without unit", []string{"tap", "1,2", "--long", "1"}, `--long: want a time such as 300ms or 1m30s, and not "1"`},
		{"ref that is no number", []string{"tap", "--ref", "five"}, `--ref: want a whole number, and not "five"`},
		{"port that is no number", []string{"tcpip", "many"}, `want a whole number, and not "many"`},
		{"long negative", []string{"tap", "1,2", "--long=-1s"}, "--long"},
		{"swipe nowhere", []string{"swipe", "1,2"}, "<to>"},
		{"swipe to a word", []string{"swipe", "1,2", "up"}, "want X,Y"},
		{"swipe backwards in time", []string{"swipe", "1,2", "3,4", "--over=-1s"}, "not negative"},
		{"swipe for an hour", []string{"swipe", "1,2", "3,4", "--over", "1h"}, "10m at most"},
		{"hold for an hour", []string{"tap", "1,2", "--long", "1h"}, "10m at most"},
		{"pinch by nothing", []string{"pinch", "1,2", "0"}, "zoom"},
		{"pinch by one", []string{"pinch", "1,2", "1"}, "zoom"},
		{"pinch by no number", []string{"pinch", "1,2", "NaN"}, "zoom"},
		{"pinch by a word", []string{"pinch", "1,2", "wide"}, "wide"},
		{"rotate too far", []string{"rotate", "4"}, "0 to 3"},
		{"rotate to a word", []string{"rotate", "left"}, "auto"},
		{"open a word", []string{"open", "example"}, "scheme"},
		{"shell of nothing", []string{"shell"}, "<command>"},
		{"shell of nothing behind --", []string{"shell", "--"}, "empty"},
		{"push nothing", []string{"push", "/no/such/file", "/sdcard/x"}, "/no/such/file"},
		{"push without a name", []string{"push", "", "/sdcard/x"}, "empty"},
		{"push stdin into a folder", []string{"push", "-", "/sdcard/"}, "stdin has no name"},
		{"pull everything", []string{"pull", "/"}, "path"},
		{"logs backwards in time", []string{"logs", "--for=-1s"}, "--for"},
		{"frames to nowhere", []string{"frames"}, "-o DIR"},
		{"frames too fast", []string{"frames", "-o", "x", "--rate", "1000"}, "60 at most"},
		{"frames never", []string{"frames", "-o", "x", "--rate", "0"}, "more than 0"},
		{"both panels", []string{"notifications", "--quick", "--close"}, "--close"},
		{"a PIN for nothing", []string{"wake", "--pin-env", "X"}, "goes with --unlock"},
		{"a PIN that is not set", []string{"wake", "--unlock", "--pin-env", "NO_SUCH_PIN"}, "NO_SUCH_PIN"},
		{"forward to a word", []string{"forward", "8080"}, "tcp:PORT"},
		{"reverse from a word", []string{"reverse", "8080", "localhost:1"}, "tcp:PORT"},
		{"forward to no port", []string{"forward", "tcp:0"}, "1 to 65535"},
		{"forward to more than a port", []string{"forward", "tcp:65536"}, "1 to 65535"},
		{"reverse from a service", []string{"reverse", "tcp:http", "localhost:1"}, "0 to 65535"},
		{"reverse to a port alone", []string{"reverse", "tcp:0", "3000"}, "HOST:PORT"},
		{"reverse to no port", []string{"reverse", "tcp:0", "localhost:0"}, "HOST:PORT"},
		{"no key", []string{"key"}, "<key>"},
		{"no text", []string{"type"}, "<text>"},
		{"unknown language", []string{"--lang", "fr", "info"}, "zh or en"},
		{"unknown type", []string{"--device-type", "nokia", "info"}, "adb"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := run(t, c.args...)
			r.fails(t, exitUsage, "handset: ", c.says)
			require.Empty(t, r.out)
			j := run(t, append([]string{"--json"}, c.args...)...)
			require.Equal(t, exitUsage, j.status)
			require.Empty(t, j.err)
			told := object(t, j.out)["error"].(map[string]any)
			require.Equal(t, 2.0, told["status"])
			require.Contains(t, told["message"], c.says)
		})
	}
}

func TestTapReachesThePhone(t *testing.T) {
	cases := []struct {
		name string
		args []string
		x, y int
	}{
		{"pixels", []string{"tap", "540,1200"}, 540, 1200},
		{"the first pixel", []string{"tap", "0,0"}, 0, 0},
		{"the last pixel", []string{"tap", "1079,2399"}, 1079, 2399},
		{"spaces", []string{"tap", "540, 1200"}, 540, 1200},
		{"rel", []string{"tap", "--rel", "500,500"}, 540, 1200},
		{"rel zero", []string{"tap", "--rel", "0,0"}, 0, 0},
		{"rel 999", []string{"tap", "999,999", "--rel"}, 1078, 2397},
		{"rel as a fraction", []string{"tap", "--rel", "0.5,0.25"}, 540, 600},
		{"rel 1000 is the last pixel", []string{"tap", "1000,1000", "--rel"}, 1079, 2399},
		{"a label", []string{"tap", "--text", "Settings"}, 135, 257},
		{"a part of a label", []string{"tap", "--text", "sett"}, 135, 257},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			device, _ := attach(t, nil)
			out := run(t, append([]string{"--json"}, c.args...)...).ok(t)
			got := object(t, out)
			require.Equal(t, "tap", got["done"])
			taps := device.Phone().Events("tap")
			require.Len(t, taps, 1)
			require.EqualValues(t, []any{taps[0].Data["x"], taps[0].Data["y"]}, []any{int(got["px"].([]any)[0].(float64)), int(got["px"].([]any)[1].(float64))})
			if c.args[1] != "--text" {
				require.Equal(t, []any{float64(c.x), float64(c.y)}, got["px"])
				return
			}
			require.Equal(t, "com.android.settings", device.Phone().Foreground().ID)
		})
	}
}

func TestTapOffTheScreen(t *testing.T) {
	device, _ := attach(t, nil)
	run(t, "tap", "1080,5").fails(t, exitUsage, "off the screen", "1080x2400")
	require.Empty(t, device.Phone().Log())
}

func TestTapKinds(t *testing.T) {
	device, _ := attach(t, nil)
	require.Empty(t, run(t, "tap", "540,2000", "--double").ok(t), "no news is good news")
	run(t, "tap", "540,2000", "--long", "900ms").ok(t)
	run(t, "swipe", "540,1800", "540,900", "--over", "200ms").ok(t)
	run(t, "swipe", "--rel", "500,800", "500,300", "--hold", "1s").ok(t)
	p := device.Phone()
	require.Len(t, p.Events("tap"), 2, "the two halves of the double tap")
	require.Len(t, p.Events("long_press"), 1)
	require.Len(t, p.Events("swipe"), 1)
	require.Len(t, p.Events("drag"), 1)
}

func TestTapByLabelRefusesToGuess(t *testing.T) {
	device, _ := attach(t, nil)
	run(t, "tap", "--text", "Mail").fails(t, exitIncomplete, `2 things on the screen are labelled "Mail"`, "--ref:\n", " Mail ")
	run(t, "tap", "--text", "Nothing like it").fails(t, exitIncomplete, "nothing on the screen")
	require.Empty(t, device.Phone().Log())
}

// What tree prints as the label of a row is a label, also where no node has it by itself.
func TestTapByTheLabelOfARow(t *testing.T) {
	device, _ := attach(t, &sim.Options{Start: "com.android.messaging"})
	p := device.Phone()
	snap := perception.Render(p.Tree(), nil)
	merged := 0
	for _, r := range snap.Rows {
		if r.Ref == 0 || !strings.Contains(r.Label, " · ") {
			continue
		}
		merged++
		require.Nil(t, p.Tree().Find(driver.ByText(r.Label)))
		out := object(t, run(t, "--json", "tap", "--text", r.Label).ok(t))
		require.Equal(t, []any{float64(r.At.X), float64(r.At.Y)}, out["px"])
		run(t, "key", "Back").ok(t)
	}
	require.NotZero(t, merged)
	run(t, "tap", "--text", " · ").fails(t, exitIncomplete, "things on the screen", "Alice")
}

func TestTapByRef(t *testing.T) {
	device, _ := attach(t, nil)
	run(t, "tap", "--ref", "3").fails(t, exitUsage, "run handset tree first")
	run(t, "launch", "Settings").ok(t)
	ref := refOf(t, run(t, "tree").ok(t), "Bluetooth")
	run(t, "tap", "--ref", ref).ok(t)
	require.Len(t, device.Phone().Events("switch"), 1)
}

func TestTapByRefRefusesAnotherScreen(t *testing.T) {
	device, _ := attach(t, nil)
	p := device.Phone()
	run(t, "launch", "Settings").ok(t)
	ref := refOf(t, run(t, "tree").ok(t), "Bluetooth")
	p.SetValue("bluetooth", "false")
	p.ClearLog()

	r := run(t, "tap", "--ref", ref)
	r.fails(t, exitIncomplete, "the ref is of an older screen", "nothing was tapped", "Bluetooth")
	require.Empty(t, p.Log())

	run(t, "tap", "--ref", refOf(t, r.err, "Bluetooth")).ok(t)
	require.Equal(t, "true", p.Value("bluetooth"), "the refs of the fresh rows are good")
	run(t, "tree").ok(t)
	run(t, "tap", "--ref", "999").fails(t, exitUsage, "no ref 999")
}

// The same row on another page, with other things around it, is not the row that was meant.
func TestTapByRefRefusesTheSameRowElsewhere(t *testing.T) {
	same := sim.Screen{ID: "main", Title: sim.T("Sure?", ""), Page: "Main", Body: []sim.Widget{
		{Kind: sim.KindButton, Text: sim.T("OK", ""), Do: []sim.Effect{sim.Emit("agreed")}},
	}}
	app := func(id string) sim.App { return sim.App{ID: id, Name: sim.T(id, ""), Screens: []sim.Screen{same}} }
	device, _ := attach(t, &sim.Options{Apps: []sim.App{app("com.one"), app("com.two")}})
	run(t, "launch", "com.one").ok(t)
	ref := refOf(t, run(t, "tree").ok(t), "OK")
	_, err := device.Phone().StartApp("com.two")
	require.NoError(t, err)
	run(t, "tap", "--ref", ref).fails(t, exitIncomplete, "older screen")
	require.Empty(t, device.Phone().Events("tap"))
}

// refOf returns the number of the row with a label.
func refOf(t *testing.T, rows, label string) string {
	t.Helper()
	for line := range strings.Lines(rows) {
		number, rest, _ := strings.Cut(line, " ")
		if strings.Contains(rest, " "+label+" ") && number != "app" {
			return number
		}
	}
	t.Fatalf("no row %q in:\n%s", label, rows)
	return ""
}

func TestPaymentIsRefusedWithoutATerminal(t *testing.T) {
	device, _ := attach(t, &sim.Options{Start: "com.handset.shop"})
	p := device.Phone()
	payButton(t)
	p.ClearLog()
	r := run(t, "tap", "--text", "Pay")
	r.fails(t, exitDenied, "denied", "--yes")
	require.Empty(t, p.Log())

	j := object(t, run(t, "--json", "tap", "--text", "Pay").out)["error"].(map[string]any)
	require.Equal(t, 5.0, j["status"])
	run(t, "--lang", "zh", "tap", "--text", "Pay").fails(t, exitDenied, "没有终端可以询问")

	run(t, "--yes", "tap", "--text", "Pay").ok(t)
	require.Len(t, p.Events("tap"), 1)
}

// payButton goes to the page whose button asks for money.
func payButton(t *testing.T) {
	t.Helper()
	run(t, "tap", "--ref", refOf(t, run(t, "tree").ok(t), "Add")).ok(t)
	run(t, "tap", "--text", "Cart (1)").ok(t)
}

func TestKey(t *testing.T) {
	device, _ := attach(t, &sim.Options{Start: "com.android.settings"})
	require.Equal(t, map[string]any{"done": "key", "key": "Back"}, object(t, run(t, "--json", "key", "back").ok(t)))
	require.Equal(t, "com.android.launcher3", device.Phone().Foreground().ID)
	run(t, "key", "VolumeSideways").fails(t, exitUsage, `no key "VolumeSideways"`, "VolumeUp")
	run(t, "key", " ").fails(t, exitUsage, "empty")
	run(t, "key", "--long", "Home").ok(t)
	run(t, "-d", "sim:", "key", "--long", "Home").fails(t, exitDevice, "cannot hold a key")
}

func TestType(t *testing.T) {
	texts := []struct{ name, text string }{
		{"ascii", `it's "quoted"; $(reboot) && rm -rf / | cat > x`},
		{"chinese", "你好,世界"},
		{"emoji", "👩‍👩‍👧 ok 🎉"},
		{"a percent and a backslash", `100%s \n`},
	}
	for _, c := range texts {
		t.Run(c.name, func(t *testing.T) {
			device, _ := attach(t, &sim.Options{Start: "com.handset.notes"})
			focusNote(t)
			run(t, "type", "--", c.text).ok(t)
			field, ok := device.Phone().Focused()
			require.True(t, ok)
			require.Equal(t, c.text, field.Text)
			feed(t, "again\n", "type", "--clear", "-").ok(t)
			field, _ = device.Phone().Focused()
			require.Equal(t, "again", field.Text, "the newline that ends a line is none of the text")
		})
	}
}

// focusNote puts the cursor into the field of a new note.
func focusNote(t *testing.T) {
	t.Helper()
	run(t, "tap", "--text", "New note").ok(t)
	rows := run(t, "tree").ok(t)
	for line := range strings.Lines(rows) {
		if number, rest, _ := strings.Cut(line, " "); strings.HasPrefix(rest, "edit ") {
			run(t, "tap", "--ref", number).ok(t)
			return
		}
	}
	t.Fatalf("no field in:\n%s", rows)
}

func TestTypeIntoNothing(t *testing.T) {
	attach(t, nil)
	run(t, "type", "hi").fails(t, exitDevice, "field has the focus", "tap one first")
	feed(t, "\xff", "type", "-").fails(t, exitUsage, "UTF-8")
	feed(t, "ab\x00c", "type", "-").fails(t, exitUsage, "NUL", "behind 2 bytes")
}

func TestLaunch(t *testing.T) {
	device, _ := attach(t, nil)
	require.Contains(t, run(t, "launch", "设置").ok(t), "com.android.settings")
	got := object(t, run(t, "--json", "launch", "com.handset.notes").ok(t))
	require.Equal(t, "launch", got["done"])
	require.Equal(t, "com.handset.notes", got["app"].(map[string]any)["id"])
	require.Equal(t, "com.handset.notes", device.Phone().Foreground().ID)

	run(t, "-d", "sim:", "launch", "Setings").fails(t, exitDevice, "app not found", "com.android.settings", "see handset apps")
	run(t, "-d", "sim:", "launch", "Mail").fails(t, exitDevice, "com.handset.mail", "com.handset.workmail")
	require.Equal(t, "com.handset.notes", device.Phone().Foreground().ID)
}
