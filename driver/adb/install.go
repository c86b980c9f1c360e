package adb

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/handset-go/handset/driver"
)

// limitInstall bounds what the phone does with the files once it has them: it checks and compiles
// them.
const limitInstall = 5 * time.Minute

// Install installs an app, or a newer version over an older one with its data kept. files are one
// APK, or the base and the splits of one app. Each is pushed to the phone first and removed again,
// whatever happens. Apps that are only for tests are taken too. The error names the phone's reason
// and, where a person can do something, what.
func (d *Driver) Install(ctx context.Context, files ...string) error {
	return d.calls.Do(ctx, driver.OpInstall, 0, func(ctx context.Context) error {
		sizes, err := packageSizes(files)
		if err != nil {
			return err
		}
		remote := make([]string, len(files))
		for i := range files {
			remote[i] = tempFile(".apk")
		}
		defer func() {
			for _, name := range remote {
				d.removeLate(ctx, name)
			}
		}()
		for i, file := range files {
			if err := d.sendFile(ctx, file, remote[i]); err != nil {
				return err
			}
		}
		return d.do(ctx, driver.OpInstall, limitInstall, func(ctx context.Context) error {
			if len(files) == 1 {
				return d.installOne(ctx, remote[0])
			}
			return d.installParts(ctx, remote, sizes)
		})
	})
}

// packageSizes looks at the files before anything reaches the phone.
func packageSizes(files []string) ([]int64, error) {
	if len(files) == 0 {
		return nil, errors.New("nothing to install: name an APK file, or the parts of one app")
	}
	sizes := make([]int64, len(files))
	for i, file := range files {
		info, err := os.Stat(file)
		if err != nil {
			return nil, err
		}
		if ext := strings.ToLower(filepath.Ext(file)); !info.Mode().IsRegular() || ext != ".apk" {
			return nil, fmt.Errorf("%s is not an APK file; of a bundle (.aab, .apks, .xapk), name the APK files in it", file)
		}
		sizes[i] = info.Size()
	}
	return sizes, nil
}

func (d *Driver) sendFile(ctx context.Context, file, remote string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	return d.send(ctx, f, remote)
}

// installOne installs a single file. -r is for releases that replace nothing by themselves, -t for
// apps that are marked as tests.
func (d *Driver) installOne(ctx context.Context, remote string) error {
	_, err := d.pm(ctx, "pm install -r -t "+quote(remote))
	return err
}

var sessionWord = regexp.MustCompile(`\[(\d+)\]`)

// installParts installs the parts of one app in a session, which is given up if one fails.
func (d *Driver) installParts(ctx context.Context, remote []string, sizes []int64) error {
	out, err := d.pm(ctx, "pm install-create -r -t")
	if err != nil {
		return err
	}
	m := sessionWord.FindStringSubmatch(out)
	if m == nil {
		return fmt.Errorf("the phone began no install session: %s", complaint([]byte(out)))
	}
	session := m[1]
	for i, name := range remote {
		line := fmt.Sprintf("pm install-write -S %d %s part%d.apk %s", sizes[i], session, i, quote(name))
		if _, err := d.pm(ctx, line); err != nil {
			return d.abandon(ctx, session, err)
		}
	}
	if _, err := d.pm(ctx, "pm install-commit "+session); err != nil {
		return d.abandon(ctx, session, err)
	}
	return nil
}

// abandon gives a session up, and returns why.
func (d *Driver) abandon(ctx context.Context, session string, why error) error {
	undo := driver.Undo(ctx, func(ctx context.Context) error {
		_, err := d.run(ctx, request{line: "pm install-abandon " + session})
		return err
	})
	if undo != nil {
		d.log.WarnContext(ctx, "the install session could not be given up", "session", session, "error", undo)
	}
	return why
}

// pm runs a line of the package manager that says Success, or Failure with a reason; its status is 0
// for some failures, and not 0 on some releases that succeed.
func (d *Driver) pm(ctx context.Context, line string) (string, error) {
	out, err := d.act(ctx, line)
	if err != nil {
		return "", err
	}
	text := string(out.stdout) + "\n" + string(out.stderr)
	for l := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(l), "Success") {
			return text, nil
		}
	}
	driver.MarkRefused(ctx)
	return "", d.pmFailure(ctx, text, complaint(out.stdout, out.stderr))
}

