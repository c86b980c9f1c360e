package sim

// Label is a text in the languages of the phone.
type Label struct {
	En string `json:"en,omitempty"`
	Zh string `json:"zh,omitempty"` // "" falls back to En
}

// T makes a Label. An empty zh is the same as en.
func T(en, zh string) Label { return Label{En: en, Zh: zh} }

// In returns the text in a language, "en" or "zh".
func (l Label) In(lang string) string {
	if lang == LangZh && l.Zh != "" {
		return l.Zh
	}
	return l.En
}
