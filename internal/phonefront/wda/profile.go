package wda

import (
	"fmt"
	"image"
	"slices"
	"strings"

	"github.com/handset-go/handset/driver/sim"
)

// Profile is a kind of iPhone or iPad.
type Profile struct {
	Name   string // as --profile takes it
	Doc    string // one line
	Model  string // as the system calls it, such as "iPhone15,4"
	Points image.Point
	Pixels image.Point // of a screenshot
	Scale  float64     // what WebDriverAgent says; Pixels/Points where the display is zoomed is another
	Button bool        // has a home button, and so a status bar of 20 points
	Tablet bool        // its home screen turns, and it can be held upside down
	OS     string
}

var profiles = []Profile{
	{
		Name: "iphone-15", Doc: "scale 3, no home button, Dynamic Island", Model: "iPhone15,4",
		Points: image.Pt(393, 852), Pixels: image.Pt(1179, 2556), Scale: 3, OS: "17.5.1",
	},
	{
		Name: "iphone-se", Doc: "scale 2, home button", Model: "iPhone14,6",
		Points: image.Pt(375, 667), Pixels: image.Pt(750, 1334), Scale: 2, Button: true, OS: "16.7.8",
	},
	{
		Name: "iphone-11", Doc: "scale 2 without a home button: a constant 3 is wrong here", Model: "iPhone12,1",
		Points: image.Pt(414, 896), Pixels: image.Pt(828, 1792), Scale: 2, OS: "17.5.1",
	},
	{
		Name: "iphone-plus", Doc: "scale 3, pictures of 1242x2208 that the panel shows downsampled to 1080x1920", Model: "iPhone10,2",
		Points: image.Pt(414, 736), Pixels: image.Pt(1242, 2208), Scale: 3, Button: true, OS: "15.8.2",
	},
	{
		Name: "iphone-zoom", Doc: "Display Zoom: says scale 3, pictures are 3.684 times the points", Model: "iPhone15,4",
		Points: image.Pt(320, 693), Pixels: image.Pt(1179, 2556), Scale: 3, OS: "17.5.1",
	},
	{
		Name: "ipad", Doc: "scale 2, sizes that no phone has, the home screen turns too", Model: "iPad13,16",
		Points: image.Pt(820, 1180), Pixels: image.Pt(1640, 2360), Scale: 2, Tablet: true, OS: "17.5.1",
	},
	{
		Name: "scale-1", Doc: "one pixel a point, as no device since 2010 has it", Model: "iPad2,5",
		Points: image.Pt(375, 667), Pixels: image.Pt(375, 667), Scale: 1, Button: true, OS: "9.3.5",
	},
}

// Profiles lists the profiles, the usual ones first.
func Profiles() []Profile { return slices.Clone(profiles) }

// FindProfile returns the profile of that name; "" is iphone-15.
func FindProfile(name string) (Profile, error) {
	if name == "" {
		name = profiles[0].Name
	}
	var names []string
	for _, p := range profiles {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return Profile{}, fmt.Errorf("unknown profile %q, known are %s", name, strings.Join(names, ", "))
}

// density is what makes one dp of the simulated phone a point.
func (p Profile) density() int { return (160*p.Pixels.X + p.Points.X/2) / p.Points.X }

// runner is WebDriverAgent's own app.
func runner() sim.App {
	return sim.App{
		ID: RunnerID, Name: sim.T("WebDriverAgentRunner-Runner", ""), Color: 0x3C3C43, Hidden: true,
		Screens: []sim.Screen{{
			ID: "main", Bare: true,
			Body: []sim.Widget{{Kind: sim.KindText, Text: sim.T("Automation Running. Hold both volume buttons to stop.", "自动化正在运行。按住两个音量按钮以停止。")}},
		}},
	}
}

// NewPhone makes a phone of a profile, with WebDriverAgent's own app on it. Platform, Size and Density of the
// options are the profile's, whatever they say, and so is an unset Model.
func NewPhone(profile string, opts *sim.Options) (*sim.Phone, error) {
	p, err := FindProfile(profile)
	if err != nil {
		return nil, err
	}
	var o sim.Options
	if opts != nil {
		o = *opts
	}
	o.Platform, o.Size, o.Density = sim.PlatformIOS, p.Pixels, p.density()
	if o.Model == "" {
		o.Model = p.Model
	}
	o.Apps = append(slices.Clone(o.Apps), runner())
	if err := o.Check(); err != nil {
		return nil, fmt.Errorf("profile %s: %w", p.Name, err)
	}
	return sim.New(&o), nil
}

// profileOf returns the named profile, or with "" the one that the phone's frame fits.
func profileOf(name string, phone *sim.Phone) (Profile, error) {
	size := phone.NaturalSize()
	if name == "" {
		for _, p := range profiles {
			if p.Pixels == size && p.density() == phone.Density() {
				return p, nil
			}
		}
		scale := max(1, (phone.Density()+80)/160)
		return Profile{
			Name: "custom", Doc: "as large as the phone it was made for", Model: phone.Model(), OS: "17.5.1",
			Points: size.Div(scale), Pixels: size, Scale: float64(scale),
		}, nil
	}
	p, err := FindProfile(name)
	if err == nil && p.Pixels != size {
		err = fmt.Errorf("profile %s is %v pixels and the phone %v: make it with NewPhone", name, p.Pixels, size)
	}
	return p, err
}
