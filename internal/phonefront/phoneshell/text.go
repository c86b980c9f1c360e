package phoneshell

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// runEcho is mksh's echo, which reads backslashes unless told not to.
func runEcho(_ context.Context, p *Proc) int {
	newline, escapes, args := true, true, p.Args[1:]
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' && strings.Trim(args[0][1:], "neE") == "" {
		for _, c := range args[0][1:] {
			switch c {
			case 'n':
				newline = false
			case 'e':
				escapes = true
			case 'E':
				escapes = false
			}
		}
		args = args[1:]
	}
	text := strings.Join(args, " ")
	if escapes {
		var stop bool
		if text, stop = unescape(text); stop {
			newline = false
		}
	}
	if newline {
		text += "\n"
	}
	_, _ = io.WriteString(p.Out, text)
	return 0
}

var escapeBytes = map[byte]byte{'a': 7, 'b': 8, 'e': 27, 'f': 12, 'n': 10, 'r': 13, 't': 9, 'v': 11, '\\': '\\'}

// unescape reads the backslashes of echo. stop says that \c ended the text.
func unescape(text string) (out string, stop bool) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		i++
		c := text[i]
		switch e, known := escapeBytes[c]; {
		case c == 'c':
			return b.String(), true
		case known:
			b.WriteByte(e)
		case c == 'x' || c == '0':
			base, most := 16, 2
			if c == '0' {
				base, most = 8, 3
			}
			digits := leadingDigits(text[i+1:], base, most)
			n, _ := strconv.ParseUint("0"+digits, base, 16)
			b.WriteByte(byte(n))
			i += len(digits)
		default:
			b.WriteByte('\\')
			b.WriteByte(c)
		}
	}
	return b.String(), false
}

func leadingDigits(s string, base, most int) string {
	n := 0
	for n < len(s) && n < most {
		if _, err := strconv.ParseUint(s[n:n+1], base, 8); err != nil {
			break
		}
		n++
	}
	return s[:n]
}

// inputs calls f with each file that is named, or with the standard input. The status is 1 where one
// cannot be read.
func (p *Proc) Inputs(names []string, f func(name string, r io.Reader) error) int {
	status := 0
	if len(names) == 0 {
		names = []string{"-"}
	}
	for _, name := range names {
		r, err := p.Open(name)
		if err == nil {
			err = f(name, r)
			_ = r.Close()
		}
		if _, told := errors.AsType[Errno](err); told {
			status = p.Complain(name, err)
		} else if err != nil { // nobody reads the output any more
			status = 1
		}
	}
	return status
}

func runCat(_ context.Context, p *Proc) int {
	_, names, unknown := p.Options("etuv", "")
	if unknown != 0 {
		return p.badOption(unknown)
	}
	return p.Inputs(names, func(_ string, r io.Reader) error {
		_, err := io.Copy(p.Out, r)
		return err
	})
}

func (p *Proc) badOption(c byte) int {
	return p.Fail(1, "%s: Unknown option '%c' (see \"%s --help\")", p.Args[0], c, p.Args[0])
}

// lineReader reads lines of any length.
func eachLine(r io.Reader, f func(line string) bool) {
	b := bufio.NewReaderSize(r, 64<<10)
	for {
		line, err := b.ReadString('\n')
		if line != "" && !f(strings.TrimSuffix(line, "\n")) || err != nil {
			return
		}
	}
}

// countArg reads the number of head and tail: -n 5, -5 or -c 5.
func (p *Proc) countArg() (n int, bytes, fromStart bool, names []string, ok bool) {
	args := slices.Clone(p.Args)
	for i, a := range args[1:] {
		if len(a) > 1 && a[0] == '-' && a[1] >= '0' && a[1] <= '9' {
			args[i+1] = "-n" + a[1:]
		}
	}
	q := *p
	q.Args = args
	set, names, unknown := q.Options("qv", "nc")
	text := "10"
	if v, given := set['n']; given {
		text = v
	}
	if v, given := set['c']; given {
		text, bytes = v, true
	}
	fromStart = strings.HasPrefix(text, "+")
	n, err := strconv.Atoi(strings.TrimPrefix(text, "+"))
	return n, bytes, fromStart, names, err == nil && unknown == 0
}

func runHead(_ context.Context, p *Proc) int {
	n, inBytes, _, names, ok := p.countArg()
	if !ok {
		return p.Fail(1, "head: bad number")
	}
	return p.Inputs(names, func(_ string, r io.Reader) error {
		if inBytes {
			_, _ = io.CopyN(p.Out, r, int64(n))
			return nil
		}
		left := n
		if left > 0 {
			eachLine(r, func(line string) bool {
				p.Print("%s\n", line)
				left--
				return left > 0
			})
		}
		return nil
	})
}

