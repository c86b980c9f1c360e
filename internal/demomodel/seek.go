package demomodel

const (
	maxForward  = 10 // swipes down a list
	maxBackward = 12 // and back up
)

// seek swipes to look for what is not on the screen: first on, then back to the start, then one page
// up, and then it gives up.
func (p plan) seek(name string) step {
	now := p.past.since("Launch", "Back", "Tap", "Type")
	forward, backward := 0, 0
	for _, t := range now {
		switch {
		case t.verb == "Swipe" && t.upward:
			forward++
		case t.verb == "Swipe":
			backward++
		}
	}
	still := now.last().verb == "Swipe" && now.still(p.now)
	switch {
	case backward == 0 && forward < maxForward && !(forward > 0 && still):
		return p.swipe(p.say.in("%s is not in sight, so I look further down.", "看不到%s,向下找。", name), true)
	case backward < maxBackward && !(backward > 0 && still):
		return p.swipe(p.say.in("%s is not below, so I look further up.", "下面没有%s,向上找。", name), false)
	case p.now.has(upNames) && p.past.count("Back") == 0:
		return step{
			thought: p.say.in("%s is not on this page, so I go back.", "这一页没有%s,先返回。", name),
			action:  call("Back"),
		}
	}
	return step{
		failed:  true,
		thought: p.say.in("%s is nowhere to be found.", "哪里都找不到%s。", name),
		message: p.say.in("Not done: I did not find %s in %s.", "没有完成:没有找到%[1]s(%[2]s)。", name, p.app),
	}
}

// swipe moves the finger up to see what is below, or down. It stays clear of a keyboard.
func (p plan) swipe(thought string, forward bool) step {
	low, high := [2]int{500, 750}, [2]int{500, 300}
	if p.now.keyboard {
		low, high = [2]int{500, 480}, [2]int{500, 230}
	}
	if !forward {
		low, high = high, low
	}
	return step{thought: thought, action: call("Swipe", "start", pair(low), "end", pair(high))}
}

func (p plan) look() step {
	if s, there := p.arrive(); !there {
		return s
	}
	r, ok := p.now.find(switches.group(p.name), func(r row) bool { return !r.is("edit") })
	if !ok {
		return p.seek(p.name)
	}
	return step{
		done:    true,
		thought: p.say.in("%s is on the screen.", "%s就在屏幕上。", p.name),
		message: p.say.in("Found it in %s: %s.", "在%s里找到了:%s。", p.app, r.label),
	}
}

// openPage taps a row inside an app.
func (p plan) openPage() step {
	if s, there := p.arrive(); !there {
		return s
	}
	names := switches.group(p.name)
	tapped := p.past.last().verb == "Tap" && !p.past.still(p.now)
	if p.now.titled(names) || tapped {
		return step{
			done:    true,
			thought: p.say.in("The page %s is open.", "%s页面已经打开。", p.name),
			message: p.say.in("%s is open in %s.", "已打开%[1]s(%[2]s)。", p.name, p.app),
		}
	}
	r, ok := p.now.find(names, func(r row) bool { return r.pressable() && !r.is("edit") })
	if !ok {
		return p.seek(p.name)
	}
	if p.past.count("Tap") >= 3 {
		return p.stuck(p.name)
	}
	return step{thought: p.say.in("I open %s.", "打开%s。", p.name), action: call("Tap", "ref", r.ref)}
}

// stuck ends a task in which something does not react.
func (p plan) stuck(name string) step {
	return step{
		failed:  true,
		thought: p.say.in("%s does not react.", "%s没有反应。", name),
		message: p.say.in("Not done: %s does not react.", "没有完成:%s没有反应。", name),
	}
}
