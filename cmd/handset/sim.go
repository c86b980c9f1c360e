package main

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"time"

	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/adbd"
	"github.com/handset-go/handset/internal/phonefront/android"
	"github.com/handset-go/handset/internal/phonefront/control"
	"github.com/handset-go/handset/internal/phonefront/hdc"
	"github.com/handset-go/handset/internal/phonefront/wda"
)

type simCmd struct {
	List    bool     `help:"List the profiles and the faults."`
	Profile string   `placeholder:"NAME" help:"Which release or model the phone answers like, of those that --list shows; a14, 6.0 or iphone-15 if unset."`
	ADB     string   `name:"adb" placeholder:"ADDR" help:"An Android phone: where its adb daemon listens. The default, with a free port. On the ports 5555 to 5585, adb takes it for an emulator, too."`
	HDC     string   `name:"hdc" placeholder:"DIR" help:"A HarmonyOS phone: the folder that a program named hdc is written to."`
	WDA     string   `name:"wda" placeholder:"ADDR" help:"An iPhone or iPad: where its WebDriverAgent listens."`
	Version string   `name:"wda-version" placeholder:"VERSION" help:"Which WebDriverAgent answers: 5, 6, 7, 16 or a full version; the newest if unset."`
	Control string   `default:"127.0.0.1:0" placeholder:"ADDR" help:"Where GET /log and the like are served; a free port if unset."`
	Fault   []string `placeholder:"NAME" help:"Switch a fault on, NAME or NAME=ARG of those that --list shows; may be given several times."`
	Size    string   `placeholder:"WxH" help:"The screen; 1080x2400 if unset. An iPhone has its model's."`
	Density int      `help:"Dots per inch; 420 if unset. An iPhone has its model's."`
	Locked  bool     `help:"Start at the lock screen."`
	PIN     string   `name:"pin" placeholder:"DIGITS" help:"What the lock screen asks for. Default: a swipe opens it."`
}

// serverFaults are in the list of an Android phone and mean its adb server, which a test may simulate; this command
// serves a phone to a real one.
var serverFaults = []string{android.FaultServerDies, android.FaultProtocol, android.FaultBadLength, android.FaultSilentServer}

// front is a simulated phone behind a wire.
type front struct {
	control.Phone
	address map[string]string // where it is, as the command prints it
	close   func() error
}

// Run serves a simulated phone until a signal.
func (c *simCmd) Run(a *app) error {
	if c.List {
		a.listSim()
		return nil
	}
	opts, err := c.phone(a)
	if err != nil {
		return err
	}
	f, err := c.front(opts)
	if err != nil {
		return err
	}
	defer f.close()
	for _, name := range c.Fault {
		if slices.Contains(serverFaults, name) {
			return usagef("sim: the fault %s is one of the adb server, and here the server is your own", name)
		}
		if err := f.SetFault(name, true); err != nil {
			return usagef("sim: %v", err)
		}
	}
	listener, err := new(net.ListenConfig).Listen(a.ctx, "tcp", c.Control)
	if err != nil {
		return notServed("sim: control: ", err)
	}
	f.address["control"] = listener.Addr().String()
	a.printJSON(f.address)
	return a.serve(listener, control.Handler(f.Phone))
}

// phone returns what the phone is like, whatever it is behind.
func (c *simCmd) phone(a *app) (*sim.Options, error) {
	opts := &sim.Options{Lang: a.Lang, Density: c.Density, Locked: c.Locked, PIN: c.PIN}
	if c.Size != "" {
		size, err := parseSize(c.Size)
		if err != nil {
			return nil, err
		}
		opts.Size = size
	}
	if err := opts.Check(); err != nil {
		return nil, usagef("sim: %v", err)
	}
	return opts, nil
}

// front puts a phone behind the wire that was asked for.
func (c *simCmd) front(opts *sim.Options) (*front, error) {
	switch {
	case c.HDC == "" && c.WDA == "":
		return c.android(opts)
	case c.HDC != "" && c.WDA == "" && c.ADB == "":
		return c.harmony(opts)
	case c.WDA != "" && c.HDC == "" && c.ADB == "":
		return c.iphone(opts)
	}
	return nil, usagef("sim: one phone is one of --adb, --hdc and --wda; start the command again for another")
}

func (c *simCmd) android(opts *sim.Options) (*front, error) {
	device, err := android.New(sim.New(opts), &android.Options{Profile: c.Profile})
	if err != nil {
		return nil, usagef("sim: %v", err)
	}
	daemon, err := adbd.Listen(device, &adbd.Options{Addr: c.ADB})
	if err != nil {
		return nil, notServed("sim: ", err)
	}
	return &front{device, map[string]string{"adb": daemon.Addr()}, daemon.Close}, nil
}

