package sim

import "slices"

// recents shows the apps that run, the last used first.
func (p *Phone) recents() {
	l := p.launcher()
	p.lists["recents"] = nil
	for _, t := range slices.Backward(p.tasks) {
		if t.app != l {
			p.append("recents", Entry{"id": t.app.ID, "name": t.app.Name.In(p.lang)})
		}
	}
	p.home()
	p.push(l, "recents")
}
