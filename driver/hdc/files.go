package hdc

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

// Push writes a file of the phone, by way of a file of this computer, as hdc sends nothing else. remote is absolute; the
// shell may write under /data/local/tmp.
func (d *Driver) Push(ctx context.Context, src io.Reader, remote string) error {
	return d.do(ctx, driver.OpPush, limitFile, func(ctx context.Context) error {
		if err := absolute(remote); err != nil {
			return err
		}
		local, clean, err := stage(src)
		if err != nil {
			return err
		}
		defer clean()
		if !needsDetour(remote) {
			return d.send(ctx, local, remote)
		}
		temp := tempFile("")
		defer d.remove(ctx, temp)
		if err := d.send(ctx, local, temp); err != nil {
			return err
		}
		out, err := d.act(ctx, "mv -f "+temp+" "+quote(remote))
		if err == nil && out.code != 0 {
			err = unexpected("mv", out)
		}
		return err
	})
}

// stage copies what is to be pushed into a file of this computer.
func stage(src io.Reader) (local string, clean func(), err error) {
	dir, err := os.MkdirTemp("", "handset-")
	if err != nil {
		return "", nil, err
	}
	clean = func() { _ = os.RemoveAll(dir) }
	local = filepath.Join(dir, "file")
	f, err := os.Create(local)
	if err == nil {
		_, err = io.Copy(f, src)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		clean()
		return "", nil, fmt.Errorf("read what is to be pushed: %w", err)
	}
	return local, clean, nil
}

func absolute(remote string) error {
	if !path.IsAbs(remote) || strings.HasSuffix(remote, "/") || strings.ContainsRune(remote, 0) {
		return fmt.Errorf("%q: want the absolute path of a file of the phone", remote)
	}
	return nil
}

// needsDetour says that hdc cannot carry a path as it is: it joins its arguments with quotes around those with blanks, and
// escapes nothing.
func needsDetour(remote string) bool { return strings.ContainsAny(remote, "\"\\\r\n\t") }

// finished is what a transfer that worked says.
const finished = "FileTransfer finish"

// send is hdc file send.
func (d *Driver) send(ctx context.Context, local, remote string) error {
	driver.MarkSent(ctx)
	return d.transfer(ctx, "send", local, remote, remote)
}

// receive is hdc file recv.
func (d *Driver) receive(ctx context.Context, remote, local string) error {
	return d.transfer(ctx, "recv", remote, local, remote)
}

// transfer moves a file. Only the line that says that it is finished is success; the status is always 0.
func (d *Driver) transfer(ctx context.Context, way, from, to, remote string) error {
	text, err := again(ctx, func(error) bool { return false }, func() (string, error) {
		r, err := d.tool.run(ctx, "-t", d.key, "file", way, from, to)
		if err != nil {
			return "", err
		}
		text := string(r.Stdout)
		if f := refusal(r.Stdout); f != nil && f.is != nil && !strings.Contains(text, finished) {
			return "", f
		}
		return text, nil
	})
	switch {
	case err != nil:
		if refused(err) {
			driver.MarkRefused(ctx)
		}
		return err
	case strings.Contains(text, finished):
		return nil
	case strings.TrimSpace(text) == "":
		return errBroken
	}
	return fileFailure(way, remote, text)
}

// fileFailure gives a transfer's failure the kind that io/fs has for it.
func fileFailure(way, remote, text string) error {
	first, _, _ := strings.Cut(strings.TrimSpace(text), "\n") // a second line tells the tool's own log
	said := complaint(first)
	for words, is := range map[string]error{
		"no such file": fs.ErrNotExist, "permission denied": fs.ErrPermission, "read-only": fs.ErrPermission,
	} {
		if strings.Contains(strings.ToLower(said), words) {
			return fmt.Errorf("file %s %s: %w: %s", way, remote, is, said)
		}
	}
	return fmt.Errorf("file %s %s: %s", way, remote, said)
}

// Pull reads a file of the phone, by way of a file of this computer.
func (d *Driver) Pull(ctx context.Context, remote string, dst io.Writer) error {
	return d.do(ctx, driver.OpPull, limitFile, func(ctx context.Context) error {
		if err := absolute(remote); err != nil {
			return err
		}
		from := remote
		if needsDetour(remote) {
			temp := tempFile("")
			defer d.remove(ctx, temp)
			out, err := d.ask(ctx, "cp "+quote(remote)+" "+temp)
			if err != nil {
				return err
			}
			if out.code != 0 {
				return unexpected("cp", out)
			}
			from = temp
		}
		return d.pull(ctx, from, remote, dst)
	})
}

func (d *Driver) pull(ctx context.Context, from, remote string, dst io.Writer) error {
	dir, err := os.MkdirTemp("", "handset-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	local := filepath.Join(dir, "file")
	if err := d.receive(ctx, from, local); err != nil {
		return err
	}
	info, err := os.Stat(local)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a file", remote)
	}
	f, err := os.Open(local)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := io.Copy(dst, f); err != nil {
		return fmt.Errorf("write what was pulled: %w", err)
	}
	return nil
}
