package sim

import (
	"fmt"
	"image"
	"slices"
	"strings"
)

// The languages and faces of a phone.
const (
	LangEn = "en"
	LangZh = "zh"

	PlatformAndroid = "android"
	PlatformHarmony = "harmony"
	PlatformIOS     = "ios"
)

// Options say what a phone is like. The zero value of each field is its default.
type Options struct {
	Name     string      // serial; one that no other phone of the process has, such as "phone1", if unset
	Model    string      // "Sim One" if unset
	Platform string      // whose ids and classes it shows; PlatformAndroid if unset
	Lang     string      // LangEn if unset
	Size     image.Point // in its natural orientation, in pixels; 1080x2400 if unset
	Density  int         // dots per inch, 100 to 800; 420 if unset
	Rotation int         // 0 to 3
	Clock    string      // what the status bar shows; "12:30" if unset
	Battery  int         // per cent; 82 if unset
	Apps     []App       // installed beside the built-in ones
	Start    string      // id of the app in front at first; the launcher if unset
	Locked   bool        // starts at the lock screen
	Asleep   bool        // starts with its display off
	PIN      string      // digits that the lock screen asks for; "" is one that a swipe opens
	// NoADBKeyboard leaves out the input method that tools install to type any text.
	NoADBKeyboard bool
}

func (o *Options) withDefaults() Options {
	var c Options
	if o != nil {
		c = *o
	}
	c.Model = or(c.Model, "Sim One")
	c.Platform = or(c.Platform, PlatformAndroid)
	c.Lang = or(c.Lang, LangEn)
	c.Clock = or(c.Clock, "12:30")
	if c.Size == (image.Point{}) {
		c.Size = image.Pt(1080, 2400)
	}
	if c.Density == 0 {
		c.Density = 420
	}
	if c.Battery == 0 {
		c.Battery = 82
	}
	return c
}

func or(s, def string) string {
	if s == "" {
		return def
	}
	return s
}

// Check says what is wrong with the options. New panics on it; a program that takes options from a person
// asks first.
func (o *Options) Check() error {
	c := o.withDefaults()
	switch {
	case c.Size.X < 160 || c.Size.Y < 160 || c.Size.X > 8192 || c.Size.Y > 8192:
		return fmt.Errorf("size %dx%d: want 160 to 8192 pixels each way", c.Size.X, c.Size.Y)
	case c.Density < 100 || c.Density > 800:
		return fmt.Errorf("density %d: want 100 to 800 dots per inch", c.Density)
	case c.Rotation < 0 || c.Rotation > 3:
		return fmt.Errorf("rotation %d: want 0 to 3 quarter turns", c.Rotation)
	case c.Lang != LangEn && c.Lang != LangZh:
		return fmt.Errorf("language %q: want en or zh", c.Lang)
	case faces[c.Platform] == nil:
		return fmt.Errorf("platform %q: want %s", c.Platform, strings.Join(platforms(), ", "))
	case strings.Trim(c.PIN, "0123456789") != "" || len(c.PIN) > longestPIN:
		return fmt.Errorf("PIN: want up to %d digits", longestPIN)
	case min(c.Size.X, c.Size.Y)*160/c.Density < 200:
		return fmt.Errorf("size %dx%d at %d dots per inch: less than 200 dp wide", c.Size.X, c.Size.Y, c.Density)
	}
	return c.checkApps()
}

func (o *Options) checkApps() error {
	ids := map[string]bool{}
	for _, a := range slices.Concat(builtinApps(faces[o.Platform]), o.Apps) {
		switch {
		case a.ID == "" || len(a.Screens) == 0:
			return fmt.Errorf("app %q: want an id and at least one screen", a.ID)
		case a.Icon != "" && icons[a.Icon].wide == 0:
			return fmt.Errorf("app %s: no icon %q; known: %s", a.ID, a.Icon, iconNames())
		case ids[a.ID]:
			return fmt.Errorf("app %s: the id is taken", a.ID)
		}
		ids[a.ID] = true
		if err := a.check(); err != nil {
			return fmt.Errorf("app %s: %w", a.ID, err)
		}
	}
	if o.Start != "" && !ids[o.Start] {
		return fmt.Errorf("start %s: no such app", o.Start)
	}
	return nil
}

// check says whether every screen and dialog that an effect names is there.
func (a *App) check() error {
	var err error
	see := func(effects []Effect) {
		for _, e := range effects {
			fixed := !strings.Contains(e.Name, "{")
			if e.Kind == EffectGo && fixed && a.screen(e.Name) == nil {
				err = fmt.Errorf("no screen %q", e.Name)
			}
			if e.Kind == EffectAsk && fixed && a.dialog(e.Name) == nil {
				err = fmt.Errorf("no dialog %q", e.Name)
			}
		}
	}
	var visit func(ws []Widget)
	visit = func(ws []Widget) {
		for _, w := range ws {
			see(w.Do)
			see(w.Hold)
			see(w.Double)
			visit(w.More)
		}
	}
	for _, s := range a.Screens {
		see(s.Enter)
		visit(slices.Concat(s.Actions, s.Top, s.Body, s.Bottom))
	}
	for _, d := range a.Dialogs {
		visit(d.Buttons)
	}
	return err
}

func (a *App) screen(id string) *Screen {
	for i := range a.Screens {
		if a.Screens[i].ID == id {
			return &a.Screens[i]
		}
	}
	return nil
}

func (a *App) dialog(id string) *Dialog {
	for i := range a.Dialogs {
		if a.Dialogs[i].ID == id {
			return &a.Dialogs[i]
		}
	}
	return nil
}
