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
		p.asking, p.digits = false, ""
		p.leave()
	}
	p.emit("power", map[string]any{"on": on})
	p.changed()
}

// Unlock does what a swipe up on the lock screen does, if the display is on: it opens, or asks for the PIN.
func (p *Phone) Unlock() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.asleep {
		p.unlock()
	}
}

func (p *Phone) unlock() {
	switch {
	case !p.locked:
	case p.pin != "":
		p.asking = true
		p.changed()
	default:
		p.open()
	}
}

func (p *Phone) open() {
	p.locked, p.asking, p.digits = false, false, ""
	p.emit("unlock", nil)
	p.changed()
}

// pressForPIN is a key while the lock screen asks for the PIN.
func (p *Phone) pressForPIN(k driver.Key) {
	switch k {
	case driver.KeyEnter:
		if p.digits == p.pin {
			p.open()
			return
		}
		p.emit("wrong_pin", nil)
		p.digits = ""
	case driver.KeyDelete:
		p.digits = p.digits[:max(len(p.digits)-1, 0)]
	case driver.KeyBack, driver.KeyEscape:
		p.asking, p.digits = false, ""
	}
	p.changed()
}

// longestPIN is Android's.
const longestPIN = 16

// enterPIN adds the digits of a text to what was entered.
func (p *Phone) enterPIN(text string) {
	for _, r := range text {
		if r >= '0' && r <= '9' && len(p.digits) < longestPIN {
			p.digits += string(r)
		}
	}
	p.changed()
}
