package adb

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/apps"
)

// info is what does not change while a phone is open.
type info struct {
	release string // "14"
	sdk     int    // 34; 0 where the phone does not tell
	model   string
	lang    string // of the phone: "zh", or "en" for any other
}

// learn reads what the driver needs to know, in one go, and puts back an input method that a program
// which ended badly has left behind. The files that it left are removed with the next tree, or by Close.
func (d *Driver) learn(ctx context.Context) error {
	parts, err := d.askAll(ctx,
		"getprop ro.build.version.release", "getprop ro.build.version.sdk", "getprop ro.product.model",
		"wm size", displayLines, readDebt, "getprop persist.sys.locale; getprop ro.product.locale", readLitter)
	if err != nil {
		return err
	}
	d.info = info{release: strings.TrimSpace(parts[0]), model: strings.TrimSpace(parts[2]), lang: orElse(apps.LangOf(strings.TrimSpace(parts[6])), "en")}
	if d.info.sdk, err = strconv.Atoi(strings.TrimSpace(parts[1])); err != nil {
		d.log.WarnContext(ctx, "the phone does not tell its API level", "printed", parts[1])
	}
	if _, err := d.sawSizes(parts[3], parts[4]); err != nil && !errors.Is(err, errNoSize) {
		return err
	}
	d.inheritDebt(ctx, parts[5])
	d.litter.inherit(parts[7])
	return nil
}

// Describe says what this phone is and what the driver can do on it.
func (d *Driver) Describe(ctx context.Context) (*driver.Description, error) {
	return value(ctx, d, driver.OpDescribe, limitShort, func(ctx context.Context) (*driver.Description, error) {
		size, err := d.frameSize(ctx)
		if err != nil && !errors.Is(err, errNoSize) {
			return nil, err
		}
		return &driver.Description{
			Address: d.calls.Device(), Platform: platform, Model: d.info.model, OSVersion: d.info.release,
			Size: size, Keys: d.keyNames(), Ops: d.operations(),
		}, nil
	})
}

// operations are those that work: some only with scrcpy's server, or on a newer Android.
func (d *Driver) operations() []driver.Op {
	ops := driver.Operations(d)
	if d.scrcpy.works() {
		return ops
	}
	return slices.DeleteFunc(ops, func(op driver.Op) bool {
		switch op {
		case driver.OpGesture, driver.OpPinch, driver.OpClipboard, driver.OpSetClipboard:
			return true
		case driver.OpDrag:
			return d.beforeAndroid7() // as Drag says
		}
		return false
	})
}
