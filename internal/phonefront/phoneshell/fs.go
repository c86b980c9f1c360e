package phoneshell

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"time"
)

// defaultCapacity bounds what the phone's storage holds, in bytes.
const defaultCapacity = 1 << 30

// maxLinks bounds the symbolic links followed in one path.
const maxLinks = 40

// FS is a phone's file system. It lives in memory only. It may be used from several goroutines.
type FS struct {
	mu             sync.RWMutex
	root           *inode
	lastIno        uint64
	used, capacity int64
	now            func() time.Time
}

// inode is a file, a folder or a symbolic link.
type inode struct {
	mode     fs.FileMode
	data     []byte
	hole     int64 // zeros after data, which take no room
	link     string
	children map[string]*inode
	mtime    time.Time
	ino      uint64
	uid, gid uint32
	frozen   Errno // what writing into the folder gives, 0 where it may be written
}

// NewFS makes a file system that is empty but for the devices and the folder of programs, and that cannot be
// written into.
func NewFS(now func() time.Time, bin string, programs []string) *FS {
	f := &FS{now: now, capacity: defaultCapacity}
	f.root = f.dir(EROFS)
	folder := f.plant(bin, EROFS)
	for _, p := range programs {
		folder.children[p] = &inode{mode: 0o755, data: []byte("\x7fELF"), mtime: now(), ino: f.nextIno(), gid: 2000}
	}
	dev := f.plant("dev", EACCES)
	for _, d := range []string{"null", "tty", "zero", "urandom"} {
		dev.children[d] = &inode{mode: fs.ModeDevice | fs.ModeCharDevice | 0o666, mtime: now(), ino: f.nextIno()}
	}
	return f
}

// Limit bounds what the storage holds, in bytes; it is 1 GiB at first.
func (f *FS) Limit(capacity int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.capacity = capacity
}

// Plant makes folders, whatever may be written. Writing into them gives frozen, or succeeds where that is 0.
func (f *FS) Plant(frozen Errno, names ...string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, name := range names {
		f.plant(name, frozen)
	}
}

// PlantFile makes a file and the folders above it, whatever may be written. It takes no room of the storage, and
// only Uproot removes it.
func (f *FS) PlantFile(name string, data []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	folder, base := path.Split(path.Clean("/" + name))
	f.folder(folder).children[base] = &inode{mode: 0o644, data: data, mtime: f.now(), ino: f.nextIno()}
}

// Uproot removes a folder that was planted, with all in it.
func (f *FS) Uproot(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if at, err := f.walk(name, false); err == nil && at.parent != nil {
		delete(at.parent.children, at.name)
	}
}

// folder returns a folder, which is made where it is not there, as little to be written into as the one above it.
func (f *FS) folder(name string) *inode {
	at := f.root
	for _, part := range split(name) {
		at = f.enter(at, part, at.frozen)
	}
	return at
}

// enter returns a folder in another one, which is made where it is not there. A file or a link in its place makes
// room for it.
func (f *FS) enter(at *inode, name string, frozen Errno) *inode {
	next := at.children[name]
	if next == nil || !next.mode.IsDir() {
		next = f.dir(frozen)
		at.children[name] = next
	}
	return next
}

// split returns the names in a path, from the root on.
func split(name string) []string {
	return strings.FieldsFunc(path.Clean("/"+name), func(r rune) bool { return r == '/' })
}

// Link makes a symbolic link in the root.
func (f *FS) Link(name, to string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.root.children[name] = f.symlink(to)
}

// nextIno numbers a new inode. The lock must be held for writing.
func (f *FS) nextIno() uint64 {
	f.lastIno++
	return f.lastIno
}

func (f *FS) dir(frozen Errno) *inode {
	mode := fs.ModeDir | 0o755
	if frozen == 0 {
		mode = fs.ModeDir | 0o771
	}
	return &inode{mode: mode, children: map[string]*inode{}, mtime: f.now(), ino: f.nextIno(), frozen: frozen}
}

func (f *FS) symlink(to string) *inode {
	return &inode{mode: fs.ModeSymlink | 0o777, link: to, mtime: f.now(), ino: f.nextIno()}
}

// plant makes a folder and what lies above it, whatever may be written.
func (f *FS) plant(name string, frozen Errno) *inode {
	at := f.root
	for _, part := range split(name) {
		at = f.enter(at, part, frozen)
	}
	at.frozen = frozen
	return at
}

// place is where a path leads: the folder that holds it, its name there, and what is there, if anything.
type place struct {
	parent *inode
	name   string
	node   *inode
}

// walk follows name from the root. The last part may be missing: then node is nil.
func (f *FS) walk(name string, followLast bool) (place, error) {
	return f.follow(path.Clean("/"+name), followLast, maxLinks)
}

func (f *FS) follow(clean string, followLast bool, links int) (place, error) {
	at := place{node: f.root}
	parts := split(clean)
	for i, part := range parts {
		if at.node == nil {
			return at, ENOENT
		}
		if !at.node.mode.IsDir() {
			return at, ENOTDIR
		}
		at = place{parent: at.node, name: part, node: at.node.children[part]}
		last := i == len(parts)-1
		if at.node == nil || at.node.mode&fs.ModeSymlink == 0 || last && !followLast {
			continue
		}
		if links == 0 {
			return at, ELOOP
		}
		rest := path.Join(append([]string{at.node.link}, parts[i+1:]...)...)
		return f.follow(rest, followLast, links-1)
	}
	return at, nil
}

