package driver

import (
	"errors"
	"fmt"
	"strings"
)

// The sentinels. Each error of a driver is an *Error that wraps one of these, a context's error, an
// error that matches errors.ErrUnsupported, or a cause of its own.
var (
	// ErrBadOption: Open, Devices and constructors, for an address, an option or a variable of the environment
	// that makes no sense. No phone was asked. The text says what is known, or the right form.
	ErrBadOption = errors.New("bad address or option")
	// ErrNoDevice: Open and every call, when no such device is attached, or none at all.
	ErrNoDevice = errors.New("no such device")
	// ErrSeveralDevices: Open, when the address names none and more than one is attached. The text lists them.
	ErrSeveralDevices = errors.New("several devices are attached and none was chosen")
	// ErrUnauthorized: Open and every call, when the phone has not accepted this computer.
	ErrUnauthorized = errors.New("the phone has not authorized this computer")
	// ErrOffline: Open and every call, when the device is known but does not answer, or went away in mid-call.
	ErrOffline = errors.New("device offline")
	// ErrAppNotFound: Resolve, Launch and Stop, when nothing installed has that id or name. The text has near misses.
	ErrAppNotFound = errors.New("app not found")
	// ErrAmbiguousApp: Resolve, Launch and Stop, when several apps have that name. The text lists them.
	ErrAmbiguousApp = errors.New("several apps have that name")
	// ErrOffScreen: every gesture, for a point outside the frame. Nothing was sent.
	ErrOffScreen = errors.New("point is off the screen")
	// ErrInputBlocked: every gesture and Type, when the system refuses injected input. The text names the setting.
	ErrInputBlocked = errors.New("the phone blocks injected input")
	// ErrNoTextInput: Type, ClearText and SetText, when no route can carry the text, or no field takes it.
	// Nothing was typed. The text says what to install or to tap.
	ErrNoTextInput = errors.New("the text cannot be typed")
	// ErrNoTree: Tree, when there is none now, for example while the screen never comes to rest.
	ErrNoTree = errors.New("no tree of the screen now")
	// ErrAsleep: gestures and Screenshot of drivers that can tell, when the display is off.
	ErrAsleep = errors.New("the display is off")
	// ErrLocked: Launch and gestures of drivers that can tell, when the phone is locked.
	ErrLocked = errors.New("the phone is locked")
	// ErrSessionLost: every call of drivers with sessions, when the session is gone and could not be made anew.
	ErrSessionLost = errors.New("the session with the phone is lost")
	// ErrDenied: wrappers that judge calls. It never matches errors.ErrUnsupported, so that no slow path goes
	// round a refusal.
	ErrDenied = errors.New("denied")
	// ErrTimeout: every call, when the driver's own limit ran out. It never matches context.DeadlineExceeded.
	ErrTimeout = errors.New("the phone took too long: give it a longer limit, or restart the phone if it hangs")
	// ErrClosed: every call after Close, and those that Close ended.
	ErrClosed = errors.New("driver is closed")
)

// Error is what a call on a phone returns when it fails.
type Error struct {
	Op     Op
	Device string // the address, such as adb:SERIAL
	// MaybeDone says that the gesture may have reached the phone: look before doing it again.
	MaybeDone bool
	Err       error
}

// Error says what, where and why: "tap adb:SERIAL: device offline".
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s: %v", e.Op, strings.TrimSuffix(e.Device, ":"), e.Err)
	if e.MaybeDone {
		b.WriteString(" (it may have reached the phone: look before doing it again)")
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// MaybeDone says whether err tells of a gesture that may have reached the phone.
func MaybeDone(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.MaybeDone
}

// Unsupported returns an error that says why and matches errors.ErrUnsupported.
func Unsupported(format string, args ...any) error {
	return &unsupportedError{fmt.Sprintf(format, args...)}
}

type unsupportedError struct{ msg string }

func (e *unsupportedError) Error() string        { return e.msg }
func (e *unsupportedError) Is(target error) bool { return target == errors.ErrUnsupported }

// BadOption has err match ErrBadOption and leaves its text as it is. It is nil for nil.
func BadOption(err error) error {
	if err == nil {
		return nil
	}
	return &badOptionError{err}
}

type badOptionError struct{ err error }

func (e *badOptionError) Error() string        { return e.err.Error() }
func (e *badOptionError) Unwrap() error        { return e.err }
func (e *badOptionError) Is(target error) bool { return target == ErrBadOption }

// noSlowPath is the error of a package function whose operation the core cannot do.
func noSlowPath(op Op, cause error) error {
	if cause != nil {
		return cause
	}
	return Unsupported("this kind of phone, or its driver, has no operation %q", op)
}

// partly makes the error of a slow path of which the first step is done. It never matches
// errors.ErrUnsupported, which would say that nothing was sent.
func partly(op Op, err error) error {
	if err == nil {
		return nil
	}
	e := &Error{Op: op, Device: "phone", MaybeDone: true, Err: err}
	var in *Error
	if errors.As(err, &in) {
		e.Device, e.Err = in.Device, in.Err
	}
	if errors.Is(err, errors.ErrUnsupported) {
		e.Err = errors.New(e.Err.Error())
	}
	return e
}

// unsupported says that an operation has another way to go: the driver lacks it, and no wrapper has already
// found that the slow path does not do it either.
func unsupported(err error) bool {
	var no *noWayError
	return errors.Is(err, errors.ErrUnsupported) && !errors.As(err, &no)
}

// noWayError is what a wrapper makes of an error that matches errors.ErrUnsupported: the driver below lacks
// the operation and its slow path, and the same steps through the wrapper would lead nowhere either.
type noWayError struct{ err error }

func (e *noWayError) Error() string { return e.err.Error() }
func (e *noWayError) Unwrap() error { return e.err }

func final(err error) error {
	if unsupported(err) {
		return &noWayError{err}
	}
	return err
}
