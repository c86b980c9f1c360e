package perception

import (
	"hash/fnv"
	"io"
	"regexp"
	"strconv"
	"unicode/utf8"

	"github.com/handset-go/handset/driver"
)

// buckets is how finely the fingerprint looks at places: thousandths are too fine for a list that
// moved by a pixel.
const buckets = 32

// clock matches what a clock, a stopwatch or a battery shows.
var clock = regexp.MustCompile(`^(?:\D{0,6})?\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d+)?(?:\s?[AaPp]\.?[Mm]\.?)?$|^\d{1,3}\s?%$`)

// isClock says whether a label changes by itself as time goes by.
func isClock(label string) bool {
	if len(label) == 0 || len(label) > 24 {
		return false
	}
	last := label[len(label)-1]
	if last != '%' && last != '.' && last != 'm' && last != 'M' && (last < '0' || last > '9') {
		return false
	}
	return clock.MatchString(label)
}

func fingerprint(s *Snapshot) uint64 {
	h := fnv.New64a()
	put := func(parts ...string) {
		for _, p := range parts {
			io.WriteString(h, p)
			h.Write([]byte{0})
		}
	}
	put(s.App.ID, s.App.Page, string(s.Keyboard))
	for i := range s.Rows {
		r := &s.Rows[i]
		if isClock(r.Label) && r.Value == "" {
			continue
		}
		put(r.Role, r.Label, r.Value, strconv.Itoa(r.Mil.X*buckets/1000), strconv.Itoa(r.Mil.Y*buckets/1000))
		put(r.Flags...)
		if r.Node.Is(driver.Password) {
			put(strconv.Itoa(utf8.RuneCountInString(r.Node.Text)))
		}
	}
	return h.Sum64()
}
