package drivertest_test

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"strings"
	"sync"
	"time"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/drivertest"
	"github.com/handset-go/handset/internal/nap"
)

// toyPhone is a phone of a few lines, with every fault that the suite asks for: what broken drivers are
// tried on.
type toyPhone struct {
	mu       sync.Mutex
	natural  image.Point
	rotation int
	front    string // the app in front, or coming
	frontAt  time.Time
	focused  bool
	multi    bool
	text     string
	ime      string
	clip     string
	files    map[string]string
	off      bool // the display
	log      []drivertest.Event
	faults   map[string]chan struct{} // closed where the fault is switched off
}

// toyApps are what is installed.
var toyApps = []driver.App{
	{ID: "toy.home", Name: "Home"}, {ID: "toy.notes", Name: "Notes"}, {ID: "toy.clock", Name: "Clock"},
	{ID: "toy.radio", Name: "Radio"}, {ID: "toy.radio.old", Name: "Radio"},
}

func newToyPhone(size image.Point) *toyPhone {
	return &toyPhone{
		natural: size, front: "toy.home", ime: "latin",
		files: map[string]string{}, faults: map[string]chan struct{}{},
	}
}

var (
	errToyOffline = errors.New("toy: no answer from the phone")
	errToyBroken  = errors.New("toy: broken pipe")
	errToyBlocked = errors.New("toy: input is blocked")
	errToyCapture = errors.New("toy: capture failed")
)

// fault switches a fault on and returns what switches it off.
func (p *toyPhone) fault(name string) func() {
	p.mu.Lock()
	defer p.mu.Unlock()
	gate := make(chan struct{})
	p.faults[name] = gate
	return sync.OnceFunc(func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.faults, name)
		close(gate)
	})
}

func (p *toyPhone) has(fault string) (gate chan struct{}, on bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	gate, on = p.faults[fault]
	return gate, on
}

// hangs waits while the fault is on.
func (p *toyPhone) hangs(ctx context.Context, fault string) error {
	gate, on := p.has(fault)
	if !on {
		return nil
	}
	select {
	case <-gate:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// ask is the line to the phone.
func (p *toyPhone) ask(ctx context.Context) error {
	if _, on := p.has(drivertest.FaultOffline); on {
		return errToyOffline
	}
	return p.hangs(ctx, drivertest.FaultHang)
}

// act does something to the phone, and takes a millisecond for it.
func (p *toyPhone) act(ctx context.Context, e drivertest.Event) error {
	if err := p.ask(ctx); err != nil {
		return err
	}
	if _, on := p.has(drivertest.FaultBlocked); on {
		return errToyBlocked
	}
	e.Began = time.Now()
	if err := nap.For(ctx, time.Millisecond); err != nil {
		return err
	}
	e.Ended = time.Now()
	p.happen(e)
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, on := p.faults[drivertest.FaultBreak]; on {
		delete(p.faults, drivertest.FaultBreak)
		return errToyBroken
	}
	return nil
}

// happen logs an event with what was touched, and lets it have its effect.
func (p *toyPhone) happen(e drivertest.Event) {
	if e.Kind == drivertest.KindTap {
		if n := p.tree().NodeAt(e.At); n != nil && n.Is(driver.Clickable) {
			e.Touch = n.Label()
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.log = append(p.log, e)
	switch {
	case e.Kind == drivertest.KindText:
		p.text += e.Text
	case e.Key == driver.KeyDelete && p.text != "":
		runes := []rune(p.text)
		p.text = string(runes[:len(runes)-1])
	case e.Key == driver.KeyPower:
		p.off = !p.off
	case e.Key == driver.KeyHome:
		p.front, p.frontAt = "toy.home", time.Time{}
	}
}

// start brings an app to the front, at once or in half a second.
func (p *toyPhone) start(ctx context.Context, id string) error {
	if err := p.ask(ctx); err != nil {
		return err
	}
	_, slow := p.has(drivertest.FaultSlowLaunch)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.log = append(p.log, drivertest.Event{Kind: drivertest.KindLaunch, App: id})
	p.front, p.frontAt = id, time.Now()
	if slow {
		p.frontAt = p.frontAt.Add(500 * time.Millisecond)
	}
	return nil
}

func (p *toyPhone) inFront() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if time.Now().Before(p.frontAt) {
		return "toy.home"
	}
	return p.front
}

func (p *toyPhone) size() image.Point {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.rotation%2 == 1 {
		return image.Pt(p.natural.Y, p.natural.X)
	}
	return p.natural
}

// tree lays a column of nodes over the frame: the apps, or a field and a button.
func (p *toyPhone) tree() *driver.Tree {
	size, front := p.size(), p.inFront()
	p.mu.Lock()
	defer p.mu.Unlock()
	root := &driver.Node{Role: driver.RoleWindow, Class: "page", Package: front, Bounds: image.Rectangle{Max: size}}
	root.Set(driver.Enabled, true)
	row := func(i int) image.Rectangle {
		return image.Rect(size.X/8, (2*i+1)*size.Y/16, 7*size.X/8, (2*i+2)*size.Y/16)
	}
	for i, app := range toyApps {
		n := &driver.Node{Role: driver.RoleButton, Text: app.Name + " " + app.ID, Bounds: row(i)}
		n.Set(driver.Clickable|driver.Enabled, true)
		root.Children = append(root.Children, n)
	}
	field := &driver.Node{Role: driver.RoleEdit, Text: p.text, Hint: "Write here", Bounds: row(len(toyApps))}
	field.Set(driver.Editable|driver.Enabled, true)
	field.Set(driver.Focused, p.focused)
	field.Set(driver.Multiline, p.multi)
	root.Children = append(root.Children, field)
	return &driver.Tree{Root: root, Size: size, Rotation: p.rotation, App: driver.App{ID: front}, At: time.Now()}
}

// frame draws the nodes, in a colour for each app in front.
func (p *toyPhone) frame() *image.RGBA {
	tree := p.tree()
	m := image.NewRGBA(tree.Bounds())
	shade := uint8(40 + 20*len(tree.App.ID))
	for i, n := range tree.FindAll() {
		ink := color.RGBA{shade, uint8(30 * i), 120, 255}
		draw.Draw(m, n.Bounds, image.NewUniform(ink), image.Point{}, draw.Src)
	}
	return m
}

// State is what a driver changes to type.
func (p *toyPhone) state() (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return fmt.Sprintf("ime %s, files %d", p.ime, len(p.files)), nil
}

func (p *toyPhone) setIME(ime string) (was string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	was, p.ime = p.ime, ime
	return was
}

func (p *toyPhone) focus(multiline bool) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.focused, p.multi, p.text = true, multiline, ""
	return nil
}

func (p *toyPhone) fieldText() (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text, nil
}

func (p *toyPhone) events() []drivertest.Event {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]drivertest.Event(nil), p.log...)
}

// command does what a shell of the phone would: it knows "input tap X Y" and "print TEXT". A ";" and a "$("
// begin another command, as they do for broken drivers that hand text to it.
func (p *toyPhone) command(line string) {
	for _, part := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(";$()`&|", r) }) {
		var x, y int
		if _, err := fmt.Sscanf(strings.TrimSpace(part), "input tap %d %d", &x, &y); err == nil {
			p.happen(drivertest.Event{Kind: drivertest.KindTap, At: image.Pt(x, y)})
		}
	}
}