func (c *simCmd) harmony(opts *sim.Options) (*front, error) {
	opts.Platform = sim.PlatformHarmony
	device, err := hdc.New(sim.New(opts), &hdc.Options{Profile: c.Profile})
	if err != nil {
		return nil, usagef("sim: %v", err)
	}
	server, err := hdc.Serve(nil, device)
	if err != nil {
		return nil, fmt.Errorf("sim: %w", err)
	}
	tool, err := server.WriteTool(c.HDC, "")
	if err != nil {
		return nil, errors.Join(fmt.Errorf("sim: %w", err), server.Close())
	}
	return &front{device, map[string]string{"hdc": tool, "key": device.Key()}, server.Close}, nil
}

func (c *simCmd) iphone(opts *sim.Options) (*front, error) {
	phone, err := wda.NewPhone(c.Profile, opts)
	if err != nil {
		return nil, usagef("sim: %v", err)
	}
	server, err := wda.Listen(c.WDA, phone, &wda.Options{Profile: c.Profile, Version: c.Version})
	if err != nil {
		return nil, notServed("sim: ", err)
	}
	return &front{server.Device, map[string]string{"wda": server.Addr(), "mjpeg": server.MJPEGAddr()}, server.Close}, nil
}

// notServed is the error of a server that could not be started: a mistake on the line, unless the system refused.
func notServed(prefix string, err error) error {
	var network *net.OpError
	var address *net.AddrError
	switch {
	case errors.As(err, &address):
		return usagef("%s%v; want HOST:PORT", prefix, err)
	case errors.As(err, &network):
		return fmt.Errorf("%s%w", prefix, err)
	}
	return usagef("%s%v", prefix, err)
}

// serve runs an HTTP server until the signal that ends the command.
func (a *app) serve(l net.Listener, h http.Handler) error {
	s := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-a.ctx.Done():
	}
	err := s.Close()
	if served := <-ended; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	return err
}

func (a *app) listSim() {
	harmony, iphone := harmonyChoices(), iphoneChoices()
	if a.JSON {
		a.printJSON(map[string]any{"profiles": control.Profiles(), "faults": servedFaults(), "hdc": harmony, "wda": iphone})
		return
	}
	rows := append([][]string{}, listed("Android: sim --adb ADDR", choices{control.Profiles(), servedFaults()})...)
	rows = append(rows, listed("HarmonyOS: sim --hdc DIR", harmony)...)
	a.table(append(rows, listed("iPhone and iPad: sim --wda ADDR", iphone)...))
}

// servedFaults are the faults of an Android phone without those of an adb server.
func servedFaults() []control.Choice {
	return slices.DeleteFunc(control.Faults(), func(c control.Choice) bool { return slices.Contains(serverFaults, c.Name) })
}

// choices is what can be chosen of one kind of phone.
type choices struct {
	Profiles []control.Choice `json:"profiles"`
	Faults   []control.Choice `json:"faults"`
}

func harmonyChoices() choices {
	var c choices
	for _, p := range hdc.Profiles() {
		c.Profiles = append(c.Profiles, control.Choice{Name: p.Name, Doc: p.Doc})
	}
	for _, f := range hdc.Faults() {
		c.Faults = append(c.Faults, control.Choice{Name: withArg(f.Name, f.Arg), Doc: f.Doc})
	}
	return c
}

func iphoneChoices() choices {
	var c choices
	for _, p := range wda.Profiles() {
		c.Profiles = append(c.Profiles, control.Choice{Name: p.Name, Doc: p.Doc})
	}
	for _, f := range wda.FaultList() {
		c.Faults = append(c.Faults, control.Choice{Name: withArg(f.Name, f.Arg), Doc: f.Doc})
	}
	return c
}

// withArg names a fault with the value that it has if none is given.
func withArg(name, arg string) string {
	if arg == "" {
		return name
	}
	return name + "=" + arg
}

func listed(title string, c choices) [][]string {
	rows := [][]string{{title}, {"PROFILE", ""}}
	for _, p := range c.Profiles {
		rows = append(rows, []string{p.Name, p.Doc})
	}
	rows = append(rows, []string{"FAULT", ""})
	for _, f := range c.Faults {
		rows = append(rows, []string{f.Name, f.Doc})
	}
	return append(rows, []string{""})
}
