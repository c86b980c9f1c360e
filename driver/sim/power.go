package sim

import "github.com/handset-go/handset/driver"

// Power returns whether the display is on and whether the phone is locked.
func (p *Phone) Power() driver.Power {
	p.mu.Lock()
	defer p.mu.Unlock()
	return driver.Power{On: !p.asleep, Locked: p.locked}
}

// Wake turns the display on. It does not unlock.
func (p *Phone) Wake() { p.withPower(true) }

// Sleep turns the display off and locks the phone.
func (p *Phone) Sleep() { p.withPower(false) }

func (p *Phone) withPower(on bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.setPower(on)
}

func (p *Phone) setPower(on bool) {
	if p.asleep == !on {
		return
	}
	p.asleep = !on
	if !on {
		p.locked = p.values["lock_screen"] != "none"
		p.leave()
	}
	p.emit("power", map[string]any{"on": on})
	p.changed()
}

// Unlock opens the lock screen as an owner does, if the display is on.
func (p *Phone) Unlock() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.asleep {
		p.unlock()
	}
}

func (p *Phone) unlock() {
	if p.locked {
		p.locked = false
		p.emit("unlock", nil)
		p.changed()
	}
}
