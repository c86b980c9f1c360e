package adb

import (
	"context"
	"regexp"
	"strings"
)

// displayLine is a line of `cmd display get-displays` (Android 11 and newer).
var displayLine = regexp.MustCompile(`state (\w+).*type INTERNAL.*uniqueId "local:(\d+)"`)

// chooseDisplay picks the display that a person looks at, on a phone with several: a foldable's
// first one may be folded away. Where the phone does not tell, the picture that it took by itself
// stands.
func (d *Driver) chooseDisplay(ctx context.Context, taken *output) (*output, error) {
	out, err := d.ask(ctx, "cmd display get-displays")
	if err != nil {
		return nil, err
	}
	id := displayInUse(string(out.stdout))
	if id == "" {
		d.log.WarnContext(ctx, "several displays, and the phone does not tell which is in use: taking its first")
		return taken, nil
	}
	d.frames.display.Store(&id)
	return d.screencap(ctx)
}

// displayInUse returns the id, as screencap takes it, of the built-in display that is on.
func displayInUse(text string) string {
	for line := range strings.Lines(text) {
		if m := displayLine.FindStringSubmatch(line); m != nil && m[1] == "ON" {
			return m[2]
		}
	}
	return ""
}
