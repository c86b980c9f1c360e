package apk

import (
	"encoding/binary"
	"unicode/utf16"
)

// The chunks of a binary XML, and the types of its values (ResourceTypes.h).
const (
	chunkXML   = 0x0003
	chunkPool  = 0x0001
	chunkStart = 0x0102
	chunkEnd   = 0x0103
	typeString = 0x03
	typeNumber = 0x10
	typeBool   = 0x12
	utf8Flag   = 0x100
	none       = 0xffffffff
)

// element is the start of an element.
type element struct {
	name       string
	attributes map[string]value
}

// value is an attribute's: a text, or a number.
type value struct {
	text   string
	number uint32
}

func (e element) text(name string) string { return e.attributes[name].text }

func (e element) number(name string) int { return int(int32(e.attributes[name].number)) }

// buffer reads little-endian numbers. Beyond its end they are 0, and short is set.
type buffer struct {
	b     []byte
	short bool
}

func (b *buffer) u16(at int) int {
	if at < 0 || at+2 > len(b.b) {
		b.short = true
		return 0
	}
	return int(binary.LittleEndian.Uint16(b.b[at:]))
}

func (b *buffer) u32(at int) uint32 {
	if at < 0 || at+4 > len(b.b) {
		b.short = true
		return 0
	}
	return binary.LittleEndian.Uint32(b.b[at:])
}

// readElements calls f for the start of each element.
func readElements(data []byte, f func(element)) error {
	b := &buffer{b: data}
	if b.u16(0) != chunkXML {
		return ErrNotAPK
	}
	var pool []string
	for at := b.u16(2); at+8 <= len(data); {
		size := int(b.u32(at + 4))
		if size < 8 || at+size > len(data) {
			return ErrNotAPK
		}
		chunk := &buffer{b: data[at : at+size]}
		switch chunk.u16(0) {
		case chunkPool:
			pool = readPool(chunk)
		case chunkStart:
			f(readElement(chunk, pool))
		}
		if chunk.short {
			return ErrNotAPK
		}
		at += size
	}
	return nil
}

// readPool reads the strings.
func readPool(c *buffer) []string {
	count, flags, start := int(c.u32(8)), c.u32(16), int(c.u32(20))
	var pool []string
	for i := 0; i < count && !c.short; i++ {
		at := start + int(c.u32(c.u16(2)+4*i))
		if flags&utf8Flag != 0 {
			pool = append(pool, c.utf8(at))
		} else {
			pool = append(pool, c.utf16(at))
		}
	}
	return pool
}

// utf8 reads a string behind its length in characters and its length in bytes, each of one or two bytes.
func (b *buffer) utf8(at int) string {
	if b.u16(at)&0x80 != 0 {
		at++
	}
	at++
	n := b.u16(at) & 0xff
	if n&0x80 != 0 {
		n = n&0x7f<<8 | b.u16(at)>>8
		at++
	}
	at++
	if b.short || at+n > len(b.b) {
		b.short = true
		return ""
	}
	return string(b.b[at : at+n])
}

// utf16 reads a string behind its length.
func (b *buffer) utf16(at int) string {
	n := b.u16(at)
	if n&0x8000 != 0 {
		n = n&0x7fff<<16 | b.u16(at+2)
		at += 2
	}
	if at += 2; b.short || n > (len(b.b)-at)/2 {
		b.short = true
		return ""
	}
	units := make([]uint16, n)
	for i := range units {
		units[i] = uint16(b.u16(at + 2*i))
	}
	return string(utf16.Decode(units))
}

// readElement reads an element's start: its name, and its attributes by name.
func readElement(c *buffer, pool []string) element {
	str := func(i uint32) string {
		if int64(i) < int64(len(pool)) {
			return pool[i]
		}
		return ""
	}
	head := c.u16(2)
	e := element{name: str(c.u32(head + 4)), attributes: map[string]value{}}
	at, size, count := head+c.u16(head+8), c.u16(head+10), c.u16(head+12)
	for i := 0; i < count && !c.short; i++ {
		a := at + i*size
		v := value{number: c.u32(a + 16)}
		if c.u16(a+14)>>8 == typeString {
			v.text = str(v.number)
		}
		e.attributes[str(c.u32(a+4))] = v
	}
	return e
}

