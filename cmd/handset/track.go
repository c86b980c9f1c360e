package main

import (
	"errors"
	"fmt"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/adb"
)

type trackCmd struct {
	Count int `placeholder:"N" help:"End after N lists. Default: go on until a signal."`
}

// Run prints the phones that the adb server knows, now and at each change, also of a server that starts anew.
func (c *trackCmd) Run(a *app) error {
	if c.Count < 0 {
		return usagef("track: --count %d: want a number of lists", c.Count)
	}
	told := 0
	for list, err := range adb.Follow(a.ctx, a.adbOptions()) {
		switch {
		case a.ctx.Err() != nil:
			return nil // a signal is how it ends
		case a.out.err != nil:
			return nil // nobody reads any more; main tells
		case errors.Is(err, driver.ErrBadOption):
			return err // which no waiting mends
		case err != nil && a.JSON:
			a.printJSON(map[string]any{"error": err.Error()})
		case err != nil:
			fmt.Fprintf(a.stderr, "handset: %v\n", err)
		default:
			a.printChange(list, told == 0)
			if told++; told == c.Count {
				return nil
			}
		}
	}
	return nil
}

// printChange prints a list, as one line of JSON or as a table after an empty line.
func (a *app) printChange(list []driver.Device, first bool) {
	if a.JSON {
		if list == nil {
			list = []driver.Device{}
		}
		a.printJSON(map[string]any{"devices": list})
		return
	}
	if !first {
		fmt.Fprintln(a.text)
	}
	if len(list) == 0 {
		fmt.Fprintln(a.text, a.tr("no phones", "没有手机"))
		return
	}
	a.printDevices(list)
}
