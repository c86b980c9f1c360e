package usbmuxd

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

const plistHead = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
`

// writePlist writes a dictionary of strings, ints, lists and dictionaries as an XML property list.
func writePlist(m map[string]any) []byte {
	var b bytes.Buffer
	b.WriteString(plistHead)
	writeValue(&b, m)
	b.WriteString("</plist>\n")
	return b.Bytes()
}

func writeValue(b *bytes.Buffer, v any) {
	switch v := v.(type) {
	case map[string]any:
		b.WriteString("<dict>\n")
		for _, k := range slices.Sorted(maps.Keys(v)) {
			writeText(b, "key", k)
			writeValue(b, v[k])
		}
		b.WriteString("</dict>\n")
	case []any:
		b.WriteString("<array>\n")
		for _, e := range v {
			writeValue(b, e)
		}
		b.WriteString("</array>\n")
	case int:
		writeText(b, "integer", strconv.Itoa(v))
	case string:
		writeText(b, "string", v)
	default:
		panic(fmt.Sprintf("usbmuxd: a plist of %T", v)) // only this package writes them
	}
}

func writeText(b *bytes.Buffer, tag, s string) {
	b.WriteString("<" + tag + ">")
	_ = xml.EscapeText(b, []byte(s)) // a buffer takes everything
	b.WriteString("</" + tag + ">\n")
}

// readPlist reads an XML property list whose root is a dictionary.
func readPlist(data []byte) (map[string]any, error) {
	d := xml.NewDecoder(bytes.NewReader(data))
	for {
		t, err := d.Token()
		if err != nil {
			return nil, fmt.Errorf("plist: %w", err)
		}
		start, ok := t.(xml.StartElement)
		if !ok || start.Name.Local == "plist" {
			continue
		}
		v, err := readValue(d, start, 0)
		if err != nil {
			return nil, fmt.Errorf("plist: %w", err)
		}
		m, ok := v.(map[string]any)
		if !ok {
			return nil, errors.New("plist: the root is no dictionary")
		}
		return m, nil
	}
}

// maxNesting is deeper than any message is.
const maxNesting = 16

func readValue(d *xml.Decoder, start xml.StartElement, depth int) (any, error) {
	if depth > maxNesting {
		return nil, errors.New("nested too deep")
	}
	switch start.Name.Local {
	case "dict":
		return readDict(d, depth)
	case "array":
		return readArray(d, depth)
	}
	var s string
	if err := d.DecodeElement(&s, &start); err != nil {
		return nil, err
	}
	switch start.Name.Local {
	case "string", "date":
		return s, nil
	case "integer":
		return strconv.Atoi(strings.TrimSpace(s))
	case "real":
		return strconv.ParseFloat(strings.TrimSpace(s), 64)
	case "true", "false":
		return start.Name.Local == "true", nil
	case "data":
		return base64.StdEncoding.DecodeString(strings.Join(strings.Fields(s), ""))
	}
	return nil, fmt.Errorf("unknown element %s", start.Name.Local)
}

func readDict(d *xml.Decoder, depth int) (any, error) {
	m := map[string]any{}
	key, hasKey := "", false
	for {
		t, err := d.Token()
		if err != nil {
			return nil, err
		}
		switch t := t.(type) {
		case xml.EndElement:
			return m, nil
		case xml.StartElement:
			if !hasKey {
				if t.Name.Local != "key" {
					return nil, fmt.Errorf("%s where a key should be", t.Name.Local)
				}
				if err := d.DecodeElement(&key, &t); err != nil {
					return nil, err
				}
				hasKey = true
				continue
			}
			if m[key], err = readValue(d, t, depth+1); err != nil {
				return nil, err
			}
			key, hasKey = "", false
		}
	}
}

func readArray(d *xml.Decoder, depth int) (any, error) {
	list := []any{}
	for {
		t, err := d.Token()
		if err != nil {
			return nil, err
		}
		switch t := t.(type) {
		case xml.EndElement:
			return list, nil
		case xml.StartElement:
			v, err := readValue(d, t, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
	}
}
