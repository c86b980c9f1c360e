package sim

import "slices"

// Notification is what an app tells the owner of the phone outside of its own pages.
type Notification struct {
	App   string // id
	Title string
	Text  string
}

// Notify posts a notification: it hangs from the top of the screen until a touch, and waits in the shade.
func (p *Phone) Notify(n Notification) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.notify(n)
}

func (p *Phone) notify(n Notification) {
	p.notes = append(p.notes, n)
	p.headsUp = true
	p.emit("notification", map[string]any{"id": n.App, "title": n.Title, "text": n.Text})
	p.changed()
}

// Notifications returns those that wait in the shade, oldest first.
func (p *Phone) Notifications() []Notification {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.notes)
}

// ShowShade pulls the notification shade down or pushes it up.
func (p *Phone) ShowShade(down bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shade = down && !p.asleep && !p.locked
	p.headsUp = false
	p.changed()
}

// openNote is a tap on a notification.
func (p *Phone) openNote(i int) {
	if i < 0 || i >= len(p.notes) {
		return
	}
	n := p.notes[i]
	p.notes = slices.Delete(slices.Clone(p.notes), i, i+1)
	p.headsUp, p.shade = false, false
	p.emit("notification_opened", map[string]any{"id": n.App, "title": n.Title})
	p.start(n.App)
}

func (p *Phone) clearNotes() {
	p.notes, p.headsUp, p.shade = nil, false, false
	p.emit("notifications_cleared", nil)
}
