package adb

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/handset-go/handset/driver"
)

// input runs a line of `input` commands, which print nothing when they did their work. What they
// print tells more than their status, which is 0 for many failures on old releases.
func (d *Driver) input(ctx context.Context, line string) error {
	out, err := d.actFor(ctx, request{line: line, quick: quickInput(line)})
	if err != nil {
		return err
	}
	return d.inputFailure(ctx, out)
}

// quickInput says that a line is done in a moment: taps and a few keys. What lasts must end on the
// phone when its call is given up, and so has a connection of its own.
func quickInput(line string) bool {
	return len(line) < 80 && !strings.Contains(line, " text ") && !strings.Contains(line, "--longpress") &&
		(strings.HasPrefix(line, "input tap ") || strings.HasPrefix(line, "input keyevent "))
}

var errInput = errors.New("the phone did not do it")

// inputFailure says what the output of `input` means; nil is done.
func (d *Driver) inputFailure(ctx context.Context, out *output) error {
	text := append(append([]byte(nil), out.stdout...), out.stderr...)
	has := func(s string) bool { return bytes.Contains(text, []byte(s)) }
	switch {
	case has("INJECT_EVENTS"):
		driver.MarkRefused(ctx)
		return fmt.Errorf("%w: %s", driver.ErrInputBlocked, d.blockedCure(ctx))
	case has("Invalid arguments"), has("Unknown command"), has("not found"), has("inaccessible"), has("Usage: input"), has("usage: input"):
		driver.MarkRefused(ctx)
		return fmt.Errorf("%w: %s", errInput, complaint(text))
	case has("Exception"), has("Error:"), out.code > 0:
		return fmt.Errorf("%w: input ended with %d: %s", errInput, out.code, complaint(text))
	}
	return nil
}

// blockedSettings name the switch of each maker's system, found by a property that only that one has.
var blockedSettings = []struct{ property, setting string }{
	{"ro.miui.ui.version.name", `switch on "USB debugging (Security settings)" in the developer options (it needs a Mi account and a SIM card), then restart the phone`},
	{"ro.mi.os.version.name", `switch on "USB debugging (Security settings)" in the developer options (it needs a Mi account and a SIM card), then restart the phone`},
	{"ro.build.version.oplusrom", `switch on "Disable permission monitoring" in the developer options`},
	{"ro.build.version.opporom", `switch on "Disable permission monitoring" in the developer options`},
	{"ro.vivo.os.version", `switch on "USB simulated clicks" (USB security) in the developer options`},
	{"ro.build.version.emui", `switch on "Allow ADB debugging in charge only mode" in the developer options`},
	{"ro.build.version.magic", `switch on "Allow ADB debugging in charge only mode" in the developer options`},
	{"ro.build.version.oneui", `switch off "Auto Blocker" in the security settings`},
}

const anyBlockedSetting = `look in the developer options for "USB debugging (Security settings)", "Disable permission monitoring" or "USB simulated clicks"`

// blockedCure names the setting that allows injected input on this phone.
func (d *Driver) blockedCure(ctx context.Context) string {
	lines := make([]string, len(blockedSettings))
	for i, b := range blockedSettings {
		lines[i] = "getprop " + b.property
	}
	parts, err := d.askAll(ctx, lines...)
	if err != nil {
		return anyBlockedSetting
	}
	for i, b := range blockedSettings {
		if strings.TrimSpace(parts[i]) != "" {
			return b.setting
		}
	}
	return anyBlockedSetting
}
