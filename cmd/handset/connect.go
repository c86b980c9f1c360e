package main

import (
	"os"

	"github.com/handset-go/handset/driver/adb"
)

type connectCmd struct {
	At string `arg:"" placeholder:"HOST[:PORT]" help:"Where the phone listens; the port is 5555 if it is left out."`
}

// Run attaches a phone over the network.
func (c *connectCmd) Run(a *app) error {
	address, err := adb.Connect(a.ctx, c.At, a.adbOptions())
	if err != nil {
		return &openError{err}
	}
	a.say(map[string]string{"address": address}, "%s", address)
	return nil
}

type disconnectCmd struct {
	At string `arg:"" optional:"" placeholder:"HOST[:PORT]" help:"Which; all of them if it is left out."`
}

// Run detaches one phone, or all.
func (c *disconnectCmd) Run(a *app) error {
	var err error
	if c.At == "" {
		err = adb.DisconnectAll(a.ctx, a.adbOptions())
	} else {
		err = adb.Disconnect(a.ctx, c.At, a.adbOptions())
	}
	if err != nil {
		return &openError{err}
	}
	a.done("disconnect", nil)
	return nil
}

// adbOptions are those that the variables of adb itself ask for.
func (a *app) adbOptions() *adb.Options {
	o := adb.FromEnv(os.Getenv)
	o.Logger = a.logger()
	return o
}
