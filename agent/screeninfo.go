package agent

import (
	"bytes"
	"encoding/json"
	"strings"
)

// screenInfo is the text about a screen: AutoGLM's line of JSON, with what became of the last action, and
// in tree mode the rows.
type screenInfo struct {
	short string // without rows, as the history keeps it
	full  string
}

// info describes obs. last is what became of the last action, "" for the first step.
func (o *observation) info(last string) screenInfo {
	fields := []string{pair("current_app", o.appName())}
	if last != "" {
		fields = append(fields, pair("last_action", last))
	}
	if o.note != "" {
		fields = append(fields, pair("screen", o.note))
	}
	short := noMarks.Replace("{" + strings.Join(fields, ", ") + "}")
	if o.rows == nil {
		return screenInfo{short, short}
	}
	return screenInfo{short, short + "\n\n" + o.fence()}
}

func (o *observation) appName() string {
	if name := o.app.String(); name != "" {
		return name
	}
	return "unknown"
}

// noMarks breaks up what could end the fence, and the marks of turns such as <|user|>, which some servers take for
// their own wherever they stand.
var noMarks = strings.NewReplacer("</screen", "< /screen", "<|", "< |", "|>", "| >")

// fence puts the rows between marks that nothing inside can close.
func (o *observation) fence() string {
	id := o.rows.ID
	rows := noMarks.Replace(o.rows.String())
	return `<screen id="` + id + `" untrusted="yes">` + "\n" + rows + "\n</screen>"
}

// pair is one field as Python's json.dumps writes it with ensure_ascii off: a space after the colon.
func pair(key, value string) string { return quote(key) + ": " + quote(value) }

func quote(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		return `""` // a string always encodes
	}
	return strings.TrimSuffix(b.String(), "\n")
}
