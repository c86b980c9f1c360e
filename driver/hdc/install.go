package hdc

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/handset-go/handset/driver"
)

// packages are what hdc installs.
var packages = []string{".hap", ".hsp", ".app"}

// installCures say what to do about the usual codes.
var installCures = map[string]string{
	"9568320": "the package is not signed: sign it in DevEco Studio",
	"9568322": "the phone does not trust the signature: sign it with a profile that has this phone's UDID (bm get -u)",
	"9568305": "a module that it needs is missing: give its .hsp too",
	"9568388": "it came with the system, which keeps it",
}

var installCode = regexp.MustCompile(`code: ?(\d+)`)

// Install installs one app: a .hap or .app, and the .hsp files that belong to it.
func (d *Driver) Install(ctx context.Context, files ...string) error {
	return d.do(ctx, driver.OpInstall, limitInstall, func(ctx context.Context) error {
		if len(files) == 0 {
			return errors.New("no package to install")
		}
		args := []string{"-t", d.key, "install"}
		for _, f := range files {
			if !slices.Contains(packages, strings.ToLower(filepath.Ext(f))) {
				return fmt.Errorf("%s: want a file that ends with %s", f, strings.Join(packages, ", "))
			}
			if _, err := os.Stat(f); err != nil {
				return err
			}
			full, err := filepath.Abs(f)
			if err != nil {
				return err
			}
			args = append(args, full)
		}
		text, err := d.manage(ctx, args)
		if err != nil {
			return err
		}
		if strings.Contains(text, "failed to install bundle") && !strings.Contains(text, "install bundle successfully") {
			driver.MarkRefused(ctx) // of several packages, none
		}
		return installOutcome(text)
	})
}

// manage runs hdc install or uninstall.
func (d *Driver) manage(ctx context.Context, args []string) (string, error) {
	never := func(error) bool { return false }
	return again(ctx, never, func() (string, error) {
		driver.MarkSent(ctx)
		r, err := d.tool.run(ctx, args...)
		if err == nil {
			if f := refusal(r.Stdout); f != nil {
				err = f
			}
		}
		if err != nil {
			if refused(err) {
				driver.MarkRefused(ctx)
			}
			return "", err
		}
		return string(r.Stdout), nil
	})
}

// installOutcome judges what hdc install printed: the frame around it is the same when it failed.
func installOutcome(text string) error {
	switch {
	case strings.Contains(text, "install bundle successfully") && !strings.Contains(text, "failed to install"):
		return nil
	case strings.TrimSpace(text) == "":
		return errBroken
	}
	return bundleError("install", text)
}

// bundleError is what the phone's manager of bundles said, with what to do about it.
func bundleError(verb, text string) error {
	err := fmt.Errorf("hdc %s: %s", verb, complaint(text))
	if m := installCode.FindStringSubmatch(text); m != nil {
		return advised(err, installCures[m[1]])
	}
	return err
}

// codeNotInstalled is what bm says of a bundle that is not there.
const codeNotInstalled = "9568386"

// Uninstall removes the app with this bundle name.
func (d *Driver) Uninstall(ctx context.Context, id string) error {
	return d.do(ctx, driver.OpUninstall, limitInstall, func(ctx context.Context) error {
		if !isBundle(id) {
			return fmt.Errorf("%w: %q is not a bundle name", driver.ErrAppNotFound, shorten(id))
		}
		text, err := d.manage(ctx, []string{"-t", d.key, "uninstall", id})
		switch {
		case err != nil:
			return err
		case strings.Contains(text, "uninstall bundle successfully"):
			return nil
		case strings.Contains(text, codeNotInstalled), strings.Contains(text, "missing installed bundle"):
			driver.MarkRefused(ctx)
			return fmt.Errorf("%w: %s is not installed: %s", driver.ErrAppNotFound, id, complaint(text))
		case strings.TrimSpace(text) == "":
			return errBroken
		case strings.Contains(text, "failed to uninstall bundle"):
			driver.MarkRefused(ctx)
		}
		return bundleError("uninstall", text)
	})
}
