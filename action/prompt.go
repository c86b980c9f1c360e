package action

import (
	"fmt"
	"strings"
	"time"
)

// SystemPrompt is the first message of the AutoGLM protocol, in Chinese or English. The date line,
// the tags and the form of each verb are the protocol's; both languages have all verbs of the table
// and the same rules.
func SystemPrompt(p Prompt) string {
	t := texts(p.Lang)
	var b strings.Builder
	b.WriteString(dateLine(p.Lang, p.Date) + "\n")
	b.WriteString(t.role + "\n")
	if p.Platform != "" {
		fmt.Fprintf(&b, t.platform+"\n", p.Platform)
	}
	b.WriteString(t.format + "\n")
	b.WriteString(t.verbs + "\n")
	for _, r := range rowsOf(p.Verbs) {
		if p.Rows || !r.rowsOnly {
			r.describe(&b, p.Lang)
		}
	}
	if p.Rows {
		b.WriteString("\n" + t.rows + "\n")
	}
	b.WriteString("\n" + t.untrusted + "\n")
	b.WriteString("\n" + t.ruleHead + "\n")
	for i, rule := range t.allRules(p.Platform) {
		fmt.Fprintf(&b, "%d. %s\n", i+1, rule)
	}
	return strings.TrimRight(b.String(), "\n")
}

var weekdays = [...]string{"星期日", "星期一", "星期二", "星期三", "星期四", "星期五", "星期六"}

// dateLine is the protocol's, to the character: its colon is the narrow one in both languages.
func dateLine(l Lang, day time.Time) string {
	if l.english() {
		return "The current date: " + day.Format("2006-01-02, Monday")
	}
	return "今天的日期是: " + day.Format("2006年01月02日") + " " + weekdays[day.Weekday()]
}

// describe writes the lines of a verb: its form, and what it does.
func (r *row) describe(b *strings.Builder, l Lang) {
	fmt.Fprintf(b, "- %s\n    %s\n", r.form(""), r.doc.in(l))
	if r.warned != (words{}) {
		fmt.Fprintf(b, "- %s\n    %s\n", r.form(warningSample.in(l)), r.warned.in(l))
	}
}

var warningSample = words{`"重要操作"`, `"important operation"`}

// form is how a call of the verb looks, with its samples for arguments.
func (r *row) form(warning string) string {
	var args []string
	if r.verb != VerbFinish {
		args = append(args, `action=`+quoted(string(r.verb)))
	}
	for i := range r.fields {
		switch f := &r.fields[i]; {
		case f.sample != "":
			args = append(args, f.arg+"="+f.sample)
		case f.warning && warning != "":
			args = append(args, f.arg+"="+warning)
		}
	}
	name := "do"
	if r.verb == VerbFinish {
		name = "finish"
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}
