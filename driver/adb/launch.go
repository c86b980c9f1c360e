package adb

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/nap"
)

const (
	// frontLimit bounds the wait for the app to come to the front, after the phone said that it
	// started it.
	frontLimit = 8 * time.Second
	frontPoll  = 150 * time.Millisecond
	// startWait bounds `am start -W`, which hangs for apps whose first activity ends at once.
	startWait = 20 * time.Second
)

// launchFlags are NEW_TASK and RESET_TASK_IF_NEEDED, as the launcher starts an app.
const launchFlags = "0x10200000"

// Launch starts an app, or brings it to the front, and waits until it is there. A dialog that asks
// for a permission of the app counts as the app. ErrAsleep and ErrLocked say why it cannot come to
// the front.
func (d *Driver) Launch(ctx context.Context, app string) error {
	return d.do(ctx, driver.OpLaunch, limitLaunch, func(ctx context.Context) error {
		a, err := d.resolve(ctx, app)
		if err != nil {
			return err
		}
		defer d.screen.forget()
		if err := d.start(ctx, a.ID); err != nil {
			return err
		}
		return d.awaitFront(ctx, a.ID)
	})
}

// start starts the app's launcher activity, by name where the phone tells it, and else through monkey.
func (d *Driver) start(ctx context.Context, pkg string) error {
	e, err := d.entryOf(ctx, pkg)
	if err != nil {
		return err
	}
	if e.activity == "" {
		return d.monkey(ctx, pkg, "it tells no launcher activity")
	}
	failed, err := d.startActivity(ctx, e)
	if err != nil || failed == "" {
		return err
	}
	return d.monkey(ctx, pkg, failed)
}

// The categories of activities that a home screen shows: of phones, and of televisions.
const (
	launcherCategory = "android.intent.category.LAUNCHER"
	leanbackCategory = "android.intent.category.LEANBACK_LAUNCHER"
)

// entry is the activity that a home screen starts an app with.
type entry struct{ activity, category string }

var activityLine = regexp.MustCompile(`^[\w.]+/[\w.$]+$`)

// entryOf returns how the home screen would start an app. Where the phone names its chooser, or another
// app, the app's own first activity counts; what only a television shows comes last. The zero entry
// is an app that tells none.
func (d *Driver) entryOf(ctx context.Context, pkg string) (entry, error) {
	for _, way := range []struct{ line, category string }{
		{"cmd package resolve-activity --brief -a android.intent.action.MAIN -c " + launcherCategory, launcherCategory},
		{fmt.Sprintf(launcherQuery, " --brief"), launcherCategory},
		{fmt.Sprintf(leanbackQuery, " --brief"), leanbackCategory},
	} {
		out, err := d.ask(ctx, way.line+" "+pkg)
		if err != nil {
			return entry{}, err
		}
		if activity := ownActivity(string(out.stdout), pkg); activity != "" {
			return entry{activity, way.category}, nil
		}
	}
	return entry{}, nil
}

// ownActivity returns the first line that is an activity of pkg: not the system's chooser, whose name
// comes in the app's place where several apps could be meant.
func ownActivity(text, pkg string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); activityLine.MatchString(line) && strings.HasPrefix(line, pkg+"/") {
			return line
		}
	}
	return ""
}

// startActivity runs am start and returns why it failed, "" for success: it ends with 0 for most
// errors, and a class may well have "Error" in its name, so only its own words count.
func (d *Driver) startActivity(ctx context.Context, e entry) (failed string, err error) {
	short, cancel := context.WithTimeout(ctx, startWait)
	defer cancel()
	out, err := d.act(short, fmt.Sprintf("am start -W -n %s -a android.intent.action.MAIN -c %s -f %s",
		quote(e.activity), e.category, launchFlags))
	switch {
	case err != nil && short.Err() != nil && ctx.Err() == nil:
		d.log.WarnContext(ctx, "am start -W did not end; looking whether the app came", "activity", e.activity)
		return "", nil
	case err != nil:
		return "", err
	case started(string(out.stdout) + "\n" + string(out.stderr)):
		return "", nil
	}
	driver.MarkRefused(ctx)
	return complaint(out.stderr, out.stdout), nil
}

// started says that am's output tells of success. A start that timed out is judged by what is in front.
func started(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "Error"), strings.Contains(line, "Exception:"):
			return false
		case line == "Status: ok", line == "Status: timeout", strings.HasPrefix(line, "Warning: Activity not started"):
			return true
		}
	}
	return false
}

