package adbserver

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

// hostFeatures are those of adb 29.0.6.
const hostFeatures = "push_sync,remount_shell,abb_exec,abb,apex,fixed_push_mkdir,ls_v2,stat_v2,fixed_push_symlink_timestamp,cmd,shell_v2"

// host answers a request to the server itself.
func (r *requester) host(ctx context.Context, t target, request string) (more bool) {
	name, arg, _ := strings.Cut(request, ":")
	switch name {
	case "version":
		r.okayData(fmt.Sprintf("%04x", r.s.version))
	case "kill":
		r.okay()
		r.s.Kill()
	case "devices", "devices-l":
		r.okayData(r.s.list(name == "devices-l"))
	case "track-devices", "track-devices-l":
		r.track(ctx, name == "track-devices-l")
	case "host-features":
		r.okayData(hostFeatures)
	case "connect":
		r.okayData(r.s.connect(arg))
	case "disconnect":
		r.disconnect(arg)
	case "reconnect-offline":
		r.okayData("")
	case "tport":
		return r.transport(tportTarget(arg), true)
	case "transport":
		return r.transport(target{kind: bySerial, value: arg}, false)
	case "transport-any":
		return r.transport(target{}, false)
	case "transport-usb":
		return r.transport(target{kind: usb}, false)
	case "transport-local":
		return r.transport(target{kind: local}, false)
	case "transport-id":
		return r.transport(target{kind: byID, value: arg}, false)
	case "list-forward":
		r.okayData(r.s.listForwards())
	case "killforward-all":
		r.s.killForwards()
		r.write("OKAYOKAY")
	case "pair", "mdns":
		r.wireless(name, arg)
	default:
		r.device(ctx, t, name, arg)
	}
	return false
}

// device answers a request about one phone.
func (r *requester) device(ctx context.Context, t target, name, arg string) {
	if strings.HasPrefix(name, "wait-for-") {
		r.wait(ctx, t, strings.TrimPrefix(name, "wait-for-"))
		return
	}
	known := []string{"get-state", "features", "get-serialno", "get-devpath", "reconnect", "forward", "killforward"}
	if !slices.Contains(known, name) {
		r.fail("unknown host service")
		return
	}
	p, refusal := r.s.acquire(t, name == "get-serialno" || name == "get-devpath" || name == "reconnect")
	if refusal != "" {
		r.fail(refusal)
		return
	}
	switch name {
	case "get-state":
		r.okayData(string(p.state()))
	case "features":
		r.okayData(strings.Join(p.Device.Profile().Banner.Features, ","))
	case "get-serialno":
		r.okayData(p.Serial)
	case "get-devpath":
		r.okayData(p.devpath())
	case "reconnect":
		r.okayData(fmt.Sprintf("reconnecting %s [%s]\n", p.Serial, p.state()))
		r.s.breakLine(p.Serial)
	case "forward":
		r.forward(p, arg)
	case "killforward":
		r.killForward(arg)
	}
}

// transport switches the connection to a phone. With tport the id of the transport is told first.
func (r *requester) transport(t target, tellID bool) (more bool) {
	p, refusal := r.s.acquire(t, false)
	if refusal != "" {
		r.fail(refusal)
		return false
	}
	r.to = p
	r.okay()
	if tellID {
		_, _ = r.c.Write(binary.LittleEndian.AppendUint64(nil, uint64(p.id)))
	}
	return true
}

func tportTarget(arg string) target {
	switch kind, rest, _ := strings.Cut(arg, ":"); kind {
	case "serial":
		return target{kind: bySerial, value: rest}
	case "usb":
		return target{kind: usb}
	case "local":
		return target{kind: local}
	}
	return target{}
}

// track sends the list now and after each change, until the client goes.
func (r *requester) track(ctx context.Context, long bool) {
	changes, stop := r.s.watch()
	defer stop()
	gone := r.gone()
	r.okay()
	last := "-"
	for {
		if list := r.s.list(long); list != last {
			r.data(list)
			last = list
		}
		select {
		case <-changes:
		case <-gone:
			return
		case <-ctx.Done():
			return
		}
	}
}

// gone is closed once the client has closed its connection.
func (r *requester) gone() <-chan struct{} {
	done := make(chan struct{})
	r.s.tasks.Go(func() {
		defer close(done)
		buf := make([]byte, 64)
		for {
			if _, err := r.c.Read(buf); err != nil {
				return
			}
		}
	})
	return done
}

// What a client may wait for.
var (
	waitKinds  = []string{"any", "usb", "local"}
	waitStates = []string{"device", "recovery", "rescue", "sideload", "bootloader", "disconnect", "any"}
)

// wait answers wait-for-<any|usb|local>-<state>.
func (r *requester) wait(ctx context.Context, t target, what string) {
	kind, want, _ := strings.Cut(what, "-")
	switch {
	case !slices.Contains(waitKinds, kind) || !slices.Contains(waitStates, want):
		r.fail("unknown host service")
		return
	case t.kind != anyPhone:
	case kind == "usb":
		t.kind = usb
	case kind == "local":
		t.kind = local
	}
	changes, stop := r.s.watch()
	defer stop()
	gone := r.gone()
	r.okay()
	for {
		found := r.s.matching(t)
		switch {
		case len(found) > 1:
			r.fail("more than one device/emulator")
			return
		case len(found) == 1 && (want == "any" || string(found[0].state()) == want), len(found) == 0 && want == "disconnect":
			r.okay()
			return
		}
		select {
		case <-changes:
		case <-gone:
			return
		case <-ctx.Done():
			return
		}
	}
}
