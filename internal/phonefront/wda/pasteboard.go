package wda

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"
)

const plaintext = "plaintext"

// decodeLenient decodes base64 as WebDriverAgent does: characters that are none of its are skipped.
func decodeLenient(s string) ([]byte, bool) {
	const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="
	s = strings.Map(func(r rune) rune {
		if strings.ContainsRune(digits, r) {
			return r
		}
		return -1
	}, s)
	data, err := base64.StdEncoding.DecodeString(s)
	return data, err == nil
}

func (c *call) contentType() (string, error) {
	kind := text(c.body["contentType"])
	switch kind {
	case "":
		return plaintext, nil
	case plaintext, "image", "url":
		return kind, nil
	}
	return "", fail(errArgument, "Unsupported content type: %s", kind)
}

func (c *call) setPasteboard() (any, error) {
	kind, err := c.contentType()
	if err != nil {
		return nil, err
	}
	data, ok := decodeLenient(text(c.body["content"]))
	if !ok {
		return nil, fail(errArgument, "Cannot decode the pasteboard content from base64")
	}
	if kind == "image" {
		c.d.mu.Lock()
		defer c.d.mu.Unlock()
		c.d.image = data
		return nil, nil
	}
	if !utf8.Valid(data) {
		data = nil // which makes no NSString
	}
	c.d.phone.SetClipboard(string(data))
	return nil, nil
}

// getPasteboard reads nothing, without an error, unless WebDriverAgent's own app is in front.
func (c *call) getPasteboard() (any, error) {
	kind, err := c.contentType()
	if err != nil {
		return nil, err
	}
	if c.d.inFront() != RunnerID {
		return "", nil
	}
	if kind == "image" {
		c.d.mu.Lock()
		defer c.d.mu.Unlock()
		return base64.StdEncoding.EncodeToString(c.d.image), nil
	}
	return base64.StdEncoding.EncodeToString([]byte(c.d.phone.Clipboard())), nil
}
