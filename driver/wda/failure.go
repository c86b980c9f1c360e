package wda

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"regexp"
	"strings"

	"github.com/handset-go/handset/driver"
)

// Error is what WebDriverAgent answered where it refused or failed.
type Error struct {
	Status  int    // of HTTP; 200 for servers before 1.0.0
	Code    string // such as "no such alert", "" where the answer was not WebDriverAgent's
	Message string
}

// Error says what WebDriverAgent said.
func (e *Error) Error() string {
	if e.Code == "" {
		return e.Message
	}
	return e.Code + ": " + shorten(e.Message)
}

// The code words that the driver tells apart.
const (
	codeNoSession      = "invalid session id"
	codeNoElement      = "no such element"
	codeNoAlert        = "no such alert"
	codeUnknownCommand = "unknown command"
	codeBadArgument    = "invalid argument"
	codeBadState       = "invalid element state"
	codeUnknown        = "unknown error"
	codeNoCapture      = "unable to capture screen"
)

// nsError is how a message looks that was made of an NSError.
var nsError = regexp.MustCompile(`^Error Domain=\S+ Code=-?\d+ "((?s:.*?))"(?: UserInfo=|$)`)

// plainMessage takes the sentence out of a printed NSError.
func plainMessage(m string) string {
	if in := nsError.FindStringSubmatch(m); in != nil {
		return in[1]
	}
	return m
}

func asError(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return &Error{}
}

// hasCode says that WebDriverAgent answered with one of the code words.
func hasCode(err error, codes ...string) bool {
	got := asError(err).Code
	for _, c := range codes {
		if got == c {
			return true
		}
	}
	return false
}

// says that WebDriverAgent's message contains s, whatever the case.
func says(err error, s string) bool {
	return strings.Contains(strings.ToLower(asError(err).Message), strings.ToLower(s))
}

// sessionGone says that the command found no session, before it did anything.
func sessionGone(err error) bool {
	return hasCode(err, codeNoSession) && !sessionCut(err)
}

// sessionCut says that the session ended while the command was under way: it may have been carried out.
func sessionCut(err error) bool { return hasCode(err, codeNoSession) && says(err, "still pending") }

// appCrashed says that the session is bound to an app that has died: it fails every command until it is replaced.
func appCrashed(err error) bool { return hasCode(err, codeBadState) && says(err, "possibly crashed") }

// refused says that WebDriverAgent did nothing. Of most errors it does not tell.
func refused(err error) bool {
	switch e := asError(err); e.Code {
	case codeUnknownCommand, codeBadArgument, codeNoElement, codeNoAlert, "unknown method", "invalid selector",
		"stale element reference", "unsupported operation":
		return true
	case codeNoSession:
		return !sessionCut(err)
	case codeBadState:
		return appCrashed(err) || says(err, "Failed to find button") || says(err, "must be present to send keys")
	case codeUnknown:
		return says(err, "is not supported. The device under test") || says(err, "is not a valid URL") ||
			says(err, "Invalid parameter not satisfying: point") || isBlocked(err) || isLocked(err)
	}
	return false
}

// isBlocked says that the system lets nobody inject events now: the developer's switch for it was turned off while
// WebDriverAgent ran, or a passcode is asked for it.
func isBlocked(err error) bool {
	return says(err, "Not authorized for performing UI testing actions") || says(err, "UI Automation is not enabled")
}

// isLocked says that an app could not be started because the phone is locked.
func isLocked(err error) bool {
	return says(err, "could not be, unlocked") || says(err, "device is locked")
}

// explain makes the error of a request one that callers can match.
func (d *Driver) explain(ctx context.Context, err error) error {
	var e *Error
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, driver.ErrClosed), errors.Is(err, driver.ErrTimeout):
		return err
	case neverSent(err):
		return d.noAnswer(err)
	case errors.As(err, &e):
		return sentinel(err)
	case errors.Is(err, errEmpty):
		return err
	}
	return fmt.Errorf("%w: WebDriverAgent at %s hung up: %w; it crashed or the line is cut: start it again", driver.ErrOffline,
		d.target.device(), bare(err))
}

// noAnswer is the error of a connection that could not be made.
func (d *Driver) noAnswer(err error) error {
	switch {
	case errors.Is(err, driver.ErrNoDevice), errors.Is(err, driver.ErrOffline), errors.Is(err, driver.ErrUnauthorized):
		return bare(err)
	case d.target.usb != nil:
		return fmt.Errorf("%w: %w", driver.ErrOffline, bare(err))
	}
	return fmt.Errorf("%w: nothing answers at %s: start WebDriverAgent on the phone (Xcode, go-ios), and forward its port "+
		"where it is not on this network: %w", driver.ErrOffline, d.target.device(), bare(err))
}

// bare takes the URL, which says nothing, off an error of net/http.
func bare(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	var op *net.OpError
	if errors.As(err, &op) && op.Net == "usbmuxd" {
		return op.Err
	}
	if errors.Is(err, io.EOF) {
		return errors.New("the connection was closed before an answer")
	}
	return err
}

// sentinel adds what callers match to an error of WebDriverAgent, and what to do where a person can do something.
func sentinel(err error) error {
	switch {
	case hasCode(err, codeNoSession):
		return fmt.Errorf("%w: %w", driver.ErrSessionLost, err)
	case isLocked(err):
		return fmt.Errorf("%w: unlock it first: %w", driver.ErrLocked, err)
	case isBlocked(err):
		return fmt.Errorf("%w: switch Settings > Developer > Enable UI Automation on: %w", driver.ErrInputBlocked, err)
	case hasCode(err, codeUnknown) && says(err, "unrecognized selector"):
		return fmt.Errorf("%w; this WebDriverAgent is too old or too new for the phone's system: install a current one", err)
	}
	return err
}
