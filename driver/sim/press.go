package sim

import (
	"slices"
	"strconv"
	"time"

	"github.com/handset-go/handset/driver"
)

const (
	keyTime  = 20 * time.Millisecond
	textTime = 10 * time.Millisecond // for each character
)

// Key presses and releases a key, and says whether the phone has it.
func (p *Phone) Key(k driver.Key) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !slices.Contains(driver.Keys(), k) {
		return false
	}
	p.clock += keyTime
	p.lastTap = tapMemory{}
	p.emit("key", map[string]any{"key": string(k)})
	if p.used(FaultFrozen) && k != driver.KeyPower {
		return true
	}
	p.toast = ""
	p.press(k)
	p.changed()
	return true
}

func (p *Phone) press(k driver.Key) {
	switch {
	case k == driver.KeyPower:
		p.setPower(p.asleep)
	case k == driver.KeyVolumeUp, k == driver.KeyVolumeDown, k == driver.KeyMute:
		p.volume(k)
	case k == driver.KeyPlayPause:
		p.toggle("media.playing")
	case p.locked && p.asking && !p.asleep:
		p.pressForPIN(k)
	case p.asleep || p.locked:
	case k == driver.KeyHome:
		p.home()
	case k == driver.KeyRecents:
		p.recents()
	case k == driver.KeyBack:
		p.back()
	case k == driver.KeyCamera:
		p.start(p.face.appID("com.android.camera2"))
	default:
		p.pressInApp(k)
	}
}

// back closes what is in front: the shade, a dialog, the keyboard, the page.
func (p *Phone) back() {
	switch t := p.front(); {
	case p.shade:
		p.shade = false
	case t.dialog != nil:
		t.dialog = nil
	case p.keyboardUp():
		p.keyboard.hidden = true
	default:
		p.pop()
	}
	p.changed()
}

func (p *Phone) volume(k driver.Key) {
	n, _ := strconv.Atoi(p.values["volume"])
	switch k {
	case driver.KeyVolumeUp:
		n += 10
	case driver.KeyVolumeDown:
		n -= 10
	default:
		n = 0
	}
	p.set("volume", strconv.Itoa(min(max(n, 0), 100)))
}

// pressInApp is a key that belongs to the page in front.
func (p *Phone) pressInApp(k driver.Key) {
	pg := p.front().page()
	switch k {
	case driver.KeyPageDown, driver.KeyPageUp:
		p.scrollPage(k == driver.KeyPageDown)
		return
	case driver.KeySearch:
		for _, w := range pg.screen.Top {
			if w.Kind == KindField && w.Action == "search" {
				p.focusOn(pg, p.expand(w.Key, nowhere), len([]rune(p.values[p.expand(w.Key, nowhere)])))
			}
		}
		return
	}
	if p.inputWidget() != nil {
		p.edit(k)
	}
}

func (p *Phone) scrollPage(down bool) {
	for _, w := range p.laidOut().windows {
		list := find(w.root, func(v *view) bool { return v.page != nil })
		if list == nil {
			continue
		}
		by := list.box.Dy() * 9 / 10
		if !down {
			by = -by
		}
		p.scroll(list, by)
	}
}

// flip turns a switch.
func (p *Phone) flip(a *App, key, name string) {
	p.toggle(key)
	p.emit("switch", map[string]any{"app": a.Name.En, "name": name, "key": key, "on": isOn(p.values[key])})
}

// choose sets a radio.
func (p *Phone) choose(a *App, key, value string) {
	p.set(key, value)
	p.emit("value", map[string]any{"app": a.Name.En, "key": key, "value": value})
}

// slideTo sets a slider.
func (p *Phone) slideTo(a *App, key, name string, n int) {
	if p.values[key] == strconv.Itoa(n) {
		return
	}
	p.set(key, strconv.Itoa(n))
	p.emit("value", map[string]any{"app": a.Name.En, "key": key, "name": name, "value": strconv.Itoa(n)})
}
