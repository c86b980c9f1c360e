package phoneshell

import (
	"io"
	"io/fs"
	"time"
)

// Info describes a file of the phone.
type Info struct {
	name     string
	size     int64
	mode     fs.FileMode
	mtime    time.Time
	Ino      uint64
	UID, GID uint32
	Link     string // where a symbolic link leads
}

func infoOf(name string, n *inode) *Info {
	i := &Info{name: name, size: int64(len(n.data)) + n.hole, mode: n.mode, mtime: n.mtime, Ino: n.ino,
		UID: n.uid, GID: n.gid, Link: n.link}
	switch {
	case n.mode.IsDir():
		i.size = 4096
	case n.link != "":
		i.size = int64(len(n.link))
	}
	return i
}

// Name, Size, Mode, ModTime, IsDir and Sys make an Info an fs.FileInfo.
func (i *Info) Name() string       { return i.name }
func (i *Info) Size() int64        { return i.size }
func (i *Info) Mode() fs.FileMode  { return i.mode }
func (i *Info) ModTime() time.Time { return i.mtime }
func (i *Info) IsDir() bool        { return i.mode.IsDir() }
func (i *Info) Sys() any           { return sysOf(i) }

// UnixMode returns st_mode: the type and the permissions as the kernel has them.
func (i *Info) UnixMode() uint32 {
	m := uint32(i.mode.Perm())
	switch {
	case i.mode.IsDir():
		return m | 0o040000
	case i.mode&fs.ModeSymlink != 0:
		return m | 0o120000
	case i.mode&fs.ModeCharDevice != 0:
		return m | 0o020000
	}
	return m | 0o100000
}

// File is a file of the phone, open for reading or for writing from its end.
type File struct {
	fs  *FS
	n   *inode
	off int64
}

// Open opens a file for reading. Devices are opened by the shell, which knows its streams.
func (f *FS) Open(name string) (*File, error) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	at, err := f.walk(name, true)
	switch {
	case err != nil:
		return nil, err
	case at.node == nil:
		return nil, ENOENT
	case at.node.mode.IsDir():
		return nil, EISDIR
	case at.node.mode.Perm()&0o444 == 0:
		return nil, EACCES
	}
	return &File{fs: f, n: at.node}, nil
}

// Create opens a file for writing, emptied unless appending. It is made where it is missing.
func (f *FS) Create(name string, perm fs.FileMode, appending bool) (*File, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	at, err := f.walk(name, true)
	switch {
	case err != nil:
		return nil, err
	case at.parent == nil || at.node != nil && at.node.mode.IsDir():
		return nil, EISDIR
	case at.parent.frozen != 0:
		return nil, at.parent.frozen
	case at.node != nil && at.node.mode.Perm()&0o222 == 0:
		return nil, EACCES
	case at.node == nil:
		at.node = &inode{mode: perm.Perm(), ino: f.nextIno(), uid: 2000, gid: 2000}
		at.parent.children[at.name] = at.node
	case !appending:
		f.used -= int64(len(at.node.data))
		at.node.data, at.node.hole = nil, 0
	}
	at.node.mtime = f.now()
	return &File{fs: f, n: at.node}, nil
}

// Read reads on from where the last read ended.
func (o *File) Read(p []byte) (int, error) {
	o.fs.mu.RLock()
	defer o.fs.mu.RUnlock()
	size := int64(len(o.n.data))
	if o.off < size {
		n := copy(p, o.n.data[o.off:])
		o.off += int64(n)
		return n, nil
	}
	n := min(int64(len(p)), size+o.n.hole-o.off)
	if n <= 0 {
		return 0, io.EOF
	}
	clear(p[:n])
	o.off += n
	return int(n), nil
}

// zeroChunk is how much of a hole is written at once, in bytes.
const zeroChunk = 64 << 10

// WriteTo writes the rest of the file in large pieces.
func (o *File) WriteTo(w io.Writer) (total int64, err error) {
	for {
		o.fs.mu.RLock()
		rest := o.n.data[min(o.off, int64(len(o.n.data))):]
		hole := int64(len(o.n.data)) + o.n.hole - o.off
		o.fs.mu.RUnlock()
		if len(rest) == 0 {
			rest = make([]byte, max(0, min(hole, zeroChunk)))
		}
		if len(rest) == 0 {
			return total, nil
		}
		n, err := w.Write(rest)
		o.off += int64(n)
		total += int64(n)
		if err != nil {
			return total, err
		}
	}
}

// Write adds p at the end of the file. A full phone refuses it.
func (o *File) Write(p []byte) (int, error) {
	o.fs.mu.Lock()
	defer o.fs.mu.Unlock()
	if o.fs.used+int64(len(p)) > o.fs.capacity {
		return 0, ENOSPC
	}
	o.fs.used += int64(len(p))
	o.n.data = append(o.n.data, p...)
	o.n.mtime = o.fs.now()
	return len(p), nil
}

// Close does nothing: the file system has no handles to give back.
func (o *File) Close() error { return nil }
