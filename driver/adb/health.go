package adb

import (
	"context"
	"image"
	"regexp"
	"strconv"
	"strings"

	"github.com/handset-go/handset/driver"
)

// uniformRatio is how well a picture packs that can be of one colour: zlib packs a uniform one
// about 1000 to 1, and a page with some text less than 300 to 1.
const uniformRatio = 360

// smallPNG is up to how many bytes a picture is looked at however well it packs: a small one is mostly
// headers and the beginning of zlib's stream, and packs badly even where it is black.
const smallPNG = 4 << 10

// health says why a picture can be of one colour. other says that it was of a display that is off, and
// another one is noted now.
func (d *Driver) health(ctx context.Context) (h driver.Health, other bool, err error) {
	parts, err := d.askAll(ctx, append([]string{powerLines, secureLines}, displaysLines...)...)
	if err != nil {
		return "", false, err
	}
	switch {
	case parts[0] != "" && !parsePower(parts[0]).On:
		return driver.HealthAsleep, false, nil
	case d.useDisplay(ctx, parts[2], parts[3], false):
		return driver.HealthOK, true, nil
	case focusIsSecure(parts[1]):
		return driver.HealthProtected, false, nil
	}
	return driver.HealthOK, false, nil
}

// mostlyOneColour says that at least nine of ten pixels on a grid are of one colour.
func mostlyOneColour(m image.Image) bool {
	counts, total := map[[4]uint32]int{}, 0
	b := m.Bounds()
	for y := range grid {
		for x := range grid {
			p := b.Min.Add(image.Pt((2*x+1)*b.Dx()/(2*grid), (2*y+1)*b.Dy()/(2*grid)))
			r, g, bl, a := m.At(p.X, p.Y).RGBA()
			counts[[4]uint32{r, g, bl, a}]++
			total++
		}
	}
	for _, n := range counts {
		if 10*n >= 9*total {
			return true
		}
	}
	return false
}

const grid = 48

// secureLines lists the windows with their flags, and which has the focus.
const secureLines = `dumpsys window windows | grep -E 'Window #[0-9]+|fl=|mCurrentFocus='; dumpsys window displays | grep mCurrentFocus=`

var (
	windowHeader = regexp.MustCompile(`Window #\d+.*Window\{([0-9a-f]+) `)
	focusHash    = regexp.MustCompile(`mCurrentFocus=Window\{([0-9a-f]+) `)
	windowFlags  = regexp.MustCompile(`\bfl=(?:#([0-9a-fA-F]+)|(.*))`)
	secureName   = regexp.MustCompile(`\bSECURE\b`)
)

// flagSecure is WindowManager.LayoutParams.FLAG_SECURE.
const flagSecure = 0x2000

// focusIsSecure says that the focused window forbids its capture. Android 10 and newer name the
// flags, older ones print a number.
func focusIsSecure(text string) bool {
	focused := focusHash.FindStringSubmatch(text)
	if focused == nil {
		return false
	}
	window := ""
	for line := range strings.Lines(text) {
		if m := windowHeader.FindStringSubmatch(line); m != nil {
			window = m[1]
		}
		m := windowFlags.FindStringSubmatch(line)
		if m == nil || window != focused[1] {
			continue
		}
		n, err := strconv.ParseUint(m[1], 16, 64)
		return err == nil && n&flagSecure != 0 || secureName.MatchString(m[2])
	}
	return false
}
