package android

import (
	"cmp"
	"context"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"time"
)

func runLs(_ context.Context, p *proc) int {
	set, names, unknown := p.options("laA1dRhtrFiLZ", "")
	if unknown != 0 {
		return p.badOption(unknown)
	}
	if len(names) == 0 {
		names = []string{"."}
	}
	status := 0
	for _, name := range names {
		info, err := p.device().fs.Stat(p.abs(name), !has(set, 'd') && !has(set, 'l') || strings.HasSuffix("/"+name, "/.") || strings.HasSuffix(name, "/"))
		if err != nil {
			status = p.complain(name, err)
			continue
		}
		if !info.IsDir() || has(set, 'd') {
			p.list(set, name, info)
			continue
		}
		list, err := p.device().fs.ReadDir(p.abs(name))
		if err != nil {
			status = p.complain(name, err)
			continue
		}
		if len(names) > 1 {
			p.print("%s:\n", name)
		}
		if has(set, 'l') {
			p.print("total %d\n", blocks(list))
		}
		for _, info := range list {
			if !strings.HasPrefix(info.Name(), ".") || has(set, 'a') || has(set, 'A') {
				p.list(set, info.Name(), info)
			}
		}
	}
	return status
}

func blocks(list []*Info) (total int64) {
	for _, i := range list {
		total += (i.Size() + 1023) / 1024
	}
	return total
}

// list prints one line of ls.
func (p *proc) list(set map[byte]string, name string, i *Info) {
	if !has(set, 'l') {
		p.print("%s\n", name)
		return
	}
	if i.Link != "" {
		name += " -> " + i.Link
	}
	p.print("%s %d %s %s %d %s %s\n", modeText(i), 1, owner(i.UID), owner(i.GID), i.Size(),
		i.ModTime().UTC().Format("2006-01-02 15:04"), name)
}

func owner(id uint32) string {
	switch id {
	case 2000:
		return "shell"
	case 0:
		return "root"
	}
	return strconv.Itoa(int(id))
}

// modeText is the mode as ls shows it.
func modeText(i *Info) string {
	kind := "-"
	switch {
	case i.IsDir():
		kind = "d"
	case i.Mode()&fs.ModeSymlink != 0:
		kind = "l"
	case i.Mode()&fs.ModeCharDevice != 0:
		kind = "c"
	}
	return kind + i.Mode().Perm().String()[1:]
}

func runStat(_ context.Context, p *proc) int {
	set, names, unknown := p.options("Lft", "c")
	if unknown != 0 {
		return p.badOption(unknown)
	}
	status := 0
	for _, name := range names {
		i, err := p.device().fs.Stat(p.abs(name), has(set, 'L'))
		if err != nil {
			status = p.complain(name, err)
			continue
		}
		if format, given := set['c']; given {
			p.print("%s\n", statFormat(format, name, i))
			continue
		}
		at := i.ModTime().UTC().Format("2006-01-02 15:04:05.000000000 -0700")
		p.print("  File: %s\n  Size: %d\t Blocks: %d\t IO Blocks: 512\t%s\n", name, i.Size(), (i.Size()+511)/512, fileKind(i))
		p.print("Device: 10301h/66305d\t Inode: %d\t Links: 1\n", i.Ino)
		p.print("Access: (%04o/%s)\tUid: (%5d/%8s)\tGid: (%5d/%8s)\n", i.Mode().Perm(), modeText(i), i.UID, owner(i.UID), i.GID, owner(i.GID))
		p.print("Access: %s\nModify: %s\nChange: %s\n", at, at, at)
	}
	return status
}

func fileKind(i *Info) string {
	switch {
	case i.IsDir():
		return "directory"
	case i.Mode()&fs.ModeSymlink != 0:
		return "symbolic link"
	case i.Mode()&fs.ModeCharDevice != 0:
		return "character device"
	case i.Size() == 0:
		return "regular empty file"
	}
	return "regular file"
}

func statFormat(format, name string, i *Info) string {
	return strings.NewReplacer("%%", "%", "%s", strconv.FormatInt(i.Size(), 10), "%n", name, "%F", fileKind(i),
		"%a", fmt.Sprintf("%o", i.Mode().Perm()), "%A", modeText(i), "%Y", strconv.FormatInt(i.ModTime().Unix(), 10),
		"%X", strconv.FormatInt(i.ModTime().Unix(), 10), "%U", owner(i.UID), "%G", owner(i.GID), "%u", strconv.Itoa(int(i.UID)),
		"%g", strconv.Itoa(int(i.GID)), "%i", strconv.FormatUint(i.Ino, 10), "%f", fmt.Sprintf("%x", i.UnixMode()),
	).Replace(format)
}

