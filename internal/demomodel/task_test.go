package demomodel

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGoals(t *testing.T) {
	cases := []struct {
		task string
		want []goal
	}{
		{"open Settings", []goal{{kind: openApp, app: "Settings"}}},
		{"Please open the Settings app.", []goal{{kind: openApp, app: "Settings"}}},
		{"launch com.example.maps", []goal{{kind: openApp, app: "com.example.maps"}}},
		{"打开设置", []goal{{kind: openApp, app: "设置"}}},
		{"请帮我打开时钟应用。", []goal{{kind: openApp, app: "时钟"}}},
		{"go to the home screen", []goal{{kind: goHome}}},
		{"回到桌面", []goal{{kind: goHome}}},

		{"turn off Bluetooth", []goal{{kind: setSwitch, app: "Settings", name: "Bluetooth"}}},
		{"Turn on the Wi-Fi switch", []goal{{kind: setSwitch, app: "Settings", name: "Wi-Fi", on: true}}},
		{"turn Airplane mode on in Settings", []goal{{kind: setSwitch, app: "Settings", name: "Airplane mode", on: true}}},
		{"disable dark theme", []goal{{kind: setSwitch, app: "Settings", name: "dark theme"}}},
		{"open Settings and turn off Bluetooth", []goal{{kind: setSwitch, app: "Settings", name: "Bluetooth"}}},
		{"Open Settings, then turn off Bluetooth and turn on Airplane mode.", []goal{
			{kind: setSwitch, app: "Settings", name: "Bluetooth"}, {kind: setSwitch, app: "Settings", name: "Airplane mode", on: true}}},
		{"把蓝牙关掉", []goal{{kind: setSwitch, app: "设置", name: "蓝牙"}}},
		{"打开设置,把蓝牙关掉", []goal{{kind: setSwitch, app: "设置", name: "蓝牙"}}},
		{"打开设置，然后关闭蓝牙，再开启飞行模式", []goal{
			{kind: setSwitch, app: "设置", name: "蓝牙"}, {kind: setSwitch, app: "设置", name: "飞行模式", on: true}}},
		{"在设置里把飞行模式打开", []goal{{kind: setSwitch, app: "设置", name: "飞行模式", on: true}}},
		{"打开蓝牙", []goal{{kind: setSwitch, app: "设置", name: "蓝牙", on: true}}},
		{"关闭深色主题开关", []goal{{kind: setSwitch, app: "设置", name: "深色主题"}}},

		{"send 'hi' to Alice in Messages", []goal{{kind: sendMessage, app: "Messages", name: "Alice", text: "hi"}}},
		{`Send "I'm late, start without me" to Alice`, []goal{{kind: sendMessage, app: "Messages", name: "Alice", text: "I'm late, start without me"}}},
		{"send a message to Alice saying see you at 5", []goal{{kind: sendMessage, app: "Messages", name: "Alice", text: "see you at 5"}}},
		{"send a text to Alice: turn off the oven, and open the door", []goal{{kind: sendMessage, app: "Messages", name: "Alice", text: "turn off the oven, and open the door"}}},
		{"send Alice a message saying 'hi'", []goal{{kind: sendMessage, app: "Messages", name: "Alice", text: "hi"}}},
		{"text Alice 'hi'", []goal{{kind: sendMessage, app: "Messages", name: "Alice", text: "hi"}}},
		{"tell Bob that dinner is ready", []goal{{kind: sendMessage, app: "Messages", name: "Bob", text: "dinner is ready"}}},
		{"send hello to Alice in the Messages app", []goal{{kind: sendMessage, app: "Messages", name: "Alice", text: "hello"}}},
		{"open Messages and send 'hi' to Alice", []goal{{kind: sendMessage, app: "Messages", name: "Alice", text: "hi"}}},
		{"send 'hi' to Alice, then turn off Bluetooth", []goal{{kind: sendMessage, app: "Messages", name: "Alice", text: "hi"}, {kind: setSwitch, app: "Settings", name: "Bluetooth"}}},
		{"给张三发消息:你好", []goal{{kind: sendMessage, app: "信息", name: "张三", text: "你好"}}},
		{"给张三发一条短信,说明天见,早点来", []goal{{kind: sendMessage, app: "信息", name: "张三", text: "明天见,早点来"}}},
		{"在短信里给张三发“你好”", []goal{{kind: sendMessage, app: "短信", name: "张三", text: "你好"}}},
		{"打开短信，给张三发消息：我到了", []goal{{kind: sendMessage, app: "短信", name: "张三", text: "我到了"}}},
		{"把“我到了”发给张三", []goal{{kind: sendMessage, app: "信息", name: "张三", text: "我到了"}}},
		{"发消息给张三:你好", []goal{{kind: sendMessage, app: "信息", name: "张三", text: "你好"}}},
		{"给 Alice 发短信说 hi", []goal{{kind: sendMessage, app: "信息", name: "Alice", text: "hi"}}},

		{"pay for the cart in Shop", []goal{{kind: payCart, app: "Shop"}}},
		{"check out", []goal{{kind: payCart, app: "Shop"}}},
		{"open Shop and pay for what is in the cart", []goal{{kind: payCart, app: "Shop"}}},
		{"在商店付款", []goal{{kind: payCart, app: "商店"}}},
		{"在商店里支付购物车里的东西", []goal{{kind: payCart, app: "商店"}}},
		{"打开商店,结算购物车", []goal{{kind: payCart, app: "商店"}}},

		{"buy Green tea in Shop", []goal{{kind: addToCart, app: "Shop", name: "Green tea"}, {kind: payCart, app: "Shop"}}},
		{"open Shop, buy an umbrella and pay", []goal{{kind: addToCart, app: "Shop", name: "umbrella"}, {kind: payCart, app: "Shop"}}},
		{"add Socks to the cart in Shop, then pay", []goal{{kind: addToCart, app: "Shop", name: "Socks"}, {kind: payCart, app: "Shop"}}},
		{"在商城买绿茶并付款", []goal{{kind: addToCart, app: "商城", name: "绿茶"}, {kind: payCart, app: "商城"}}},
		{"在商城买一把雨伞", []goal{{kind: addToCart, app: "商城", name: "雨伞"}, {kind: payCart, app: "商城"}}},
		{"打开商城,把绿茶加入购物车,然后付款", []goal{{kind: addToCart, app: "商城", name: "绿茶"}, {kind: payCart, app: "商城"}}},

		{"find About phone in Settings", []goal{{kind: lookFor, app: "Settings", name: "About phone"}}},
		{"scroll to Accessibility", []goal{{kind: lookFor, app: "Settings", name: "Accessibility"}}},
		{"open Display in Settings", []goal{{kind: openPage, app: "Settings", name: "Display"}}},
		{"open Settings, open Network and internet", []goal{{kind: openPage, app: "Settings", name: "Network and internet"}}},
		{"在设置里找到关于手机", []goal{{kind: lookFor, app: "设置", name: "关于手机"}}},
		{"打开设置里的显示", []goal{{kind: openPage, app: "设置", name: "显示"}}},
		{"打开设置里的蓝牙", []goal{{kind: setSwitch, app: "设置", name: "蓝牙", on: true}}},
	}
	for _, c := range cases {
		t.Run(c.task, func(t *testing.T) { require.Equal(t, c.want, goalsIn(c.task)) })
	}
}

func TestTasksThatAreNotUnderstood(t *testing.T) {
	for _, task := range []string{"", "Hi", "what is the meaning of life", "tell a joke", "tell me the time", "send a message", "讲个笑话", "?", "\"", "send"} {
		t.Run(task, func(t *testing.T) { require.False(t, understood(goalsIn(task))) })
	}
}

func TestTheTaskIsTheStartOfTheFirstMessage(t *testing.T) {
	for name, text := range map[string]string{
		"screen info":  "打开设置\n\n{\"current_app\": \"System Home\"}",
		"a heading":    "打开设置\n** Screen Info **\n\napp x",
		"a fence":      "打开设置\n```\napp x · y · 1x1\n```",
		"a tag":        "打开设置\n<screen id=1>\n",
		"the rows":     "打开设置\napp x · y · 1x1 · kb off",
		"a label":      "任务:打开设置\n\nmore",
		"nothing else": "打开设置",
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, "打开设置", taskIn([]message{{Role: "system", Content: "open Clock"}, {Role: "user", Content: content(text)}, {Role: "user", Content: "later"}}))
		})
	}
}
