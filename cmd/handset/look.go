package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"slices"
	"strings"

	"github.com/handset-go/handset/driver"
)

type devicesCmd struct{}

// Run lists the devices of every driver. What a driver cannot list is told where no phone was found, or with -v; it
// is a failure if that is the driver that a bare serial is meant for, or if a variable makes no sense.
func (c *devicesCmd) Run(a *app) error {
	list, err := driver.Devices(a.ctx)
	switch {
	case a.JSON:
		out := map[string]any{"devices": append([]driver.Device{}, list...)}
		if err != nil {
			out["errors"] = strings.Split(err.Error(), "\n")
		}
		a.printJSON(out)
	default:
		a.printDevices(list)
		if err != nil && (len(list) == 0 || a.Verbose || errors.Is(err, driver.ErrBadOption)) {
			fmt.Fprintf(a.stderr, "handset: %v\n", err)
		}
	}
	switch {
	case errors.Is(err, driver.ErrBadOption):
		return &toldError{exitUsage}
	case len(list) == 0 && failedToList(err, schemes[a.Type]):
		return &toldError{exitDevice}
	}
	return nil
}

// failedToList says whether a driver is among those that could not list their devices.
func failedToList(err error, scheme string) bool {
	var one *driver.ListError
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return slices.ContainsFunc(joined.Unwrap(), func(err error) bool { return failedToList(err, scheme) })
	}
	return errors.As(err, &one) && one.Scheme == scheme
}

func (a *app) printDevices(list []driver.Device) {
	if len(list) == 0 {
		fmt.Fprintln(a.stderr, a.tr("no phones; try: handset sim --adb 127.0.0.1:0, or handset -d sim: info", "没有手机;可以试试:handset sim --adb 127.0.0.1:0,或 handset -d sim: info"))
		return
	}
	rows := [][]string{{"ADDRESS", "STATE", "MODEL", "ADVICE"}}
	for _, d := range list {
		state, _, _ := strings.Cut(d.State, " (") // adb explains "no permissions" at length, as the advice does
		rows = append(rows, []string{d.Address, state, d.Model, d.Advice})
	}
	a.table(rows)
}

type infoCmd struct{}

// infoJSON is what info prints. What a phone does not tell is left out.
type infoJSON struct {
	*driver.Description
	Size     *[2]int       `json:"size,omitempty"`
	Rotation *int          `json:"rotation,omitempty"`
	App      *driver.App   `json:"app,omitempty"`
	Power    *driver.Power `json:"power,omitempty"`
}

// Run describes the phone.
func (c *infoCmd) Run(a *app) error {
	return a.with(func(ctx context.Context, d driver.Driver) error {
		info, err := gather(ctx, d)
		if info == nil {
			return err
		}
		if a.JSON {
			a.printJSON(info)
		} else {
			a.printInfo(info)
		}
		return err
	})
}

// gather asks for everything. An operation that the driver lacks is left out; what fails otherwise is left out and
// returned as an error beside the rest.
func gather(ctx context.Context, d driver.Driver) (*infoJSON, error) {
	desc, err := driver.Describe(ctx, d)
	if err != nil {
		return nil, err
	}
	info := &infoJSON{Description: desc}
	if desc.Size != (image.Point{}) {
		info.Size = &[2]int{desc.Size.X, desc.Size.Y}
	}
	app, err1 := driver.Foreground(ctx, d)
	power, err2 := driver.PowerState(ctx, d)
	rotation, err3 := driver.Rotation(ctx, d)
	if err1 == nil {
		info.App = &app
	}
	if err2 == nil {
		info.Power = &power
	}
	if err3 == nil {
		info.Rotation = &rotation
	}
	return info, errors.Join(real(err1), real(err2), real(err3))
}

// real is err, unless it only says that the driver lacks an operation.
func real(err error) error {
	if errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}

func (a *app) printInfo(i *infoJSON) {
	rows := [][]string{{"address", i.Address}, {"platform", i.Platform}, {"model", i.Model}, {"version", i.OSVersion}}
	if i.Size != nil {
		rows = append(rows, []string{"size", fmt.Sprintf("%dx%d", i.Size[0], i.Size[1])})
	}
	if i.Rotation != nil {
		rows = append(rows, []string{"rotation", fmt.Sprint(*i.Rotation)})
	}
	if i.App != nil {
		rows = append(rows, []string{"app", strings.TrimSpace(i.App.String() + " " + i.App.Page)})
	}
	if i.Power != nil {
		rows = append(rows, []string{"power", fmt.Sprintf("on=%t locked=%t", i.Power.On, i.Power.Locked)})
	}
	a.table(append(rows, []string{"keys", join(i.Keys)}, []string{"operations", join(i.Ops)}))
}

func join[T ~string](list []T) string {
	s := make([]string, len(list))
	for i, v := range list {
		s[i] = string(v)
	}
	return strings.Join(s, ", ")
}

type appsCmd struct{}

// Run lists the installed apps.
func (c *appsCmd) Run(a *app) error {
	return a.with(func(ctx context.Context, d driver.Driver) error {
		apps, err := driver.Apps(ctx, d)
		if err != nil {
			return err
		}
		if a.JSON {
			a.printJSON(map[string]any{"apps": apps})
			return nil
		}
		rows := [][]string{{"ID", "NAME"}}
		for _, app := range apps {
			rows = append(rows, []string{app.ID, app.Name})
		}
		a.table(rows)
		return nil
	})
}
