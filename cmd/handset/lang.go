package main

import (
	"cmp"
	"os"
	"strings"
)

// setLang settles the languages: that of the option or PHONE_AGENT_LANG, where cn means zh, for everything; without
// one, the messages go by the locale.
func (a *app) setLang() error {
	switch strings.ToLower(a.Lang) {
	case "zh", "cn", "zh-cn", "zh_cn":
		a.Lang = "zh"
	case "en", "":
		a.Lang = strings.ToLower(a.Lang)
	default:
		return usagef("--lang %q: want zh or en", a.Lang)
	}
	a.lang = a.Lang
	if locale := cmp.Or(os.Getenv("LC_ALL"), os.Getenv("LC_MESSAGES"), os.Getenv("LANG")); a.lang == "" && strings.HasPrefix(locale, "zh") {
		a.lang = "zh"
	}
	return nil
}

// tr chooses between the two languages of the messages.
func (a *app) tr(en, zh string) string {
	if a.lang == "zh" {
		return zh
	}
	return en
}
