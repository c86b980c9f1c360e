package perception

import (
	"fmt"
	"hash/fnv"
	"image"
	"strings"

	"github.com/handset-go/handset/driver"
)

// Options shape a snapshot. The zero value is the default of each.
type Options struct {
	MaxRows int // how many rows at most; 0 is 250
	Clip    int // how many runes of a label or value at most; 0 is 80
}

const (
	defaultMaxRows = 250
	defaultClip    = 80
)

// Render makes a snapshot of a tree. A nil Options is the default.
func Render(t *driver.Tree, o *Options) *Snapshot {
	var opt Options
	if o != nil {
		opt = *o
	}
	if opt.MaxRows <= 0 {
		opt.MaxRows = defaultMaxRows
	}
	if opt.Clip <= 0 {
		opt.Clip = defaultClip
	}
	v := newView(t, opt.Clip)
	s := &Snapshot{App: t.App, Size: t.Size, Nodes: v.nodes, Keyboard: v.keyboardState()}
	s.Rows, s.Dropped = limitRows(inReadingOrder(v.rows()), opt.MaxRows)
	s.number()
	s.fingerprint = fingerprint(s)
	s.text = s.render()
	return s
}

// limitRows keeps at most n rows: plain texts go first, from the end, then the others.
func limitRows(rows []Row, n int) ([]Row, Dropped) {
	over := len(rows) - n
	if over <= 0 {
		return rows, Dropped{}
	}
	var d Dropped
	drop := make([]bool, len(rows))
	for _, texts := range []bool{true, false} {
		for i := len(rows) - 1; i >= 0 && over > 0; i-- {
			if isText := rows[i].Role == "text"; isText != texts {
				continue
			}
			drop[i] = true
			over--
			if texts {
				d.Texts++
			} else {
				d.Others++
			}
		}
	}
	kept := rows[:0:0]
	for i, r := range rows {
		if !drop[i] {
			kept = append(kept, r)
		}
	}
	return kept, d
}

// number gives the refs and the relative points.
func (s *Snapshot) number() {
	for i := range s.Rows {
		r := &s.Rows[i]
		r.Mil = image.Pt(perMille(r.At.X, s.Size.X), perMille(r.At.Y, s.Size.Y))
		if r.Role != "text" {
			s.targets = append(s.targets, i)
			r.Ref = len(s.targets)
		}
	}
}

func (s *Snapshot) render() string {
	var b strings.Builder
	b.Grow(64 * (len(s.Rows) + 2))
	for i := range s.Rows {
		b.WriteByte('\n')
		s.Rows[i].write(&b)
	}
	if d := s.Dropped; d.Texts+d.Others > 0 {
		fmt.Fprintf(&b, "\n… %d more texts and %d more things are not listed: scroll, or ask for less at once", d.Texts, d.Others)
	}
	body := b.String()
	head := s.header()
	h := fnv.New32a()
	h.Write([]byte(head))
	h.Write([]byte(body))
	s.ID = fmt.Sprintf("%08x", h.Sum32())
	return head + body
}

func (s *Snapshot) header() string {
	id, title := s.App.ID, clean(s.App.Name)
	if id == "" {
		id = "?"
	}
	if title == "" {
		title = pageName(s.App.Page)
	}
	return fmt.Sprintf("app %s · %s · %dx%d · kb %s · %d of %d nodes",
		id, title, s.Size.X, s.Size.Y, s.Keyboard, len(s.Rows), s.Nodes)
}

// pageName is the last part of an activity or page, or "-".
func pageName(page string) string {
	page = clean(page)
	if i := strings.LastIndexAny(page, "./"); i >= 0 {
		page = page[i+1:]
	}
	if page == "" {
		return "-"
	}
	return page
}
