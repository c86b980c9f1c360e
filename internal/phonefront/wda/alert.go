package wda

import (
	"slices"
	"strings"
)

// alert is an open alert or sheet.
type alert struct {
	*element
	root *element // the application that shows it
}

// findAlert looks on SpringBoard first, then in the app.
func (c *call) findAlert() (*alert, error) {
	if c.d.faults.On(FaultAlertMissed) {
		return nil, nil
	}
	active, err := c.appHere()
	if err != nil {
		return nil, err
	}
	for _, a := range []app{c.d.named(springboard), active} {
		root, err := c.d.appTree(a)
		if err != nil {
			continue // an exception while looking is swallowed there too
		}
		for e := range root.all() {
			if e.Type == "Alert" || e.Type == "Sheet" {
				return &alert{e, root}, nil
			}
		}
	}
	return nil, nil
}

// wantAlert is findAlert where there must be one.
func (c *call) wantAlert(missing string) (*alert, error) {
	a, err := c.findAlert()
	if err == nil && a == nil {
		err = fail(errNoAlert, missing)
	}
	return a, err
}

const (
	noModal = "An attempt was made to operate on a modal dialog when one was not open"
	noAlert = "No alert is open"
)

func (a *alert) ofType(types ...string) []*element {
	var found []*element
	for e := range a.all() {
		if slices.Contains(types, e.Type) {
			found = append(found, e)
		}
	}
	return found
}

func (a *alert) buttons() []*element { return a.ofType("Button") }

func (a *alert) text() string {
	var lines []string
	for _, e := range a.ofType("StaticText") {
		lines = append(lines, e.Label)
	}
	return strings.Join(lines, "\n")
}

func (c *call) alertText() (any, error) {
	a, err := c.wantAlert(noModal)
	if err != nil {
		return nil, err
	}
	return a.text(), nil
}

func (c *call) alertButtons() (any, error) {
	a, err := c.wantAlert(noModal)
	if err != nil {
		return nil, err
	}
	labels := []any{}
	for _, b := range a.buttons() {
		labels = append(labels, b.Label)
	}
	return labels, nil
}

func (c *call) alertSetText() (any, error) {
	if c.body["value"] == nil {
		return nil, fail(errArgument, "Missing 'value' parameter")
	}
	a, err := c.wantAlert(noAlert)
	if err != nil {
		return nil, err
	}
	fields := a.ofType("TextField", "SecureTextField")
	if len(fields) == 0 {
		return nil, fail(errUnsupported, "The alert contains no input fields")
	}
	return nil, fail(errUnsupported, "The alert contains more than one input field")
}

func (c *call) alertAccept() (any, error) {
	return nil, c.answerWith("acceptAlertButtonSelector", true)
}
func (c *call) alertDismiss() (any, error) {
	return nil, c.answerWith("dismissAlertButtonSelector", false)
}

// answerWith taps a button of the alert: the one with the asked label, or the one that the selector finds, or
// the one that the rule says.
func (c *call) answerWith(selector string, accept bool) error {
	a, err := c.wantAlert(noAlert)
	if err != nil {
		return err
	}
	if name := text(c.body["name"]); name != "" {
		for _, b := range a.buttons() {
			if b.Label == name {
				c.d.tapBox(b.Box)
				return nil
			}
		}
		return fail(errElementState, "Failed to find button with label '%s' for alert: %s", name, a.text())
	}
	return c.answerByRule(a, text(c.set(selector)), accept)
}

// answerByRule taps the last button to accept an alert and the first to dismiss it; with a sheet it is the
// other way round.
func (c *call) answerByRule(a *alert, selector string, accept bool) error {
	if selector != "" {
		if found, err := findChain(a.element, selector); err == nil && len(found) > 0 {
			c.d.tapBox(found[0].Box)
			return nil
		}
	}
	bs := a.buttons()
	if len(bs) == 0 {
		return fail(errElementState, "Failed to find any button for alert: %s", a.text())
	}
	if accept == (a.Type == "Alert") {
		c.d.tapBox(bs[len(bs)-1].Box)
	} else {
		c.d.tapBox(bs[0].Box)
	}
	return nil
}

// answerAlert does what a session asked for with defaultAlertAction or autoClickAlertSelector. The real one
// looks each two seconds, this one before each command.
func (c *call) answerAlert() {
	if c.ses == nil {
		return
	}
	action, auto := text(c.set("defaultAlertAction")), text(c.set("autoClickAlertSelector"))
	if auto == "" && action != "accept" && action != "dismiss" || c.d.faults.On(FaultFrozenApp) {
		return
	}
	a, err := c.findAlert()
	if err != nil || a == nil {
		return // it says nothing of what it could not do
	}
	if auto != "" {
		if found, err := findChain(a.root, auto); err == nil && len(found) > 0 {
			c.d.tapBox(found[0].Box)
		}
		return
	}
	_ = c.answerByRule(a, text(c.set(action+"AlertButtonSelector")), action == "accept")
}
