package demomodel

import (
	"slices"
	"strings"
)

var (
	sendNames   = []string{"Send", "发送", "Send message", "Send SMS"}
	searchNames = []string{"Search", "搜索", "查找"}
)

// seenRunes of a message are compared: rows are clipped.
const seenRunes = 16

// send opens the chat, types, sends, and looks whether the message is there.
func (p plan) send() step {
	if s, there := p.arrive(); !there {
		return s
	}
	field, ok := p.now.first(func(r row) bool { return r.is("edit") && !isSearch(r) })
	switch {
	case !ok:
		return p.openChat()
	case !p.inChat():
		return p.leaveChat()
	case p.past.thought(p.sending()) && !p.holdsText(field) && p.sent():
		return step{
			done:    true,
			thought: p.say.in("The message is in the chat.", "消息已经出现在对话里。"),
			message: p.say.in("Sent to %s: %s", "已发给%s:%s", p.name, p.text),
		}
	case p.holdsText(field):
		return p.press()
	case p.past.count("Type") >= 2:
		return p.stuck(p.say.in("the text field", "输入框"))
	case field.flagged("focus") || strings.HasSuffix(p.past.last().thought, p.focusing()):
		return step{
			thought: p.say.in("The field has the focus, so I write the message.", "输入框已选中,输入内容。"),
			action:  call("Type", "text", p.text),
		}
	}
	return step{thought: p.focusing(), action: call("Tap", "ref", field.ref)}
}

func (p plan) focusing() string {
	return p.say.in("The chat is open, so I tap its text field.", "对话已打开,点一下输入框。")
}

func (p plan) sending() string {
	return p.say.in("The message is written, so I send it.", "内容已输入,点发送。")
}

func isSearch(r row) bool {
	return slices.ContainsFunc(searchNames, func(n string) bool { return strings.Contains(normal(r.label), normal(n)) })
}

// inChat says whether the chat with the person is open: the name is the title, or at the top.
func (p plan) inChat() bool {
	return p.now.titled([]string{p.name}) || strings.HasSuffix(p.past.last().thought, p.opening())
}

func (p plan) opening() string {
	return p.say.in("I open the chat with %s.", "打开和%s的对话。", p.name)
}

func (p plan) openChat() step {
	r, ok := p.now.find([]string{p.name}, row.pressable)
	if !ok {
		return p.seek(p.name)
	}
	if p.past.count("Tap") >= 4 {
		return p.stuck(p.name)
	}
	return step{thought: p.opening(), action: call("Tap", "ref", r.ref)}
}

func (p plan) leaveChat() step {
	if p.past.count("Back") >= 3 {
		return p.stuck(p.app)
	}
	return step{
		thought: p.say.in("This is another chat, so I go back.", "这是别人的对话,先返回。"),
		action:  call("Back"),
	}
}

func (p plan) press() step {
	button, ok := p.now.find(sendNames, func(r row) bool { return r.pressable() && !r.is("edit") })
	tries := 0
	for _, t := range p.past {
		if strings.HasSuffix(t.thought, p.sending()) {
			tries++
		}
	}
	if !ok || tries >= 2 {
		return p.stuck(p.say.in("the send button", "发送按钮"))
	}
	return step{thought: p.sending(), action: call("Tap", "ref", button.ref)}
}

// holdsText says whether the text of the message stands in a row: as the value of a field, or as
// what is to be read.
func (p plan) holdsText(r row) bool {
	shown := r.label
	if r.is("edit") {
		shown = r.value
	}
	runes := []rune(strings.Join(strings.Fields(p.text), " "))
	return strings.Contains(strings.Join(strings.Fields(shown), " "), string(runes[:min(len(runes), seenRunes)]))
}

func (p plan) sent() bool {
	return slices.ContainsFunc(p.now.rows, func(r row) bool { return !r.is("edit") && p.holdsText(r) })
}
