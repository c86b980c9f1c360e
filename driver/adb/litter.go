package adb

import (
	"context"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/handset-go/handset/driver"
)

// litter names temporary files that calls were given up on. Each was removed at once; what still ran on the phone
// may have written it after that, and so it is removed once more, by the next tree or by Close.
type litter struct {
	mu    sync.Mutex
	names []string
}

// readLitter tells the phone's time and the files that are there. A program that was killed may have left some.
const readLitter = "date '+%Y-%m-%d %H:%M'; ls -l " + tempFolder + " 2>/dev/null | grep handset-"

// litterAge is how old a file is that no program uses any more.
const litterAge = 24 * time.Hour

const litterTime = "2006-01-02 15:04" // as date and ls print it

var litterLine = regexp.MustCompile(`(?m)(\d{4}-\d\d-\d\d \d\d:\d\d) (handset-[A-Z2-7]{26}\.\w+)\s*$`)

// inherit takes over the old files of what readLitter printed.
func (l *litter) inherit(text string) {
	now, err := time.Parse(litterTime, firstLine(text))
	if err != nil {
		return
	}
	for _, m := range litterLine.FindAllStringSubmatch(text, -1) {
		if at, err := time.Parse(litterTime, m[1]); err == nil && now.Sub(at) > litterAge {
			l.add(path.Join(tempFolder, m[2]))
		}
	}
}

// maxSweep is how many names go into one command line.
const maxSweep = 30

func (l *litter) add(names ...string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.names = append(l.names, names...)
}

// take returns some of the names, which are its caller's to remove.
func (l *litter) take() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := min(len(l.names), maxSweep)
	names := slices.Clone(l.names[:n])
	l.names = slices.Delete(l.names, 0, n)
	return names
}

func removeLine(names []string) string {
	var b strings.Builder
	b.WriteString("rm -f")
	for _, name := range names {
		b.WriteString(" " + quote(name))
	}
	return b.String()
}

// removeLate removes a file of a call that was given up on.
func (d *Driver) removeLate(ctx context.Context, file string) {
	err := driver.Undo(ctx, func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, d.limit(limitShort))
		defer cancel()
		_, err := d.run(ctx, request{line: removeLine([]string{file})})
		return err
	})
	if err != nil {
		d.log.WarnContext(ctx, "a file is left on the phone for now", "file", file, "error", err)
	}
}

// giveUp is removeLate for a file whose name nobody uses again.
func (d *Driver) giveUp(ctx context.Context, file string) {
	d.removeLate(ctx, file)
	d.litter.add(file)
}

// sweep removes all litter.
func (d *Driver) sweep(ctx context.Context) {
	for names := d.litter.take(); len(names) > 0; names = d.litter.take() {
		if _, err := d.ask(ctx, removeLine(names)); err != nil {
			d.log.WarnContext(ctx, "files are left on the phone", "files", names, "error", err)
			return
		}
	}
}
