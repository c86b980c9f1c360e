package hdc

import (
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/handset-go/handset/internal/phonefront/phoneshell"
)

// openFailed is what both sides say of a file that cannot be opened.
func openFailed(reason, name string) string {
	return "[Fail]Error opening file: " + reason + ", path:" + name
}

// reason is an error number as the library of the tool words it.
func reason(err error) string {
	switch {
	case errors.Is(err, phoneshell.EISDIR):
		return "illegal operation on a directory"
	case errors.Is(err, phoneshell.EACCES), errors.Is(err, fs.ErrPermission):
		return "permission denied"
	case errors.Is(err, fs.ErrNotExist):
		return "no such file or directory"
	}
	return strings.ToLower(phoneshell.ErrnoOf(err).Error())
}

// push writes files to a phone. The first file tells whether a folder is moved.
func (s *Server) push(d *Device, q request, a *answer) {
	target, name := q.Args[0], q.Args[1]
	if d.faults.Take(FaultDiesMidCall) {
		d.die()
		return
	}
	if !path.IsAbs(target) {
		a.print(openFailed("no such file or directory", target) + "\r\n")
		return
	}
	info, err := d.FS().Stat(target, true)
	if err == nil && info.IsDir() || strings.HasSuffix(target, "/") {
		target = path.Join(target, name)
	}
	for _, f := range q.Files {
		to := path.Join(target, f.Path)
		if f.Dir {
			err = d.FS().MkdirAll(to)
		} else {
			err = d.FS().WriteFile(to, f.Data, 0o644)
		}
		if err != nil {
			a.print(openFailed(reason(err), to) + "\r\n")
			return
		}
	}
	a.send(reply{OK: true, End: true})
}

// pull reads a file or folder of a phone.
func (s *Server) pull(d *Device, name string, a *answer) {
	if d.faults.Take(FaultDiesMidCall) {
		d.die()
		return
	}
	var files []file
	err := error(phoneshell.ENOENT)
	if path.IsAbs(name) {
		files, err = d.read(name, "")
	}
	if err != nil {
		a.print(openFailed(reason(err), name) + "\r\n")
		return
	}
	if d.faults.On(FaultRecvCut) && len(files) == 1 {
		f := &files[0]
		f.Data = f.Data[:len(f.Data)/2]
		a.send(reply{Files: files, Out: []byte("[Fail]Transfer Stop at:" + size(len(f.Data)) + "/" + size(2*len(f.Data)) +
			"(Bytes), Reason: I/O error\r\n"), End: true})
		return
	}
	a.send(reply{Files: files, OK: true, End: true})
}

// read returns a file, or a folder with all that is below it.
func (d *Device) read(name, below string) ([]file, error) {
	info, err := d.FS().Stat(name, true)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		data, err := d.FS().ReadFile(name)
		return []file{{Path: below, Data: data}}, err
	}
	list, err := d.FS().ReadDir(name)
	if err != nil {
		return nil, err
	}
	files := []file{{Path: below, Dir: true}}
	for _, i := range list {
		inside, err := d.read(path.Join(name, i.Name()), path.Join(below, i.Name()))
		if err != nil {
			return nil, err
		}
		files = append(files, inside...)
	}
	return files, nil
}

// install installs packages. A failure comes in the same frame as a success.
func (s *Server) install(d *Device, q request, a *answer) {
	var b strings.Builder
	for _, f := range q.Files {
		name := path.Join(tempDir, path.Base(strings.ReplaceAll(f.Path, `\`, "/")))
		text := "error: failed to install bundle. code:9568257 error: install file path invalid."
		if err := d.FS().WriteFile(name, f.Data, 0o644); err == nil {
			text = d.install(name, true)
			_ = d.FS().Remove(name, false)
		}
		if s.coded() {
			b.WriteString("[Info]App install path:" + f.Path + " msg:" + text + " \r\n")
		} else {
			b.WriteString("[Info]App install path:" + f.Path + ", queuesize:0, msg:" + text + " \n")
		}
	}
	a.print(b.String() + "AppMod finish\r\n")
}