// writer makes a binary XML.
type writer struct {
	pool  []string
	index map[string]uint32
	body  []byte
}

func (w *writer) str(s string) uint32 {
	if i, ok := w.index[s]; ok {
		return i
	}
	i := uint32(len(w.pool))
	w.pool = append(w.pool, s)
	w.index[s] = i
	return i
}

func u16(b []byte, v ...int) []byte {
	for _, x := range v {
		b = binary.LittleEndian.AppendUint16(b, uint16(x))
	}
	return b
}

func u32(b []byte, v ...uint32) []byte {
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, x)
	}
	return b
}

// attribute is one to be written: a string, an int or a bool.
type attribute struct {
	name  string
	value any
}

// open writes an element's start.
func (w *writer) open(name string, attributes ...attribute) {
	b := u32(nil, 1, none, none, w.str(name))
	b = u16(b, 20, 20, len(attributes), 0, 0, 0)
	for _, a := range attributes {
		space, raw, kind, data := w.str(namespace), uint32(none), typeNumber, uint32(0)
		switch v := a.value.(type) {
		case string:
			raw, kind, data = w.str(v), typeString, w.str(v)
		case int:
			data = uint32(v)
		case bool:
			kind = typeBool
			if v {
				data = none
			}
		}
		if a.name == "package" || a.name == "split" {
			space = none
		}
		b = u32(b, space, w.str(a.name), raw)
		b = u32(u16(b, 8, kind<<8), data)
	}
	w.chunk(chunkStart, b)
}

// end writes an element's end.
func (w *writer) end(name string) { w.chunk(chunkEnd, u32(nil, 1, none, none, w.str(name))) }

func (w *writer) chunk(kind int, b []byte) {
	w.body = append(u32(u16(w.body, kind, 16), uint32(8+len(b))), b...)
}

// bytes is the document: the strings, then the elements.
func (w *writer) bytes() []byte {
	var offsets, text []byte
	for _, s := range w.pool {
		offsets = u32(offsets, uint32(len(text)))
		units := utf16.Encode([]rune(s))
		text = u16(text, len(units))
		for _, u := range units {
			text = u16(text, int(u))
		}
		text = u16(text, 0)
	}
	for len(text)%4 != 0 {
		text = append(text, 0)
	}
	start := 28 + len(offsets)
	pool := u32(u16(nil, chunkPool, 28), uint32(start+len(text)), uint32(len(w.pool)), 0, 0, uint32(start), 0)
	pool = append(append(pool, offsets...), text...)
	all := u32(u16(nil, chunkXML, 8), uint32(8+len(pool)+len(w.body)))
	return append(append(all, pool...), w.body...)
}

// encode is the manifest in its binary form.
func (m Manifest) encode() []byte {
	w := &writer{index: map[string]uint32{}}
	top := []attribute{{"package", m.Package}, {"versionCode", m.Version}}
	if m.Name != "" {
		top = append(top, attribute{"versionName", m.Name})
	}
	if m.Split != "" {
		top = append(top, attribute{"split", m.Split})
	}
	var app []attribute
	if m.Label != "" {
		app = append(app, attribute{"label", m.Label})
	}
	if m.TestOnly {
		app = append(app, attribute{"testOnly", true})
	}
	w.open("manifest", top...)
	w.open("application", app...)
	if m.Activity != "" {
		category := Launcher
		if m.Leanback {
			category = Leanback
		}
		w.open("activity", attribute{"name", m.Activity})
		w.open("intent-filter")
		w.open("category", attribute{"name", category})
		w.end("category")
		w.end("intent-filter")
		w.end("activity")
	}
	w.end("application")
	w.end("manifest")
	return w.bytes()
}
