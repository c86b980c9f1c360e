package sim

import (
	"fmt"
	"image"
	"maps"
	"slices"
	"sync"
	"time"
)

// Phone is a simulated phone: what the hardware and its system are, without any driver. It is safe for use
// from several goroutines and has none of its own. The same inputs in the same order lead to the same
// frames, trees and log, on every machine.
type Phone struct {
	mu sync.Mutex

	name, model, lang, platform string
	face                        *face
	natural                     image.Point // the size at rotation 0
	density                     int         // dots per inch
	rotation                    int
	clockText                   string
	battery                     int

	clock     time.Duration // how long the phone has been used: each input takes its nominal time
	apps      []*App
	values    map[string]string
	lists     map[string][]Entry
	tasks     []*task // the last one is in front
	asleep    bool
	locked    bool
	pin       string // of the lock screen, "" for none
	asking    bool   // for the PIN
	digits    string // of the PIN
	shade     bool   // the notification shade is down
	headsUp   bool   // the latest notification hangs from the top
	notes     []Notification
	toast     string
	clipboard string
	imes      []IME
	ime       string // id of the current one
	keyboard  keyboard
	cursor    int // in the focused field, in runes
	log       []Event
	faults    map[string]int
	touches   map[int]*touch
	lastTap   tapMemory

	rev     uint64 // grows with every change of what can be seen
	scene   *scene
	picture *picture
}

// New makes a phone that shows its launcher. nil is the default phone. It panics on options that contradict
// each other, which only a programmer can write: see Options.Check.
func New(opts *Options) *Phone {
	o := opts.withDefaults()
	if err := o.Check(); err != nil {
		panic("sim: " + err.Error())
	}
	p := &Phone{
		name: o.Name, model: o.Model, lang: o.Lang, platform: o.Platform, face: faces[o.Platform],
		natural: o.Size, density: o.Density, rotation: o.Rotation, clockText: o.Clock, battery: o.Battery,
		values: map[string]string{}, lists: map[string][]Entry{}, faults: map[string]int{},
		touches: map[int]*touch{}, asleep: o.Asleep, locked: o.Locked, pin: o.PIN,
	}
	p.imes, p.ime = builtinIMEs(!o.NoADBKeyboard), latinIME
	p.installAll(o.Apps)
	p.tasks = []*task{newTask(p.apps[0])}
	if o.Start != "" {
		p.start(o.Start)
	}
	p.log = nil
	p.enlist()
	return p
}

// installAll puts the built-in apps and those of the options on the phone.
func (p *Phone) installAll(extra []App) {
	p.values["language"] = p.lang
	all := slices.Concat(builtinApps(p.face), extra)
	for i := range all {
		p.install(all[i])
	}
	for _, a := range p.apps {
		if !a.Hidden {
			p.append("icons", Entry{"id": a.ID, "en": a.Name.En, "zh": a.Name.In(LangZh)})
		}
	}
}

func (p *Phone) install(a App) {
	p.apps = append(p.apps, &a)
	maps.Copy(p.values, a.Values)
	maps.Copy(p.lists, cloneLists(a.Lists))
}

// Name returns the name that the phone was given: its serial, as a tool would see it.
func (p *Phone) Name() string { return p.name }

// Model returns the model, such as "Sim One".
func (p *Phone) Model() string { return p.model }

// Platform returns the face that the phone shows: "android", "harmony" or "ios".
func (p *Phone) Platform() string { return p.platform }

// Lang returns "en" or "zh".
func (p *Phone) Lang() string { return p.lang }

// Density returns the dots per inch of the display.
func (p *Phone) Density() int { return p.density }

// NaturalSize returns the size of the display in its natural orientation, in pixels.
func (p *Phone) NaturalSize() image.Point { return p.natural }

// Size returns the size of the frame as it is turned now, in pixels.
func (p *Phone) Size() image.Point {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.size()
}

func (p *Phone) size() image.Point {
	if p.rotation%2 == 1 {
		return image.Pt(p.natural.Y, p.natural.X)
	}
	return p.natural
}

// Rotation returns how the display is turned, 0 to 3 quarter turns.
func (p *Phone) Rotation() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.rotation
}

// SetRotation turns the display to 0 to 3 quarter turns.
func (p *Phone) SetRotation(r int) error {
	if r < 0 || r > 3 {
		return fmt.Errorf("rotation %d: want 0 to 3 quarter turns", r)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rotate(r)
	return nil
}

func (p *Phone) rotate(r int) {
	if r == p.rotation {
		return
	}
	p.rotation = r
	clear(p.touches)
	p.emit("rotate", map[string]any{"rotation": r})
	p.changed()
	p.reveal()
}

// Value returns a value of the phone or of its apps, such as "bluetooth" or "cart.total".
func (p *Phone) Value(key string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.values[key]
}

// SetValue sets a value as if the system had changed it: no input, no log entry.
func (p *Phone) SetValue(key, value string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.set(key, value)
}

// List returns a copy of a list, such as "cart".
func (p *Phone) List(name string) []Entry {
	p.mu.Lock()
	defer p.mu.Unlock()
	return cloneLists(map[string][]Entry{name: p.lists[name]})[name]
}

func (p *Phone) set(key, value string) {
	p.values[key] = value
	p.changed()
}

// changed notes that what can be seen is no longer what was drawn.
func (p *Phone) changed() { p.rev++ }

// Clipboard returns the text on the clipboard.
func (p *Phone) Clipboard() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.clipboard
}

// SetClipboard puts a text on the clipboard.
func (p *Phone) SetClipboard(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clipboard = text
	p.emit("clipboard", map[string]any{"text": text})
}

// Advance lets time pass: a finger that is down is held as long.
func (p *Phone) Advance(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clock += max(d, 0)
}

// dp turns density-independent pixels into pixels.
func (p *Phone) dp(n int) int { return (n*p.density + 80) / 160 }
