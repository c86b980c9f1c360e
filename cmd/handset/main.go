// Command handset looks at phones and acts on them: by hand, one step at a time, or with a model.
//
// Run "handset --help" for the commands, "handset COMMAND --help" for one.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/handset-go/handset/agent/chat"
	"github.com/handset-go/handset/driver"
	_ "github.com/handset-go/handset/driver/adb"
	_ "github.com/handset-go/handset/driver/hdc"
	_ "github.com/handset-go/handset/driver/sim"
	_ "github.com/handset-go/handset/driver/wda"
	hdcfront "github.com/handset-go/handset/internal/phonefront/hdc"
)

// cli is the command line. Its fields are read by kong.
type cli struct {
	Device  string `short:"d" placeholder:"ADDRESS" env:"PHONE_AGENT_DEVICE_ID" help:"The phone, as handset devices lists it: adb:SERIAL, hdc:KEY, wda:UDID, wda://HOST:PORT, sim: (a simulated one), or a bare serial (${env}). Default: the only one that is attached."`
	Type    string `name:"device-type" placeholder:"TYPE" env:"PHONE_AGENT_DEVICE_TYPE" default:"adb" enum:"adb,hdc,ios,sim" help:"What a bare serial, or none, means: adb, hdc, ios or sim (${env}; ${default} if unset)."`
	WDAURL  string `name:"wda-url" placeholder:"URL" env:"PHONE_AGENT_WDA_URL" help:"Where the WebDriverAgent of an iPhone listens, with --device-type ios and no -d (${env}). Default: the only iPhone on USB."`
	JSON    bool   `name:"json" help:"Print JSON instead of text."`
	Lang    string `placeholder:"LANG" env:"PHONE_AGENT_LANG" help:"Language of messages, prompts and names of apps, zh or en (${env}). Default: messages as LANG says, prompts as the task is, names as the phone has them."`
	Yes     bool   `short:"y" help:"Allow what would be asked about, without asking. Meant for scripts that know what they tap."`
	Strict  bool   `help:"Ask about every gesture where the phone gives no tree, so that no label can be judged."`
	Verbose bool   `short:"v" help:"Tell on stderr what the phone is asked for, and of retries."`

	Version kong.VersionFlag `help:"Print the version of this program."`

	Devices    devicesCmd    `cmd:"" group:"look" help:"List the phones, and what to do about those that cannot be used now."`
	Info       infoCmd       `cmd:"" group:"look" help:"Describe a phone: model, version, size, app in front, power, keys, operations."`
	Tree       treeCmd       `cmd:"" group:"look" help:"Print what is on the screen: a row for each thing, or JSON."`
	Screenshot screenshotCmd `cmd:"" group:"look" help:"Save what the phone shows."`
	Frames     framesCmd     `cmd:"" group:"look" help:"Save what the phone shows, again and again."`

	Tap           tapCmd           `cmd:"" group:"act" help:"Tap a point, a row of the last tree, or a label: once, twice, or long."`
	Swipe         swipeCmd         `cmd:"" group:"act" help:"Swipe from one point to another, or drag."`
	Pinch         pinchCmd         `cmd:"" group:"act" help:"Move two fingers apart or together, to zoom."`
	Key           keyCmd           `cmd:"" group:"act" help:"Press a key: Back, Home, Enter, Delete, VolumeUp, ..."`
	Text          typeCmd          `cmd:"" name:"type" group:"act" help:"Type text into the focused field."`
	Clear         clearCmd         `cmd:"" group:"act" help:"Empty the focused field."`
	HideKeyboard  hideKeyboardCmd  `cmd:"" group:"act" help:"Take the keyboard off the screen (iPhone; elsewhere Back does)."`
	Notifications notificationsCmd `cmd:"" group:"act" help:"Show the notifications, or put them away (Android)."`
	Alert         alertCmd         `cmd:"" group:"act" help:"Print the alert that is open, or press one of its buttons (iPhone)."`

	Launch    launchCmd    `cmd:"" group:"apps" help:"Bring an app to the front, by id or name."`
	Stop      stopCmd      `cmd:"" group:"apps" help:"End an app, by id or name."`
	Open      openCmd      `cmd:"" group:"apps" help:"Open a URL in the app that takes it."`
	Apps      appsCmd      `cmd:"" group:"apps" help:"List the installed apps; of an iPhone, those that run."`
	Install   installCmd   `cmd:"" group:"apps" help:"Install an app from a file, or from the files of its parts."`
	Uninstall uninstallCmd `cmd:"" group:"apps" help:"Remove an app and its data, by id."`
	ClearData clearDataCmd `cmd:"" group:"apps" help:"Delete all that an app has stored, by id (Android)."`
	Push      pushCmd      `cmd:"" group:"apps" help:"Copy a file or a folder to the phone."`
	Pull      pullCmd      `cmd:"" group:"apps" help:"Copy a file or a folder from the phone."`

	Wake      wakeCmd      `cmd:"" group:"phone" help:"Turn the display on, and with --unlock open the lock screen."`
	Lock      lockCmd      `cmd:"" group:"phone" help:"Turn the display off, which locks the phone."`
	Rotate    rotateCmd    `cmd:"" group:"phone" help:"Turn the display, or print how it is turned."`
	Clipboard clipboardCmd `cmd:"" group:"phone" help:"Print the clipboard, or put a text there."`
	Battery   batteryCmd   `cmd:"" group:"phone" help:"Print the state of the battery (Android)."`
	Shell     shellCmd     `cmd:"" group:"phone" help:"Run a command on the phone and print what it wrote; its exit status is ours."`
	Logs      logsCmd      `cmd:"" group:"phone" help:"Print the system log as it grows."`
	Forward   forwardCmd   `cmd:"" group:"phone" help:"Lead a port of this computer to the phone until Ctrl-C (Android)."`
	Reverse   reverseCmd   `cmd:"" group:"phone" help:"Lead a port of the phone to this computer until Ctrl-C (Android)."`

	Run   runCmd   `cmd:"" group:"agent" help:"Let a model do a task on the phone."`
	Parse parseCmd `cmd:"" group:"agent" help:"Read a model's reply and print the action in it as JSON."`

	Connect    connectCmd    `cmd:"" group:"setup" help:"Attach a phone over the network (adb connect, hdc tconn)."`
	Disconnect disconnectCmd `cmd:"" group:"setup" help:"Detach a phone that was attached over the network, or all of them."`
	Pair       pairCmd       `cmd:"" group:"setup" help:"Pair this computer with an Android phone that shows a code (adb pair)."`
	TCPIP      tcpipCmd      `cmd:"" name:"tcpip" group:"setup" help:"Have an Android phone on a cable listen on the network, and print where (adb tcpip)."`
	Track      trackCmd      `cmd:"" group:"setup" help:"Print the phones of the adb server, now and at each change."`
	Sim        simCmd        `cmd:"" group:"setup" help:"Serve a simulated phone to adb, hdc or a WebDriver client, and so to any tool."`
	DemoModel  demoModelCmd  `cmd:"" name:"demo-model" group:"setup" help:"Serve a model of rules, without intelligence, to try run with."`
}

