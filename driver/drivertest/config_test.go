package drivertest_test

import (
	"context"
	"errors"
	"image"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode"

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

// refuser refuses what is not ASCII, before or after it has typed the rest.
type refuser struct {
	*toyDriver
	late bool
}

func (d refuser) Type(ctx context.Context, text string) error {
	if strings.IndexFunc(text, func(r rune) bool { return r > unicode.MaxASCII }) < 0 {
		return d.toyDriver.Type(ctx, text)
	}
	if d.late {
		if err := d.toyDriver.Type(ctx, "?"); err != nil {
			return err
		}
	}
	return d.refused(ctx, driver.OpType, driver.ErrNoTextInput)
}

func TestRefuses(t *testing.T) {
	for _, tt := range []struct {
		name string
		made func(*toyDriver) driver.Driver
		want error
		text string // of the failure, "" for none
	}{
		{"the refusal", func(d *toyDriver) driver.Driver { return refuser{d, false} }, driver.ErrNoTextInput, ""},
		{"another refusal", func(d *toyDriver) driver.Driver { return refuser{d, false} }, driver.ErrInputBlocked, "this phone must refuse it with"},
		{"no refusal", good, driver.ErrNoTextInput, "it was done"},
		{"a late refusal", func(d *toyDriver) driver.Driver { return refuser{d, true} }, driver.ErrNoTextInput, "events reached the phone"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cfg := toyConfig(tt.made)
			cfg.More, cfg.Refuses = nil, map[string]error{"text/emoji": tt.want}
			r := resultOf(t, cfg, "text/emoji")
			require.Empty(t, r.Skipped)
			if tt.text == "" {
				require.NoError(t, r.Err)
			} else {
				require.ErrorContains(t, r.Err, tt.text)
			}
		})
	}
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
