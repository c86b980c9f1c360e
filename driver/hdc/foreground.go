package hdc

import (
	"context"
	"regexp"
	"strings"

	"github.com/handset-go/handset/driver"
)

const askMissions = "aa dump -l"

// Foreground returns the app in front with its ability as the page. The desktop is in front where no app is.
func (d *Driver) Foreground(ctx context.Context) (driver.App, error) {
	return value(ctx, d, driver.OpForeground, limitShort, func(ctx context.Context) (driver.App, error) {
		out, err := d.ask(ctx, askMissions)
		if err != nil {
			return driver.App{}, err
		}
		front, ok := parseMissions(out.text)
		if !ok {
			return driver.App{}, driver.Unsupported("aa dump lists no missions: %s", complaint(out.text))
		}
		app := d.app(front.ID)
		app.Page = front.Page
		return app, nil
	})
}

var missionField = regexp.MustCompile(`^(main name|bundle name) \[([^\]]*)\]`)

// parseMissions reads `aa dump -l`, or the first part of `aa dump -a`, and returns the app whose mission is in the
// foreground, or the desktop where there is none. Extensions, which can be in the foreground too, are not apps. ok is
// false where it is no such dump.
func parseMissions(text string) (front driver.App, ok bool) {
	var at driver.App
	inside := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case strings.Contains(line, "mission lists"):
			ok = true
		case strings.HasPrefix(line, "Mission ID"):
			at, inside, ok = driver.App{}, true, true
		case strings.HasSuffix(line, "Records:"):
			inside = false
		case !inside:
		case strings.HasPrefix(line, "state #FOREGROUND"):
			if at.ID != "" {
				return at, true
			}
		default:
			takeField(&at, line)
		}
	}
	return driver.App{ID: desktop}, ok
}

func takeField(at *driver.App, line string) {
	m := missionField.FindStringSubmatch(line)
	switch {
	case m == nil:
	case m[1] == "bundle name":
		at.ID = m[2]
	default:
		at.Page = m[2]
	}
}
