package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/handset-go/handset/driver"
)

type framesCmd struct {
	Output string        `short:"o" placeholder:"DIR" help:"Where to: a folder, which is made if it is not there and else goes on after its last frame, or - for Motion JPEG on stdout."`
	Rate   float64       `default:"2" placeholder:"N" help:"At most so many frames in a second, up to 60; ${default} if unset. The phone may give fewer."`
	For    time.Duration `placeholder:"TIME" help:"End after so long, such as 10s. Default: go on until Ctrl-C."`
	Count  int           `placeholder:"N" help:"End after so many frames."`
}

const maxRate = 60

// Run saves what the phone shows, again and again.
func (c *framesCmd) Run(a *app) error {
	if err := c.check(a); err != nil {
		return err
	}
	last := 0 // the number of a frame
	if c.Output != "-" {
		if err := os.MkdirAll(c.Output, 0o755); err != nil {
			return usagef("frames: %v", err)
		}
		var err error
		if last, err = lastFrame(c.Output); err != nil {
			return fmt.Errorf("frames: %w", err)
		}
	}
	return a.with(func(signal context.Context, d driver.Driver) error {
		ctx, cancel := until(signal, c.For)
		defer cancel()
		n := 0
		over := func() error { // a signal, or the time, is how it ends
			if n == 0 && ctx.Err() != nil && signal.Err() == nil {
				return &driver.Error{Op: driver.OpFrames, Device: a.addr, Err: fmt.Errorf("%w: no frame came within %v", driver.ErrTimeout, c.For)}
			}
			return nil
		}
		frames, err := driver.Frames(ctx, d, time.Duration(float64(time.Second)/c.Rate))
		if ctx.Err() != nil {
			return over()
		}
		if err != nil {
			return err
		}
		for s, err := range frames {
			if ctx.Err() != nil {
				return over()
			}
			if err != nil {
				return err
			}
			n++
			if err := c.save(a, s, &last); err != nil {
				return err
			}
			if n == c.Count || a.out.err != nil { // the latter is told by main
				return nil
			}
		}
		return over()
	})
}

func (c *framesCmd) check(a *app) error {
	switch {
	case c.Output == "":
		return usagef("frames: want -o DIR, or -o - for Motion JPEG on stdout")
	case c.Output == "-" && isTerminal(a.stdout):
		return usagef("frames: -o -: a terminal cannot show Motion JPEG; pipe it, or use -o DIR")
	case c.Output == "-" && a.JSON:
		return usagef("frames: --json and -o - both want stdout")
	case !(c.Rate > 0 && c.Rate <= maxRate):
		return usagef("frames: --rate %v: want more than 0, and %d at most", c.Rate, maxRate)
	case c.For < 0 || c.Count < 0:
		return usagef("frames: --for and --count are not negative")
	}
	return nil
}

// lastFrame returns the highest number of a frame in a folder, 0 without one: a recording never writes over another.
func lastFrame(dir string) (int, error) {
	entries, err := os.ReadDir(dir)
	last := 0
	for _, e := range entries {
		name, isFrame := strings.CutPrefix(e.Name(), "frame-")
		number, _, _ := strings.Cut(name, ".")
		if n, err := strconv.ParseUint(number, 10, 30); isFrame && err == nil {
			last = max(last, int(n))
		}
	}
	return last, err
}

// save writes a frame: into a file of its own as the phone sent it, whose number follows last, or as JPEG behind the one before.
func (c *framesCmd) save(a *app, s *driver.Screen, last *int) error {
	if c.Output == "-" {
		data, _, err := pictureAs(s, mimeJPEG)
		if err == nil {
			_, _ = a.out.Write(data) // main tells
		}
		return err
	}
	data, mime, err := pictureAs(s, "")
	if err != nil {
		return err
	}
	file, err := c.write(data, endings[mime], last)
	if err != nil {
		return err
	}
	a.say(map[string]any{"file": file, "mime": mime, "health": s.Health(), "at": s.At()}, "%s", file)
	return nil
}

// write makes the file of the next number that is free: another recording may go into the same folder.
func (c *framesCmd) write(data []byte, ending string, last *int) (file string, err error) {
	for {
		*last++
		file = filepath.Join(c.Output, fmt.Sprintf("frame-%06d%s", *last, ending))
		f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		_, err = f.Write(data)
		return file, errors.Join(err, f.Close())
	}
}
