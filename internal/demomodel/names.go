package demomodel

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// names are groups of names for one thing, in both languages and as different phones have them.
type names [][]string

var apps = names{
	{"Settings", "设置", "System settings", "系统设置"},
	{"Messages", "信息", "短信", "消息", "Messaging", "SMS", "Text messages"},
	{"Shop", "商城", "商店", "购物", "Store", "Shopping"},
	{"Clock", "时钟", "闹钟", "Alarm"},
	{"Notes", "笔记", "备忘录", "便签", "Note"},
	{"Camera", "相机", "照相机"},
	{"Browser", "浏览器"},
	{"Wallet", "钱包", "Bank", "银行"},
	{"Game", "游戏"},
}

// appIDs are parts of package names, bundle names and bundle ids.
var appIDs = map[string][]string{
	"Settings": {"settings", "preferences"},
	"Messages": {"messaging", "mms", "mobilesms"},
	"Clock":    {"clock", "mobiletimer"},
}

var switches = names{
	{"Bluetooth", "蓝牙"},
	{"Wi-Fi", "WLAN", "WiFi", "无线局域网", "无线网络"},
	{"Airplane mode", "飞行模式", "Flight mode", "Aeroplane mode"},
	{"Dark theme", "深色主题", "深色模式", "暗色模式", "Dark mode", "暗黑模式", "夜间模式"},
	{"Location", "位置信息", "定位", "位置服务", "位置", "定位服务"},
	{"Battery saver", "省电模式", "Power saving mode"},
	{"Do not disturb", "勿扰模式", "免打扰", "勿扰"},
	{"Mobile data", "移动数据", "蜂窝数据", "数据流量"},
	{"Auto-rotate", "自动旋转", "自动旋转屏幕", "Auto-rotate screen"},
	{"Hotspot", "热点", "个人热点", "Wi-Fi hotspot"},
	{"Data saver", "流量节省程序", "省流量"},
	{"NFC"},
}

// parents are the rows of the settings under which a switch is kept.
var parents = map[string][]string{
	"Wi-Fi":          {"Network & internet", "网络和互联网"},
	"Hotspot":        {"Network & internet", "网络和互联网"},
	"Mobile data":    {"Network & internet", "网络和互联网"},
	"Data saver":     {"Network & internet", "网络和互联网"},
	"Battery saver":  {"Battery", "电池"},
	"Do not disturb": {"Notifications", "通知"},
}

// group returns all names of the thing that has this one; only the name itself if it is not known.
func (n names) group(name string) []string {
	for _, g := range n {
		if !hasNo(g, name) {
			return g
		}
	}
	return []string{name}
}

// either is a pattern of all the names, the longer ones first.
func (n names) either() string {
	var all []string
	for _, g := range n {
		for _, name := range g {
			all = append(all, regexp.QuoteMeta(name))
		}
	}
	slices.SortStableFunc(all, func(a, b string) int { return len(b) - len(a) })
	return strings.Join(all, "|")
}

func (n names) know(name string) bool { return len(n.group(name)) > 1 || name == "NFC" }

// normal makes names comparable: small letters, no punctuation, single spaces.
func normal(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		if r == '-' {
			return -1
		}
		return ' '
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

// hasNo says that no name of a list is a text, but for case and punctuation.
func hasNo(list []string, text string) bool {
	return !slices.ContainsFunc(list, func(n string) bool { return normal(n) == normal(text) })
}

func hasHan(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}
