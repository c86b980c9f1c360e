package sim

import (
	"context"
	"errors"
	"fmt"
	"image"
	"strconv"
	"sync"
	"weak"

	"github.com/handset-go/handset/driver"
)

// Scheme is the scheme of the addresses of simulated phones.
const Scheme = "sim"

func init() { driver.Register(Scheme, opener{}) }

// opener opens "sim:", a new default phone; "sim:NAME", the phone of that name in this process, or a new
// one.
type opener struct{}

var optionNames = []string{"size", "density", "lang", "platform", "rotation", "start", "locked", "asleep", "pin"}

func (opener) Open(ctx context.Context, a driver.Address) (driver.Driver, error) {
	if err := ctx.Err(); err != nil {
		return nil, &driver.Error{Op: driver.OpOpen, Device: a.Bare(), Err: err}
	}
	if err := a.KnowsOptions(optionNames...); err != nil {
		return nil, err
	}
	if p := phoneNamed(a.Device); p != nil {
		if len(a.Options) > 0 {
			return nil, a.Refuse(errors.New("the phone is there already and takes no options"))
		}
		return Open(p, nil), nil
	}
	o, err := optionsOf(a)
	if err != nil {
		return nil, a.Refuse(err)
	}
	if err := o.Check(); err != nil {
		return nil, a.Refuse(err)
	}
	return Open(New(o), nil), nil
}

// Devices lists the phones of this process.
func (opener) Devices(context.Context) ([]driver.Device, error) {
	var list []driver.Device
	for _, p := range livingPhones() {
		list = append(list, driver.Device{Address: p.Address(), Platform: "sim", State: driver.StateReady, Model: p.Model()})
	}
	return list, nil
}

func optionsOf(a driver.Address) (*Options, error) {
	o := &Options{Name: a.Device, Lang: a.Options["lang"], Platform: a.Options["platform"], Start: a.Options["start"]}
	var err error
	number := func(name string) int {
		s, ok := a.Options[name]
		if !ok {
			return 0
		}
		n, e := strconv.Atoi(s)
		if e != nil {
			err = fmt.Errorf("%s %q: want a number", name, s)
		}
		return n
	}
	yes := func(name string) bool {
		s, ok := a.Options[name]
		if !ok {
			return false
		}
		b, e := strconv.ParseBool(s)
		if e != nil {
			err = fmt.Errorf("%s %q: want true or false", name, s)
		}
		return b
	}
	o.Density, o.Rotation = number("density"), number("rotation")
	if _, ok := a.Options["density"]; ok && o.Density == 0 && err == nil {
		err = errors.New("density 0: want 100 to 800 dots per inch") // which Options takes as the default
	}
	o.Locked, o.Asleep = yes("locked"), yes("asleep")
	o.PIN = a.Options["pin"]
	if s, ok := a.Options["size"]; ok && err == nil {
		o.Size, err = parseSize(s)
	}
	return o, err
}

// parseSize reads "1080x2400".
func parseSize(s string) (image.Point, error) {
	var pt image.Point
	var rest string
	n, _ := fmt.Sscanf(s+" .", "%dx%d %s", &pt.X, &pt.Y, &rest)
	if n != 3 || rest != "." || pt == (image.Point{}) { // which Options takes as the default
		return image.Point{}, fmt.Errorf("size %q: want WIDTHxHEIGHT, such as 1080x2400", s)
	}
	return pt, nil
}

// phones knows the living phones of this process by their names, so that an address leads to one again. It
// keeps none alive.
var phones = struct {
	sync.Mutex
	next int
	list []weak.Pointer[Phone]
}{}

// enlist gives a phone without a name one that no other has: drivers of phones of one name take turns.
func (p *Phone) enlist() {
	phones.Lock()
	defer phones.Unlock()
	if p.name == "" {
		phones.next++
		p.name = "phone" + strconv.Itoa(phones.next)
	}
	kept := phones.list[:0]
	for _, w := range phones.list {
		if old := w.Value(); old != nil && old.name != p.name {
			kept = append(kept, w)
		}
	}
	phones.list = append(kept, weak.Make(p))
}

func livingPhones() []*Phone {
	phones.Lock()
	defer phones.Unlock()
	var list []*Phone
	for _, w := range phones.list {
		if p := w.Value(); p != nil {
			list = append(list, p)
		}
	}
	return list
}

func phoneNamed(name string) *Phone {
	for _, p := range livingPhones() {
		if name != "" && p.name == name {
			return p
		}
	}
	return nil
}

// Address returns the address of the phone, as driver.Open takes it in this process.
func (p *Phone) Address() string { return driver.Address{Scheme: Scheme, Device: p.name}.String() }
