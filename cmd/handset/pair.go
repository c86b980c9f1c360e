package main

import (
	"strings"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/adb"
)

type pairCmd struct {
	At   string `arg:"" name:"host:port" help:"As the phone shows it beside the code (Wireless debugging, Pair device with pairing code)."`
	Code string `arg:"" help:"The six digits; - reads them from stdin."`
}

// Run pairs this computer with a phone, which can be connected to afterwards.
func (c *pairCmd) Run(a *app) error {
	code := c.Code
	if code == "-" {
		data, err := readAll(a.stdin)
		if err != nil {
			return err
		}
		code = strings.TrimSpace(string(data))
	}
	if err := adb.Pair(a.ctx, c.At, code, a.adbOptions()); err != nil {
		return &openError{err}
	}
	a.done("pair", map[string]any{"at": c.At})
	return nil
}

type tcpipCmd struct {
	Port int  `arg:"" optional:"" default:"5555" help:"Where the phone is to listen (${default})."`
	Off  bool `help:"Listen no more, and only on the cable again."`
}

// Run has a phone on a cable listen on the network, and prints where.
func (c *tcpipCmd) Run(a *app) error {
	if c.Port < 1 || c.Port > 65535 {
		return usagef("tcpip: port %d: want 1 to 65535", c.Port)
	}
	return a.withADB("tcpip", func(d *adb.Driver) error {
		if c.Off {
			return a.saidDone(d.USB(a.ctx), "tcpip", map[string]any{"off": true})
		}
		at, err := d.TCPIP(a.ctx, c.Port)
		if err == nil {
			a.say(map[string]string{"at": at}, "%s", at)
		}
		return err
	})
}

// withADB is with for what only adb can do.
func (a *app) withADB(command string, f func(*adb.Driver) error) (err error) {
	if a.addr, err = a.address(); err != nil {
		return err
	}
	opened, err := driver.Open(a.ctx, a.addr)
	if err != nil {
		return &openError{err}
	}
	defer func() {
		if closed := opened.Close(); err == nil && closed != nil {
			err = &openError{closed}
		}
	}()
	d, ok := opened.(*adb.Driver)
	if !ok {
		return usagef("%s: %s is no Android phone over adb", command, a.addr)
	}
	return f(d)
}
