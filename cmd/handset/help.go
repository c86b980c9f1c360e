package main

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
)

const description = `Hands and eyes on phones: look at one, act on it, or let a model do a task.

	handset devices                    what is attached
	handset tree                       what is on the screen, a row for each thing
	handset tap --ref 5                row 5 of that
	handset launch Settings            or an id, or 设置
	handset run "open Settings and switch Bluetooth off"
	handset -d sim: tree               on a simulated phone

Exit status: 0 done, 1 other, 2 usage, 3 incomplete or unreadable, 4 stuck, 5 denied, 6 budget, 7 device, 8 model, 9 infeasible, 130 interrupted.`

var groups = []kong.Group{
	{Key: "look", Title: "Look at a phone:"},
	{Key: "act", Title: "Act (paying, sending money, deleting and the like are asked about):"},
	{Key: "apps", Title: "Files and apps:"},
	{Key: "phone", Title: "The phone itself:"},
	{Key: "agent", Title: "Models:"},
	{Key: "setup", Title: "Set up:"},
}

// printHelp prints the help of the whole, or of one command. The flags that every command has are explained once, in
// the first.
func printHelp(options kong.HelpOptions, ctx *kong.Context) error {
	if ctx.Selected() == nil {
		return kong.DefaultHelpPrinter(options, ctx)
	}
	for _, f := range ctx.Model.Flags {
		f.Hidden = true
	}
	if err := kong.DefaultHelpPrinter(options, ctx); err != nil {
		return err
	}
	_, err := fmt.Fprint(ctx.Stdout, "\nEvery command also takes -d ADDRESS (the phone), --json, --lang, -y and others:\nsee handset --help.\n")
	return err
}

// The examples of commands, as kong prints them.

func (c *devicesCmd) Help() string {
	return example("handset devices", "handset -d adb:R58M123 info            an address from the list")
}

func (c *framesCmd) Help() string {
	return example(
		"handset frames -o frames --for 10s",
		"handset frames -o - --rate 10 --for 10s > screen.mjpeg")
}

func (c *screenshotCmd) Help() string {
	return example("handset screenshot -o now.png", "handset screenshot -o - > now.png")
}

func (c *treeCmd) Help() string {
	return example(
		"handset tree                           the first number of a row is for tap --ref",
		"handset tree --format json",
		"handset tree --from window_dump.xml")
}

func (c *tapCmd) Help() string {
	return example(
		"handset tap 540,1200",
		"handset tap --rel 500,500              the middle of the screen",
		"handset tap --ref 5                    row 5 of the last handset tree",
		"handset tap --text Send                the thing with this label",
		"handset tap --text Send --long 1s",
		"handset tap 540,1200 --double")
}

func (c *swipeCmd) Help() string {
	return example(
		"handset swipe 540,1800 540,600         scrolls down",
		"handset swipe --rel 500,800 500,200",
		"handset swipe 200,900 200,300 --hold 1s   picks up what is there and drags it")
}

func (c *pinchCmd) Help() string {
	return example("handset pinch 540,1200 2               zooms in", "handset pinch --rel 500,500 0.5        zooms out")
}

func (c *keyCmd) Help() string {
	return example("handset key Back", "handset key VolumeUp", "handset key --long Home")
}

func (c *clearCmd) Help() string {
	return example("handset clear", "handset type --clear hello             empties the field and types")
}

func (c *hideKeyboardCmd) Help() string { return example("handset -d wda: hide-keyboard") }

func (c *notificationsCmd) Help() string {
	return example("handset notifications", "handset notifications --quick", "handset notifications --close")
}

func (c *alertCmd) Help() string {
	return example("handset -d wda: alert", "handset -d wda: alert 'Allow Once'")
}

func (c *openCmd) Help() string {
	return example("handset open https://example.com", "handset --yes open 'geo:0,0?q=cafe'")
}

func (c *stopCmd) Help() string {
	return example("handset stop Settings", "handset stop com.android.settings")
}

