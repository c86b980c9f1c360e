package sim

import (
	"image"

	"github.com/handset-go/handset/driver"
)

// Frame is what the display shows at one moment.
type Frame struct {
	Image    *image.Paletted // never changed afterwards
	Health   driver.Health
	Rotation int
}

// picture is a drawn frame with what it was encoded to.
type picture struct {
	Frame
	rev uint64
	png []byte
}

// Frame returns what the display shows now: black while it is off or the page is protected from capture. It
// is drawn once for each change.
func (p *Phone) Frame() Frame {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lastTap.ok = false
	f := p.drawn().Frame
	p.turnAfterFrame()
	return f
}

// PNG returns the frame as Frame does, encoded. The bytes are shared: do not change them.
func (p *Phone) PNG() ([]byte, driver.Health) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lastTap.ok = false
	pic := p.drawn()
	if pic.png == nil {
		pic.png = encodings.png(pic.Image)
	}
	p.turnAfterFrame()
	return pic.png, pic.Health
}

// turnAfterFrame is the fault "rotate-between".
func (p *Phone) turnAfterFrame() {
	if p.used(FaultRotateBetween) {
		p.rotate((p.rotation + 1) % 4)
	}
}

func (p *Phone) drawn() *picture {
	if p.picture == nil || p.picture.rev != p.rev {
		s := p.laidOut() // may settle the scroll, and so comes first
		p.picture = &picture{rev: p.rev, Frame: p.draw(s)}
	}
	return p.picture
}

func (p *Phone) draw(s *scene) Frame {
	f := Frame{Health: driver.HealthOK, Rotation: p.rotation}
	c := newCanvas(s.size)
	switch {
	case p.asleep:
		f.Health = driver.HealthAsleep
	case p.protected():
		f.Health = driver.HealthProtected
	case p.used(FaultFrameBlack):
	default:
		c.scene(p, s)
	}
	f.Image = c.image()
	return f
}

// protected says that the system refuses to capture what is in front.
func (p *Phone) protected() bool {
	return !p.locked && !p.shade && p.front().page().screen.Secure
}

// Protected says whether the page in front is protected from capture, so that frames are black.
func (p *Phone) Protected() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return !p.asleep && p.protected()
}
