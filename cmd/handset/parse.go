package main

import (
	"fmt"
	"image"
	"strconv"
	"strings"

	"github.com/handset-go/handset/action"
)

type parseCmd struct {
	File    *string `arg:"" optional:"" help:"A file with the reply; - or nothing is stdin."`
	Dialect string  `default:"autoglm" placeholder:"NAME" help:"The language that the model writes; there is ${default}."`
	Size    string  `placeholder:"WxH" help:"The size of the screen, such as 1080x2400, to have the pixels of points too."`
}

// dialects are those that --dialect knows.
func dialects() []action.Dialect { return []action.Dialect{action.AutoGLM()} }

// Run reads a reply and prints the action in it, always as JSON.
func (c *parseCmd) Run(a *app) error {
	dialect, err := dialectOf(c.Dialect)
	if err != nil {
		return err
	}
	var view *action.View
	if c.Size != "" {
		size, err := parseSize(c.Size)
		if err != nil {
			return err
		}
		view = &action.View{Frame: size}
	}
	data, err := a.load("parse", c.file())
	if err != nil {
		return err
	}
	var reply action.Reply
	if err = binary(data); err != nil {
		err = fmt.Errorf("this is no reply: %w", err)
	} else {
		reply, err = dialect.Parse(string(data))
	}
	out, ok := action.ReplyJSON(reply, err, view)
	fmt.Fprintf(a.out, "%s\n", out)
	if !ok {
		return &toldError{exitIncomplete}
	}
	return nil
}

func (c *parseCmd) file() string {
	if c.File == nil {
		return "-"
	}
	return *c.File
}

func dialectOf(name string) (action.Dialect, error) {
	var names []string
	for _, d := range dialects() {
		if d.Name == name {
			return d, nil
		}
		names = append(names, d.Name)
	}
	return action.Dialect{}, usagef("--dialect %q: known are %s", name, strings.Join(names, ", "))
}

func parseSize(s string) (image.Point, error) {
	w, h, ok := strings.Cut(strings.ToLower(s), "x")
	x, err1 := strconv.Atoi(w)
	y, err2 := strconv.Atoi(h)
	if !ok || err1 != nil || err2 != nil || x <= 0 || y <= 0 || x > 1<<14 || y > 1<<14 {
		return image.Point{}, usagef("size %q: want WxH, such as 1080x2400", s)
	}
	return image.Pt(x, y), nil
}