func runRm(_ context.Context, p *proc) int {
	set, names, unknown := p.options("frRiv", "")
	switch {
	case unknown != 0:
		return p.badOption(unknown)
	case len(names) == 0 && !has(set, 'f'):
		return p.fail(1, "rm: Needs 1 argument (see \"rm --help\")")
	}
	status := 0
	for _, name := range names {
		err := p.device().fs.Remove(p.abs(name), has(set, 'r') || has(set, 'R'))
		if err != nil && !(has(set, 'f') && errnoOf(err) == ENOENT) {
			status = p.complain(name, err)
		}
	}
	return status
}

func runMkdir(_ context.Context, p *proc) int {
	set, names, unknown := p.options("pv", "m")
	if unknown != 0 {
		return p.badOption(unknown)
	}
	status := 0
	for _, name := range names {
		f := p.device().fs.Mkdir
		if has(set, 'p') {
			f = p.device().fs.MkdirAll
		}
		if err := f(p.abs(name)); err != nil {
			status = p.fail(1, "mkdir: '%s': %s", name, errnoOf(err))
		}
	}
	return status
}

func runRmdir(_ context.Context, p *proc) int {
	_, names, _ := p.options("p", "")
	status := 0
	for _, name := range names {
		if err := p.device().fs.RemoveDir(p.abs(name)); err != nil {
			status = p.complain(name, err)
		}
	}
	return status
}

func runMv(_ context.Context, p *proc) int {
	_, names, unknown := p.options("finv", "")
	if unknown != 0 {
		return p.badOption(unknown)
	}
	if len(names) != 2 {
		return p.fail(1, "mv: needs 2 arguments (see \"mv --help\")")
	}
	if err := p.device().fs.Rename(p.abs(names[0]), p.abs(names[1])); err != nil {
		return p.fail(1, "mv: bad '%s': %s", names[0], errnoOf(err))
	}
	return 0
}

func runCp(_ context.Context, p *proc) int {
	_, names, unknown := p.options("finvpa", "")
	if unknown != 0 {
		return p.badOption(unknown)
	}
	if len(names) != 2 {
		return p.fail(1, "cp: needs 2 arguments (see \"cp --help\")")
	}
	data, err := p.device().fs.ReadFile(p.abs(names[0]))
	if err != nil {
		return p.fail(1, "cp: bad '%s': %s", names[0], errnoOf(err))
	}
	to := p.abs(names[1])
	if info, err := p.device().fs.Stat(to, true); err == nil && info.IsDir() {
		to = path.Join(to, path.Base(names[0]))
	}
	if err := p.device().fs.WriteFile(to, data, 0o666); err != nil {
		return p.complain(to, err)
	}
	return 0
}

func runTouch(_ context.Context, p *proc) int {
	set, names, unknown := p.options("cam", "dtr")
	if unknown != 0 {
		return p.badOption(unknown)
	}
	status := 0
	for _, name := range names {
		f := p.device().fs
		_, err := f.Stat(p.abs(name), true)
		switch {
		case err == nil:
			err = f.Touch(p.abs(name), p.device().now())
		case !has(set, 'c'):
			err = f.WriteFile(p.abs(name), nil, 0o666)
		}
		if err != nil {
			status = p.complain(name, err)
		}
	}
	return status
}

func runChmod(_ context.Context, p *proc) int {
	_, args, _ := p.options("Rfv", "")
	if len(args) < 2 {
		return p.fail(1, "chmod: needs 2 arguments (see \"chmod --help\")")
	}
	mode, err := strconv.ParseUint(args[0], 8, 12)
	if err != nil {
		if args[0] != "+x" && args[0] != "a+x" && args[0] != "u+x" {
			return p.fail(1, "chmod: bad mode '%s'", args[0])
		}
		mode = 0o755
	}
	status := 0
	for _, name := range args[1:] {
		if err := p.device().fs.Chmod(p.abs(name), fs.FileMode(mode)); err != nil {
			status = p.complain(name, err)
		}
	}
	return status
}

func runSum(_ context.Context, p *proc) int {
	set, names, unknown := p.options("b", "")
	if unknown != 0 {
		return p.badOption(unknown)
	}
	return p.inputs(names, func(name string, r io.Reader) error {
		var h hash.Hash
		switch p.args[0] {
		case "md5sum":
			h = md5.New()
		case "sha1sum":
			h = sha1.New()
		default:
			h = sha256.New()
		}
		if _, err := io.Copy(h, r); err != nil {
			return err
		}
		if has(set, 'b') {
			p.print("%x\n", h.Sum(nil))
		} else {
			p.print("%x  %s\n", h.Sum(nil), name)
		}
		return nil
	})
}

func runReadlink(_ context.Context, p *proc) int {
	_, names, _ := p.options("fenqz", "")
	if len(names) == 0 {
		return 1
	}
	info, err := p.device().fs.Stat(p.abs(names[0]), false)
	switch {
	case err != nil && p.args[0] == "realpath":
		return p.complain(names[0], err)
	case err != nil:
		return 1
	case info.Link != "":
		p.print("%s\n", info.Link)
	case p.args[0] == "realpath":
		p.print("%s\n", p.abs(names[0]))
	default:
		return 1
	}
	return 0
}

