package adbservice

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/handset-go/handset/internal/phonefront/android"
)

// reverseService keeps the list of reverse forwards. The first OKAY is the stream's own; the second one
// and its data come from here.
func reverseService(d *android.Device, arg string, toHost android.ToHost) Service {
	return func(_ context.Context, s Stream) error {
		_, _ = io.WriteString(s, reverseReply(d, arg, toHost))
		return nil
	}
}

func reverseReply(d *android.Device, arg string, toHost android.ToHost) string {
	kind, rest, _ := strings.Cut(arg, ":")
	switch kind {
	case "list-forward":
		var list strings.Builder
		for _, r := range d.Reverses() {
			fmt.Fprintf(&list, "%s %s %s\n", "(reverse)", r[0], r[1])
		}
		return fmt.Sprintf("%04x%s", list.Len(), list.String()) // without an OKAY of its own
	case "killforward-all":
		d.SetReverse("", "", nil)
		return "OKAY"
	case "killforward":
		if !d.SetReverse(rest, "", nil) {
			return failText(fmt.Sprintf("listener '%s' not found", rest))
		}
		return "OKAY"
	case "forward":
		rest, norebind := strings.CutPrefix(rest, "norebind:")
		remote, local, ok := strings.Cut(rest, ";")
		if !ok || remote == "" || local == "" {
			return failText("bad forward: " + rest)
		}
		if norebind && slices.ContainsFunc(d.Reverses(), func(r [2]string) bool { return r[0] == remote }) {
			return failText("cannot rebind existing socket")
		}
		if remote == "tcp:0" {
			remote = freePort(d)
		}
		d.SetReverse(remote, local, toHost)
		port, isTCP := strings.CutPrefix(remote, "tcp:")
		if !isTCP {
			return "OKAY"
		}
		return fmt.Sprintf("OKAY%04x%s", len(port), port)
	}
	return failText("unknown reverse service")
}

// freePort is a port of the phone that no reverse forward listens on.
func freePort(d *android.Device) string {
	for port := 40001; ; port++ {
		name := fmt.Sprintf("tcp:%d", port)
		if !slices.ContainsFunc(d.Reverses(), func(r [2]string) bool { return r[0] == name }) {
			return name
		}
	}
}

func failText(text string) string { return fmt.Sprintf("FAIL%04x%s", len(text), text) }
