package hdc

import (
	"context"
	"fmt"
	"os"
	"regexp"

	"github.com/handset-go/handset/driver"
)

// Devices lists the phones that the hdc server knows, in its order: those that cannot be used now too, with what to
// do about them.
func Devices(ctx context.Context, opts *Options) ([]driver.Device, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, opts.limit(limitServer), driver.ErrTimeout)
	defer cancel()
	t, err := toolOf(ctx, opts)
	if err != nil {
		return nil, timedOut(ctx, err)
	}
	all, err := t.list(ctx)
	if err != nil {
		return nil, timedOut(ctx, err)
	}
	var devices []driver.Device
	for _, d := range all {
		devices = append(devices, d.device())
	}
	return devices, nil
}

func toolOf(ctx context.Context, opts *Options) (*tool, error) {
	o, err := opts.withDefaults()
	if err != nil {
		return nil, driver.BadOption(err)
	}
	return newTool(ctx, o)
}

var version = regexp.MustCompile(`Ver: (\S+)`)

// Versions returns the versions of the tool and of the server that it talks to, such as 3.2.0f. Two that differ do
// not understand each other well: `hdc kill` has the next call start a server of the tool's own.
func Versions(ctx context.Context, opts *Options) (client, server string, err error) {
	t, err := toolOf(ctx, opts)
	if err != nil {
		return "", "", err
	}
	r, err := t.run(ctx, "checkserver")
	if err != nil {
		return "", "", err
	}
	found := version.FindAllStringSubmatch(string(r.Stdout), -1)
	if len(found) != 2 {
		return "", "", fmt.Errorf("hdc checkserver: %s", complaint(string(r.Stdout)))
	}
	return trimComma(found[0][1]), trimComma(found[1][1]), nil
}

func trimComma(s string) string {
	if n := len(s); n > 0 && s[n-1] == ',' {
		return s[:n-1]
	}
	return s
}

func init() { driver.Register(scheme, opener{}) }

// opener opens the addresses "hdc:KEY?tool=PATH&…". It reads the variables that FromEnv names.
type opener struct{}

// Open opens the phone of an address.
func (opener) Open(ctx context.Context, a driver.Address) (driver.Driver, error) {
	o := FromEnv(os.Getenv)
	if err := o.setAddress(a); err != nil {
		return nil, err
	}
	d, err := New(ctx, a.Device, o)
	if err != nil {
		return nil, err
	}
	return d, nil
}

// Devices lists what the hdc server knows.
func (opener) Devices(ctx context.Context) ([]driver.Device, error) {
	return Devices(ctx, FromEnv(os.Getenv))
}
