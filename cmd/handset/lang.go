package main

import "strings"

// setLang settles the language: the option or PHONE_AGENT_LANG, where cn means zh, then LANG.
func (a *app) setLang() error {
	switch strings.ToLower(a.Lang) {
	case "zh", "cn", "zh-cn", "zh_cn":
		a.Lang = "zh"
	case "en":
		a.Lang = "en"
	case "":
		a.Lang = "en"
		if l, _ := a.getenv("LANG"); strings.HasPrefix(l, "zh") {
			a.Lang = "zh"
		}
	default:
		return usagef("--lang %q: want zh or en", a.Lang)
	}
	return nil
}

// tr chooses between the two languages of the messages.
func (a *app) tr(en, zh string) string {
	if a.Lang == "zh" {
		return zh
	}
	return en
}