// app is what a command works with.
type app struct {
	*cli
	ctx    context.Context
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer

	out  *output   // stdout for data
	text io.Writer // stdout for people
	lang string    // of the messages
	addr string    // of the phone, once it is open
	// opened is the phone itself, without the log and the gate: see ability.
	opened driver.Driver
	terminal
}

func main() {
	if code, ok := hdcfront.AsTool(os.Args, os.LookupEnv); ok {
		os.Exit(code) // the hdc that sim --hdc wrote
	}
	ctx, stop := signal.NotifyContext(context.Background(), endSignals()...)
	defer stop()
	// The first signal ends the work in good order; a second one ends the process.
	context.AfterFunc(ctx, stop)
	a := &app{ctx: ctx, stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr}
	os.Exit(a.main(os.Args[1:]))
}

// endSignals are those that end a command in good order: also that its terminal was closed, unless nohup had that ignored.
func endSignals() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}

// main runs one command line and returns the exit status.
func (a *app) main(args []string) int {
	a.cli = &cli{}
	a.out = &output{w: a.stdout}
	a.text, a.stderr = plain{a.out}, plain{a.stderr}
	status := a.command(args)
	if a.out.err != nil && status == exitDone {
		fmt.Fprintf(a.stderr, "handset: print: %v\n", a.out.err)
		return exitOther
	}
	return status
}

func (a *app) command(args []string) int {
	helped := false
	parser := a.parser(func() { helped = true })
	dropEmptyEnv(parser.Model)
	k, err := parse(parser, args)
	if helped {
		return exitDone
	}
	if err == nil {
		err = a.setLang()
	} else {
		a.JSON = a.JSON || slices.Contains(args, "--json")
		err = usagef("%v", err)
	}
	if err == nil {
		err = k.Run(a)
	}
	if err != nil {
		return a.fail(err)
	}
	return exitDone
}

// parser makes what reads the command line. helped is called after a help was printed.
func (a *app) parser(helped func()) *kong.Kong {
	options := append([]kong.Option{
		kong.Name("handset"), kong.Description(description), kong.ExplicitGroups(groups), kong.Writers(a.text, a.stderr),
		kong.Exit(func(int) { helped() }), kong.Help(printHelp), kong.ConfigureHelp(kong.HelpOptions{Compact: true, Summary: true, FlagsLast: true}),
		kong.Vars{"base_url": chat.DefaultBaseURL, "model": chat.DefaultModel, "version": version()},
	}, readers...)
	parser, err := kong.New(a.cli, options...)
	if err != nil {
		panic(err) // a mistake in the struct tags above
	}
	return parser
}

// fail prints an error and returns the exit status that it means.
func (a *app) fail(err error) int {
	status := exitStatus(a.ctx, err)
	var told *toldError
	if errors.As(err, &told) {
		return status
	}
	if a.JSON {
		a.printJSON(map[string]any{"error": errorJSON{Message: err.Error(), Status: status, MaybeDone: driver.MaybeDone(err)}})
		return status
	}
	fmt.Fprintf(a.stderr, "handset: %v\n", err)
	return status
}

type errorJSON struct {
	Message   string `json:"message"`
	Status    int    `json:"status"`
	MaybeDone bool   `json:"maybe_done,omitempty"`
}