// monkey starts an app as a launcher would, on every release; it is the last resort, as it says little.
func (d *Driver) monkey(ctx context.Context, pkg, why string) error {
	d.log.InfoContext(ctx, "starting an app through monkey", "app", pkg, "because", why)
	said := ""
	for _, category := range []string{launcherCategory, leanbackCategory} {
		out, err := d.act(ctx, "monkey -p "+pkg+" --pct-syskeys 0 -c "+category+" 1")
		if err != nil {
			return err
		}
		text := string(out.stdout) + string(out.stderr)
		if strings.Contains(text, "Events injected: 1") {
			return nil
		}
		driver.MarkRefused(ctx)
		said = complaint(out.stderr, lastLines(out.stdout))
		if !strings.Contains(text, "No activities found") {
			break
		}
	}
	return fmt.Errorf("%s cannot be started (%s; monkey: %s)", pkg, why, said)
}

// lastLines leaves out monkey's echo of its arguments.
func lastLines(out []byte) []byte {
	var keep []string
	for line := range strings.Lines(string(out)) {
		if !strings.Contains(line, "bash arg:") {
			keep = append(keep, line)
		}
	}
	return []byte(strings.Join(keep, ""))
}

// awaitFront waits until the app has the focus. After a while it looks whether the phone is asleep
// or locked, which no wait will change.
func (d *Driver) awaitFront(ctx context.Context, pkg string) error {
	begin, looked := time.Now(), false
	for {
		f, err := d.readFocus(ctx)
		waited := time.Since(begin)
		if err != nil || isFront(f, pkg) || asksFirst(f) && waited >= d.frontLimit/8 {
			return err
		}
		if !looked && waited > d.frontLimit/4 {
			looked = true
			if err := d.shut(ctx, pkg); err != nil {
				return err
			}
		}
		if waited > d.frontLimit {
			front := orElse(strings.TrimSpace(f.front.pkg+" "+f.front.page), "nothing")
			return fmt.Errorf("%s was started and did not come to the front within %v: %s is", pkg, d.frontLimit, front)
		}
		if err := nap.For(ctx, frontPoll); err != nil {
			return err
		}
	}
}

func isFront(f focus, pkg string) bool {
	return f.front.pkg == pkg || f.app.pkg == pkg && f.front.pkg != "com.android.systemui"
}

// asksFirst says that the system asks for a permission, as it does before the first page of an app. That
// it does so for this app, only the time tells: another's question is behind the app by then.
func asksFirst(f focus) bool { return strings.HasSuffix(f.front.page, "GrantPermissionsActivity") }

// shut says that the app cannot come to the front of a phone that is asleep or locked.
func (d *Driver) shut(ctx context.Context, pkg string) error {
	switch p, err := d.power(ctx); {
	case err != nil:
		return nil // it does not tell
	case !p.On:
		return fmt.Errorf("%w: %s was started behind it; wake the phone", driver.ErrAsleep, pkg)
	case p.Locked:
		return fmt.Errorf("%w: %s was started behind the lock screen; unlock the phone", driver.ErrLocked, pkg)
	}
	return nil
}

// OpenURL opens a URL in the app that takes it.
func (d *Driver) OpenURL(ctx context.Context, url string) error {
	return d.do(ctx, driver.OpOpenURL, limitLaunch, func(ctx context.Context) error {
		if !openable(url) {
			return fmt.Errorf("%q is not a URL: want SCHEME:… without control characters", shorten(url))
		}
		defer d.screen.forget()
		scheme, rest, _ := strings.Cut(url, ":") // Android takes schemes in small letters only
		out, err := d.act(ctx, "am start -a android.intent.action.VIEW -d "+quote(strings.ToLower(scheme)+":"+rest))
		if err != nil {
			return err
		}
		text := string(out.stdout) + "\n" + string(out.stderr)
		if strings.Contains(text, "unable to resolve Intent") {
			driver.MarkRefused(ctx)
			return fmt.Errorf("no app on the phone opens it: %s", complaint(out.stderr, out.stdout))
		}
		if out.code > 0 || amFailed(text) {
			driver.MarkRefused(ctx)
			return fmt.Errorf("am start ended with %d: %s", out.code, complaint(out.stderr, out.stdout))
		}
		return nil
	})
}

var urlPattern = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x1f\x7f]+$`)

func openable(url string) bool { return len(url) <= 64<<10 && urlPattern.MatchString(url) }

func shorten(s string) string {
	if len(s) > 100 {
		return strings.ToValidUTF8(s[:100], "") + "…"
	}
	return s
}

func amFailed(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "Error:") || strings.HasPrefix(line, "Error type") || strings.Contains(line, "Exception:") {
			return true
		}
	}
	return false
}
