package main

import (
	"bytes"
	"context"
	"fmt"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/handset-go/handset/driver"
)

type screenshotCmd struct {
	Output string `short:"o" placeholder:"FILE" help:"Where to: a name that ends in .png or .jpg gets that kind of picture, - is stdout. Default: screenshot-TIME.png, or .jpg, here."`
}

// The types of pictures.
const (
	mimePNG  = "image/png"
	mimeJPEG = "image/jpeg"
)

// pictures are the types that the end of a file's name asks for.
var pictures = map[string]string{".png": mimePNG, ".jpg": mimeJPEG, ".jpeg": mimeJPEG}

// endings are the ends of the names of files of each type.
var endings = map[string]string{mimePNG: ".png", mimeJPEG: ".jpg"}

// jpegQuality loses little of a picture that came without loss.
const jpegQuality = 95

// Run saves a frame: unchanged, unless the name of the file asks for the other type.
func (c *screenshotCmd) Run(a *app) error {
	return a.with(func(ctx context.Context, d driver.Driver) error {
		s, err := d.Screenshot(ctx)
		if err != nil {
			return err
		}
		want := pictures[strings.ToLower(filepath.Ext(c.Output))]
		data, mime, err := pictureAs(s, want)
		if err != nil {
			return err
		}
		if c.Output == "-" {
			_, err := a.out.Write(data)
			return err
		}
		file := c.Output
		if file == "" {
			file = time.Now().Format("screenshot-20060102-150405.000") + endings[mime]
		} else if want == "" && !a.JSON {
			fmt.Fprintf(a.stderr, a.tr("handset: %s is %s, as the phone sent it\n", "handset: %s 是 %s,与手机发送的一致\n"), file, mime)
		}
		if err := os.WriteFile(file, data, 0o644); err != nil {
			return err
		}
		a.say(map[string]any{"file": file, "mime": mime, "size": [2]int{s.Size().X, s.Size().Y}, "health": s.Health(), "bytes": len(data)},
			"%s %dx%d %s", filepath.Clean(file), s.Size().X, s.Size().Y, s.Health())
		return nil
	})
}

// pictureAs returns a frame as a type of picture: as the phone sent it where that is the type, or none is wanted.
func pictureAs(s *driver.Screen, want string) (data []byte, mime string, err error) {
	data, mime, err = s.Encoded()
	if err != nil || want == "" || want == mime {
		return data, mime, err
	}
	m, err := s.Image()
	if err != nil {
		return nil, "", err
	}
	var b bytes.Buffer
	if want == mimeJPEG {
		err = jpeg.Encode(&b, m, &jpeg.Options{Quality: jpegQuality})
	} else {
		err = png.Encode(&b, m)
	}
	return b.Bytes(), want, err
}
