package hdc

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/handset-go/handset/driver"
)

// Options say how a phone is reached and driven. nil is all zero values.
type Options struct {
	// Tool is the hdc program, by path or by name in PATH. "" is hdc, or where that is not in PATH, the one in
	// DevEco Studio's usual places.
	Tool string
	// Server is where the hdc server listens: IP:PORT, PORT, or HOST:PORT, which is looked up. "" is the tool's own
	// choice: 127.0.0.1:8710, or what OHOS_HDC_SERVER_PORT says. A server on another computer must run already
	// (`hdc -s 0.0.0.0:8710 -m`).
	Server string
	// PNG has screenshots taken as PNG, which no compression has touched, and several times slower. false is JPEG.
	PNG bool
	// Unguarded leaves out the look at the display before each gesture, which costs some 0.2 s: a tap on a display that
	// is off or locked is then no error.
	Unguarded bool
	// Apps are names of apps with their bundle names. They come before the built-in names.
	Apps map[string]string
	// Lang is the language in which apps are named, "zh" or "en", where both are known; "" is the phone's, where it tells.
	Lang string
	// Limit bounds each call, but for Logs and the wait for a turn; 0 is a limit for each kind of call: 25 s for a gesture,
	// 20 s for a screenshot, 30 s for a tree, 40 s for Launch. The time that a gesture or a text itself takes is added.
	Limit time.Duration
	// Logger is told of odd paths: a server that was started, a fallback, a clipboard that was overwritten. It
	// never sees typed text. nil logs nothing.
	Logger *slog.Logger
}

// withDefaults returns a checked copy of o without zero values that mean something else.
func (o *Options) withDefaults() (Options, error) {
	var c Options
	if o != nil {
		c = *o
	}
	if c.Lang != "" && c.Lang != "zh" && c.Lang != "en" {
		return c, fmt.Errorf("lang %q: want zh or en", c.Lang)
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	c.Apps = maps.Clone(c.Apps)
	for name, id := range c.Apps {
		if !isBundle(id) {
			return c, fmt.Errorf("app %q: %q is not a bundle name", name, id)
		}
	}
	return c, nil
}

// serverArg returns what -s takes: the tool wants an address in numbers.
func serverArg(ctx context.Context, server string) (string, error) {
	host, port, err := net.SplitHostPort(server)
	if !strings.Contains(server, ":") {
		host, port, err = "", server, nil
	}
	if err != nil {
		return "", driver.BadOption(fmt.Errorf("hdc server %q: want IP:PORT or PORT", server))
	}
	if n, err := strconv.Atoi(port); err != nil || n <= 0 || n > 65535 {
		return "", driver.BadOption(fmt.Errorf("hdc server %q: want a port from 1 to 65535", server))
	}
	if host == "" {
		return port, nil
	}
	ip, err := lookUp(ctx, host)
	if err != nil {
		return "", fmt.Errorf("hdc server %q: %w", server, err)
	}
	return net.JoinHostPort(ip, port), nil
}

// lookUp returns the address of a host in numbers.
func lookUp(ctx context.Context, host string) (string, error) {
	if net.ParseIP(host) != nil {
		return host, nil
	}
	all, err := net.DefaultResolver.LookupIP(ctx, "ip", host)
	if err != nil {
		return "", err
	}
	for _, ip := range all {
		if ip.To4() != nil {
			return ip.String(), nil
		}
	}
	return all[0].String(), nil
}

// FromEnv returns the options that variables ask for: HDC_SERVER_HOST and HDC_SERVER_PORT name the server, and
// DEVECO_SDK_HOME, OHOS_SDK_HOME or OHOS_BASE_SDK_HOME a folder with the tool, where there is none in PATH. The tool reads
// OHOS_HDC_SERVER_PORT by itself. getenv is os.Getenv, or a test's.
func FromEnv(getenv func(string) string) *Options {
	o := &Options{}
	host, port := getenv("HDC_SERVER_HOST"), getenv("HDC_SERVER_PORT")
	if host+port != "" {
		port = orElse(port, orElse(getenv("OHOS_HDC_SERVER_PORT"), "8710"))
		o.Server = port
		if host != "" {
			o.Server = net.JoinHostPort(host, port)
		}
	}
	if inPath() {
		return o
	}
	for _, name := range []string{"DEVECO_SDK_HOME", "OHOS_SDK_HOME", "OHOS_BASE_SDK_HOME"} {
		if path := inSDK(getenv(name)); path != "" {
			o.Tool = path
			return o
		}
	}
	return o
}

// addressOptions are the names that an address may carry.
var addressOptions = []string{"tool", "server", "png", "unguarded", "limit", "lang"}

// setAddress takes the options of an address over those of the environment.
func (o *Options) setAddress(a driver.Address) error { return a.SetOptions(addressOptions, o.set) }

func (o *Options) set(name, value string) (err error) {
	switch name {
	case "tool":
		o.Tool = value
	case "server":
		o.Server = value
	case "png":
		o.PNG, err = strconv.ParseBool(value)
	case "unguarded":
		o.Unguarded, err = strconv.ParseBool(value)
	case "lang":
		o.Lang = value
	case "limit":
		o.Limit, err = driver.ParseTime(value)
	}
	return err
}

func orElse(s, or string) string {
	if strings.TrimSpace(s) == "" {
		return or
	}
	return s
}