func runTail(_ context.Context, p *Proc) int {
	n, inBytes, fromStart, names, ok := p.countArg()
	if !ok {
		return p.Fail(1, "tail: bad number")
	}
	return p.Inputs(names, func(_ string, r io.Reader) error {
		data, _ := io.ReadAll(r)
		if inBytes {
			start := max(len(data)-n, 0)
			if fromStart {
				start = min(max(n-1, 0), len(data))
			}
			_, _ = p.Out.Write(data[start:])
			return nil
		}
		lines := bytes.SplitAfter(data, []byte("\n"))
		if len(lines[len(lines)-1]) == 0 {
			lines = lines[:len(lines)-1]
		}
		start := max(len(lines)-n, 0)
		if fromStart {
			start = min(max(n-1, 0), len(lines))
		}
		_, _ = p.Out.Write(bytes.Join(lines[start:], nil))
		return nil
	})
}

func runWc(_ context.Context, p *Proc) int {
	set, names, unknown := p.Options("lwcm", "")
	if unknown != 0 {
		return p.badOption(unknown)
	}
	if len(set) == 0 {
		set = map[byte]string{'l': "", 'w': "", 'c': ""}
	}
	return p.Inputs(names, func(name string, r io.Reader) error {
		data, err := io.ReadAll(r)
		var fields []string
		for _, c := range []struct {
			opt byte
			n   int
		}{
			{'l', bytes.Count(data, []byte("\n"))}, {'w', len(bytes.Fields(data))}, {'c', len(data)},
			{'m', len([]rune(string(data)))},
		} {
			if Has(set, c.opt) {
				fields = append(fields, strconv.Itoa(c.n))
			}
		}
		if name != "-" {
			fields = append(fields, name)
		}
		p.Print("%s\n", strings.Join(fields, " "))
		return err
	})
}

func runBase64(_ context.Context, p *Proc) int {
	set, names, unknown := p.Options("di", "w")
	if unknown != 0 {
		return p.badOption(unknown)
	}
	width := 76
	if w, given := set['w']; given {
		width, _ = strconv.Atoi(w)
	}
	return p.Inputs(names, func(_ string, r io.Reader) error {
		data, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		if Has(set, 'd') {
			clean := strings.NewReplacer("\n", "", "\r", "", " ", "").Replace(string(data))
			out, err := base64.StdEncoding.DecodeString(clean)
			_, _ = p.Out.Write(out)
			return err
		}
		text := base64.StdEncoding.EncodeToString(data)
		for width > 0 && len(text) > width {
			p.Print("%s\n", text[:width])
			text = text[width:]
		}
		p.Print("%s\n", text)
		return nil
	})
}

func runGzip(_ context.Context, p *Proc) int {
	set, names, unknown := p.Options("cdfk123456789", "")
	if unknown != 0 {
		return p.badOption(unknown)
	}
	return p.Inputs(names, func(_ string, r io.Reader) error {
		if Has(set, 'd') {
			z, err := gzip.NewReader(r)
			if err != nil {
				return err
			}
			_, err = io.Copy(p.Out, z)
			return err
		}
		z := gzip.NewWriter(p.Out)
		if _, err := io.Copy(z, r); err != nil {
			return err
		}
		return z.Close()
	})
}

func runSort(_ context.Context, p *Proc) int {
	set, names, unknown := p.Options("runf", "kt")
	if unknown != 0 {
		return p.badOption(unknown)
	}
	var lines []string
	status := p.Inputs(names, func(_ string, r io.Reader) error {
		eachLine(r, func(line string) bool { lines = append(lines, line); return true })
		return nil
	})
	slices.SortStableFunc(lines, func(a, b string) int {
		if Has(set, 'n') {
			x, _ := strconv.ParseFloat(leadingDigits(strings.TrimSpace(a), 10, 18), 64)
			y, _ := strconv.ParseFloat(leadingDigits(strings.TrimSpace(b), 10, 18), 64)
			if c := cmp.Compare(x, y); c != 0 {
				return c
			}
		}
		return strings.Compare(a, b)
	})
	if Has(set, 'r') {
		slices.Reverse(lines)
	}
	if Has(set, 'u') {
		lines = slices.Compact(lines)
	}
	for _, line := range lines {
		p.Print("%s\n", line)
	}
	return status
}

func runUniq(_ context.Context, p *Proc) int {
	_, names, _ := p.Options("", "")
	return p.Inputs(names, func(_ string, r io.Reader) error {
		last, first := "", true
		eachLine(r, func(line string) bool {
			if first || line != last {
				p.Print("%s\n", line)
			}
			last, first = line, false
			return true
		})
		return nil
	})
}

