package apps

import "strings"

// LangOf returns the language of the tables that suits a locale such as zh-Hans-CN, zh_CN or en_US: "zh", "en" for any
// other language, and "" for no locale.
func LangOf(locale string) string {
	switch {
	case locale == "":
		return ""
	case strings.HasPrefix(locale, "zh"):
		return "zh"
	}
	return "en"
}