func (c *appsCmd) Help() string { return example("handset apps", "handset --json apps") }

func (c *uninstallCmd) Help() string { return example("handset uninstall com.example.shop") }

func (c *clearDataCmd) Help() string { return example("handset clear-data com.example.shop") }

func (c *pushCmd) Help() string {
	return example(
		"handset push photo.jpg /sdcard/Download/",
		"handset push photos /sdcard/Pictures/new    the folder becomes new",
		"echo hello | handset push - /sdcard/hello.txt")
}

func (c *pullCmd) Help() string {
	return example(
		"handset pull /sdcard/Download/photo.jpg",
		"handset pull /sdcard/Pictures photos        a folder",
		"handset pull /sdcard/hello.txt - | wc")
}

func (c *wakeCmd) Help() string {
	return example("handset wake", "handset wake --unlock", "handset -d hdc: wake --unlock --pin-env PHONE_PIN")
}

func (c *lockCmd) Help() string { return example("handset lock") }

func (c *rotateCmd) Help() string {
	return example("handset rotate                         prints it", "handset rotate 1", "handset rotate auto")
}

func (c *clipboardCmd) Help() string {
	return example("handset clipboard", `handset clipboard "hello, 你好"`, "date | handset clipboard -")
}

func (c *batteryCmd) Help() string { return example("handset battery") }

func (c *shellCmd) Help() string {
	return example(
		"handset shell getprop ro.product.model",
		"handset shell sh -c 'cd /sdcard && ls -l'",
		"handset shell -- ls -l")
}

func (c *logsCmd) Help() string { return example("handset logs", "handset logs --for 5s") }

func (c *forwardCmd) Help() string {
	return example("handset forward tcp:8080                  prints where to connect")
}

func (c *reverseCmd) Help() string {
	return example("handset reverse tcp:8080 localhost:3000")
}

func (c *typeCmd) Help() string {
	return example(
		`handset type "hello, 你好"`,
		"handset type --clear hello             in place of what is there",
		"echo hello | handset type -",
		"handset type -- --json                 what looks like a flag")
}

func (c *launchCmd) Help() string {
	return example("handset launch Settings", "handset launch com.android.settings", "handset launch 设置")
}

func (c *installCmd) Help() string {
	return example("handset install shop.apk", "handset --yes install base.apk split_zh.apk")
}

func (c *runCmd) Help() string {
	return example(
		"export PHONE_AGENT_BASE_URL=https://open.bigmodel.cn/api/paas/v4",
		"export PHONE_AGENT_MODEL=autoglm-phone PHONE_AGENT_API_KEY=...",
		`handset run "open Settings and switch Bluetooth off"`,
		"handset run --max-steps 20 --json 打开设置")
}

func (c *parseCmd) Help() string {
	return example(
		`echo 'do(action="Tap", element=[500,300])' | handset parse --size 1080x2400`,
		"handset parse reply.txt")
}

func (c *connectCmd) Help() string {
	return example("handset connect 192.168.1.9", "handset --device-type hdc connect 192.168.1.9:5555")
}

func (c *pairCmd) Help() string { return example("handset pair 192.168.1.9:37125 123456") }

func (c *simCmd) Help() string {
	return example(
		"handset sim --list                     the phones and faults that there are",
		"handset sim --adb 127.0.0.1:7555       then: adb connect 127.0.0.1:7555",
		"handset sim --hdc /tmp/bin             then: /tmp/bin/hdc list targets",
		"handset sim --wda 127.0.0.1:8100       then: handset -d wda://127.0.0.1:8100 tree")
}

func (c *demoModelCmd) Help() string {
	return example("handset demo-model --addr 127.0.0.1:8000",
		`PHONE_AGENT_BASE_URL=http://127.0.0.1:8000/v1 handset -d sim: run "open Settings"`)
}

// example is the detail of a command's help: lines that are printed as they are.
func example(lines ...string) string { return "Examples:\n\n\t" + strings.Join(lines, "\n\t") }
