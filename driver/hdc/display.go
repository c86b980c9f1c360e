package hdc

import (
	"image"
	"regexp"
	"strconv"
	"strings"
)

// The questions to the phone's services. The quotes around the inner option must reach the phone's shell.
const (
	askRender  = `hidumper -s RenderService -a screen`
	askWindows = `hidumper -s WindowManagerService -a '-a'`
	askDisplay = `hidumper -s DisplayManagerService -a -a`
)

var (
	renderSize  = regexp.MustCompile(`render (?:size: ?|resolution=)(\d+)x(\d+)`)
	powerStatus = regexp.MustCompile(`power[sS]tatus=(?:POWER_STATUS_)?(\w+)`)
	isVirtual   = regexp.MustCompile(`is[vV]irtual=true`)
)

// panel is what the RenderService says of the display.
type panel struct {
	size  image.Point // that is rendered, in the natural orientation; zero where the phone does not tell, or boots
	power string      // ON, ON_ADVANCED, OFF, DOZE, ...; "" where the phone does not tell
}

// parsePanel reads the first display that is not virtual, in the words of API 19 and older or of API 20 and newer; of
// several, such as those of a foldable, the one that is on.
func parsePanel(text string) panel {
	var found panel
	for line := range strings.Lines(text) {
		status := powerStatus.FindStringSubmatch(line)
		if status == nil || isVirtual.MatchString(line) {
			continue
		}
		p := panel{power: status[1]}
		if m := renderSize.FindStringSubmatch(line); m != nil {
			p.size = sizeOf(m[1], m[2])
		}
		if found.power == "" || p.on() && !found.on() {
			found = p
		}
	}
	return found
}

// on says that the display takes input. A phone that does not tell is taken to be on.
func (p panel) on() bool { return p.power == "" || p.power == "ON" || p.power == "ON_ADVANCED" }

func sizeOf(w, h string) image.Point {
	x, errX := strconv.Atoi(w)
	y, errY := strconv.Atoi(h)
	if errX != nil || errY != nil || x <= 0 || y <= 0 || x > 1<<14 || y > 1<<14 {
		return image.Point{}
	}
	return image.Pt(x, y)
}

var (
	screenRotation = regexp.MustCompile(`(?m)^\s*ScreenRotation:\s*(\d+)`)
	plainRotation  = regexp.MustCompile(`(?m)^\s*Rotation:\s*(\d+)`)
)

// parseRotation reads the quarter turns that the DisplayManagerService tells: in degrees as ScreenRotation, or on some
// builds as 0 to 3 in Rotation, of which the last one is the display's own.
func parseRotation(text string) (turns int, ok bool) {
	if m := screenRotation.FindStringSubmatch(text); m != nil && m[1] != "0" {
		return quarter(m[1])
	}
	all := plainRotation.FindAllStringSubmatch(text, -1)
	for _, m := range all {
		if m[1] != "0" {
			return quarter(m[1])
		}
	}
	return 0, len(all) > 0 || screenRotation.MatchString(text)
}

func quarter(s string) (int, bool) {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0, false
	}
	if n >= 90 {
		n /= 90
	}
	return n % 4, true
}

// windowRow is a visible window of the WindowManagerService.
type windowRow struct {
	name string
	kind string // the number of its type
}

// afterName is how many columns are between a window's name, in which there can be blanks, and its bounds; the type is the
// fourth of them.
const afterName, typeColumn = 8, 3

// parseWindows reads the windows that are visible: those above the line of dashes behind the first table.
func parseWindows(text string) []windowRow {
	_, table, ok := strings.Cut(text, "WindowName")
	if !ok {
		return nil
	}
	var rows []windowRow
	first := true
	for line := range strings.Lines(table) {
		left, _, _ := strings.Cut(line, "[")
		f := strings.Fields(left)
		name := len(f) - afterName
		switch {
		case first: // the rest of the header
			first = false
		case strings.HasPrefix(line, "---"):
			return rows
		case name > 0:
			rows = append(rows, windowRow{name: strings.Join(f[:name], " "), kind: f[name+typeColumn]})
		}
	}
	return rows
}

// typeLock is the type of the lock screen's window, WINDOW_TYPE_KEYGUARD.
const typeLock = "2110"

// lockShown says that the lock screen is among the visible windows.
func lockShown(text string) bool {
	for _, w := range parseWindows(text) {
		if w.kind == typeLock || strings.Contains(w.name, "ScreenLock") {
			return true
		}
	}
	return false
}
