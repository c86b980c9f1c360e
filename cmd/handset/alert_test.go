package main

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/driver/wda"
)

// changing is a phone whose alert is another one when it is read again, or none.
type changing struct {
	driver.Driver
	again   *wda.Alert
	err     error
	pressed []string
}

func (p *changing) Alert(context.Context) (*wda.Alert, error) { return p.again, p.err }

func (p *changing) PressAlert(_ context.Context, label string) error {
	p.pressed = append(p.pressed, label)
	return nil
}

func TestAlertThatChangesIsNotPressed(t *testing.T) {
	const want = "Don't Allow" // it was the first button
	for _, c := range []struct {
		name  string
		again *wda.Alert
		err   error
		says  string
	}{
		{"the same", &wda.Alert{Text: "Camera?", Buttons: []string{want, "Allow"}}, nil, ""},
		{"another button in its place", &wda.Alert{Text: "Where?", Buttons: []string{"Allow", want}}, nil, "it has changed"},
		{"gone", nil, wda.ErrNoAlert, "it has changed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &changing{Driver: sim.Open(sim.New(nil), nil), again: c.again, err: c.err}
			a := &app{cli: &cli{}, stdin: strings.NewReader(""), stderr: io.Discard}
			err := a.gate(nil).Guard(a.asScreen(p, p, want)).Tap(t.Context(), alertButton(0).Min)
			if c.says == "" {
				require.NoError(t, err)
				require.Equal(t, []string{want}, p.pressed)
				return
			}
			require.ErrorContains(t, err, c.says)
			require.Empty(t, p.pressed)
		})
	}
}
