// Package adbservice is what an adb daemon serves on one stream to a phone: shell, exec, sync and the
// small services. The two fronts, the adb server's socket and the daemon's transport, share it.
package adbservice

import (
	"context"
	"io"
	"strconv"
	"strings"

	"github.com/handset-go/handset/internal/phonefront/android"
)

// Stream is one open stream to the device. Read gives an error once the other side is gone. Close says that
// the device writes no more; it may be called while a Read is in progress, which then ends soon.
type Stream interface {
	io.ReadWriteCloser
}

// Service serves one stream until it is done or ctx ends; then its front closes the stream.
// A returned error means that the line to the phone breaks there, with all its streams.
type Service func(ctx context.Context, s Stream) error

// Find returns the service of that name, such as "shell,v2,raw:ls", or nil where the phone refuses to
// open it. It notes the request with the device.
//
// toHost is how the phone connects to the computer that asks, for the reverse forwards that it asks for.
func Find(d *android.Device, name string, toHost android.ToHost) Service {
	d.NoteRequest(name)
	if d.Faults().On(android.FaultClosed) {
		return nil
	}
	kind, arg, _ := strings.Cut(name, ":")
	kind, args, _ := strings.Cut(kind, ",")
	switch kind {
	case "shell":
		return shellService(d, strings.Split(args, ","), arg)
	case "exec":
		return execService(d, arg)
	case "abb", "abb_exec":
		if !d.Profile().Banner.Has("abb_exec") {
			return nil
		}
		return abbService(d, kind == "abb", arg)
	case "sync":
		return syncService(d)
	case "framebuffer":
		return framebufferService(d)
	case "tcp", "localabstract", "local", "localfilesystem", "dev", "jdwp":
		return socketService(d, name)
	}
	if kind == "reverse" {
		return reverseService(d, arg, toHost)
	}
	return controlService(d, kind, arg)
}

// socketService connects to a socket that a program on the phone listens at.
func socketService(d *android.Device, name string) Service {
	dial := d.Socket(name)
	if dial == nil {
		return nil
	}
	return func(ctx context.Context, s Stream) error {
		dial(ctx, s)
		return nil
	}
}

// controlService is for the services that answer with a line of text.
func controlService(d *android.Device, kind, arg string) Service {
	var text string
	switch kind {
	case "tcpip":
		if port, err := strconv.Atoi(arg); err != nil || port < 1 || port > 65535 {
			text = "invalid port\n"
			break
		}
		d.SetProp("service.adb.tcp.port", arg)
		text = "restarting in TCP mode port: " + arg + "\n"
	case "usb":
		d.SetProp("service.adb.tcp.port", "-1")
		text = "restarting in USB mode\n"
	case "root":
		text = "adbd cannot run as root in production builds\n"
	case "unroot":
		text = "adbd not running as root\n"
	case "remount":
		text = "remount must be run as root\n"
	case "disable-verity", "enable-verity":
		text = "verity cannot be disabled/enabled - USER build\n"
	case "reboot":
		return func(ctx context.Context, _ Stream) error {
			d.NoteReboot(arg)
			return nil
		}
	default:
		return nil
	}
	return func(_ context.Context, s Stream) error {
		_, _ = io.WriteString(s, text)
		return nil
	}
}
