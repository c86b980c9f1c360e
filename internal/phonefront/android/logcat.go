package android

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/handset-go/handset/internal/nap"
	"github.com/handset-go/handset/internal/phonefront/phoneshell"
)

// logEntry is one line of the phone's log.
type logEntry struct {
	number    int  // of the line, from 1 on; those that were cleared count too
	cleared   bool // only its number is left
	at        time.Time
	pid       int
	priority  byte // one of priorities
	tag, text string
}

// priorities are those of the log, by the letter that stands for them and from the least on. The numbers that
// the binary log has for them begin with firstPriority.
const (
	priorities    = "VDIWEF"
	firstPriority = 2
)

// systemPID is the process that the system's own lines are from.
const systemPID = 4321

// logLine adds a line of the system to the phone's log.
func (d *Device) logLine(tag, text string) {
	d.log(logEntry{pid: systemPID, priority: 'I', tag: tag, text: text})
}

func (d *Device) log(e logEntry) {
	d.mu.Lock()
	defer d.mu.Unlock()
	e.at = d.now().UTC()
	e.number = d.lastLine() + 1
	d.logcat = append(d.logcat, e)
}

// lastLine is the number of the last line, 0 before the first. The lock must be held.
func (d *Device) lastLine() int {
	if len(d.logcat) == 0 {
		return 0
	}
	return d.logcat[len(d.logcat)-1].number
}

// clearLog empties the log. The numbers of its lines go on.
func (d *Device) clearLog() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.logcat = []logEntry{{number: d.lastLine(), cleared: true}}
}

// runLog writes into the phone's log.
func runLog(_ context.Context, p *proc) int {
	set, words, _ := p.Options("", "pt")
	priority := strings.ToUpper(cmp.Or(set['p'], "I"))[0]
	if !strings.ContainsRune(priorities, rune(priority)) {
		return p.Fail(1, "log: bad -p '%s'", set['p'])
	}
	p.d.log(logEntry{pid: phoneshell.PID("log"), priority: priority, tag: cmp.Or(set['t'], "log"), text: strings.Join(words, " ")})
	return 0
}

// logPoll is how often a logcat that follows looks for new lines.
const logPoll = 20 * time.Millisecond

// logDivider is before the first line of the only buffer that has any.
const logDivider = "--------- beginning of main\n"

// runLogcat prints the log: what there is with -d, the last lines with -t, or all that comes until its end.
func runLogcat(ctx context.Context, p *proc) int {
	v := &logView{p: p}
	set, filters, failure := v.options()
	if failure != "" {
		return p.Fail(1, "%s", failure)
	}
	switch {
	case phoneshell.Has(set, 'c'):
		p.d.clearLog()
		return 0
	case phoneshell.Has(set, 'g'):
		p.Print("main: ring buffer is 256 KiB (12 KiB consumed), max entry is 5120 B, max payload is 4068 B\n")
		return 0
	}
	v.filter(filters, phoneshell.Has(set, 's'))
	entries, last := p.d.logAfter(0)
	for _, option := range []byte{'t', 'T'} {
		entries = lastEntries(entries, set[option])
	}
	if !v.print(entries) || phoneshell.Has(set, 'd') || phoneshell.Has(set, 't') {
		return 0
	}
	for nap.For(ctx, logPoll) == nil {
		entries, last = p.d.logAfter(last)
		if !v.print(entries) {
			break
		}
	}
	return 130
}

// logAfter are the lines of the log after the one of a number, and the number of the last.
func (d *Device) logAfter(number int) (entries []logEntry, last int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, e := range d.logcat {
		if e.number > number && !e.cleared {
			entries = append(entries, e)
		}
	}
	return entries, d.lastLine()
}

// logClock is how logcat writes a time.
const logClock = "01-02 15:04:05.000"

// lastEntries are as many as a count says, or those since a time.
func lastEntries(entries []logEntry, since string) []logEntry {
	if n, err := strconv.Atoi(since); err == nil && n >= 0 {
		return entries[max(0, len(entries)-n):]
	}
	if _, err := time.Parse(logClock, since); err != nil {
		return entries
	}
	return slices.DeleteFunc(entries, func(e logEntry) bool { return e.at.Format(logClock) < since })
}

// logView is what one logcat prints, and how.
type logView struct {
	p       *proc
	format  string
	epoch   bool
	binary  bool
	pid     int // 0 for all
	nothing bool
	pattern *regexp.Regexp
	least   map[string]int // by tag, as an index of priorities; "*" is for the others
	begun   bool
}

// logFormats are the formats of a line: tag is F, priority P, text T, time D, process I.
var logFormats = map[string]string{
	"brief": "P/F(I): T", "process": "P(I) T  (F)", "tag": "P/F: T", "thread": "P(I:I) T", "raw": "T", "time": "D P/F(I): T",
	"threadtime": "D I I P F: T", "long": "[ D I:I P/F ]\nT\n",
}

// logModifiers are what -v takes beside a format, with no effect here but for epoch.
const logModifiers = " color colour descriptive epoch monotonic nsec printable uid usec UTC year zone "

