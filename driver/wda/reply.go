package wda

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// reply is the envelope of an answer, without an error in it.
type reply struct {
	value   json.RawMessage // nil for none
	session string          // the active session, "" for none
}

// into reads the value.
func (r *reply) into(v any) error {
	if v == nil {
		return nil
	}
	if err := json.Unmarshal(r.value, v); err != nil {
		return fmt.Errorf("WebDriverAgent answered %s: %w", shorten(string(r.value)), err)
	}
	return nil
}

// errEmpty: old servers answer nothing at all where they cannot write their own answer (half a surrogate pair in a label,
// infinite frames).
var errEmpty = errors.New("WebDriverAgent answered nothing")

// parseReply reads an answer. An error of WebDriverAgent is a *Error.
func parseReply(a *answer) (*reply, error) {
	body := bytes.TrimSpace(a.body)
	if len(body) == 0 {
		return nil, fmt.Errorf("%w (HTTP %d)", errEmpty, a.status)
	}
	if body[0] != '{' {
		return nil, notWDA(a)
	}
	big, rest := cutValue(body)
	var e struct {
		Value     json.RawMessage `json:"value"`
		SessionID *string         `json:"sessionId"`
		Status    json.RawMessage `json:"status"`
	}
	if err := json.Unmarshal(rest, &e); err != nil {
		return nil, notWDA(a)
	}
	r := &reply{value: e.Value}
	if big != nil {
		r.value = big
	}
	if e.SessionID != nil {
		r.session = *e.SessionID
	}
	if err := answeredError(a.status, r.value, e.Status); err != nil {
		return r, err
	}
	return r, nil
}

// bigValue is from where on a string is not worth a second pass.
const bigValue = 4 << 10

// cutValue takes a long string, such as a picture or a source, out of an envelope, so that it is not read over and
// over. big is nil where there is none, or where the envelope is written in another order.
func cutValue(body []byte) (big, rest []byte) {
	if len(body) < bigValue {
		return nil, body
	}
	head := valueHead.Find(body[:min(len(body), 256)])
	if head == nil {
		return nil, body
	}
	start := len(head) - 1 // at the quote
	end := stringEnd(body, start)
	if end < 0 {
		return nil, body
	}
	rest = append(append([]byte(nil), body[:start]...), `""`...)
	return body[start:end], append(rest, body[end:]...)
}

var valueHead = regexp.MustCompile(`^\{\s*(?:"sessionId"\s*:\s*(?:null|"[^"\\]*")\s*,\s*)?"value"\s*:\s*"`)

// stringEnd returns the index after the string that starts at the quote b[start], or -1.
func stringEnd(b []byte, start int) int {
	for i := start + 1; ; i++ {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			return -1
		}
		i += n
		slashes := 0
		for b[i-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return i + 1
		}
	}
}

// notWDA is the error of an answer that is not WebDriverAgent's: the page of a proxy, or another server.
func notWDA(a *answer) error {
	return &Error{Status: a.status, Message: fmt.Sprintf(
		"the answer is not WebDriverAgent's: HTTP %d, %s, %q: is another server or a proxy at this address?",
		a.status, orElse(a.kind, "no content type"), shorten(pageText(a.body)))}
}

var markup = regexp.MustCompile(`(?s)<(?:script|style).*?</(?:script|style)>|<[^>]*>|\s+`)

func pageText(body []byte) string {
	return strings.TrimSpace(strings.ToValidUTF8(markup.ReplaceAllString(string(body[:min(len(body), 4<<10)]), " "), "?"))
}

// answeredError returns the error that an envelope carries: of the W3C kind, or of the older one with a number.
func answeredError(status int, value, number json.RawMessage) error {
	var w3c struct {
		Error   *string `json:"error"`
		Message *string `json:"message"`
	}
	if len(value) > 0 && value[0] == '{' && json.Unmarshal(value, &w3c) == nil && w3c.Error != nil && w3c.Message != nil {
		return &Error{Status: status, Code: *w3c.Error, Message: plainMessage(*w3c.Message)}
	}
	n, err := strconv.Atoi(string(number))
	if err == nil && n != 0 {
		return &Error{Status: status, Code: oldCode(n), Message: plainMessage(looseText(value))}
	}
	if status >= 400 {
		return &Error{Status: status, Message: fmt.Sprintf("HTTP %d: %s", status, shorten(looseText(value)))}
	}
	return nil
}

func looseText(value json.RawMessage) string {
	var s string
	if json.Unmarshal(value, &s) == nil {
		return s
	}
	var in struct{ Message string }
	if json.Unmarshal(value, &in) == nil && in.Message != "" {
		return in.Message
	}
	return string(value)
}

// oldCodes are the numbers of servers before 1.0.0, as the code words of today.
var oldCodes = map[int]string{
	1: codeUnknownCommand, 6: codeNoSession, 7: codeNoElement, 9: codeUnknownCommand, 10: "stale element reference",
	11: "element not visible", 12: codeBadState, 13: codeUnknown, 27: codeNoAlert, 33: "session not created", 110: codeNoSession,
}

func oldCode(n int) string {
	if c, ok := oldCodes[n]; ok {
		return c
	}
	return codeUnknown
}

func shorten(s string) string {
	const most = 200
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}

func orElse(s, or string) string {
	if strings.TrimSpace(s) == "" {
		return or
	}
	return s
}
