package hdc

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/nap"
)

const (
	// defaultPort is where a phone listens after `hdc tmode port 5555`. Wireless debugging shows another on the phone.
	defaultPort = 5555
	// connectLimit bounds Connect.
	connectLimit = 30 * time.Second
	connectPoll  = 300 * time.Millisecond
	// connectWait is how long a phone that was connected may be anything but ready.
	connectWait = 10 * time.Second
)

// Connect has the hdc server connect a phone over the network. at is HOST or HOST:PORT, the port 5555 where it is left
// out; hdc wants the host in numbers, so that a name is looked up. It returns the phone's address once it can be used;
// ErrUnauthorized says that the phone asks its owner. A phone that is connected already is no error.
func Connect(ctx context.Context, at string, opts *Options) (string, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, connectLimit, driver.ErrTimeout)
	defer cancel()
	key, err := connect(ctx, at, opts)
	if err != nil {
		return "", fmt.Errorf("connect %s: %w", at, timedOut(ctx, err))
	}
	return addressOf(key), nil
}

func connect(ctx context.Context, at string, opts *Options) (string, error) {
	key, err := networkKey(ctx, at)
	if err != nil {
		return "", err
	}
	t, err := toolOf(ctx, opts)
	if err != nil {
		return "", err
	}
	r, err := t.run(ctx, "tconn", key)
	if err != nil {
		return "", err
	}
	text := string(r.Stdout)
	if !strings.Contains(text, "Connect OK") && !strings.Contains(text, "Target is connected") {
		_, _ = t.run(ctx, "tconn", key, "-remove") // a failed one leaves a line that says Offline
		return "", fmt.Errorf("%w: %s: switch wireless debugging on (Settings, System, Developer options), and use the "+
			"address that it shows", driver.ErrNoDevice, complaint(text))
	}
	return key, t.awaitConnected(ctx, key)
}

// awaitConnected waits until a phone can be used, or until a person must do something: "Connect OK" is said
// before the phone was asked.
func (t *tool) awaitConnected(ctx context.Context, key string) error {
	for begin := time.Now(); ; {
		_, err := t.choose(ctx, key)
		if err == nil || time.Since(begin) > connectWait || strings.Contains(err.Error(), "unauthorized") {
			return err
		}
		if err := nap.For(ctx, connectPoll); err != nil {
			return err
		}
	}
}

// Disconnect has the hdc server let go of a phone that Connect connected. at is HOST, HOST:PORT or what Connect
// returned.
func Disconnect(ctx context.Context, at string, opts *Options) error {
	ctx, cancel := context.WithTimeoutCause(ctx, connectLimit, driver.ErrTimeout)
	defer cancel()
	if err := disconnect(ctx, strings.TrimPrefix(at, scheme+":"), opts); err != nil {
		return fmt.Errorf("disconnect %s: %w", at, timedOut(ctx, err))
	}
	return nil
}

func disconnect(ctx context.Context, at string, opts *Options) error {
	key, err := networkKey(ctx, at)
	if err != nil {
		return err
	}
	t, err := toolOf(ctx, opts)
	if err != nil {
		return err
	}
	r, err := t.run(ctx, "tconn", key, "-remove")
	if err != nil {
		return err
	}
	if f := refusal(r.Stdout); f != nil { // success prints nothing
		if f.is == nil && strings.Contains(f.text, "No target available") {
			f.is = driver.ErrNoDevice
		}
		return f
	}
	return nil
}

// networkKey returns IP:PORT of what a person gives.
func networkKey(ctx context.Context, at string) (string, error) {
	host, port, err := net.SplitHostPort(at)
	if err != nil {
		host, port = at, strconv.Itoa(defaultPort)
	}
	if n, err := strconv.Atoi(port); err != nil || n <= 0 || n > 65535 || host == "" {
		return "", driver.BadOption(fmt.Errorf("%q is not a phone's HOST or HOST:PORT", at))
	}
	ip, err := lookUp(ctx, host)
	if err != nil {
		return "", err
	}
	return net.JoinHostPort(ip, port), nil
}
