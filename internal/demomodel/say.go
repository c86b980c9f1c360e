package demomodel

import "fmt"

// language is the one that the model answers in: that of the task.
type language bool

const (
	english language = false
	chinese language = true
)

func languageOf(task string) language { return language(hasHan(task)) }

// in returns the text in the language, filled in.
func (l language) in(en, zh string, args ...any) string {
	if l == chinese {
		return fmt.Sprintf(zh, args...)
	}
	return fmt.Sprintf(en, args...)
}

// able is the answer to a task that the rules do not cover.
func (l language) able() step {
	return step{
		failed:  true,
		thought: l.in("No rule of mine covers this task.", "我的规则里没有这类任务。"),
		message: l.in(
			"Not done. I am the demo model: a few rules, no intelligence. I can open an app (open Settings), set a switch (turn off Bluetooth), send a message (send 'hi' to Alice in Messages), pay for the cart (pay for the cart in Shop) and look for something (find About phone in Settings).",
			"没有完成。我是演示模型,只有几条规则,并不智能。我能打开应用(打开设置)、拨动开关(把蓝牙关掉)、发消息(给张三发消息:你好)、为购物车付款(在商店付款)、查找内容(在设置里找到关于手机)。"),
	}
}

// blind hands over: a demo that taps without seeing would be a lie. pictures says that there is a picture instead of rows.
func (l language) blind(pictures bool) step {
	s := step{thought: l.in("There are no rows of the screen.", "没有屏幕的文字列表。")}
	if pictures {
		s.action = call("Take_over", "message", l.in(
			"I am the demo model and cannot see pictures. Run me in tree mode, or use a real model.",
			"我是演示模型,看不了图片。请用 tree 模式运行,或者换用真正的模型。"))
		return s
	}
	s.action = call("Take_over", "message", l.in(
		"I am the demo model and can only read rows, and the phone gives none of this screen. Bring it to another screen, or use a real model.",
		"我是演示模型,只会读文字列表,而手机没有给出当前屏幕的列表。请切换到别的画面,或者换用真正的模型。"))
	return s
}