// Stat describes the file of that name; a symbolic link at its end is followed, or described itself.
func (f *FS) Stat(name string, followLast bool) (*Info, error) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	at, err := f.walk(name, followLast)
	if err != nil {
		return nil, err
	}
	if at.node == nil {
		return nil, ENOENT
	}
	return infoOf(path.Base(path.Clean("/"+name)), at.node), nil
}

// ReadDir lists a folder by name, without . and .. .
func (f *FS) ReadDir(name string) ([]*Info, error) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	at, err := f.walk(name, true)
	switch {
	case err != nil:
		return nil, err
	case at.node == nil:
		return nil, ENOENT
	case !at.node.mode.IsDir():
		return nil, ENOTDIR
	case at.node.frozen == EACCES:
		return nil, EACCES
	}
	list := make([]*Info, 0, len(at.node.children))
	for name, n := range at.node.children {
		list = append(list, infoOf(name, n))
	}
	slices.SortFunc(list, func(a, b *Info) int { return strings.Compare(a.name, b.name) })
	return list, nil
}

// ReadFile returns a copy of a file's bytes.
func (f *FS) ReadFile(name string) ([]byte, error) {
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
	}
	return slices.Clone(at.node.data), nil
}

// WriteFile replaces a file, or makes it.
func (f *FS) WriteFile(name string, data []byte, perm fs.FileMode) error {
	w, err := f.Create(name, perm, false)
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}

// WriteSparse makes a file of that many zeros, which takes no room: for files that are larger than any memory.
func (f *FS) WriteSparse(name string, size int64) error {
	if err := f.WriteFile(name, nil, 0o644); err != nil {
		return err
	}
	return f.change(name, func(n *inode) { n.hole = size })
}

// Mkdir makes one folder.
func (f *FS) Mkdir(name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	at, err := f.walk(name, true)
	switch {
	case err != nil:
		return err
	case at.node != nil:
		return EEXIST
	case at.parent.frozen != 0:
		return at.parent.frozen
	}
	at.parent.children[at.name] = f.dir(0)
	return nil
}

// MkdirAll makes a folder and those above it that are missing.
func (f *FS) MkdirAll(name string) error {
	clean := path.Clean("/" + name)
	if info, err := f.Stat(clean, true); err == nil {
		if !info.IsDir() {
			return ENOTDIR
		}
		return nil
	}
	if err := f.MkdirAll(path.Dir(clean)); err != nil {
		return err
	}
	return f.Mkdir(clean)
}

// Remove deletes a file, a link or, with all, a folder and what is in it.
func (f *FS) Remove(name string, all bool) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	at, err := f.walk(name, false)
	switch {
	case err != nil:
		return err
	case at.node == nil:
		return ENOENT
	case at.parent == nil:
		return EROFS
	case at.parent.frozen != 0:
		return at.parent.frozen
	case at.node.mode.IsDir() && !all:
		return EISDIR
	}
	f.used -= at.node.size()
	delete(at.parent.children, at.name)
	return nil
}

// RemoveDir deletes an empty folder.
func (f *FS) RemoveDir(name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	at, err := f.walk(name, false)
	switch {
	case err != nil:
		return err
	case at.node == nil:
		return ENOENT
	case !at.node.mode.IsDir():
		return ENOTDIR
	case at.parent == nil || at.parent.frozen != 0:
		return EROFS
	case len(at.node.children) > 0:
		return ENOTEMPTY
	}
	delete(at.parent.children, at.name)
	return nil
}

// Rename moves a file or folder, over a file that is there.
func (f *FS) Rename(from, to string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	src, err := f.walk(from, false)
	if err != nil || src.node == nil {
		return ENOENT
	}
	dst, err := f.walk(to, true)
	if err != nil {
		return err
	}
	if dst.node != nil && dst.node.mode.IsDir() {
		dst = place{parent: dst.node, name: src.name, node: dst.node.children[src.name]}
	}
	switch {
	case src.parent == nil || src.parent.frozen != 0:
		return EROFS
	case dst.parent.frozen != 0:
		return dst.parent.frozen
	case dst.node != nil:
		f.used -= dst.node.size()
	}
	delete(src.parent.children, src.name)
	dst.parent.children[dst.name] = src.node
	return nil
}

// Chmod sets the permission bits.
func (f *FS) Chmod(name string, perm fs.FileMode) error {
	return f.change(name, func(n *inode) { n.mode = n.mode&^fs.ModePerm | perm&fs.ModePerm })
}

// Touch sets the time of change.
func (f *FS) Touch(name string, at time.Time) error {
	return f.change(name, func(n *inode) { n.mtime = at })
}

func (f *FS) change(name string, set func(*inode)) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	at, err := f.walk(name, true)
	switch {
	case err != nil:
		return err
	case at.node == nil:
		return ENOENT
	case at.parent == nil || at.parent.frozen != 0:
		return EROFS
	}
	set(at.node)
	return nil
}

func (n *inode) size() int64 {
	total := int64(len(n.data))
	for _, c := range n.children {
		total += c.size()
	}
	return total
}

// writable says that the shell user may write the file, or into the folder.
func (f *FS) writable(name string) bool {
	f.mu.RLock()
	defer f.mu.RUnlock()
	at, err := f.walk(name, true)
	switch {
	case err != nil || at.node == nil || at.parent == nil:
		return false
	case at.node.mode&fs.ModeCharDevice != 0:
		return true
	case at.node.mode.IsDir():
		return at.node.frozen == 0
	}
	return at.parent.frozen == 0 && at.node.mode.Perm()&0o222 != 0
}