// installCures say what to do about a reason. The maker's own switches have a text of their own.
var installCures = []struct{ reason, cure string }{
	{"INSTALL_FAILED_UPDATE_INCOMPATIBLE", "it is installed with another signature: uninstall that first, with its data"},
	{"INSTALL_FAILED_VERSION_DOWNGRADE", "a newer version is installed: uninstall that first, with its data"},
	{"INSTALL_FAILED_INSUFFICIENT_STORAGE", "make room on the phone"},
	{"INSTALL_FAILED_OLDER_SDK", "the app needs a newer Android than the phone has"},
	{"INSTALL_FAILED_DEPRECATED_SDK_VERSION", "the app is made for an Android so old that this phone takes it no more"},
	{"INSTALL_FAILED_NO_MATCHING_ABIS", "the app has no code for this phone's processor: get the file for it"},
	{"INSTALL_FAILED_MISSING_SPLIT", "this file is one part of an app: name all parts in one call"},
	{"INSTALL_PARSE_FAILED_NO_CERTIFICATES", "the file is not signed: sign it (apksigner)"},
	{"INSTALL_FAILED_VERIFICATION_FAILURE", `switch off "Verify apps over USB" in the developer options, or allow it on the phone`},
	{"INSTALL_FAILED_ABORTED", "it was refused on the phone: allow it in the dialog there"},
	{"DELETE_FAILED_DEVICE_POLICY_MANAGER", "the app manages the phone: take that right from it in the security settings first"},
	{"DELETE_FAILED_OWNER_BLOCKED", "the phone's owner or its organization forbids it"},
}

const userRestricted = "INSTALL_FAILED_USER_RESTRICTED"

// restrictedSettings name the switch that allows installing over USB, by a property that only that
// maker's system has.
var restrictedSettings = []struct{ property, setting string }{
	{"ro.miui.ui.version.name", `switch on "Install via USB" in the developer options (it needs a Mi account and a SIM card), and allow it in the dialog on the phone`},
	{"ro.vivo.os.version", `allow the installation in the dialog on the phone, which asks for the account's password`},
	{"ro.build.version.oplusrom", `allow the installation in the dialog on the phone, or switch on "Disable permission monitoring" in the developer options`},
}

func (d *Driver) pmFailure(ctx context.Context, text, short string) error {
	for _, c := range installCures {
		if strings.Contains(text, c.reason) {
			return fmt.Errorf("the phone refuses it: %s: %s", short, c.cure)
		}
	}
	if !strings.Contains(text, userRestricted) {
		return fmt.Errorf("the phone refuses it: %s", short)
	}
	cure := "allow the installation in the dialog on the phone, or in its developer options"
	if parts, err := d.askAll(ctx, "getprop "+restrictedSettings[0].property, "getprop "+restrictedSettings[1].property,
		"getprop "+restrictedSettings[2].property); err == nil {
		if i := slices.IndexFunc(parts, func(s string) bool { return strings.TrimSpace(s) != "" }); i >= 0 {
			cure = restrictedSettings[i].setting
		}
	}
	return fmt.Errorf("the phone refuses it: %s: %s", short, cure)
}

// Uninstall removes the app with this id, and its data. A part of the system can only be switched
// back to the version that the phone came with.
func (d *Driver) Uninstall(ctx context.Context, id string) error {
	return d.do(ctx, driver.OpUninstall, limitInstall, func(ctx context.Context) error {
		if err := d.mustHave(ctx, id); err != nil {
			return err
		}
		defer d.screen.forget()
		_, err := d.pm(ctx, "pm uninstall "+id)
		return err
	})
}

// opClearData is no part of the driver contract.
const opClearData driver.Op = "clear data"

// ClearData ends the app with this id and deletes everything that it has stored, so that it starts
// as if it had just been installed. Permissions that were granted are taken back.
func (d *Driver) ClearData(ctx context.Context, id string) error {
	return d.do(ctx, opClearData, limitInstall, func(ctx context.Context) error {
		if err := d.mustHave(ctx, id); err != nil {
			return err
		}
		defer d.screen.forget()
		_, err := d.pm(ctx, "pm clear "+id)
		return err
	})
}

// mustHave wants the id of an installed app. A name is refused, as a guess must not delete anything.
func (d *Driver) mustHave(ctx context.Context, id string) error {
	if !isPackage(id) {
		return fmt.Errorf("%w: %q is not an app's id, which this wants: see the list of apps", driver.ErrAppNotFound, shorten(id))
	}
	there, err := d.present(ctx, []string{id})
	if err == nil && len(there) == 0 {
		err = fmt.Errorf("%w: %s is not installed", driver.ErrAppNotFound, id)
	}
	return err
}
