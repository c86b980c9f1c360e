package drivertest_test

import (
	"errors"
	"image"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/drivertest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// resultOf runs one case.
func resultOf(t *testing.T, cfg *drivertest.Config, name string) drivertest.Result {
	var found drivertest.Result
	synctest.Test(t, func(t *testing.T) {
		for _, r := range drivertest.Results(t, cfg) {
			if r.Name == name {
				found = r
			}
		}
	})
	require.Equal(t, name, found.Name)
	return found
}

func TestRunOnly(t *testing.T) {
	cfg := toyConfig(good)
	ran := 0
	open := cfg.Open
	cfg.Open = func(t testing.TB) *drivertest.Phone {
		ran++
		return open(t)
	}
	drivertest.RunOnly(t, cfg, func(name string) bool { return strings.HasPrefix(name, "key/") })
	require.Equal(t, 3, ran)
}

func TestDeclaredIsSkippedWithItsReason(t *testing.T) {
	cfg := toyConfig(good)
	cfg.Declared = map[string]string{"undo/done": "the clipboard of this phone cannot be read"}
	r := resultOf(t, cfg, "undo/done")
	require.NoError(t, r.Err)
	require.Equal(t, "declared by the driver: the clipboard of this phone cannot be read", r.Skipped)
}

func TestConfigIsChecked(t *testing.T) {
	require.EqualError(t, drivertest.Valid(nil), "drivertest: Config.Open is not set")
	require.EqualError(t, drivertest.Valid(&drivertest.Config{}), "drivertest: Config.Open is not set")
	cfg := toyConfig(good)
	require.NoError(t, drivertest.Valid(cfg))
	cfg.Refuses = map[string]error{"text/klingon": errors.ErrUnsupported}
	require.EqualError(t, drivertest.Valid(cfg), `drivertest: the Config names the case "text/klingon", which there is not`)
	cfg.Refuses, cfg.Declared = nil, map[string]string{"undo/all": "because"}
	require.EqualError(t, drivertest.Valid(cfg), `drivertest: the Config names the case "undo/all", which there is not`)
	cfg.Declared, cfg.Refuses = nil, map[string]error{"text/emoji": nil}
	require.EqualError(t, drivertest.Valid(cfg), `drivertest: Config.Refuses has no error for the case "text/emoji"`)
	cfg.Refuses, cfg.RefusesOps = nil, map[driver.Op]error{"juggle": driver.ErrDenied}
	require.EqualError(t, drivertest.Valid(cfg), `drivertest: Config.RefusesOps names the operation "juggle", which there is not`)
	cfg.RefusesOps = map[driver.Op]error{driver.OpTap: nil}
	require.EqualError(t, drivertest.Valid(cfg), `drivertest: Config.RefusesOps has no error for the operation "tap"`)
}

// TestFaultsAreAskedFor keeps the list of faults and the cases together.
func TestFaultsAreAskedFor(t *testing.T) {
	asked := map[string]bool{}
	cfg := toyConfig(good)
	cfg.More = nil
	cfg.Open = func(testing.TB) *drivertest.Phone {
		phone := toyHarness(image.Pt(90, 160), 20*time.Second, good)
		fault := phone.Fault
		phone.Fault = func(name string) func() {
			asked[name] = true
			return fault(name)
		}
		return phone
	}
	synctest.Test(t, func(t *testing.T) { drivertest.Results(t, cfg) })
	for _, name := range drivertest.Faults() {
		require.True(t, asked[name], name)
	}
	require.Len(t, asked, len(drivertest.Faults()))
}
