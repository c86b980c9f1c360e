package hdc

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/nap"
)

// pictureWait is the pause before the one retry of a capture that left an empty or broken file.
const pictureWait = 250 * time.Millisecond

// errEmptyPicture says that the tool said success and the file is no picture; another try may help.
var errEmptyPicture = errors.New("the phone's picture is empty or cut short")

// Screenshot returns the frame that snapshot_display takes, or uitest screenCap on a phone without it.
func (d *Driver) Screenshot(ctx context.Context) (*driver.Screen, error) {
	return value(ctx, d, driver.OpScreenshot, limitShort, d.capture)
}

func (d *Driver) capture(ctx context.Context) (*driver.Screen, error) {
	data, err := d.picture(ctx)
	if errors.Is(err, errEmptyPicture) && nap.For(ctx, pictureWait) == nil {
		data, err = d.picture(ctx)
	}
	if err != nil {
		return nil, err
	}
	health, err := d.health(ctx, data)
	if err != nil {
		return nil, err
	}
	s, err := driver.NewScreen(data, health)
	if err != nil {
		return nil, err
	}
	return s, d.sawScreen(ctx, s)
}

// sawScreen learns from the frame's size. One that fits nothing known means another display, or another resolution,
// which is measured once.
func (d *Driver) sawScreen(ctx context.Context, s *driver.Screen) error {
	if d.screen.sawFrame(s.Size()) {
		return nil
	}
	if err := d.measure(ctx); err != nil && !errors.Is(err, errNoSize) {
		return err
	}
	d.screen.sawFrame(s.Size())
	return nil
}

// camera is a tool of the phone that takes pictures.
type camera struct {
	program  string
	line     string // with a %s for the file
	suffix   string
	positive string // what it says of success
}

// camera chooses the tool: snapshot_display is 5 to 20 times faster than uitest, and gives PNG from API 18 on only.
func (d *Driver) camera() camera {
	switch {
	case d.lacks.snapshot.Load(), d.opts.PNG && d.info.api < apiText:
		return camera{"uitest", "uitest screenCap -p %s", ".png", "saved to"}
	case d.opts.PNG:
		return camera{"snapshot_display", "snapshot_display -f %s -t png", ".png", "success: snapshot"}
	}
	return camera{"snapshot_display", "snapshot_display -f %s", ".jpeg", "success: snapshot"}
}

// picture takes one picture, in one process: the phone writes it to a file of its own, prints that as text, and
// removes it.
func (d *Driver) picture(ctx context.Context) ([]byte, error) {
	c, file := d.camera(), ""
	file = tempFile(c.suffix)
	if d.lacks.base64.Load() {
		return d.fetchPicture(ctx, c, file)
	}
	s := newSections()
	take := fmt.Sprintf(c.line, file)
	out, err := d.photograph(ctx, c, file, s.line(take, "base64 "+file+"; rm -f "+file))
	if err != nil {
		return nil, err
	}
	parts := s.split(out.text)
	if err := d.taken(ctx, c, parts[0]); err != nil {
		if errors.Is(err, errNoCamera) {
			return d.picture(ctx)
		}
		return nil, err
	}
	if missing(parts[1], "base64") {
		d.lacks.base64.Store(true)
		d.log.InfoContext(ctx, "the phone has no base64; pictures go through hdc file recv")
		return d.picture(ctx)
	}
	return decoded(parts[1])
}

// photograph runs the line of a camera. The file is removed by the line itself, and where that is not certain once more.
func (d *Driver) photograph(ctx context.Context, c camera, file, line string) (*output, error) {
	run := func(ctx context.Context) (*output, error) {
		out, err := d.ask(ctx, line)
		if err != nil && !refused(err) {
			d.remove(ctx, file)
		}
		return out, err
	}
	if c.program == "uitest" {
		return d.alone(ctx, run)
	}
	return run(ctx)
}

// errNoCamera says that the phone has not this tool; camera chooses the other from now on.
var errNoCamera = errors.New("no such program")

// taken judges what a camera said.
func (d *Driver) taken(ctx context.Context, c camera, said string) error {
	if strings.Contains(said, c.positive) {
		return nil
	}
	if missing(said, c.program) {
		if c.program == "uitest" {
			return driver.Unsupported("the phone has neither snapshot_display nor uitest: %s", complaint(said))
		}
		d.lacks.snapshot.Store(true)
		d.log.InfoContext(ctx, "the phone has no snapshot_display; pictures go through uitest screenCap")
		return errNoCamera
	}
	if strings.Contains(said, "not developer mode") {
		return fmt.Errorf("%s: %s: switch developer mode on (Settings, About phone, tap the build number seven times)", c.program, complaint(said))
	}
	if p, err := d.power(ctx); err == nil && !p.On {
		return fmt.Errorf("%w: %s: %s", errAsleep, c.program, complaint(said))
	}
	return fmt.Errorf("no picture: %s: %s", c.program, complaint(said))
}

// decoded reads what base64 printed. Chatter of the phone's loader may come first.
func decoded(text string) ([]byte, error) {
	for strings.HasPrefix(text, "INFO:") {
		_, text, _ = strings.Cut(text, "\n")
	}
	data, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text))
	if err != nil {
		return nil, fmt.Errorf("no picture: base64 of the phone: %s", complaint(text))
	}
	return whole(data)
}

// whole refuses half a picture: a JPEG ends with FF D9, a PNG with its IEND.
func whole(data []byte) ([]byte, error) {
	end := string(data[max(len(data)-64, 0):])
	if !strings.Contains(end, "\xff\xd9") && !strings.Contains(end, "IEND") {
		return nil, fmt.Errorf("%w: %d bytes", errEmptyPicture, len(data))
	}
	return data, nil
}

// fetchPicture takes a picture on a phone without base64: the file comes by hdc file recv, and is removed on both
// sides.
func (d *Driver) fetchPicture(ctx context.Context, c camera, file string) ([]byte, error) {
	defer d.remove(ctx, file)
	out, err := d.photograph(ctx, c, file, fmt.Sprintf(c.line, file))
	if err != nil {
		return nil, err
	}
	if err := d.taken(ctx, c, out.text); err != nil {
		if errors.Is(err, errNoCamera) {
			return d.picture(ctx)
		}
		return nil, err
	}
	dir, err := os.MkdirTemp("", "handset-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	local := filepath.Join(dir, "picture")
	if err := d.receive(ctx, file, local); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(local)
	if err != nil {
		return nil, err
	}
	return whole(data)
}
