package adb

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync/atomic"
	"time"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/nap"
)

const (
	// focusTries and focusWait bridge the moments, up to half a second, in which nothing has the focus.
	focusTries = 5
	focusWait  = 120 * time.Millisecond
)

// focusSources are the lines that tell the focus, newest releases first: `window windows` lost it
// in Android 10, and old ones know no `window displays`.
var focusSources = []string{
	`dumpsys window displays | grep -E 'mCurrentFocus=|mFocusedApp=|` + dumpTimeout + `'`,
	`dumpsys window windows | grep -E 'mCurrentFocus=|mFocusedApp=|` + dumpTimeout + `'`,
}

// dumpTimeout is what dumpsys says after 10 s in which a service did not answer. Another question to
// it would take as long.
const dumpTimeout = "DUMP TIMEOUT"

// resumedLines tell the activity in front where no window has the focus.
const resumedLines = `dumpsys activity activities | grep -E 'topResumedActivity=|ResumedActivity:|mFocusedActivity:'`

// focusSource remembers which line worked.
type focusSource struct{ index atomic.Int32 }

// Foreground returns the app in front with its activity's class as the page. A window of the system
// that has the focus, such as the notification shade, is in front.
func (d *Driver) Foreground(ctx context.Context) (driver.App, error) {
	return value(ctx, d, driver.OpForeground, limitShort, func(ctx context.Context) (driver.App, error) {
		f, err := d.focusNow(ctx)
		if err != nil {
			return driver.App{}, err
		}
		app := d.app(f.front.pkg)
		app.Page = f.front.page
		return app, nil
	})
}

// focusNow reads the focus, and waits out a moment without one.
func (d *Driver) focusNow(ctx context.Context) (focus, error) {
	var f focus
	for range focusTries {
		var err error
		if f, err = d.readFocus(ctx); err != nil || f.front.pkg != "" {
			return f, err
		}
		if err := nap.For(ctx, focusWait); err != nil {
			return focus{}, err
		}
	}
	if f.app.pkg != "" {
		return focus{front: f.app, app: f.app}, nil
	}
	return d.readResumed(ctx)
}

// readResumed reads the activity in front from the activity manager.
func (d *Driver) readResumed(ctx context.Context) (focus, error) {
	out, err := d.ask(ctx, resumedLines)
	if err != nil {
		return focus{}, err
	}
	f := parseResumed(string(out.stdout))
	if f.front.pkg == "" {
		return focus{}, fmt.Errorf("no window has the focus, and no activity is in front: %s", complaint(out.stdout, out.stderr))
	}
	return f, nil
}

func (d *Driver) readFocus(ctx context.Context) (focus, error) {
	first := int(d.focus.index.Load())
	for i := range focusSources {
		n := (first + i) % len(focusSources)
		out, err := d.ask(ctx, focusSources[n])
		if err != nil {
			return focus{}, err
		}
		if strings.Contains(string(out.stdout), dumpTimeout) {
			return d.readResumed(ctx)
		}
		if strings.Contains(string(out.stdout), "mCurrentFocus=") || strings.Contains(string(out.stdout), "mFocusedApp=") {
			d.focus.index.Store(int32(n))
			return parseFocus(string(out.stdout)), nil
		}
	}
	return focus{}, nil
}

// place is an activity, or a window of the system.
type place struct{ pkg, page string }

// focus is what is in front, and which app's task is.
type focus struct {
	front place
	app   place // of the focused task; the front one where no other is told
}

var (
	focusLine     = regexp.MustCompile(`mCurrentFocus=(?:null|Window\{([^}]*))`)
	focusedLine   = regexp.MustCompile(`mFocusedApp=.*ActivityRecord\{([^}]*)`)
	resumedLine   = regexp.MustCompile(`(topResumedActivity=|mResumedActivity: |ResumedActivity: |mFocusedActivity: )ActivityRecord\{([^}]*)`)
	componentWord = regexp.MustCompile(`(?:^| )([A-Za-z][\w.]*)/([\w.$]+)`)
)

// coverPage is the app that Samsung shows on the other display.
const coverPage = ".subscreen.SubHomeActivity"

// parseFocus reads the lines of focusSources. With several displays it takes the pair of focus and
// focused app that agree.
func parseFocus(text string) focus {
	var apps []place
	var windows []string
	for _, m := range focusedLine.FindAllStringSubmatch(text, -1) {
		if p, ok := componentIn(m[1]); ok && !strings.HasSuffix(p.page, coverPage) {
			apps = append(apps, p)
		}
	}
	for _, m := range focusLine.FindAllStringSubmatch(text, -1) {
		if m[1] != "" {
			windows = append(windows, m[1])
		}
	}
	f := pairUp(windows, apps)
	if f.front.pkg == "" && !strings.Contains(text, "mCurrentFocus=") {
		f.front = f.app
	}
	return f
}

func pairUp(windows []string, apps []place) focus {
	var f focus
	if len(apps) > 0 {
		f.app = apps[0]
	}
	for _, w := range windows {
		p, ok := componentIn(w)
		if !ok {
			continue
		}
		for _, a := range apps {
			if a.pkg == p.pkg {
				return focus{front: p, app: a}
			}
		}
		if f.front.pkg == "" && !strings.HasSuffix(p.page, coverPage) {
			f.front = p
		}
	}
	if f.front.pkg == "" && len(windows) > 0 {
		f.front = systemWindow(windows[0], f.app)
	}
	return f.settled()
}

func (f focus) settled() focus {
	if f.app.pkg == "" {
		f.app = f.front
	}
	return f
}

// systemWindow says what a window without an activity is: "85a52f2 u0 NotificationShade".
func systemWindow(window string, app place) place {
	_, title, _ := strings.Cut(window, " ")
	title = strings.TrimSpace(userWord.ReplaceAllString(title, ""))
	switch {
	case strings.HasPrefix(title, "Application Not Responding"):
		return place{"android", title}
	case strings.HasPrefix(title, "StatusBar"), strings.HasPrefix(title, "NotificationShade"), strings.HasPrefix(title, "Keyguard"):
		return place{"com.android.systemui", title}
	}
	return app // a popup, a keyboard, a search panel: it belongs to the app below
}

var userWord = regexp.MustCompile(`^u\d* `)

// parseResumed reads the lines of resumedLines, the surest first.
func parseResumed(text string) focus {
	all := resumedLine.FindAllStringSubmatch(text, -1)
	for _, want := range []string{"topResumedActivity=", ""} {
		for _, m := range all {
			if p, ok := componentIn(m[2]); ok && (want == "" || m[1] == want) && !strings.HasSuffix(p.page, coverPage) {
				return focus{front: p}.settled()
			}
		}
	}
	return focus{}
}

// componentIn finds PACKAGE/CLASS in the inside of a Window{…} or ActivityRecord{…}, and writes the
// class out.
func componentIn(s string) (place, bool) {
	m := componentWord.FindStringSubmatch(s)
	if m == nil {
		return place{}, false
	}
	page := m[2]
	if strings.HasPrefix(page, ".") {
		page = m[1] + page
	}
	return place{m[1], page}, true
}
