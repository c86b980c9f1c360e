package hdc

import (
	"context"
	"errors"
	"regexp"
	"strconv"
	"strings"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/apps"
)

// The first API levels of what changed between releases.
const (
	apiUinputText = 12 // uinput -K -t (HarmonyOS 5.0)
	apiText       = 18 // uiInput text, and snapshot_display -t png (5.1)
	apiSymbols    = 20 // uiInput types every printable of ASCII by keys (6.0)
)

// info is what does not change while a phone is open.
type info struct {
	api     int // const.ohos.apiversion; 0 where the phone does not tell
	model   string
	version string // "5.0.0.102"
	lang    string // "zh", or "en" for any other; "" where the phone does not tell
}

// learn reads what the driver needs to know, in one go.
func (d *Driver) learn(ctx context.Context) error {
	parts, err := d.askAll(ctx,
		"param get const.ohos.apiversion", "param get const.product.name", "param get const.product.model",
		"param get const.product.software.version", "param get const.ohos.fullname", "param get persist.global.locale", askRender, askDisplay)
	if err != nil {
		return err
	}
	d.info = info{model: orElse(param(parts[1]), param(parts[2])), version: versionOf(param(parts[3]), param(parts[4])), lang: apps.LangOf(param(parts[5]))}
	if d.info.api, err = strconv.Atoi(param(parts[0])); err != nil {
		d.log.WarnContext(ctx, "the phone does not tell its API level", "printed", complaint(parts[0]))
	}
	if err := d.sawDisplay(parts[6], parts[7]); err != nil && !errors.Is(err, errNoSize) {
		return err
	}
	return nil
}

// param returns what `param get` printed, or "" where it failed or printed chatter only.
func param(text string) string {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "INFO:") {
			continue
		}
		if strings.Contains(line, "fail! errNum") || strings.Contains(line, "not found") {
			return ""
		}
		return line
	}
	return ""
}

var versionNumber = regexp.MustCompile(`\d+(\.\d+)+`)

// versionOf finds the version in "ALN-AL00 5.0.0.102(SP5C00E73R4P17)" or in "OpenHarmony-5.0.0.71".
func versionOf(software, full string) string {
	return orElse(versionNumber.FindString(software), versionNumber.FindString(full))
}

// Describe says what this phone is and what the driver can do on it.
func (d *Driver) Describe(ctx context.Context) (*driver.Description, error) {
	return value(ctx, d, driver.OpDescribe, limitShort, func(ctx context.Context) (*driver.Description, error) {
		frame, _, err := d.frameSize(ctx)
		if err != nil && !errors.Is(err, errNoSize) {
			return nil, err
		}
		return &driver.Description{
			Address: d.calls.Device(), Platform: platform, Model: d.info.model, OSVersion: d.info.version,
			Size: frame, Keys: driver.Keys(), Ops: driver.Operations(d),
		}, nil
	})
}