func runMktemp(_ context.Context, p *proc) int {
	set, rest, unknown := p.options("dqu", "p")
	if unknown != 0 {
		return p.badOption(unknown)
	}
	dir, pattern := cmp.Or(set['p'], tempDir), "tmp.XXXXXXXXXX"
	if len(rest) > 0 {
		dir, pattern = p.abs(path.Dir(rest[0])), path.Base(rest[0])
	}
	stem := strings.TrimRight(pattern, "X")
	for i := 1; ; i++ {
		name := path.Join(dir, fmt.Sprintf("%s%0*d", stem, len(pattern)-len(stem), i))
		if _, err := p.device().fs.Stat(name, false); err == nil {
			continue
		}
		err := error(nil)
		if has(set, 'd') {
			err = p.device().fs.Mkdir(name)
		} else {
			err = p.device().fs.WriteFile(name, nil, 0o600)
		}
		if err != nil {
			return p.fail(1, "mktemp: Failed to create %s: %s", name, errnoOf(err))
		}
		p.print("%s\n", name)
		return 0
	}
}

func runFind(_ context.Context, p *proc) int {
	args := p.args[1:]
	root, pattern, kind := ".", "*", ""
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		root, args = args[0], args[1:]
	}
	for len(args) > 1 {
		switch args[0] {
		case "-name", "-iname":
			pattern = args[1]
		case "-type":
			kind = args[1]
		default:
			return p.fail(1, "find: bad arg '%s'", args[0])
		}
		args = args[2:]
	}
	status := 0
	var walk func(name string)
	walk = func(name string) {
		info, err := p.device().fs.Stat(p.abs(name), false)
		if err != nil {
			status = p.complain(name, err)
			return
		}
		if ok, _ := path.Match(pattern, path.Base(name)); ok && (kind == "" || kind == modeText(info)[:1] || kind == "f" && modeText(info)[0] == '-') {
			p.print("%s\n", name)
		}
		if !info.IsDir() {
			return
		}
		list, err := p.device().fs.ReadDir(p.abs(name))
		if err != nil {
			status = p.complain(name, err)
		}
		for _, i := range list {
			walk(strings.TrimSuffix(name, "/") + "/" + i.Name())
		}
	}
	walk(root)
	return status
}

func runDf(_ context.Context, p *proc) int {
	p.device().fs.mu.RLock()
	used := p.device().fs.used / 1024
	p.device().fs.mu.RUnlock()
	total := p.device().fs.capacity / 1024
	p.print("Filesystem     1K-blocks    Used Available Use%% Mounted on\n")
	p.print("/dev/block/dm-5 %9d %7d %9d %3d%% /data\n", total, used, total-used, used*100/total)
	return 0
}

// runDd copies blocks: if=, of=, bs=, count= and skip=.
func runDd(ctx context.Context, p *proc) int {
	arg := map[string]string{"bs": "512", "if": "-"}
	for _, a := range p.args[1:] {
		k, v, _ := strings.Cut(a, "=")
		arg[k] = v
	}
	size := blockSize(arg["bs"])
	r, err := p.open(arg["if"])
	if err != nil {
		return p.complain(arg["if"], err)
	}
	defer r.Close()
	var w io.Writer = p.out
	if name := arg["of"]; name != "" {
		f, err := p.s.openFile(p.abs(name), true, false, 0o666)
		if err != nil {
			return p.complain(name, err)
		}
		w = f
	}
	_, _ = io.CopyN(io.Discard, r, blockSize(arg["skip"])*size)
	limit, count := int64(1)<<62, arg["count"]
	if count != "" {
		limit = blockSize(count) * size
	}
	start := time.Now()
	n, err := io.Copy(w, io.LimitReader(untilDone{ctx, r}, limit))
	if err != nil {
		return p.complain(arg["of"], err)
	}
	full, part := n/size, min(n%size, 1)
	fmt.Fprintf(p.err, "%d+%d records in\n%d+%d records out\n%d bytes copied, %.3f s\n", full, part, full, part, n, time.Since(start).Seconds())
	return 0
}

// untilDone reads until ctx ends: /dev/zero never does.
type untilDone struct {
	ctx context.Context
	r   io.Reader
}

func (u untilDone) Read(p []byte) (int, error) {
	if u.ctx.Err() != nil {
		return 0, io.EOF
	}
	return u.r.Read(p)
}

// blockSize reads a number with k or m.
func blockSize(s string) int64 {
	n, _ := strconv.ParseInt(strings.TrimRight(s, "kKMmB"), 10, 64)
	switch {
	case strings.ContainsAny(s, "kK"):
		return n << 10
	case strings.ContainsAny(s, "mM"):
		return n << 20
	}
	return n
}
