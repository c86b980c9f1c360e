package main

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/adbd"
	"github.com/handset-go/handset/internal/phonefront/android"
	"github.com/handset-go/handset/internal/phonefront/control"
)

type simCmd struct {
	List    bool     `help:"List the profiles and the faults."`
	Profile string   `default:"a14" placeholder:"NAME" help:"Which release the phone answers like; ${default} if unset."`
	ADB     string   `name:"adb" default:"127.0.0.1:0" placeholder:"ADDR" help:"Where its adb daemon listens; a free port if unset. On the ports 5555 to 5585, adb takes it for an emulator, too."`
	Control string   `default:"127.0.0.1:0" placeholder:"ADDR" help:"Where GET /log and the like are served; a free port if unset."`
	Fault   []string `placeholder:"NAME" help:"Switch a fault on, NAME or NAME=ARG of those that --list shows; may be given several times."`
	Size    string   `placeholder:"WxH" help:"The screen; 1080x2400 if unset."`
	Density int      `help:"Dots per inch; 420 if unset."`
	Locked  bool     `help:"Start at the lock screen."`
}

// Run serves a simulated phone until a signal.
func (c *simCmd) Run(a *app) error {
	if c.List {
		a.listSim()
		return nil
	}
	device, err := c.device(a)
	if err != nil {
		return err
	}
	daemon, err := adbd.Listen(device, &adbd.Options{Addr: c.ADB})
	if err != nil {
		return fmt.Errorf("sim: %w", err)
	}
	defer daemon.Close()
	listener, err := new(net.ListenConfig).Listen(a.ctx, "tcp", c.Control)
	if err != nil {
		return fmt.Errorf("sim: control: %w", err)
	}
	a.printJSON(struct {
		ADB     string `json:"adb"`
		Control string `json:"control"`
	}{daemon.Addr(), listener.Addr().String()})
	return a.serve(listener, control.Handler(device))
}

func (c *simCmd) device(a *app) (*android.Device, error) {
	opts := &sim.Options{Lang: a.Lang, Density: c.Density, Locked: c.Locked}
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
	device, err := android.New(sim.New(opts), &android.Options{Profile: c.Profile})
	if err != nil {
		return nil, usagef("sim: %v", err)
	}
	for _, f := range c.Fault {
		if err := device.SetFault(f, true); err != nil {
			return nil, usagef("sim: %v", err)
		}
	}
	return device, nil
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
	if a.JSON {
		a.printJSON(map[string]any{"profiles": control.Profiles(), "faults": control.Faults()})
		return
	}
	rows := [][]string{{"PROFILE", ""}}
	for _, p := range control.Profiles() {
		rows = append(rows, []string{p.Name, p.Doc})
	}
	rows = append(rows, []string{""}, []string{"FAULT", ""})
	for _, f := range control.Faults() {
		rows = append(rows, []string{f.Name, f.Doc})
	}
	a.table(rows)
}
