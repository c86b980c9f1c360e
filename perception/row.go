package perception

import (
	"image"
	"strconv"
	"strings"

	"github.com/handset-go/handset/driver"
)

// Row is one thing on the screen that can be touched or read.
type Row struct {
	Ref   int    // 0 for plain text
	Role  string // at most six letters: btn edit switch check radio slider tab link list scroll img ...; "text" for plain text
	Label string // merged, on one line, clipped; "#name" where there is only an id; "" if there is nothing
	Value string // what a field holds, "•••" for a password
	Flags []string
	// Tag is the kind of window (dialog, notification, system) or the package of another app, and ""
	// for the app in front.
	Tag  string
	Box  image.Rectangle // the part that is on the screen, in pixels
	At   image.Point     // where a touch reaches it, in pixels
	Mil  image.Point     // At in thousandths of the frame, 0 to 999
	Node *driver.Node
}

// String returns the row as it stands in a snapshot.
func (r *Row) String() string {
	var b strings.Builder
	r.write(&b)
	return b.String()
}

func (r *Row) write(b *strings.Builder) {
	if r.Ref > 0 {
		b.WriteString(strconv.Itoa(r.Ref))
		b.WriteByte(' ')
		b.WriteString(r.Role)
	} else {
		b.WriteByte('-')
	}
	word := func(s string) {
		if s != "" {
			b.WriteByte(' ')
			b.WriteString(s)
		}
	}
	word(r.Label)
	if r.Value != "" {
		b.WriteString(` "`)
		b.WriteString(r.Value)
		b.WriteByte('"')
	}
	for _, f := range r.Flags {
		word(f)
	}
	if r.Tag != "" {
		word("[" + r.Tag + "]")
	}
	b.WriteByte(' ')
	b.WriteString(strconv.Itoa(r.Mil.X))
	b.WriteByte(',')
	b.WriteString(strconv.Itoa(r.Mil.Y))
}

// shortRoles are the words of rows for the roles that have a longer name.
var shortRoles = map[driver.Role]string{
	driver.RoleButton: "btn", driver.RoleView: "btn", driver.RoleText: "btn", driver.RoleWindow: "btn",
	driver.RoleImage: "img", driver.RoleProgress: "prog",
}

// roleWord is the word for a node that takes a touch.
func roleWord(n *driver.Node) string {
	if n.Is(driver.Scrollable) && !n.Is(driver.Editable) && n.Role != driver.RoleList {
		return "scroll"
	}
	if w, ok := shortRoles[n.Role]; ok {
		return w
	}
	return string(n.Role)
}

// generic says that a role word tells nothing but that the thing can be touched.
func generic(word string) bool { return word == "btn" || word == "img" }

// perMille returns the whole number v from 0 to 999 for which int(v/1000*width), the pixel that a
// model's v means, is closest to px.
func perMille(px, width int) int {
	if width <= 0 {
		return 0
	}
	px = min(max(px, 0), width-1)
	best, miss := 0, width
	guess := px * 1000 / width
	for v := max(guess-1, 0); v <= min(guess+2, 999); v++ {
		d := int(float64(v)/1000*float64(width)) - px
		if d = max(d, -d); d < miss {
			best, miss = v, d
		}
	}
	return best
}
