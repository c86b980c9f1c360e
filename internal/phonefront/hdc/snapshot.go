package hdc

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"path"
	"strconv"

	"github.com/handset-go/handset/internal/nap"
)

// snapshotArgs are the arguments of snapshot_display.
type snapshotArgs struct {
	display string
	file    string
	kind    string // "jpeg" or "png"
	size    image.Point
}

// runSnapshot takes a picture of the display into a file.
func runSnapshot(ctx context.Context, p *proc) int {
	if p.d.faults.On(FaultNotDeveloper) {
		p.Print("current mode is not developer mode, just return.\n")
		return 255
	}
	a, problem := p.snapshotArgs()
	if problem == "" {
		problem = p.checkPicture(a)
	}
	if problem != "" {
		p.Print("%s\n", problem)
		return 255
	}
	if nap.For(ctx, p.d.takes().Snapshot+p.d.faults.Duration(FaultSnapshotSlow)) != nil {
		return killed
	}
	data, size, err := p.d.capture(a.kind, a.size)
	switch {
	case err == nil && p.d.faults.On(FaultSnapshotEmpty):
		data = nil
	case err == nil && p.d.faults.On(FaultSnapshotCut):
		data = data[:len(data)/2]
	}
	if err == nil && !p.d.faults.On(FaultSnapshotFail) {
		err = p.d.FS().WriteFile(a.file, data, 0o644)
	}
	if err != nil || p.d.faults.On(FaultSnapshotFail) {
		p.Print("\nerror: snapshot display 0, write to %s as %s failed!\n", a.file, a.kind)
		return 255
	}
	p.snapshotDone(a, size)
	return 0
}

func (p *proc) snapshotArgs() (a snapshotArgs, problem string) {
	a = snapshotArgs{display: "0", kind: "jpeg"}
	for args := p.Args[1:]; len(args) > 0; args = args[1:] {
		value := ""
		if len(args) > 1 {
			value = args[1]
		}
		switch args[0] {
		case "-m":
			continue
		case "-i":
			a.display = value
		case "-f":
			a.file = value
		case "-w":
			a.size.X, _ = strconv.Atoi(value)
		case "-h":
			a.size.Y, _ = strconv.Atoi(value)
		case "-t":
			a.kind = value
		default:
			return a, "usage: snapshot_display [-i displayId] [-f output_file] [-w width] [-h height] [-t type] [-m]"
		}
		if len(args) > 1 {
			args = args[1:]
		}
	}
	if a.file == "" {
		a.file = path.Join(tempDir, "snapshot_"+p.d.now().Format("2006-01-02_15-04-05")+"."+a.kind)
		p.Print("process: set filename to %s\n", a.file)
	}
	return a, ""
}

// checkPicture returns what is wrong with the arguments, or "".
func (p *proc) checkPicture(a snapshotArgs) string {
	dir := path.Dir(p.Abs(a.file))
	info, err := p.d.FS().Stat(dir, true)
	switch {
	case !a.size.In(image.Rectangle{Max: p.d.phone.Size().Add(image.Pt(1, 1))}):
		return fmt.Sprintf("error: width %d height %d invalid!", a.size.X, a.size.Y)
	case a.display != "0":
		return "error: displayId " + a.display + " invalid!\ntips: supported displayIds:\n\t0"
	case len(a.file) < 4:
		return "error: fileName " + a.file + " invalid, file length too short!\nerror: filename " + a.file + " invalid!"
	case a.kind != "jpeg" && (a.kind != "png" || p.d.profile.API < apiSnapshotColon):
		return "error: type " + a.kind + " invalid, only support jpeg or png!"
	case err != nil || !info.IsDir():
		return "error: fileName " + a.file + " invalid, realpath nullptr!\nerror: filename " + a.file + " invalid!"
	case outside(p.Abs(a.file)):
		return "error: fileName " + a.file + " invalid, realpath " + dir + " must dump at dir: " + tempDir +
			"\nerror: filename " + a.file + " invalid!"
	case path.Ext(a.file) != "."+a.kind:
		return "error: fileName " + a.file + " invalid, suffix must be ." + a.kind + "\nerror: filename " + a.file + " invalid!"
	}
	return ""
}

// snapshotDone prints success as the release words it.
func (p *proc) snapshotDone(a snapshotArgs, size image.Point) {
	if p.d.profile.API >= apiSnapshotColon {
		p.Print("fileType: %s\nprocess: display 0, file type: %s, width: %d, height: %d\n", a.kind, a.kind, size.X, size.Y)
		p.Print("\nsuccess: snapshot display 0 , write to %s as %s, width: %d, height: %d\n", a.file, a.kind, size.X, size.Y)
		return
	}
	p.Print("process: display 0: width %d, height %d\nsnapshot: pixel format is: 3\n", size.X, size.Y)
	p.Print("snapshot: convert rgba8888 to rgb888 successfully.\n")
	p.Print("\nsuccess: snapshot display 0 , write to %s as %s, width %d, height %d\n", a.file, a.kind, size.X, size.Y)
}

// picture is the last frame that was encoded, so that a phone at rest costs nothing.
type picture struct {
	frame *image.Paletted
	jpeg  []byte
}

// capture encodes what the display shows. A size of zero is that of the frame.
func (d *Device) capture(kind string, size image.Point) ([]byte, image.Point, error) {
	frame := d.phone.Frame().Image
	full := frame.Bounds().Size()
	scaled := size.X > 0 && size.Y > 0 && size != full
	switch {
	case scaled:
		data, err := encode(kind, resize(frame, size))
		return data, size, err
	case kind == "png":
		data, _ := d.phone.PNG()
		return data, full, nil
	}
	d.mu.Lock()
	last := d.picture
	d.mu.Unlock()
	if last.frame == frame {
		return last.jpeg, full, nil
	}
	data, err := encode(kind, opaque(frame))
	d.mu.Lock()
	d.picture = picture{frame, data}
	d.mu.Unlock()
	return data, full, err
}

func encode(kind string, m image.Image) ([]byte, error) {
	var b bytes.Buffer
	var err error
	if kind == "png" {
		err = png.Encode(&b, m)
	} else {
		err = jpeg.Encode(&b, m, &jpeg.Options{Quality: 85})
	}
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", kind, err)
	}
	return b.Bytes(), nil
}

// opaque spells a frame out in full colour, which is what the encoder is fast at.
func opaque(m *image.Paletted) *image.RGBA { return resize(m, m.Bounds().Size()) }

// resize takes the nearest pixels.
func resize(m *image.Paletted, size image.Point) *image.RGBA {
	table := make([]color.RGBA, len(m.Palette))
	for i, c := range m.Palette {
		table[i] = color.RGBAModel.Convert(c).(color.RGBA)
	}
	out := image.NewRGBA(image.Rectangle{Max: size})
	from := m.Bounds().Size()
	for y := range size.Y {
		row := m.Pix[y*from.Y/size.Y*m.Stride:]
		line := out.Pix[y*out.Stride:]
		for x := range size.X {
			c := table[row[x*from.X/size.X]]
			line[4*x], line[4*x+1], line[4*x+2], line[4*x+3] = c.R, c.G, c.B, c.A
		}
	}
	return out
}
