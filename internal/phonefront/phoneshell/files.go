package phoneshell

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

func runLs(_ context.Context, p *Proc) int {
	set, names, unknown := p.Options("laA1dRhtrFiLZ", "")
	if unknown != 0 {
		return p.badOption(unknown)
	}
	if len(names) == 0 {
		names = []string{"."}
	}
	status := 0
	for _, name := range names {
		info, err := p.sys().FS.Stat(p.Abs(name), !Has(set, 'd') && !Has(set, 'l') || strings.HasSuffix("/"+name, "/.") || strings.HasSuffix(name, "/"))
		if err != nil {
			status = p.Complain(name, err)
			continue
		}
		if !info.IsDir() || Has(set, 'd') {
			p.list(set, name, info)
			continue
		}
		list, err := p.sys().FS.ReadDir(p.Abs(name))
		if err != nil {
			status = p.Complain(name, err)
			continue
		}
		if len(names) > 1 {
			p.Print("%s:\n", name)
		}
		if Has(set, 'l') {
			p.Print("total %d\n", blocks(list))
		}
		for _, info := range list {
			if !strings.HasPrefix(info.Name(), ".") || Has(set, 'a') || Has(set, 'A') {
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
func (p *Proc) list(set map[byte]string, name string, i *Info) {
	if !Has(set, 'l') {
		p.Print("%s\n", name)
		return
	}
	if i.Link != "" {
		name += " -> " + i.Link
	}
	p.Print("%s %d %s %s %d %s %s\n", modeText(i), 1, owner(i.UID), owner(i.GID), i.Size(),
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

func runStat(_ context.Context, p *Proc) int {
	set, names, unknown := p.Options("Lft", "c")
	if unknown != 0 {
		return p.badOption(unknown)
	}
	status := 0
	for _, name := range names {
		i, err := p.sys().FS.Stat(p.Abs(name), Has(set, 'L'))
		if err != nil {
			status = p.Complain(name, err)
			continue
		}
		if format, given := set['c']; given {
			p.Print("%s\n", statFormat(format, name, i))
			continue
		}
		at := i.ModTime().UTC().Format("2006-01-02 15:04:05.000000000 -0700")
		p.Print("  File: %s\n  Size: %d\t Blocks: %d\t IO Blocks: 512\t%s\n", name, i.Size(), (i.Size()+511)/512, fileKind(i))
		p.Print("Device: 10301h/66305d\t Inode: %d\t Links: 1\n", i.Ino)
		p.Print("Access: (%04o/%s)\tUid: (%5d/%8s)\tGid: (%5d/%8s)\n", i.Mode().Perm(), modeText(i), i.UID, owner(i.UID), i.GID, owner(i.GID))
		p.Print("Access: %s\nModify: %s\nChange: %s\n", at, at, at)
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

func runRm(_ context.Context, p *Proc) int {
	set, names, unknown := p.Options("frRiv", "")
	switch {
	case unknown != 0:
		return p.badOption(unknown)
	case len(names) == 0 && !Has(set, 'f'):
		return p.Fail(1, "rm: Needs 1 argument (see \"rm --help\")")
	}
	status := 0
	for _, name := range names {
		err := p.sys().FS.Remove(p.Abs(name), Has(set, 'r') || Has(set, 'R'))
		if err != nil && !(Has(set, 'f') && ErrnoOf(err) == ENOENT) {
			status = p.Complain(name, err)
		}
	}
	return status
}

func runMkdir(_ context.Context, p *Proc) int {
	set, names, unknown := p.Options("pv", "m")
	if unknown != 0 {
		return p.badOption(unknown)
	}
	status := 0
	for _, name := range names {
		f := p.sys().FS.Mkdir
		if Has(set, 'p') {
			f = p.sys().FS.MkdirAll
		}
		if err := f(p.Abs(name)); err != nil {
			status = p.Fail(1, "mkdir: '%s': %s", name, ErrnoOf(err))
		}
	}
	return status
}

func runRmdir(_ context.Context, p *Proc) int {
	_, names, _ := p.Options("p", "")
	status := 0
	for _, name := range names {
		if err := p.sys().FS.RemoveDir(p.Abs(name)); err != nil {
			status = p.Complain(name, err)
		}
	}
	return status
}

func runMv(_ context.Context, p *Proc) int {
	_, names, unknown := p.Options("finv", "")
	if unknown != 0 {
		return p.badOption(unknown)
	}
	if len(names) != 2 {
		return p.Fail(1, "mv: needs 2 arguments (see \"mv --help\")")
	}
	if err := p.sys().FS.Rename(p.Abs(names[0]), p.Abs(names[1])); err != nil {
		return p.Fail(1, "mv: bad '%s': %s", names[0], ErrnoOf(err))
	}
	return 0
}

func runCp(_ context.Context, p *Proc) int {
	_, names, unknown := p.Options("finvpa", "")
	if unknown != 0 {
		return p.badOption(unknown)
	}
	if len(names) != 2 {
		return p.Fail(1, "cp: needs 2 arguments (see \"cp --help\")")
	}
	data, err := p.sys().FS.ReadFile(p.Abs(names[0]))
	if err != nil {
		return p.Fail(1, "cp: bad '%s': %s", names[0], ErrnoOf(err))
	}
	to := p.Abs(names[1])
	if info, err := p.sys().FS.Stat(to, true); err == nil && info.IsDir() {
		to = path.Join(to, path.Base(names[0]))
	}
	if err := p.sys().FS.WriteFile(to, data, 0o666); err != nil {
		return p.Complain(to, err)
	}
	return 0
}

func runTouch(_ context.Context, p *Proc) int {
	set, names, unknown := p.Options("cam", "dtr")
	if unknown != 0 {
		return p.badOption(unknown)
	}
	status := 0
	for _, name := range names {
		f := p.sys().FS
		_, err := f.Stat(p.Abs(name), true)
		switch {
		case err == nil:
			err = f.Touch(p.Abs(name), p.sys().Now())
		case !Has(set, 'c'):
			err = f.WriteFile(p.Abs(name), nil, 0o666)
		}
		if err != nil {
			status = p.Complain(name, err)
		}
	}
	return status
}

func runChmod(_ context.Context, p *Proc) int {
	_, args, _ := p.Options("Rfv", "")
	if len(args) < 2 {
		return p.Fail(1, "chmod: needs 2 arguments (see \"chmod --help\")")
	}
	mode, err := strconv.ParseUint(args[0], 8, 12)
	if err != nil {
		if args[0] != "+x" && args[0] != "a+x" && args[0] != "u+x" {
			return p.Fail(1, "chmod: bad mode '%s'", args[0])
		}
		mode = 0o755
	}
	status := 0
	for _, name := range args[1:] {
		if err := p.sys().FS.Chmod(p.Abs(name), fs.FileMode(mode)); err != nil {
			status = p.Complain(name, err)
		}
	}
	return status
}

func runSum(_ context.Context, p *Proc) int {
	set, names, unknown := p.Options("b", "")
	if unknown != 0 {
		return p.badOption(unknown)
	}
	return p.Inputs(names, func(name string, r io.Reader) error {
		var h hash.Hash
		switch p.Args[0] {
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
		if Has(set, 'b') {
			p.Print("%x\n", h.Sum(nil))
		} else {
			p.Print("%x  %s\n", h.Sum(nil), name)
		}
		return nil
	})
}

func runReadlink(_ context.Context, p *Proc) int {
	_, names, _ := p.Options("fenqz", "")
	if len(names) == 0 {
		return 1
	}
	info, err := p.sys().FS.Stat(p.Abs(names[0]), false)
	switch {
	case err != nil && p.Args[0] == "realpath":
		return p.Complain(names[0], err)
	case err != nil:
		return 1
	case info.Link != "":
		p.Print("%s\n", info.Link)
	case p.Args[0] == "realpath":
		p.Print("%s\n", p.Abs(names[0]))
	default:
		return 1
	}
	return 0
}

func runMktemp(_ context.Context, p *Proc) int {
	set, rest, unknown := p.Options("dqu", "p")
	if unknown != 0 {
		return p.badOption(unknown)
	}
	dir, pattern := cmp.Or(set['p'], tempDir), "tmp.XXXXXXXXXX"
	if len(rest) > 0 {
		dir, pattern = p.Abs(path.Dir(rest[0])), path.Base(rest[0])
	}
	stem := strings.TrimRight(pattern, "X")
	for i := 1; ; i++ {
		name := path.Join(dir, fmt.Sprintf("%s%0*d", stem, len(pattern)-len(stem), i))
		if _, err := p.sys().FS.Stat(name, false); err == nil {
			continue
		}
		err := error(nil)
		if Has(set, 'd') {
			err = p.sys().FS.Mkdir(name)
		} else {
			err = p.sys().FS.WriteFile(name, nil, 0o600)
		}
		if err != nil {
			return p.Fail(1, "mktemp: Failed to create %s: %s", name, ErrnoOf(err))
		}
		p.Print("%s\n", name)
		return 0
	}
}

func runFind(_ context.Context, p *Proc) int {
	args := p.Args[1:]
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
			return p.Fail(1, "find: bad arg '%s'", args[0])
		}
		args = args[2:]
	}
	status := 0
	var walk func(name string)
	walk = func(name string) {
		info, err := p.sys().FS.Stat(p.Abs(name), false)
		if err != nil {
			status = p.Complain(name, err)
			return
		}
		if ok, _ := path.Match(pattern, path.Base(name)); ok && (kind == "" || kind == modeText(info)[:1] || kind == "f" && modeText(info)[0] == '-') {
			p.Print("%s\n", name)
		}
		if !info.IsDir() {
			return
		}
		list, err := p.sys().FS.ReadDir(p.Abs(name))
		if err != nil {
			status = p.Complain(name, err)
		}
		for _, i := range list {
			walk(strings.TrimSuffix(name, "/") + "/" + i.Name())
		}
	}
	walk(root)
	return status
}

func runDf(_ context.Context, p *Proc) int {
	p.sys().FS.mu.RLock()
	used := p.sys().FS.used / 1024
	p.sys().FS.mu.RUnlock()
	total := p.sys().FS.capacity / 1024
	p.Print("Filesystem     1K-blocks    Used Available Use%% Mounted on\n")
	p.Print("/dev/block/dm-5 %9d %7d %9d %3d%% /data\n", total, used, total-used, used*100/total)
	return 0
}

// runDd copies blocks: if=, of=, bs=, count= and skip=.
func runDd(ctx context.Context, p *Proc) int {
	arg := map[string]string{"bs": "512", "if": "-"}
	for _, a := range p.Args[1:] {
		k, v, _ := strings.Cut(a, "=")
		arg[k] = v
	}
	size := blockSize(arg["bs"])
	r, err := p.Open(arg["if"])
	if err != nil {
		return p.Complain(arg["if"], err)
	}
	defer r.Close()
	var w io.Writer = p.Out
	if name := arg["of"]; name != "" {
		f, err := p.s.openFile(p.Abs(name), true, false, 0o666)
		if err != nil {
			return p.Complain(name, err)
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
		return p.Complain(arg["of"], err)
	}
	full, part := n/size, min(n%size, 1)
	fmt.Fprintf(p.Err, "%d+%d records in\n%d+%d records out\n%d bytes copied, %.3f s\n", full, part, full, part, n, time.Since(start).Seconds())
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
