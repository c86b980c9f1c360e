package sim

import (
	"fmt"
	"slices"
	"strings"

	"github.com/handset-go/handset/driver"
)

// task is an app that runs: its screens, the last one in front.
type task struct {
	app    *App
	pages  []*page
	dialog *openDialog
}

// page is an open screen.
type page struct {
	screen *Screen
	scroll int    // how far its body is scrolled, in pixels
	focus  string // key of the field that has the focus, "" for none
	end    bool   // stays at the end of its body
}

type openDialog struct {
	*Dialog
	app *App
	at  place
}

func newTask(a *App) *task { return &task{app: a, pages: []*page{newPage(&a.Screens[0])}} }

func newPage(s *Screen) *page { return &page{screen: s, end: s.AtEnd} }

func (t *task) page() *page { return t.pages[len(t.pages)-1] }

func (p *Phone) front() *task { return p.tasks[len(p.tasks)-1] }

func (p *Phone) app(id string) *App {
	for _, a := range p.apps {
		if a.ID == id {
			return a
		}
	}
	return nil
}

func (p *Phone) launcher() *App { return p.apps[0] }

// Apps returns the installed apps, sorted by id, with the names that the launcher shows.
func (p *Phone) Apps() []driver.App {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := make([]driver.App, 0, len(p.apps))
	for _, a := range p.apps {
		list = append(list, driver.App{ID: a.ID, Name: a.Name.In(p.lang), Page: a.Screens[0].Page})
	}
	slices.SortFunc(list, func(a, b driver.App) int { return strings.Compare(a.ID, b.ID) })
	return list
}

// StartApp brings an app to the front, where it was left if it still runs. It says whether the app was
// started anew.
func (p *Phone) StartApp(id string) (cold bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.app(id) == nil {
		return false, fmt.Errorf("start %s: %w", id, driver.ErrAppNotFound)
	}
	return p.start(id), nil
}

// start does what StartApp says; an unknown id does nothing.
func (p *Phone) start(id string) bool {
	a := p.app(id)
	if a == nil {
		return false
	}
	p.leave()
	p.emit("launch", map[string]any{"app": a.Name.En, "id": a.ID})
	if p.used(FaultSlowLaunch) {
		p.faults[FaultSlowLaunch] = 3
	}
	i := slices.IndexFunc(p.tasks, func(t *task) bool { return t.app == a })
	if i < 0 {
		p.tasks = append(p.tasks, newTask(a))
		p.entered()
		p.popUp()
		return true
	}
	t := p.tasks[i]
	p.tasks = append(slices.Delete(p.tasks, i, i+1), t)
	p.popUp()
	return false
}

// StopApp ends an app; what it has stored stays. An app that does not run is left as it is.
func (p *Phone) StopApp(id string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	a := p.app(id)
	if a == nil {
		return fmt.Errorf("stop %s: %w", id, driver.ErrAppNotFound)
	}
	p.emit("stop", map[string]any{"app": a.Name.En, "id": a.ID})
	p.stop(a)
	return nil
}

func (p *Phone) stop(a *App) {
	front := p.front().app == a
	if a != p.launcher() { // which the system starts again at once
		p.tasks = slices.DeleteFunc(p.tasks, func(t *task) bool { return t.app == a })
	}
	if front {
		p.home()
	}
	p.changed()
}

// Running returns the ids of the apps that run, the one in front first.
func (p *Phone) Running() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var ids []string
	for _, t := range slices.Backward(p.tasks) {
		ids = append(ids, t.app.ID)
	}
	return ids
}

// Foreground returns the app in front and its page: what has the focus of input. While a permission dialog,
// the lock screen or the notification shade has it, that is the system's. Page is "" where the system's
// window has no page, and the whole App is zero with the fault "focus-null".
func (p *Phone) Foreground() driver.App {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.used(FaultFocusNull) {
		return driver.App{}
	}
	return p.inFront()
}

// FocusedApp returns the app whose page is in front, whatever window has the focus of input.
func (p *Phone) FocusedApp() driver.App {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.frontApp()
}

func (p *Phone) foreground() driver.App {
	switch t := p.front(); {
	case p.locked || p.shade || p.asleep:
		return driver.App{ID: p.face.system}
	case t.dialog != nil && t.dialog.System:
		return driver.App{ID: p.face.permissions, Page: p.face.permissionPage}
	}
	return p.frontApp()
}

func (p *Phone) frontApp() driver.App {
	t := p.front()
	return driver.App{ID: t.app.ID, Name: t.app.Name.In(p.lang), Page: t.pageName()}
}

func (t *task) pageName() string {
	for _, pg := range slices.Backward(t.pages) {
		if pg.screen.Page != "" {
			return pg.screen.Page
		}
	}
	return ""
}

// leave drops what belongs to the moment: the keyboard, a toast, fingers.
func (p *Phone) leave() {
	p.keyboard.hidden = true
	p.toast = ""
	p.shade = false
	clear(p.touches)
	p.changed()
}

func (p *Phone) push(a *App, screen string) {
	s, t := a.screen(screen), p.front()
	if s == nil || t.app != a {
		return
	}
	p.leave()
	t.pages = append(t.pages, newPage(s))
	p.entered()
}

// entered does what the screen that was opened just now does by itself.
func (p *Phone) entered() {
	t := p.front()
	p.perform(t.page().screen.Enter, t.app, nowhere)
	p.changed()
}

// pop leaves a screen; leaving the first one of an app goes to the launcher.
func (p *Phone) pop() {
	t := p.front()
	if len(t.pages) == 1 {
		p.home()
		return
	}
	p.leave()
	t.pages = t.pages[:len(t.pages)-1]
}

func (p *Phone) unwind() {
	p.leave()
	t := p.front()
	t.pages = t.pages[:1]
}

func (p *Phone) home() {
	p.leave()
	p.tasks = slices.DeleteFunc(p.tasks, func(t *task) bool { return t.app == p.launcher() })
	p.tasks = append(p.tasks, newTask(p.launcher()))
}

func (p *Phone) ask(a *App, dialog string, at place) {
	if d := a.dialog(dialog); d != nil && p.front().app == a {
		p.keyboard.hidden = true
		p.front().dialog = &openDialog{Dialog: d, app: a, at: at}
		p.changed()
	}
}
