package hdc

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/handset-go/handset/driver"
)

// target is a line of `list targets -v`.
type target struct {
	key   string
	kind  string // USB, TCP, UART or BT
	state string // Connected, Ready, Offline, Unauthorized or Unknown
}

// parseTargets reads `list targets -v`. None is "[Empty]\r\thdc", with no line end of its own; keys hold anything but
// a tab. Serial ports are no phones.
func parseTargets(text string) []target {
	var all []target
	for line := range strings.Lines(text) {
		line = strings.Trim(line, "\r\n")
		if line == "" || strings.HasPrefix(line, "[Empty]") || strings.HasPrefix(line, "[Fail]") || isToolLog(line) {
			continue
		}
		fields := slices.DeleteFunc(strings.Split(line, "\t"), func(f string) bool { return strings.TrimSpace(f) == "" })
		if len(fields) < 2 {
			continue // chatter
		}
		t := target{key: strings.TrimSpace(fields[0])}
		for _, f := range fields[1:] {
			t.take(strings.TrimSpace(f))
		}
		if t.state != "" && t.kind != "UART" {
			all = append(all, t)
		}
	}
	return all
}

// take keeps a field behind the key, by what it says: tools leave some out.
func (t *target) take(field string) {
	switch field {
	case "USB", "TCP", "UART", "BT":
		t.kind = field
	case stateConnected, stateReady, "Offline", stateUnauthorized, "Unknown":
		if t.state == "" {
			t.state = field
		}
	}
}

const (
	stateConnected    = "Connected"
	stateReady        = "Ready" // plugged in, and not yet asked
	stateUnauthorized = "Unauthorized"
)

// isList knows a list that has no phones, but a serial port.
var isList = regexp.MustCompile(`\t(USB|TCP|UART|BT)\t`)

// list asks for the phones.
func (t *tool) list(ctx context.Context) ([]target, error) {
	r, err := t.run(ctx, "list", "targets", "-v")
	if err != nil {
		return nil, err
	}
	if f := refusal(r.Stdout); f != nil {
		return nil, f
	}
	text := string(r.Stdout)
	all := parseTargets(text)
	if len(all) == 0 && !strings.Contains(text, "[Empty]") && !isList.MatchString(text) {
		return nil, &failure{text: fmt.Sprintf("%s is no hdc: it answers `list targets` with %q", t.path, complaint(text)), is: ErrNoTool, cure: cureNoTool, refused: true}
	}
	return all, nil
}

// choose finds the phone that a key means: the key itself, the IP without the port of one connected over the network,
// or "" for the only one that can be used.
func (t *tool) choose(ctx context.Context, key string) (target, error) {
	if len(key) > maxKey {
		return target{}, fmt.Errorf("%w: hdc takes keys of at most %d bytes, and %q has %d", driver.ErrNoDevice, maxKey, key, len(key))
	}
	all, err := t.list(ctx)
	if err != nil {
		return target{}, err
	}
	return chooseFrom(all, key)
}

func chooseFrom(all []target, key string) (target, error) {
	if key == "" {
		return only(all)
	}
	for _, same := range []func(target) bool{
		func(t target) bool { return t.key == key },
		func(t target) bool { return strings.HasPrefix(t.key, key+":") },
	} {
		if i := slices.IndexFunc(all, same); i >= 0 {
			return all[i], all[i].problem()
		}
	}
	return target{}, fmt.Errorf("%w: %s is not connected%s: %s", driver.ErrNoDevice, key, connected(all), cureNone)
}

// only returns the one phone that can be used, or the one there is with its problem.
func only(all []target) (target, error) {
	usable := slices.DeleteFunc(slices.Clone(all), func(t target) bool { return t.problem() != nil })
	switch {
	case len(usable) == 1:
		return usable[0], nil
	case len(usable) > 1:
		return target{}, fmt.Errorf("%w%s: name one, such as %s", driver.ErrSeveralDevices, connected(usable), addressOf(usable[0].key))
	case len(all) > 0:
		return all[0], all[0].problem()
	}
	return target{}, fmt.Errorf("%w: none is connected: %s", driver.ErrNoDevice, cureNone)
}

// connected lists what is connected, for an error text.
func connected(all []target) string {
	if len(all) == 0 {
		return "; nothing is"
	}
	names := make([]string, len(all))
	for i, t := range all {
		names[i] = t.key + " (" + t.state + ")"
	}
	return "; connected: " + strings.Join(names, ", ")
}

// problem returns the error of a phone that cannot be used, or nil.
func (t target) problem() error {
	switch t.state {
	case stateConnected:
		return nil
	case stateUnauthorized:
		return &failure{text: t.key + " is unauthorized", is: driver.ErrUnauthorized, cure: cureUnauthorized, refused: true}
	}
	is := driver.ErrOffline
	if t.state == stateReady {
		is = errSettling
	}
	return &failure{text: t.key + " is " + strings.ToLower(t.state), is: is, cure: t.advice(), refused: true}
}

// advice says what to do about the state; it is "" for a phone that can be used.
func (t target) advice() string {
	switch t.state {
	case stateConnected:
		return ""
	case stateUnauthorized:
		return cureUnauthorized
	case stateReady:
		return "wait a moment and try again"
	}
	return cureOffline
}

func (t target) device() driver.Device {
	state := strings.ToLower(t.state)
	if t.state == stateConnected {
		state = driver.StateReady
	}
	return driver.Device{Address: addressOf(t.key), Platform: platform, State: state, Advice: t.advice()}
}
