package hdc_test

import (
	"bytes"
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/hdc"
)

func TestMain(m *testing.M) {
	if code, ok := hdc.AsTool(os.Args, os.LookupEnv); ok {
		os.Exit(code)
	}
	goleak.VerifyTestMain(m)
}

// newDevice makes a device of a fresh phone.
func newDevice(t *testing.T, opts *hdc.Options) *hdc.Device {
	t.Helper()
	d, err := hdc.New(sim.New(&sim.Options{Platform: sim.PlatformHarmony}), opts)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	return d
}

// serve starts a server that ends with the test.
func serve(t *testing.T, opts *hdc.ServerOptions, phones ...*hdc.Device) *hdc.Server {
	t.Helper()
	s, err := hdc.Serve(opts, phones...)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// onePhone starts a server with a phone of a profile.
func onePhone(t *testing.T, profile string) (*hdc.Server, *hdc.Device) {
	t.Helper()
	d := newDevice(t, &hdc.Options{Profile: profile})
	return serve(t, nil, d), d
}

// output is what one run of the tool printed.
type output struct{ out, err string }

// run runs the tool in a folder.
func run(t *testing.T, s *hdc.Server, dir string, args ...string) output {
	t.Helper()
	var out, err bytes.Buffer
	s.Run(context.Background(), dir, &out, &err, args...)
	return output{out.String(), err.String()}
}

// out runs the tool, which must print nothing on stderr.
func out(t *testing.T, s *hdc.Server, args ...string) string {
	t.Helper()
	o := run(t, s, t.TempDir(), args...)
	require.Empty(t, o.err)
	return o.out
}

// set switches faults on.
func set(t *testing.T, d *hdc.Device, faults ...string) {
	t.Helper()
	for _, f := range faults {
		require.NoError(t, d.SetFault(f, true))
	}
}
