package sim

import "slices"

// The ids of the input methods that a phone may have.
const (
	latinIME = "com.android.inputmethod.latin/.LatinIME"
	// ADBKeyboardIME is the id of the input method that tools install to type any text.
	ADBKeyboardIME = "com.android.adbkeyboard/.AdbIME"
)

// IME is an input method.
type IME struct {
	ID      string
	Name    string
	Enabled bool
	Keys    bool // shows a keyboard while a field has the focus
}

func builtinIMEs(adbKeyboard bool) []IME {
	list := []IME{{ID: latinIME, Name: "Keyboard", Enabled: true, Keys: true}}
	if adbKeyboard {
		list = append(list, IME{ID: ADBKeyboardIME, Name: "ADB Keyboard"})
	}
	return list
}

// IMEs returns the input methods that are installed.
func (p *Phone) IMEs() []IME {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.imes)
}

// CurrentIME returns the id of the input method in use.
func (p *Phone) CurrentIME() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ime
}

// EnableIME lets an input method be chosen, or no longer. It says whether the phone has it and whether that
// changed anything. The one in use gives way to the first that is enabled.
func (p *Phone) EnableIME(id string, on bool) (known, changed bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := p.imeIndex(id)
	if i < 0 {
		return false, false
	}
	if p.imes[i].Enabled == on {
		return true, false
	}
	p.imes[i].Enabled = on
	p.emit("ime_enabled", map[string]any{"id": id, "on": on})
	if !on && p.ime == id {
		p.useIME(latinIME)
	}
	return true, true
}

// SetIME chooses the input method, and says whether it could: it must be installed and enabled.
func (p *Phone) SetIME(id string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := p.imeIndex(id); i < 0 || !p.imes[i].Enabled {
		return false
	}
	p.useIME(id)
	return true
}

func (p *Phone) useIME(id string) {
	if p.ime != id {
		p.ime = id
		p.emit("ime", map[string]any{"id": id})
		p.changed()
		p.reveal()
	}
}

// InstallIME adds an input method that is not enabled yet.
func (p *Phone) InstallIME(m IME) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.imeIndex(m.ID) < 0 {
		m.Enabled = false
		p.imes = append(p.imes, m)
	}
}

func (p *Phone) imeIndex(id string) int {
	return slices.IndexFunc(p.imes, func(m IME) bool { return m.ID == id })
}

// KeyboardShown says whether the on-screen keyboard covers the lower part of the screen.
func (p *Phone) KeyboardShown() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.keyboardUp()
}

func (p *Phone) keyboardUp() bool {
	if p.keyboard.hidden || p.inputWidget() == nil {
		return false
	}
	i := p.imeIndex(p.ime)
	return i >= 0 && p.imes[i].Keys
}