// options reads the options of logcat.
func (v *logView) options() (set map[byte]string, filters []string, failure string) {
	v.format = "threadtime"
	if v.p.d.profile.SDK < 24 {
		v.format = "brief"
	}
	var short []string
	for args := v.p.Args[1:]; len(args) > 0; args = args[1:] {
		name, value, given := strings.Cut(args[0], "=")
		switch {
		case args[0] == "-v" && len(args) > 1:
			if failure = v.takeFormat(args[1]); failure != "" {
				return nil, nil, failure
			}
			args = args[1:]
		case name == "--pid" && !given && len(args) > 1:
			value, args = args[1], args[1:]
			fallthrough
		case name == "--pid":
			v.pid, _ = strconv.Atoi(value)
		default:
			short = append(short, args[0])
		}
	}
	v.p.Args = append([]string{"logcat"}, short...)
	set, filters, _ = v.p.Options("cdDBLgpsS", "tTvbfrnme")
	v.binary = phoneshell.Has(set, 'B')
	if set['v'] != "" { // together with its value, as in -vbrief
		failure = v.takeFormat(set['v'])
	}
	if b := set['b']; b != "" {
		v.nothing = !strings.Contains(b, "main") && b != "all" && !strings.Contains(b, "default")
	}
	if e := set['e']; e != "" {
		pattern, err := regexp.Compile(e)
		if err != nil {
			return nil, nil, "logcat: bad regex: " + e
		}
		v.pattern = pattern
	}
	return set, filters, failure
}

// takeFormat takes the formats and modifiers of -v.
func (v *logView) takeFormat(list string) (failure string) {
	for _, name := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' }) {
		switch {
		case logFormats[name] != "":
			v.format = name
		case strings.Contains(logModifiers, " "+name+" "):
			v.epoch = v.epoch || name == "epoch"
		default:
			return "logcat: Invalid parameter \"" + list + "\" to -v"
		}
	}
	return ""
}

// filter reads filters such as "AndroidRuntime:E"; silent is the option -s.
func (v *logView) filter(filters []string, silent bool) {
	v.least = map[string]int{"*": 0}
	if silent {
		v.least["*"] = len(priorities)
	}
	for _, f := range strings.Fields(strings.ReplaceAll(strings.Join(filters, " "), ",", " ")) {
		tag, letter, given := strings.Cut(f, ":")
		least := 0
		if given {
			least = strings.Index(priorities, strings.ToUpper(letter))
		}
		if least < 0 { // S, silence
			least = len(priorities)
		}
		v.least[tag] = least
	}
}

// wanted says that no filter silences the line.
func (v *logView) wanted(e logEntry) bool {
	least, ok := v.least[e.tag]
	if !ok {
		least = v.least["*"]
	}
	return !v.nothing && strings.IndexByte(priorities, e.priority) >= least && (v.pid == 0 || v.pid == e.pid) &&
		(v.pattern == nil || v.pattern.MatchString(e.text))
}

// print prints lines. false says that nobody reads any more.
func (v *logView) print(entries []logEntry) bool {
	for _, e := range entries {
		if !v.wanted(e) {
			continue
		}
		text := v.line(e)
		if !v.begun && !v.binary {
			text = logDivider + text
		}
		v.begun = true
		if _, err := io.WriteString(v.p.Out, text); err != nil {
			return false
		}
	}
	return true
}

// line is one line in the format that was asked for.
func (v *logView) line(e logEntry) string {
	if v.binary {
		return v.p.d.binaryEntry(e)
	}
	at := e.at.Format(logClock)
	if v.epoch {
		at = fmt.Sprintf("%19d.%03d", e.at.Unix(), e.at.Nanosecond()/1e6)
	}
	tag := e.tag
	if v.format != "process" {
		tag = fmt.Sprintf("%-8s", tag)
	}
	process := fmt.Sprintf("%5d", e.pid)
	var b strings.Builder
	for _, c := range logFormats[v.format] {
		switch c {
		case 'P':
			b.WriteByte(e.priority)
		case 'F':
			b.WriteString(tag)
		case 'T':
			b.WriteString(e.text)
		case 'D':
			b.WriteString(at)
		case 'I':
			b.WriteString(process)
		default:
			b.WriteRune(c)
		}
	}
	return b.String() + "\n"
}

// binaryEntry is a line as the log device has it, for logcat -B: struct logger_entry, which got a uid with
// Android 7, and then the priority, the tag and the text.
func (d *Device) binaryEntry(e logEntry) string {
	const main, uid = 0, 1000
	header := []any{uint32(e.pid), uint32(e.pid), uint32(e.at.Unix()), uint32(e.at.Nanosecond()), uint32(main)}
	if d.profile.SDK >= 24 {
		header = append(header, uint32(uid))
	}
	payload := string(rune(firstPriority+strings.IndexByte(priorities, e.priority))) + e.tag + "\x00" + e.text + "\x00"
	var b strings.Builder
	for _, n := range append([]any{uint16(len(payload)), uint16(4 + 4*len(header))}, header...) {
		_ = binary.Write(&b, binary.LittleEndian, n)
	}
	return b.String() + payload
}
