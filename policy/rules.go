package policy

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/handset-go/handset/driver"
)

// judge returns the verdict on r and puts the rule and its words into r.
func (g *Gate) judge(r *Request) Verdict {
	v := g.firstOpinion(r)
	if r.Reason != "" && v < Ask {
		r.Rule, r.Why = "the model's warning", fmt.Sprintf("the model calls this step sensitive: %s", clip(r.Reason))
		return Ask
	}
	return v
}

func (g *Gate) firstOpinion(r *Request) Verdict {
	for _, rule := range g.opt.Rules {
		if v := r.apply(rule); v != Pass {
			return v
		}
	}
	for _, rule := range []Rule{{"apps", g.judgeApp}, {"operations", g.judgeOp}, {"links", judgeLink}, {"keys", judgeKey}, {"passwords", judgePassword}, {"labels", judgeLabel}, {"blind", g.judgeBlind}} {
		if v := r.apply(rule); v != Pass {
			return v
		}
	}
	return Allow
}

func (r *Request) apply(rule Rule) Verdict {
	v, why := rule.Judge(r)
	if v != Pass {
		r.Rule, r.Why = rule.Name, why
	}
	return v
}

// judgeBlind is Options.Blind.
func (g *Gate) judgeBlind(r *Request) (Verdict, string) {
	if r.Tree != nil || !needsTree(&r.Call) {
		return Pass, ""
	}
	return g.opt.Blind, "the phone gives no tree, so what is touched is not known"
}

// opVerdicts are the defaults of operations as a whole. What is not listed here, and does not read, is
// unknown and denied.
var opVerdicts = map[driver.Op]Verdict{
	driver.OpTap: Pass, driver.OpSwipe: Pass, driver.OpKey: Pass, driver.OpLaunch: Pass, driver.OpType: Pass,
	driver.OpClearText: Pass, driver.OpSetText: Pass, driver.OpDoubleTap: Pass, driver.OpLongPress: Pass,
	driver.OpDrag: Pass, driver.OpPinch: Pass, driver.OpGesture: Pass, driver.OpStop: Pass, driver.OpOpenURL: Pass,
	driver.OpRotate: Pass, driver.OpWake: Pass, driver.OpLock: Pass, driver.OpSetClipboard: Pass, driver.OpRelease: Pass,
	driver.OpShell: Deny, driver.OpInstall: Deny, driver.OpUninstall: Deny, driver.OpPush: Deny,
}

func (g *Gate) judgeOp(r *Request) (Verdict, string) {
	op := r.Call.Op
	v, ok := g.opt.Ops[op]
	if !ok {
		v, ok = opVerdicts[op]
	}
	switch {
	case !ok:
		return Deny, fmt.Sprintf("the gate does not know the operation %q", op)
	case v == Deny:
		return Deny, fmt.Sprintf("%s is not allowed here: set Options.Ops to ask for it or to allow it", op)
	}
	return v, fmt.Sprintf("%s changes more than what is on the screen", op)
}

func (g *Gate) judgeApp(r *Request) (Verdict, string) {
	if r.App.ID == "" || r.Call.Op == driver.OpStop || r.Call.Op == driver.OpKey && leads(r.Call.Key) {
		return Pass, ""
	}
	for _, pattern := range g.opt.DenyApps {
		prefix, open := strings.CutSuffix(pattern, "*")
		if r.App.ID == pattern || open && strings.HasPrefix(r.App.ID, prefix) {
			return Deny, fmt.Sprintf("the app %s is not to be used (Options.DenyApps has %s)", r.App.ID, pattern)
		}
	}
	return Pass, ""
}

// leads says that a key leads out of an app.
func leads(k driver.Key) bool {
	k = driver.ParseKey(string(k))
	return k == driver.KeyBack || k == driver.KeyHome || k == driver.KeyRecents
}

func judgeLink(r *Request) (Verdict, string) {
	if r.Call.Op != driver.OpOpenURL {
		return Pass, ""
	}
	u, err := url.Parse(strings.TrimSpace(r.Call.Text))
	if err == nil && (strings.EqualFold(u.Scheme, "http") || strings.EqualFold(u.Scheme, "https")) {
		return Pass, ""
	}
	return Ask, "the link is no web page: it may call, pay or change something"
}

// riskyNumbers are the codes by which a driver may take the keys that switch a phone off or call somebody: Power, Call
// and EndCall of Android, Power of OpenHarmony. On the other of the two they are harmless, and are asked about too.
var riskyNumbers = map[int]bool{5: true, 6: true, 18: true, 26: true}

func judgeKey(r *Request) (Verdict, string) {
	if r.Call.Op != driver.OpKey {
		return Pass, ""
	}
	name := strings.ToLower(string(driver.ParseKey(string(r.Call.Key))))
	n, err := strconv.Atoi(strings.TrimSpace(name))
	switch {
	case err == nil && riskyNumbers[n]:
		return Ask, "the key of that number may switch the phone off, or call"
	case strings.Contains(name, "power"):
		return Ask, "the power key may switch the phone off"
	case strings.TrimPrefix(name, "keycode_") == "call":
		return Ask, "the key calls whoever is on the screen"
	}
	return Pass, ""
}

func judgePassword(r *Request) (Verdict, string) {
	if typing := r.Call.Op == driver.OpType || r.Call.Op == driver.OpSetText; !typing || r.Target == nil {
		return Pass, ""
	}
	if r.Target.Is(driver.Password) {
		return Ask, "the text goes into a password field"
	}
	return Pass, ""
}

func judgeLabel(r *Request) (Verdict, string) {
	switch r.Call.Op {
	case driver.OpTap, driver.OpDoubleTap, driver.OpLongPress, driver.OpGesture:
	case driver.OpSwipe, driver.OpDrag:
		if !r.stays(r.Call.At, r.Call.To) && !slides(r) {
			return Pass, ""
		}
	case driver.OpKey:
		if !activates(r.Call.Key) || r.Target == nil || r.Target.Role == driver.RoleEdit {
			return Pass, ""
		}
	default:
		return Pass, ""
	}
	for _, text := range append(slices.Clone(r.texts), strings.Join(r.texts, " ")) { // a label may be cut into pieces
		if word := sensitiveWord(text); word != "" {
			return Ask, fmt.Sprintf("%q looks like %s", clip(text), word)
		}
	}
	if text, word := r.answers(); word != "" {
		return Ask, fmt.Sprintf("%q answers %q, which looks like %s", r.Label, clip(text), word)
	}
	if r.Label == "" && r.Target != nil {
		if word := sensitiveID(r.Target.ID); word != "" {
			return Ask, fmt.Sprintf("the button %q looks like %s", r.Target.ID, word)
		}
	}
	return Pass, ""
}

// slides says that what a swipe starts on is made to be slid, as in "slide to pay"; any other swipe only
// scrolls past it.
func slides(r *Request) bool {
	if r.Target != nil && r.Target.Role == driver.RoleSlider {
		return true
	}
	for _, text := range r.texts {
		low := strings.ToLower(text)
		for _, w := range []string{"slide", "swipe", "滑动", "右滑", "滑块"} {
			if strings.Contains(low, w) {
				return true
			}
		}
	}
	return false
}

// clip bounds what an app or a model wrote, for a message.
func clip(s string) string {
	const most = 60
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
