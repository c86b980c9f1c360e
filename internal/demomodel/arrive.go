package demomodel

import (
	"regexp"
	"slices"
	"strings"
)

var (
	allowNames = []string{"Allow", "允许", "While using the app", "Only this time", "仅在使用中允许", "使用应用时允许", "始终允许", "OK"}
	denyNames  = []string{"Deny", "Don't allow", "不允许", "拒绝", "禁止"}
	upNames    = []string{"Navigate up", "Back", "返回", "向上导航", "转到上一层级"}
	launchers  = regexp.MustCompile(`(?i)launcher|sceneboard|springboard|\.home\b`)
	notOpened  = regexp.MustCompile(`(?i)not found|no such app|no app|ambiguous|several apps|could not|cannot|failed|未找到|找不到|没有找到|失败`)
)

// arrive brings the app of the goal to the front. Where it is, the second result is true.
func (p plan) arrive() (step, bool) {
	if s, asked := p.permission(); asked {
		return s, false
	}
	if p.inFront() {
		return step{}, true
	}
	name, ok := p.launchName()
	if !ok {
		return step{
			failed:  true,
			thought: p.say.in("%s does not open.", "%s打不开。", p.app),
			message: p.say.in("Not done: %s could not be opened.", "没有完成:无法打开%s。", p.app),
		}, false
	}
	return step{
		thought: p.say.in("%s is not in front, so I open it.", "当前不在%s,先打开它。", name),
		action:  call("Launch", "app", name),
	}, false
}

// maxLaunches bounds how many names of an app are tried.
const maxLaunches = 4

// launchName returns the next name to launch the app by: the phone may know it by another one than
// the task. One that was left in between may be launched again.
func (p plan) launchName() (string, bool) {
	if p.past.count("Launch") >= maxLaunches {
		return "", false
	}
	for _, name := range append([]string{p.app}, apps.group(p.app)...) {
		if !p.past.launched(name) {
			return name, true
		}
	}
	return p.app, p.past.last().verb != "Launch"
}

// permission refuses what an app asks for: it is not this model's to give.
func (p plan) permission() (step, bool) {
	deny, ok := p.now.find(denyNames, func(r row) bool { return r.pressable() && r.fits(denyNames) > 1 })
	_, allow := p.now.find(allowNames, func(r row) bool { return r.pressable() && r.fits(denyNames) == 0 })
	if !ok || !allow {
		return step{}, false
	}
	return step{
		thought: p.say.in("An app asks for a permission. It is not mine to give.", "应用在请求权限,我无权授予。"),
		action:  call("Tap", "ref", deny.ref),
	}, true
}

// inFront says whether the app of the goal is in front: by its id, by the title of the screen, or
// because it was launched and no launcher is to be seen.
func (p plan) inFront() bool {
	group := apps.group(p.app)
	id := strings.ToLower(p.now.app)
	isPart := func(part string) bool { return part != "" && strings.Contains(id, part) }
	if isPart(strings.ToLower(p.app)) || slices.ContainsFunc(appIDs[group[0]], isPart) || (len(group) > 1 && isPart(strings.ToLower(group[0]))) {
		return true
	}
	if slices.ContainsFunc(group, func(name string) bool { return normal(name) == normal(p.now.title) }) {
		return true
	}
	launched := p.past.since("Home")
	wasLast := p.past.last().verb == "Launch" && notOpened.MatchString(p.now.notes)
	return launched.count("Launch") > 0 && !wasLast && !launchers.MatchString(p.now.app)
}

func (p plan) open() step {
	if s, there := p.arrive(); !there {
		return s
	}
	return step{
		done:    true,
		thought: p.say.in("%s is in front.", "%s已经打开。", p.app),
		message: p.say.in("%s is open.", "已打开%s。", p.app),
	}
}

func (p plan) home() step {
	if launchers.MatchString(p.now.app) {
		return step{
			done:    true,
			thought: p.say.in("This is the home screen.", "已经在桌面。"),
			message: p.say.in("The home screen is in front.", "已回到桌面。"),
		}
	}
	return step{thought: p.say.in("I go to the home screen.", "回到桌面。"), action: call("Home")}
}
