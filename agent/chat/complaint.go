package chat

import (
	"bytes"
	"encoding/json"
	"html"
	"regexp"
	"strings"
	"unicode/utf8"
)

// complaint is what an endpoint says of a failure, whatever its shape.
type complaint struct {
	Message   string
	Code      string
	Type      string
	Param     string
	RequestID string
}

// failureBody holds the keys of all the shapes of failures that are known: OpenAI's object below
// error, vLLM's flat one with object "error", a bare string below error, BigModel's and DashScope's
// code beside message or msg, FastAPI's detail.
type failureBody struct {
	Error     json.RawMessage `json:"error"`
	Object    loose           `json:"object"`
	Message   loose           `json:"message"`
	Msg       loose           `json:"msg"`
	Detail    json.RawMessage `json:"detail"`
	Code      loose           `json:"code"`
	Type      loose           `json:"type"`
	Status    loose           `json:"status"`
	Param     loose           `json:"param"`
	RequestID loose           `json:"request_id"`
	Choices   json.RawMessage `json:"choices"`
}

// complaintIn returns the failure that a chunk of a stream holds, if it holds one. named says that
// the event itself was named error.
func complaintIn(data []byte, named bool) (complaint, bool) {
	var b failureBody
	if !named && bytes.Contains(data, []byte(`"choices"`)) && !bytes.Contains(data, []byte(`"error"`)) {
		return complaint{}, false // the common case, told without decoding
	}
	data = unlisted(data)
	if err := json.Unmarshal(data, &b); err != nil {
		return complaint{Message: bounded(string(asText(data)))}, named
	}
	if inner := present(b.Error); inner != nil {
		return b.merged(inner), true
	}
	whole := b.Object == "error" || named
	bare := b.Choices == nil && (b.Message+b.Msg != "" || present(b.Detail) != nil)
	return b.flat(), whole || bare
}

// complaintOf returns the failure that the body of a refused request holds: an error object, a page,
// or a line of text.
func complaintOf(body []byte) complaint {
	trimmed := bytes.TrimSpace(body)
	if isPage(trimmed) {
		return complaint{Message: pageTitle(trimmed)}
	}
	if c, ok := complaintIn(trimmed, false); ok && c.Message != "" {
		return c
	}
	return complaint{Message: bounded(string(trimmed))}
}

// unlisted takes an object out of an array of one, as Gemini sends it.
func unlisted(data []byte) []byte {
	var list []json.RawMessage
	if json.Unmarshal(data, &list) == nil && len(list) == 1 {
		return list[0]
	}
	return data
}

// present returns raw unless it says nothing: no key, null, "", false and {} are no error.
func present(raw json.RawMessage) []byte {
	switch string(bytes.TrimSpace(raw)) {
	case "", "null", `""`, "false", "{}", "[]":
		return nil
	}
	return raw
}

// merged reads the value below error, and takes what it lacks from the object around it.
func (b *failureBody) merged(inner []byte) complaint {
	var f failureBody
	c, outer := complaint{}, b.flat()
	if json.Unmarshal(inner, &f) == nil {
		c = f.flat()
	} else {
		c.Message = bounded(string(asText(inner)))
	}
	for _, pair := range [][2]*string{
		{&c.Message, &outer.Message}, {&c.Code, &outer.Code}, {&c.Type, &outer.Type},
		{&c.Param, &outer.Param}, {&c.RequestID, &outer.RequestID},
	} {
		if *pair[0] == "" {
			*pair[0] = *pair[1]
		}
	}
	return c
}

func (b *failureBody) flat() complaint {
	c := complaint{
		Message: string(b.Message), Code: string(b.Code), Type: string(b.Type),
		Param: string(b.Param), RequestID: string(b.RequestID),
	}
	if c.Message == "" {
		c.Message = string(b.Msg)
	}
	if c.Message == "" {
		c.Message = string(asText(present(b.Detail)))
	}
	if c.Type == "" {
		c.Type = string(b.Status)
	}
	c.Message = bounded(c.Message)
	return c
}

// asText returns a JSON string without its quotes, and any other value as it is.
func asText(raw []byte) []byte {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return []byte(s)
	}
	return raw
}

var (
	titleTag = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title>`)
	dataURL  = regexp.MustCompile(`data:image/[a-z]*;base64,[A-Za-z0-9+/=]*`)
)

func isPage(body []byte) bool { return len(body) > 0 && body[0] == '<' }

// pageTitle returns the title of an HTML page, or what it starts with.
func pageTitle(body []byte) string {
	if m := titleTag.FindSubmatch(body); m != nil {
		return bounded(html.UnescapeString(string(m[1])))
	}
	return bounded(string(body))
}

// maxWords bounds what of an endpoint's words goes into an error.
const maxWords = 500

// bounded makes one short line of foreign text, without pictures.
func bounded(s string) string {
	s = dataURL.ReplaceAllString(s, "[picture]")
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " ")
	if len(s) <= maxWords {
		return s
	}
	cut := maxWords
	for !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "..."
}