func runCut(_ context.Context, p *Proc) int {
	set, names, unknown := p.Options("s", "dfcb")
	if unknown != 0 {
		return p.badOption(unknown)
	}
	delim := cmp.Or(set['d'], "\t")
	list := cmp.Or(set['f'], set['c'], set['b'])
	keep := func(n int) bool { return inRanges(list, n) }
	return p.Inputs(names, func(_ string, r io.Reader) error {
		eachLine(r, func(line string) bool {
			parts, sep := strings.Split(line, delim), delim
			if !Has(set, 'f') {
				parts, sep = strings.Split(line, ""), ""
			}
			var kept []string
			for i, part := range parts {
				if keep(i+1) || len(parts) == 1 && Has(set, 'f') {
					kept = append(kept, part)
				}
			}
			p.Print("%s\n", strings.Join(kept, sep))
			return true
		})
		return nil
	})
}

// inRanges says whether n is in a list such as 1,3-5,7- .
func inRanges(list string, n int) bool {
	for part := range strings.SplitSeq(list, ",") {
		from, to, isRange := strings.Cut(part, "-")
		a, _ := strconv.Atoi(from)
		b, err := strconv.Atoi(to)
		switch {
		case !isRange && a == n, isRange && a <= n && (err != nil || n <= b):
			return true
		}
	}
	return false
}

func runTr(_ context.Context, p *Proc) int {
	set, rest, unknown := p.Options("ds", "")
	if unknown != 0 || len(rest) == 0 {
		return p.Fail(1, "tr: needs SET1")
	}
	from := charSet(rest[0])
	var to []byte
	if len(rest) > 1 {
		to = charSet(rest[1])
	}
	data, _ := io.ReadAll(p.In)
	var out []byte
	for _, c := range data {
		i := bytes.IndexByte(from, c)
		switch {
		case i < 0:
			out = append(out, c)
		case Has(set, 'd') || len(to) == 0:
		default:
			out = append(out, to[min(i, len(to)-1)])
		}
	}
	_, _ = p.Out.Write(out)
	return 0
}

// charSet spells out a set of tr, with ranges and backslashes.
func charSet(s string) []byte {
	s, _ = unescape(s)
	var out []byte
	for i := 0; i < len(s); i++ {
		if i+2 < len(s) && s[i+1] == '-' && s[i+2] >= s[i] {
			for c := int(s[i]); c <= int(s[i+2]); c++ {
				out = append(out, byte(c))
			}
			i += 2
			continue
		}
		out = append(out, s[i])
	}
	return out
}

func runSeq(_ context.Context, p *Proc) int {
	var n []int
	for _, a := range p.Args[1:] {
		v, err := strconv.Atoi(a)
		if err != nil {
			return p.Fail(1, "seq: bad number '%s'", a)
		}
		n = append(n, v)
	}
	first, step, last := 1, 1, 0
	switch len(n) {
	case 1:
		last = n[0]
	case 2:
		first, last = n[0], n[1]
	case 3:
		first, step, last = n[0], n[1], n[2]
	default:
		return p.Fail(1, "seq: needs 1 to 3 arguments")
	}
	for i := first; step > 0 && i <= last || step < 0 && i >= last; i += step {
		p.Print("%d\n", i)
	}
	return 0
}

func runTee(_ context.Context, p *Proc) int {
	set, names, _ := p.Options("ai", "")
	writers := []io.Writer{p.Out}
	status := 0
	for _, name := range names {
		f, err := p.s.openFile(p.Abs(name), true, Has(set, 'a'), 0o666)
		if err != nil {
			status = p.Complain(name, err)
			continue
		}
		defer f.Close()
		writers = append(writers, f)
	}
	_, _ = io.Copy(io.MultiWriter(writers...), p.In)
	return status
}

// runOd prints bytes in hex or octal, 16 in a line, as "od -A n -t x1" and "od" do.
func runOd(_ context.Context, p *Proc) int {
	set, names, unknown := p.Options("vbx", "AtNj")
	if unknown != 0 {
		return p.badOption(unknown)
	}
	return p.Inputs(names, func(_ string, r io.Reader) error {
		data, err := io.ReadAll(r)
		if n, given := set['N']; given {
			limit, _ := strconv.Atoi(n)
			data = data[:min(limit, len(data))]
		}
		for at := 0; at < len(data); at += 16 {
			line := data[at:min(at+16, len(data))]
			if set['A'] != "n" {
				p.Print("%07o", at)
			}
			p.Print("%s\n", odLine(line, set['t']))
		}
		if set['A'] != "n" {
			p.Print("%07o\n", len(data))
		}
		return err
	})
}

func odLine(line []byte, kind string) string {
	var b strings.Builder
	switch kind {
	case "x1":
		for _, c := range line {
			fmt.Fprintf(&b, " %02x", c)
		}
	case "u4", "d4", "x4":
		for i := 0; i+4 <= len(line); i += 4 {
			v := binary.LittleEndian.Uint32(line[i:])
			if kind == "x4" {
				fmt.Fprintf(&b, " %08x", v)
			} else {
				fmt.Fprintf(&b, " %10d", v)
			}
		}
	default:
		for _, c := range line {
			fmt.Fprintf(&b, " %03o", c)
		}
	}
	return b.String()
}
