package driver

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Address says which device, through which driver and with which options: "adb:SERIAL?server=HOST:PORT".
type Address struct {
	Scheme  string            // the registered driver
	Device  string            // the device as its tool names it, "" for the only one
	Options map[string]string // by name; nil for none
}

// ParseAddress reads "scheme:device?name=value&name=value" or the same with "//" after the colon. Device,
// names and values are percent-decoded; a "?" or a "%" of a serial must be encoded, and nothing else, so that
// serials such as "adb-X (2)._adb-tls-connect._tcp" and "usb:1-4" stand as they are.
func ParseAddress(s string) (Address, error) {
	scheme, rest, ok := strings.Cut(s, ":")
	if !ok || scheme == "" || strings.ContainsAny(scheme, "/?%@ ") {
		return Address{}, badAddress(s, errors.New("want SCHEME:DEVICE, such as adb:SERIAL, or SCHEME: for the only one"))
	}
	device, query, _ := strings.Cut(strings.TrimPrefix(rest, "//"), "?")
	a := Address{Scheme: scheme}
	var err error
	if a.Device, err = url.PathUnescape(device); err != nil {
		return Address{}, badAddress(s, fmt.Errorf("%w; write a %% of the device as %%25", err))
	}
	if query == "" {
		return a, nil
	}
	a.Options = map[string]string{}
	for _, pair := range strings.Split(query, "&") {
		if err := a.option(pair); err != nil {
			return Address{}, badAddress(s, err)
		}
	}
	return a, nil
}

func badAddress(s string, err error) error { return BadOption(fmt.Errorf("address %q: %w", s, err)) }

func (a *Address) option(pair string) error {
	k, v, _ := strings.Cut(pair, "=")
	name, err := url.QueryUnescape(k)
	if err != nil || name == "" {
		return fmt.Errorf("option %q: want NAME=VALUE", pair)
	}
	value, err := url.QueryUnescape(v)
	if err != nil {
		return fmt.Errorf("option %q: %w", pair, err)
	}
	if _, twice := a.Options[name]; twice {
		return fmt.Errorf("option %q is given twice", name)
	}
	a.Options[name] = value
	return nil
}

// String returns the address as ParseAddress reads it.
func (a Address) String() string {
	var b strings.Builder
	b.WriteString(a.Scheme + ":")
	device := strings.NewReplacer("%", "%25", "?", "%3F").Replace(a.Device)
	if strings.HasPrefix(device, "//") { // the two that may follow the colon are not of the device
		device = "%2F" + device[1:]
	}
	b.WriteString(device)
	sep := "?"
	for _, name := range slices.Sorted(maps.Keys(a.Options)) {
		b.WriteString(sep + url.QueryEscape(name) + "=" + url.QueryEscape(a.Options[name]))
		sep = "&"
	}
	return b.String()
}

// Bare returns the address without its options: what errors and logs name.
func (a Address) Bare() string { return Address{Scheme: a.Scheme, Device: a.Device}.String() }

// KnowsOptions returns an error that names the known options where the address has another. It matches ErrBadOption.
func (a Address) KnowsOptions(known ...string) error {
	for _, name := range slices.Sorted(maps.Keys(a.Options)) {
		if !slices.Contains(known, name) {
			all := strings.Join(slices.Sorted(slices.Values(known)), ", ")
			return a.Refuse(fmt.Errorf("unknown option %q; known: %s", name, all))
		}
	}
	return nil
}

// SetOptions calls set for each option, and returns an error that names the option, or the known ones where the address
// has another. It matches ErrBadOption. What strconv says of a number or a truth value is put into plain words.
func (a Address) SetOptions(known []string, set func(name, value string) error) error {
	if err := a.KnowsOptions(known...); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(a.Options)) {
		if err := set(name, a.Options[name]); err != nil {
			return a.Refuse(fmt.Errorf("option %s: %w", name, inWords(err)))
		}
	}
	return nil
}

// Refuse returns an error that names the address and matches ErrBadOption.
func (a Address) Refuse(err error) error { return badAddress(a.String(), err) }

func inWords(err error) error {
	var n *strconv.NumError
	switch {
	case !errors.As(err, &n):
		return err
	case n.Func == "ParseBool":
		return fmt.Errorf("%q: want true or false", n.Num)
	}
	return fmt.Errorf("%q: want a number", n.Num)
}

// ParseTime reads an option that is a time above zero, such as 500ms or 1m30s.
func ParseTime(value string) (time.Duration, error) {
	t, err := time.ParseDuration(value)
	if err != nil || t <= 0 {
		return 0, fmt.Errorf("%q: want a time such as 500ms or 10s", value)
	}
	return t, nil
}
