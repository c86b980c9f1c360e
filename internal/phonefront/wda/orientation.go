package wda

import "slices"

// turn is how the phone is held: what each route calls it, by quarter turns of the display.
type turn struct {
	orientation string // as it is set
	shown       string // as it is read
	z           int
	device      string
}

var turns = [4]turn{
	{"PORTRAIT", "PORTRAIT", 0, "PORTRAIT"},
	{"LANDSCAPE", "LANDSCAPE", 270, "LANDSCAPE"},
	{"UIA_DEVICE_ORIENTATION_PORTRAIT_UPSIDEDOWN", "PORTRAIT", 180, "UIA_DEVICE_ORIENTATION_PORTRAIT_UPSIDEDOWN"},
	{"UIA_DEVICE_ORIENTATION_LANDSCAPERIGHT", "LANDSCAPE", 90, "UIA_DEVICE_ORIENTATION_LANDSCAPERIGHT"},
}

func (c *call) getOrientation() (any, error) {
	if _, err := c.appHere(); err != nil {
		return nil, err
	}
	return turns[c.d.phone.Rotation()].shown, nil
}

func (c *call) getDeviceOrientation() (any, error) { return turns[c.d.phone.Rotation()].device, nil }

func (c *call) setOrientation() (any, error) {
	name := text(c.body["orientation"])
	i := slices.IndexFunc(turns[:], func(t turn) bool { return t.orientation == name })
	if i < 0 {
		return nil, nsError("Unable To Rotate Device")
	}
	return nil, c.rotate(i)
}

func (c *call) getRotation() (any, error) {
	if _, err := c.appHere(); err != nil {
		return nil, err
	}
	return map[string]any{"x": 0, "y": 0, "z": turns[c.d.phone.Rotation()].z}, nil
}

func (c *call) setRotation() (any, error) {
	at, err := c.floats("x", "y", "z")
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(turns[:], func(t turn) bool { return at[0] == 0 && at[1] == 0 && float64(t.z) == at[2] })
	if i < 0 {
		return nil, fail(errArgument, "[x,y,z] must be one of [0,0,0], [0,0,90], [0,0,180], [0,0,270]")
	}
	return nil, c.rotate(i)
}

// rotate turns the phone. A phone, other than a tablet, has no app that shows itself upside down.
func (c *call) rotate(r int) error {
	if _, err := c.appHere(); err != nil {
		return err
	}
	if c.d.faults.On(FaultNoRotation) || r == 2 && !c.d.profile.Tablet {
		return nsError("Unable To Rotate Device")
	}
	if r == c.d.phone.Rotation() {
		return nil
	}
	return c.d.phone.SetRotation(r)
}
