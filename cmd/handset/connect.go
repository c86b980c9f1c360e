package main

import (
	"os"

	"github.com/handset-go/handset/driver/adb"
	"github.com/handset-go/handset/driver/hdc"
)

type connectCmd struct {
	At string `arg:"" name:"host:port" help:"Where the phone listens; the port is 5555 if it is left out."`
}

// Run attaches a phone over the network.
func (c *connectCmd) Run(a *app) error {
	var address string
	var err error
	switch a.Type {
	case "adb":
		address, err = adb.Connect(a.ctx, c.At, a.adbOptions())
	case "hdc":
		address, err = hdc.Connect(a.ctx, c.At, a.hdcOptions())
	default:
		return usagef("connect: phones of the type %s are not connected; give their address with -d", a.Type)
	}
	if err != nil {
		return &openError{err}
	}
	a.say(map[string]string{"address": address}, "%s", address)
	return nil
}

type disconnectCmd struct {
	At string `arg:"" optional:"" name:"host:port" help:"Which one; all of them if it is left out."`
}

// Run detaches one phone, or all.
func (c *disconnectCmd) Run(a *app) error {
	var err error
	switch {
	case a.Type == "adb" && c.At == "":
		err = adb.DisconnectAll(a.ctx, a.adbOptions())
	case a.Type == "adb":
		err = adb.Disconnect(a.ctx, c.At, a.adbOptions())
	case a.Type == "hdc" && c.At != "":
		err = hdc.Disconnect(a.ctx, c.At, a.hdcOptions())
	case a.Type == "hdc":
		return usagef("disconnect: hdc lets go of one phone at a time: give HOST:PORT")
	default:
		return usagef("disconnect: phones of the type %s are not connected", a.Type)
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

// hdcOptions are those that variables ask for.
func (a *app) hdcOptions() *hdc.Options {
	o := hdc.FromEnv(os.Getenv)
	o.Logger = a.logger()
	return o
}
