package adb

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"

	"github.com/handset-go/handset/driver"
)

// Pair has the adb server and a phone of Android 11 or newer learn to know each other. at is the
// HOST:PORT and code the six digits that the phone shows under "Pair device with pairing code" in
// the settings of wireless debugging; the port is not the one that Connect wants afterwards. The
// error matches errors.ErrUnsupported where the server is older than adb 30.
func Pair(ctx context.Context, at, code string, opts *Options) error {
	ctx, cancel := context.WithTimeoutCause(ctx, connectLimit, driver.ErrTimeout)
	defer cancel()
	if err := checkPair(at, code); err != nil {
		return err
	}
	s, err := serverOf(opts)
	if err != nil {
		return err
	}
	text, err := s.query(ctx, "host:pair:"+code+":"+at)
	if err == nil {
		err = pairFailure(text)
	}
	if err != nil {
		return fmt.Errorf("pair %s: %w", at, timedOut(ctx, pairCure(err)))
	}
	return nil
}

func checkPair(at, code string) error {
	host, port, err := net.SplitHostPort(at)
	if n, numErr := strconv.Atoi(port); err != nil || numErr != nil || n < 1 || n > 65535 || host == "" || strings.ContainsAny(host, " /;") {
		return driver.BadOption(fmt.Errorf("%q is not a phone's HOST:PORT: give both, as the phone shows them beside the code", at))
	}
	for _, r := range code {
		if r <= ' ' || r > '~' || r == ':' {
			return driver.BadOption(errors.New("the pairing code has characters that no code has: give the six digits that the phone shows"))
		}
	}
	if code == "" {
		return driver.BadOption(errors.New("no pairing code: give the six digits that the phone shows"))
	}
	return nil
}

// pairFailure reads what the server says: it answers OKAY, with a text, to failures too.
func pairFailure(text string) error {
	if strings.HasPrefix(text, "Successfully paired") {
		return nil
	}
	return fmt.Errorf("the adb server says: %s; each code is good for one try while the phone shows it", complaint([]byte(text)))
}

// pairCure says what a server that does not know the request is.
func pairCure(err error) error {
	var f *failure
	if errors.As(err, &f) && strings.Contains(f.text, "unknown host service") {
		return driver.Unsupported("the adb server does not know pairing, which came with adb 30: update the Android " +
			"platform-tools, and end the old server with adb kill-server")
	}
	return err
}
