package sim

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/handset-go/handset/driver"
)

// The faults of the phone itself. Those of a tool and its wire belong to whoever speaks that wire.
const (
	FaultFrameBlack    = "frame-black"
	FaultFrozen        = "frozen"
	FaultTextLoss      = "text-loss"
	FaultRotateBetween = "rotate-between"
	FaultFocusNull     = "focus-null"
	FaultNoTree        = "no-tree"
	FaultPopup         = "popup"
	FaultSlowLaunch    = "slow-launch"
)

var faultDocs = map[string]string{
	FaultFrameBlack:    "every frame is black though the display is on and nothing is protected",
	FaultFrozen:        "the system hangs: touches, keys and text have no effect, the frame stays",
	FaultTextLoss:      "every fifth character of what an input method commits is lost",
	FaultRotateBetween: "the display turns by a quarter after each frame, so that a tree read next does not fit it",
	FaultFocusNull:     "the window manager names no app in front",
	FaultNoTree:        "the screen never comes to rest, so that there is no tree",
	FaultPopup:         "the next app to start is covered by the system's permission dialog",
	FaultSlowLaunch:    "an app that starts is in front only from the third look at the focus on",
}

// Faults returns the names of the faults with what each does.
func Faults() map[string]string { return maps.Clone(faultDocs) }

// SetFault turns a fault on or off. An unknown name is an error that lists the known ones.
func (p *Phone) SetFault(name string, on bool) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if faultDocs[name] == "" {
		return fmt.Errorf("unknown fault %q; known: %s", name, strings.Join(slices.Sorted(maps.Keys(faultDocs)), ", "))
	}
	if on {
		p.faults[name] = 1
	} else {
		delete(p.faults, name)
	}
	p.changed()
	return nil
}

func (p *Phone) used(fault string) bool { return p.faults[fault] > 0 }

// lose drops characters with the fault "text-loss".
func (p *Phone) lose(text string) string {
	if !p.used(FaultTextLoss) {
		return text
	}
	var kept []rune
	for i, r := range []rune(text) {
		if i%5 != 4 {
			kept = append(kept, r)
		}
	}
	return string(kept)
}

// popUp shows the dialog of the fault "popup" over an app that starts.
func (p *Phone) popUp() {
	if !p.used(FaultPopup) {
		return
	}
	delete(p.faults, FaultPopup)
	t := p.front()
	t.dialog = &openDialog{Dialog: notificationDialog(t.app.Name), app: t.app, at: nowhere}
	p.changed()
}

// inFront is the app in front as the window manager tells it while an app starts slowly.
func (p *Phone) inFront() driver.App {
	if n := p.faults[FaultSlowLaunch]; n > 1 {
		p.faults[FaultSlowLaunch] = n - 1
		return driver.App{ID: p.launcher().ID, Name: p.launcher().Name.In(p.lang), Page: p.launcher().Screens[0].Page}
	}
	return p.foreground()
}
