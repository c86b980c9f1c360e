package drivertest_test

import (
	"context"
	"image"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/drivertest"
)

// toyHarness returns a toy phone with its driver, which made may replace by a broken one.
func toyHarness(size image.Point, limit time.Duration, made func(*toyDriver) driver.Driver) *drivertest.Phone {
	p, address := newToyPhone(size), toyAddress()
	open := func() driver.Driver { return made(openToy(p, address, limit)) }
	toyOpeners.Store(address, open)
	return &drivertest.Phone{
		Driver: open(), Address: address,
		Second: func() (driver.Driver, error) { return open(), nil },
		Log:    p.events, Fault: p.fault, Focus: p.focus, FieldText: p.fieldText, State: p.state,
	}
}

// toyOpeners open the toys by their addresses.
var toyOpeners sync.Map

type toyOpener struct{}

func (toyOpener) Open(_ context.Context, a driver.Address) (driver.Driver, error) {
	open, ok := toyOpeners.Load(a.String())
	if !ok {
		return nil, driver.ErrNoDevice
	}
	d := open.(func() driver.Driver)()
	if other, lies := d.(otherAddress); lies {
		return other.toyDriver, nil
	}
	return d, nil
}

func (toyOpener) Devices(context.Context) ([]driver.Device, error) { return nil, nil }

func init() { driver.Register("toy", toyOpener{}) }

func good(d *toyDriver) driver.Driver { return d }

// toyConfig is a harness with every hook.
func toyConfig(made func(*toyDriver) driver.Driver) *drivertest.Config {
	with := func(size image.Point, limit time.Duration) func(testing.TB) *drivertest.Phone {
		return func(testing.TB) *drivertest.Phone { return toyHarness(size, limit, made) }
	}
	return &drivertest.Config{
		Open:      with(image.Pt(90, 160), 20*time.Second),
		Impatient: with(image.Pt(90, 160), 50*time.Millisecond),
		More:      map[string]func(testing.TB) *drivertest.Phone{"tablet": with(image.Pt(256, 192), 20*time.Second)},
		Apps: drivertest.Apps{
			ID: "toy.notes", Name: "Notes", Other: "toy.clock", Unknown: "Solitaire", Ambiguous: "Radio",
		},
		Ops:        []driver.Op{driver.OpType, driver.OpLongPress, driver.OpClearText, driver.OpDrag},
		Unreported: driver.Password | driver.Visible,
		Echo:       []string{"print"},
		File:       "/toy/file",
	}
}

func TestToy(t *testing.T) {
	drivertest.Run(t, toyConfig(good))
}

// TestGoodDriverFailsNothing is the ground that the broken drivers stand on.
func TestGoodDriverFailsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		checked := 0
		for _, r := range drivertest.Results(t, toyConfig(good)) {
			require.NoError(t, r.Err, r.Name)
			if r.Skipped == "" {
				checked++
			}
		}
		require.Greater(t, checked, 150)
	})
}

func TestBareHarnessSkipsAndSaysWhy(t *testing.T) {
	cfg := toyConfig(good)
	full := cfg.Open
	cfg = &drivertest.Config{Open: func(t testing.TB) *drivertest.Phone {
		return &drivertest.Phone{Driver: full(t).Driver}
	}}
	synctest.Test(t, func(t *testing.T) {
		skipped := map[string]string{}
		for _, r := range drivertest.Results(t, cfg) {
			require.NoError(t, r.Err, r.Name)
			skipped[r.Name] = r.Skipped
		}
		require.Equal(t, "the harness has no Fault", skipped["cancel/tap"])
		require.Equal(t, "the harness has no Log", skipped["gesture/hold"])
		require.Equal(t, "the harness has no Second", skipped["turns/all"])
		require.Equal(t, "the harness has no Focus", skipped["text/emoji"])
		require.Equal(t, "the harness has no State", skipped["undo/done"])
		require.Equal(t, "the harness has no Impatient", skipped["limit/tap"])
		require.Empty(t, skipped["close/twice"])
	})
}

func TestCasesAreNamedOnceAndHaveRules(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range drivertest.Cases(toyConfig(good)) {
		require.False(t, seen[c.Name], c.Name)
		require.NotEmpty(t, c.Rule, c.Name)
		require.NotContains(t, c.Name, " ")
		require.True(t, strings.Contains(c.Name, "/"), c.Name)
		seen[c.Name] = true
	}
}
