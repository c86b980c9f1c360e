package demomodel

// setSwitch finds a switch, taps it if it is not yet as wanted, and looks whether it is then.
func (p plan) setSwitch() step {
	if s, there := p.arrive(); !there {
		return s
	}
	r, ok := p.toggle()
	if !ok {
		return p.nearToggle()
	}
	state := p.say.in("off", "关")
	if p.on {
		state = p.say.in("on", "开")
	}
	switch {
	case r.on() == p.on && p.past.count("Tap") == 0:
		return step{
			done:    true,
			thought: p.say.in("%s is %s, as it should be.", "%s已经是%s的状态。", p.name, state),
			message: p.say.in("%s was already %s.", "%s本来就是%s着的。", p.name, state),
		}
	case r.on() == p.on:
		return step{
			done:    true,
			thought: p.say.in("%s is %s now.", "%s现在是%s的状态。", p.name, state),
			message: p.say.in("%s is %s.", "%s已%s。", p.name, state),
		}
	case !r.pressable() || p.past.since("Swipe", "Launch").count("Tap") >= 3:
		return p.stuck(p.name)
	}
	return step{
		thought: p.say.in("%s is not yet %s, so I tap its switch.", "%s还不是%s的状态,点一下开关。", p.name, state),
		action:  call("Tap", "ref", r.ref),
	}
}

// toggle returns the switch of the goal: one that has the name, one beside a text with the name, or
// the first one of the page with the name.
func (p plan) toggle() (row, bool) {
	names := switches.group(p.name)
	if r, ok := p.now.find(names, row.toggles); ok {
		return r, true
	}
	text, beside := p.now.find(names, func(r row) bool { return !r.is("edit") && !r.pressable() })
	onPage := p.now.titled(names)
	for _, r := range p.now.rows {
		if r.toggles() && (onPage || (beside && r.label == "" && max(r.y-text.y, text.y-r.y) < 25)) {
			return r, true
		}
	}
	return row{}, false
}

// nearToggle goes to the page that has the switch, or looks for it: a row that names it, or the one
// that phones keep it under.
func (p plan) nearToggle() step {
	names, above := switches.group(p.name), parents[switches.group(p.name)[0]]
	page, ok := p.now.find(names, func(r row) bool { return r.pressable() && !r.is("edit") })
	if !ok {
		page, ok = p.now.find(above, func(r row) bool { return r.pressable() && r.fits(above) == 3 })
	}
	if !ok || p.past.count("Tap") >= 3 || p.now.titled(page.parts()[:1]) {
		return p.seek(p.name)
	}
	return step{
		thought: p.say.in("%s is on another page, so I open %s.", "%s在另一页,先打开%s。", p.name, page.parts()[0]),
		action:  call("Tap", "ref", page.ref),
	}
}
