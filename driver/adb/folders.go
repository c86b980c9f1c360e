package adb

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/handset-go/handset/driver"
)

// maxFolders bounds how deep folders may lie in each other: a link may lead back.
const maxFolders = 64

// PushDir writes all files and folders of src into the folder remote, which is made where it is not
// there. What is there already and not in src stays. Links and devices in src are left out. Each
// file arrives whole or not at all.
func (d *Driver) PushDir(ctx context.Context, src fs.FS, remote string) error {
	return d.calls.Do(ctx, driver.OpPush, 0, func(ctx context.Context) error {
		if err := checkPath(remote); err != nil {
			return err
		}
		p := &folderPush{d: d, src: src, remote: remote}
		err := p.all(ctx)
		p.end(ctx)
		return err
	})
}

// folderPush sends many files over one connection, and gives several their names in one command.
type folderPush struct {
	d      *Driver
	src    fs.FS
	remote string
	sock   *syncSocket
	parts  []string // that are on the phone under another name
	length int      // of the command that renames them
}

// maxRename bounds a command that renames, below what the oldest adbd takes.
const maxRename = maxService - 100

// renameLine renames one file that has arrived.
func renameLine(to string) string { return "mv -f " + quote(to+partSuffix) + " " + quote(to) + " && " }

func (p *folderPush) all(ctx context.Context) error {
	err := fs.WalkDir(p.src, ".", func(name string, e fs.DirEntry, err error) error {
		switch to := path.Join(p.remote, name); {
		case err != nil:
			return err
		case e.IsDir():
			return p.d.makeDir(ctx, to)
		case e.Type().IsRegular():
			return p.file(ctx, name, to)
		}
		p.d.log.InfoContext(ctx, "left out of what is pushed: no file and no folder", "name", name)
		return nil
	})
	if err != nil {
		return err
	}
	return p.rename(ctx)
}

func (p *folderPush) file(ctx context.Context, name, to string) (err error) {
	if err := checkRemote(to); err != nil {
		return err
	}
	if p.length+len(renameLine(to)) > maxRename {
		if err := p.rename(ctx); err != nil {
			return err
		}
	}
	f, err := p.src.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	if p.sock == nil {
		if p.sock, err = p.d.sync(ctx); err != nil {
			return err
		}
	}
	p.parts, p.length = append(p.parts, to), p.length+len(renameLine(to))
	return p.sock.put(f, to+partSuffix)
}

// rename gives the files that have arrived their names.
func (p *folderPush) rename(ctx context.Context) error {
	if len(p.parts) == 0 {
		return nil
	}
	var moves strings.Builder
	for _, to := range p.parts {
		moves.WriteString(renameLine(to))
	}
	err := p.d.do(ctx, driver.OpPush, limitShort, func(ctx context.Context) error {
		out, err := p.d.act(ctx, moves.String()+"true")
		if err == nil && out.code > 0 {
			err = fmt.Errorf("write into %s: %s", p.remote, complaint(out.stderr, out.stdout))
		}
		return err
	})
	if err == nil {
		p.parts, p.length = nil, 0
	}
	return err
}

// end closes the connection, and removes what has no name yet.
func (p *folderPush) end(ctx context.Context) {
	if p.sock != nil {
		p.sock.close()
	}
	for _, to := range p.parts {
		p.d.removeLate(ctx, to+partSuffix)
	}
}

func (d *Driver) makeDir(ctx context.Context, remote string) error {
	return d.do(ctx, driver.OpPush, limitShort, func(ctx context.Context) error {
		out, err := d.act(ctx, "mkdir -p "+quote(remote))
		if err == nil && out.code > 0 {
			driver.MarkRefused(ctx)
			err = fmt.Errorf("make the folder %s: %s", remote, complaint(out.stderr, out.stdout))
		}
		return err
	})
}

// PullDir writes all files and folders of the phone's folder remote into the folder dir of this
// computer, which is made where it is not there. A link on the phone to a file is pulled as that
// file, and other links, pipes and devices are left out. Names that this computer cannot have, or
// that would lead out of dir, are an error.
func (d *Driver) PullDir(ctx context.Context, remote, dir string) error {
	return d.calls.Do(ctx, driver.OpPull, 0, func(ctx context.Context) error {
		if err := checkPath(remote); err != nil {
			return err
		}
		return d.pullDir(ctx, path.Clean(remote), dir, 0)
	})
}

func (d *Driver) pullDir(ctx context.Context, remote, dir string, depth int) error {
	if depth > maxFolders {
		return fmt.Errorf("%s lies too deep", remote)
	}
	files, err := d.List(ctx, remote)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, f := range files {
		if !filepath.IsLocal(f.Name) || strings.ContainsAny(f.Name, `/\`) {
			return fmt.Errorf("%s has a file whose name this computer cannot have: %q", remote, shorten(f.Name))
		}
		from, to := path.Join(remote, f.Name), filepath.Join(dir, f.Name)
		if f.Mode&fs.ModeSymlink != 0 {
			f = d.behind(ctx, from, f)
		}
		switch {
		case f.Mode.IsDir():
			err = d.pullDir(ctx, from, to, depth+1)
		case f.Mode.IsRegular():
			err = d.pullFile(ctx, from, to)
		default:
			d.log.InfoContext(ctx, "left out of what is pulled: no file and no folder", "name", from)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// behind returns the file behind a link, or the link itself where it leads to none or to a folder.
func (d *Driver) behind(ctx context.Context, remote string, link File) File {
	f, err := d.stat(ctx, remote)
	if err != nil || !f.Mode.IsRegular() {
		return link
	}
	return f
}

// pullFile leaves no half a file.
func (d *Driver) pullFile(ctx context.Context, remote, name string) (err error) {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, f.Close())
		if err != nil {
			_ = os.Remove(name) // best effort: the error is already on its way
		}
	}()
	return d.receive(ctx, remote, io.Writer(f))
}
