package adb

import (
	"context"
	"regexp"
	"strings"
)

// displaysLines tell which displays are on: Android 11 and newer in a line for each, but for some
// vendors' builds, and all others by their viewports.
var displaysLines = []string{"cmd display get-displays 2>/dev/null", "dumpsys display | grep -o 'DisplayViewport{[^}]*}'"}

var (
	displayLine  = regexp.MustCompile(`state (\w+).*type INTERNAL.*uniqueId "local:(\d+)"`)
	viewportText = regexp.MustCompile(`DisplayViewport\{[^}]*\}`)
	viewportID   = regexp.MustCompile(`uniqueId='local:(\d+)'`)
)

// chooseDisplay picks the display that a person looks at, on a phone with several: a foldable's first
// one may be folded away. It says whether that is another one than before. Where the phone does not
// tell, the picture that it takes by itself stands.
func (d *Driver) chooseDisplay(ctx context.Context) (other bool) {
	parts, err := d.askAll(ctx, displaysLines...)
	if err != nil {
		return false // the picture that there is stands
	}
	return d.useDisplay(ctx, parts[0], parts[1], true)
}

// useDisplay notes the display that is on, of what displaysLines printed. several says that there is
// more than one for certain.
func (d *Driver) useDisplay(ctx context.Context, displays, viewports string, several bool) (other bool) {
	id, count := displayInUse(displays, viewports)
	if id == "" && several {
		d.log.WarnContext(ctx, "several displays, and the phone does not tell which is in use: taking its first")
	}
	if id == "" || count < 2 && !several {
		return false
	}
	before := d.frames.display.Swap(&id)
	return before == nil || *before != id
}

// displayInUse returns the id, as screencap takes it, of the built-in display that is on, and how many
// built-in displays there are.
func displayInUse(displays, viewports string) (id string, count int) {
	for line := range strings.Lines(displays) {
		m := displayLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		if count++; m[1] == "ON" && id == "" {
			id = m[2]
		}
	}
	if count > 0 {
		return id, count
	}
	for _, v := range viewportText.FindAllString(viewports, -1) {
		m := viewportID.FindStringSubmatch(v)
		if m == nil || !strings.Contains(v, "type=INTERNAL") {
			continue
		}
		count++
		if strings.Contains(v, "isActive=true") && (id == "" || strings.Contains(v, "displayId=0,")) {
			id = m[1]
		}
	}
	return id, count
}
