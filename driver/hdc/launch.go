package hdc

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/apps"
	"github.com/handset-go/handset/internal/nap"
)

const (
	// frontLimit bounds the wait for the app to come to the front, after the phone said that it started it.
	frontLimit = 8 * time.Second
	frontPoll  = 150 * time.Millisecond
)

// Launch starts an app, or brings it to the front, and waits until it is there. ErrAsleep and ErrLocked say why it cannot come
// to the front.
func (d *Driver) Launch(ctx context.Context, app string) error {
	return d.do(ctx, driver.OpLaunch, limitLaunch, func(ctx context.Context) error {
		id, e, err := d.entryOf(ctx, app)
		if err != nil {
			return err
		}
		defer d.screen.forget() // it may turn the display
		front, err := d.start(ctx, id, e)
		if err != nil || front == id {
			return err
		}
		return d.awaitFront(ctx, id)
	})
}

// entryOf resolves an app and finds what starts it. The bundles that a name most likely means are asked about in the same
// line, so that this is one process, or two for a name that no table knows.
func (d *Driver) entryOf(ctx context.Context, app string) (id string, e entry, err error) {
	likely := slices.Concat(d.candidates(strings.TrimSpace(app))...)
	lines := []string{askBundles}
	for _, id := range likely {
		lines = append(lines, "bm dump -n "+id)
	}
	parts, err := d.askAll(ctx, lines...)
	if err != nil {
		return "", e, err
	}
	a, err := d.resolveIn(parts[0], app)
	if err != nil {
		return "", e, err
	}
	text := ""
	if at := slices.Index(likely, a.ID); at >= 0 {
		text = parts[at+1]
	} else {
		out, err := d.ask(ctx, "bm dump -n "+a.ID)
		if err != nil {
			return "", e, err
		}
		text = out.text
	}
	e, err = parseBundle(text)
	if errors.Is(err, errNoBundle) {
		e = entry{ability: orElse(apps.Ability(a.ID), "EntryAbility")}
		d.log.InfoContext(ctx, "bm does not tell the main ability; taking the usual one", "app", a.ID, "ability", e.ability, "because", err)
		return a.ID, e, nil
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", a.ID, err)
	}
	return a.ID, e, err
}

// start starts an ability and returns what is in front right after that. aa ends with 0 whatever happened.
func (d *Driver) start(ctx context.Context, id string, e entry) (front string, err error) {
	line := "aa start -a " + quote(e.ability) + " -b " + quote(id)
	if e.module != "" {
		line += " -m " + quote(e.module)
	}
	out, err := d.guarded(ctx, guard{awake: true, unlocked: true}, line+"\n"+askMissions)
	if err != nil {
		return "", err
	}
	if err := started(out); err != nil {
		driver.MarkRefused(ctx)
		return "", fmt.Errorf("%s cannot be started: %w", id, err)
	}
	app, _ := parseMissions(out.text)
	return app.ID, nil
}

// aaCode is the number of a failure: a line of its own from API 18 on.
var aaCode = regexp.MustCompile(`Error Code: ?(\d+)\s+Error Message: ?([^\n]*)`)

// started judges what aa start printed.
func started(out *output) error {
	text := out.text
	switch {
	case strings.Contains(text, "start ability successfully"):
		return nil
	case strings.Contains(text, "10106102"), strings.Contains(text, "unlock screen failed"):
		return errLocked
	case strings.Contains(text, "10103101"):
		return errors.New("no app on the phone takes it")
	}
	if m := aaCode.FindStringSubmatch(text); m != nil {
		return advised(fmt.Errorf("aa start: %s: %s", m[1], complaint(m[2])), aaCures[m[1]])
	}
	text, _, _ = strings.Cut(text, "User ID #") // what askMissions adds
	err := fmt.Errorf("aa start: %s", complaint(text))
	if strings.Contains(text, "not developer mode") {
		return advised(err, cureDeveloper)
	}
	return err
}

// aaCures say what to do where aa refuses to start an app, by its codes.
var aaCures = map[string]string{
	"10106001": cureDeveloper,
	"10106103": "the trial of this app has run out: install another version",
	"10106106": "whoever manages this phone forbids it",
}

const cureDeveloper = "switch developer mode on (Settings, System, Developer options)"

// advised adds what to do to an error, where that is known.
func advised(err error, cure string) error {
	if cure == "" {
		return err
	}
	return fmt.Errorf("%w: %s", err, cure)
}

// awaitFront waits until the app has the foreground. After a while it looks whether the phone is asleep or locked, which
// no wait will change.
func (d *Driver) awaitFront(ctx context.Context, id string) error {
	begin, looked := time.Now(), false
	for {
		if err := nap.For(ctx, frontPoll); err != nil {
			return err
		}
		out, err := d.ask(ctx, askMissions)
		if err != nil {
			return err
		}
		front, ok := parseMissions(out.text)
		if front.ID == id && ok {
			return nil
		}
		waited := time.Since(begin)
		if !looked && waited > d.frontLimit/4 {
			looked = true
			if err := d.awake(ctx); err != nil {
				return fmt.Errorf("%s was started behind it: %w", id, err)
			}
		}
		if waited > d.frontLimit {
			return fmt.Errorf("%s was started and did not come to the front within %v: %s is", id, d.frontLimit, front.ID)
		}
	}
}

// OpenURL opens a URL in the app that takes it.
func (d *Driver) OpenURL(ctx context.Context, url string) error {
	return d.do(ctx, driver.OpOpenURL, limitLaunch, func(ctx context.Context) error {
		if !openable(url) {
			return fmt.Errorf("%q is not a URL: want SCHEME:… without control characters", shorten(url))
		}
		defer d.screen.forget()
		line := "aa start -A ohos.want.action.viewData -e entity.system.browsable -U " + quote(url)
		out, err := d.guarded(ctx, guard{awake: true, unlocked: true}, line)
		if err != nil {
			return err
		}
		if err := started(out); err != nil {
			driver.MarkRefused(ctx)
			return err
		}
		return nil
	})
}

var urlPattern = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x1f\x7f]+$`)

// maxURL leaves room in a command line for the quotes of a URL that consists of them.
const maxURL = 12_000

func openable(url string) bool { return len(url) <= maxURL && urlPattern.MatchString(url) }

func shorten(s string) string {
	if len(s) > 100 {
		return strings.ToValidUTF8(s[:100], "") + "…"
	}
	return s
}
