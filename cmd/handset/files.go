package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/handset-go/handset/driver"
)

type pushCmd struct {
	Local  string `arg:"" help:"A file, a folder (Android), or - for stdin."`
	Remote string `arg:"" help:"What it is to be on the phone. One that ends in / is a folder that it goes into."`
}

// Run copies a file or a folder to the phone.
func (c *pushCmd) Run(a *app) error {
	src, dir, err := c.source(a)
	if err != nil {
		return err
	}
	defer src.Close()
	remote := c.Remote
	if strings.HasSuffix(remote, "/") {
		if c.Local == "-" {
			return usagef("push: stdin has no name: give that of the file on the phone, and not only the folder %s", remote)
		}
		remote += filepath.Base(filepath.Clean(c.Local))
	}
	return a.actAllowing(driver.OpPush, func(ctx context.Context, d driver.Driver) error {
		can, err := ability[folders](a, "push a folder: push its files one by one")
		if !dir {
			pushed := driver.Push(ctx, d, src, remote)
			if pushed != nil && err == nil && isFolder(ctx, can, remote) {
				return usagef("push: %s is a folder on the phone: end it with / to push into it", remote)
			}
			return a.saidDone(pushed, "push", map[string]any{"remote": remote})
		}
		if err != nil {
			return err
		}
		d = a.instead(d, driver.OpPush, func(ctx context.Context) error { return can.PushDir(ctx, os.DirFS(c.Local), remote) })
		return a.saidDone(driver.Push(ctx, d, nil, remote), "push", map[string]any{"remote": remote})
	})
}

// source opens what is to be pushed, and says whether it is a folder.
func (c *pushCmd) source(a *app) (src io.ReadCloser, dir bool, err error) {
	switch c.Local {
	case "":
		return nil, false, usagef("push: the name of the file is empty; - is stdin")
	case "-":
		return io.NopCloser(a.stdin), false, nil
	}
	f, err := os.Open(c.Local)
	if err != nil {
		return nil, false, usagef("push: %v", err)
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, false, usagef("push: %v", err)
	}
	return f, info.IsDir(), nil
}

type pullCmd struct {
	Remote string `arg:"" help:"A file on the phone, or a folder (Android)."`
	Local  string `arg:"" optional:"" help:"What it is to be here, or a folder that it goes into; - is stdout. Left out: its name, here."`
}

// Run copies a file or a folder from the phone.
func (c *pullCmd) Run(a *app) error {
	name := path.Base(path.Clean(c.Remote))
	local := c.Local
	switch info, err := os.Stat(local); {
	case name == "/" || name == ".":
		return usagef("pull %q: want the path of a file or a folder on the phone", c.Remote)
	case local == "-" && a.JSON:
		return usagef("pull: --json and - both want stdout")
	case local == "":
		local = name
	case err == nil && info.IsDir():
		local = filepath.Join(local, name)
	}
	return a.with(func(ctx context.Context, d driver.Driver) error {
		can, err := ability[folders](a, "pull a folder")
		folder := err == nil && isFolder(ctx, can, c.Remote)
		switch {
		case local == "-" && folder:
			return usagef("pull: %s is a folder, which stdout cannot take: give the name of a folder here", c.Remote)
		case local == "-":
			return driver.Pull(ctx, d, c.Remote, a.out)
		case folder:
			return a.saidPulled(can.PullDir(ctx, c.Remote, local), local)
		}
		return a.saidPulled(pullFile(ctx, d, c.Remote, local), local)
	})
}

// isFolder says that the phone has a folder of this name. What else is wrong with the name, the pull will tell.
func isFolder(ctx context.Context, can folders, remote string) bool {
	f, err := can.Stat(ctx, remote)
	return err == nil && f.Mode.IsDir()
}

func (a *app) saidPulled(err error, local string) error {
	if err == nil {
		a.say(map[string]any{"done": "pull", "file": local}, "%s", local)
	}
	return err
}

// partly is the end of the name of a file that is not whole yet.
const partly = ".part"

// pullFile writes a file of the phone to one here, which is there whole or as it was before.
func pullFile(ctx context.Context, d driver.Driver, remote, local string) (err error) {
	switch info, err := os.Stat(local); {
	case err == nil && info.Mode().IsRegular():
		if local, err = filepath.EvalSymlinks(local); err != nil { // a link stays one
			return err
		}
	case err == nil && !info.IsDir(): // a pipe or a device, which a file must not replace
		return pullInto(ctx, d, remote, local)
	}
	f, err := createPart(local)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return usagef("pull: %v", err)
		}
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name()) // the first error is the one to tell
		}
	}()
	err = driver.Pull(ctx, d, remote, f)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), local)
}

// pullInto writes a file of the phone to what is there.
func pullInto(ctx context.Context, d driver.Driver, remote, local string) error {
	f, err := os.OpenFile(local, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	err = driver.Pull(ctx, d, remote, f)
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

// createPart makes the file that becomes local once it is whole. A file of that name may be the person's own and stays.
func createPart(local string) (*os.File, error) {
	name := local + partly
	for i := 2; ; i++ {
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
		name = local + partly + strconv.Itoa(i)
	}
}
