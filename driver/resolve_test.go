package driver_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
)

var installed = []driver.App{
	{ID: "com.android.settings", Name: "Settings"},
	{ID: "com.tencent.mm", Name: "微信"},
	{ID: "com.google.android.gm", Name: "Gmail"},
	{ID: "org.mail.one", Name: "Mail"},
	{ID: "org.mail.two", Name: "Mail"},
	{ID: "org.case.lower", Name: "notes"},
	{ID: "org.case.upper", Name: "Notes"},
	{ID: "com.youtube", Name: "You-Tube"},
	{ID: "Clock", Name: "An app whose id is a name"},
	{ID: "org.clock", Name: "Clock"},
	{ID: "com.android.settings", Name: "Settings"}, // a second way in
	{ID: "no.name"},
}

func TestMatchApp(t *testing.T) {
	for name, want := range map[string]string{
		"com.android.settings": "com.android.settings",
		"Settings":             "com.android.settings",
		"settings":             "com.android.settings",
		"微信":                   "com.tencent.mm",
		"g mail":               "com.google.android.gm",
		"YouTube":              "com.youtube",
		"notes":                "org.case.lower",
		"Notes":                "org.case.upper",
		"Clock":                "Clock",
		"no.name":              "no.name",
	} {
		t.Run(name, func(t *testing.T) {
			a, err := driver.MatchApp(name, installed)
			require.NoError(t, err)
			require.Equal(t, want, a.ID)
		})
	}
}

func TestMatchAppRefuses(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       error
	}{
		{"Mail", `several apps have that name: "Mail" is org.mail.one (Mail), org.mail.two (Mail); use the id`, driver.ErrAmbiguousApp},
		{"NOTES", `several apps have that name: "NOTES" is org.case.lower (notes), org.case.upper (Notes); use the id`, driver.ErrAmbiguousApp},
		{"Setings", `app not found: "Setings"; near misses: com.android.settings (Settings)`, driver.ErrAppNotFound},
		{"Gmail app", `app not found: "Gmail app"; near misses: com.google.android.gm (Gmail), org.mail.one (Mail), org.mail.two (Mail)`, driver.ErrAppNotFound},
		{"tencent", `app not found: "tencent"; near misses: com.tencent.mm (微信)`, driver.ErrAppNotFound},
		{"Solitaire", `app not found: "Solitaire"`, driver.ErrAppNotFound},
		{"", "app not found: the name is empty", driver.ErrAppNotFound},
		{" - ", "app not found: the name is empty", driver.ErrAppNotFound},
		{"; reboot", `app not found: "; reboot"`, driver.ErrAppNotFound},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := driver.MatchApp(tt.name, installed)
			require.ErrorIs(t, err, tt.want)
			require.EqualError(t, err, tt.text)
		})
	}
}

// lister has Apps, and no Resolve.
type lister struct {
	*core
	err error
}

func (l *lister) Apps(context.Context) ([]driver.App, error) { return installed, l.err }

func TestResolveLooksAmongTheApps(t *testing.T) {
	d := &lister{core: newCore()}
	a, err := driver.Resolve(t.Context(), d, "Gmail")
	require.NoError(t, err)
	require.Equal(t, driver.App{ID: "com.google.android.gm", Name: "Gmail"}, a)
	_, err = driver.Resolve(t.Context(), d, "Solitaire")
	require.EqualError(t, err, `resolve phone: app not found: "Solitaire"`)
	d.err = driver.ErrOffline
	_, err = driver.Resolve(t.Context(), d, "Gmail")
	require.ErrorIs(t, err, driver.ErrOffline)
}

func TestAppString(t *testing.T) {
	require.Equal(t, "Gmail", driver.App{ID: "a", Name: "Gmail"}.String())
	require.Equal(t, "a", driver.App{ID: "a"}.String())
}
