package wda

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/apps"
)

// info is what does not change while a phone is open.
type info struct {
	release   string // "17.5.1"
	version   string // of WebDriverAgent, "" for those that do not tell
	runner    string // its own app, which must be in front where the pasteboard is read
	simulator bool
	kind      string // "iphone", "ipad"
}

// learn asks WebDriverAgent what it is. One that is frozen, or another server, is found out here.
func (d *Driver) learn(ctx context.Context) error {
	st, err := d.status(ctx)
	if err != nil {
		return err
	}
	d.info = info{
		release: st.OS.Version, version: st.Build.Version, simulator: st.IOS.SimulatorVersion != "", kind: strings.ToLower(st.Device),
		runner: st.Build.Runner,
	}
	if d.info.runner != "" && !strings.HasSuffix(d.info.runner, runnerSuffix) {
		d.info.runner += runnerSuffix
	}
	if atLeast(st.Build.Version, 16, 7, 3) {
		d.wire.aside = func(path string) bool { return path == "/status" || strings.HasSuffix(path, "/screenshot") }
	}
	if st.Ready != nil && !*st.Ready {
		d.log.WarnContext(ctx, "WebDriverAgent says that it is not ready", "message", st.Message)
	}
	d.session.asked = st
	if atLeast(st.Build.Version, 6) {
		return nil
	}
	return d.learnTap(ctx)
}

// learnTap finds out which route of tapping the server has: routes are looked up before sessions are, so that in a session that does
// not exist nothing is tapped, and the error tells.
func (d *Driver) learnTap(ctx context.Context) error {
	_, err := d.single(quiet(ctx), http.MethodPost, "/session/none"+newTap, []byte("{}"))
	d.oldTap.Store(hasCode(err, codeUnknownCommand))
	if asError(err).Code != "" {
		return nil
	}
	return d.explain(ctx, err)
}

// learnLang asks for the phone's language, once, before the first app is named. A phone that does not tell has none.
func (d *Driver) learnLang(ctx context.Context) {
	if d.opts.Lang != "" || d.lang.Load() != nil {
		return
	}
	var device struct {
		Locale string `json:"currentLocale"`
	}
	err := d.get(ctx, here+"/wda/device/info", &device)
	if err != nil && asError(err).Code == "" {
		return // what is wrong, the call itself will tell
	}
	lang := apps.LangOf(device.Locale)
	d.lang.Store(&lang)
}

// language is that of the options, or of the phone as far as it is known.
func (d *Driver) language() string {
	if lang := d.lang.Load(); d.opts.Lang == "" && lang != nil {
		return *lang
	}
	return d.opts.Lang
}

// runnerSuffix is what Xcode adds to the id of a test bundle for the app that runs it.
const runnerSuffix = ".xctrunner"

// atLeast compares a version such as "16.12.7". One that cannot be read is old.
func atLeast(version string, want ...int) bool {
	parts := strings.Split(version, ".")
	for i, w := range want {
		n := 0
		if i < len(parts) {
			var err error
			if n, err = strconv.Atoi(parts[i]); err != nil {
				return false
			}
		}
		if n != w {
			return n > w
		}
	}
	return true
}

// Describe says what this phone is and what the driver can do on it. The system tells no program its model: it is "iPhone" or
// "iPad".
func (d *Driver) Describe(ctx context.Context) (*driver.Description, error) {
	return value(ctx, d, driver.OpDescribe, limitGesture, func(ctx context.Context) (*driver.Description, error) {
		var device struct {
			Model string `json:"model"`
		}
		if err := d.get(ctx, here+"/wda/device/info", &device); err != nil && !hasCode(err, codeUnknownCommand, codeUnknown) {
			return nil, err
		}
		frame, err := d.frameSize(ctx)
		if err != nil {
			return nil, err
		}
		return &driver.Description{
			Address: d.calls.Device(), Platform: platform, Model: orElse(device.Model, modelNames[d.info.kind]),
			OSVersion: d.info.release, Size: frame, Keys: keyNames(), Ops: driver.Operations(d),
		}, nil
	})
}

var modelNames = map[string]string{"iphone": "iPhone", "ipad": "iPad"}
