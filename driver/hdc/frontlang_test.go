package hdc_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/hdc"
	"github.com/handset-go/handset/driver/sim"
)

// TestNamesInALanguage holds that an app has its name in the language that was asked for, or else in the phone's.
func TestNamesInALanguage(t *testing.T) {
	for _, c := range []struct{ name, phone, asked, want string }{
		{"an English phone", "en", "", "Settings"},
		{"a Chinese phone", "zh", "", "设置"},
		{"English asked for", "zh", "en", "Settings"},
		{"Chinese asked for", "en", "zh", "设置"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, sim.Options{Lang: c.phone}, "")
			d, err := hdc.New(t.Context(), r.device.Key(), &hdc.Options{Tool: r.tool, Lang: c.asked})
			require.NoError(t, err)
			defer func() { require.NoError(t, d.Close()) }()
			all, err := d.Apps(t.Context())
			require.NoError(t, err)
			require.Contains(t, all, driver.App{ID: "com.huawei.hmos.settings", Name: c.want})
			for _, name := range []string{"Settings", "设置"} {
				app, err := d.Resolve(t.Context(), name)
				require.NoError(t, err, "a name in either language is known")
				require.Equal(t, driver.App{ID: "com.huawei.hmos.settings", Name: c.want}, app)
			}
		})
	}
	_, err := hdc.New(t.Context(), "", &hdc.Options{Lang: "fr"})
	require.ErrorIs(t, err, driver.ErrBadOption)
}
