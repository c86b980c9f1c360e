package hdc

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// moveArgs are the arguments of file send and file recv.
func (t *Tool) moveArgs(args []string) (names []string, problem string) {
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		switch args[0] {
		case "-a", "-sync", "-z", "-m":
			args = args[1:]
		case "-cwd", "-b":
			if len(args) > 1 && args[0] == "-cwd" {
				t.Dir = args[1]
			}
			args = args[min(2, len(args)):]
		default:
			return nil, "[Fail]Unknown file option: " + args[0] + "\n"
		}
	}
	return args, ""
}

// local makes a path of this machine absolute.
func (t *Tool) local(name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(t.Dir, name)
}

// fileSend copies a file or a folder to the phone.
func (t *Tool) fileSend(ctx context.Context, q request) {
	names, problem := t.moveArgs(q.Args)
	ready := t.send(ctx, q, opReady)
	if !ready.OK {
		return
	}
	switch {
	case problem != "":
	case len(names) == 0:
		problem = "[Fail]There is no local and remote path\n"
	case len(names) == 1:
		problem = "[Fail]There is no remote path\n"
	}
	if problem != "" {
		t.print("%s", problem)
		return
	}
	start := time.Now()
	local := t.local(names[0])
	files, err := readLocal(local, "")
	switch {
	case err != nil:
		t.localFailed(err, local, 1)
		return
	case !slices.ContainsFunc(files, func(f file) bool { return !f.Dir }):
		t.print("[Fail]Operation failed, because the source folder is empty.\n")
		return
	}
	q.Files = files
	if t.send(ctx, q, opPush, names[1], filepath.Base(local)).OK {
		t.print("%s%s\r\n", summary(ready), finished(files, time.Since(start)))
	}
}

// fileRecv copies a file or a folder of the phone to this machine.
func (t *Tool) fileRecv(ctx context.Context, q request) {
	names, problem := t.moveArgs(q.Args)
	ready := t.send(ctx, q, opReady)
	if !ready.OK {
		return
	}
	switch {
	case problem != "":
		t.print("%s", problem)
		return
	case len(names) == 0:
		t.print("[Fail]There is no local and remote path\r\n")
		return
	}
	start := time.Now()
	base := filepath.Base(names[0])
	local := t.local(base)
	if len(names) > 1 {
		local = t.local(names[1])
	}
	got := t.send(ctx, q, opPull, names[0])
	if len(got.Files) == 0 {
		return
	}
	if info, err := os.Stat(local); err == nil && info.IsDir() {
		local = filepath.Join(local, base)
	}
	if err := writeLocal(local, got.Files); err != nil {
		t.localFailed(err, local, 0)
		return
	}
	if got.OK {
		t.print("%s%s\n", summary(ready), finished(got.Files, time.Since(start)))
	}
}

// localFailed says that a file of this machine cannot be opened, twice, as hdc does.
func (t *Tool) localFailed(err error, name string, master int) {
	why := reason(err)
	t.print("%s\n[F][%s] open path:%s, localPath:%s, error:%s, dir:0, master:%d\n", openFailed(why, name),
		time.Now().Format("2006-01-02 15:04:05"), name, name, why, master)
}

// finished is the line of a transfer that was done.
func finished(files []file, took time.Duration) string {
	total, count := 0, 0
	for _, f := range files {
		if !f.Dir {
			total, count = total+len(f.Data), count+1
		}
	}
	ms := max(took.Milliseconds(), 1)
	return fmt.Sprintf("FileTransfer finish, Size:%d, File count = %d, time:%dms rate:%.2fkB/s", total, count, ms, float64(total)/float64(ms))
}

// summary is the line that older tools print before that.
func summary(ready reply) string {
	if ready.Coded {
		return ""
	}
	return "[I][" + time.Now().Format("2006-01-02 15:04:05") + "] HdcFile::TransferSummary success\n"
}

func size(n int) string { return strconv.Itoa(n) }

// install sends packages to the phone.
func (t *Tool) install(ctx context.Context, q request) {
	paths := slices.DeleteFunc(slices.Clone(q.Args), func(a string) bool {
		return !slices.Contains([]string{".hap", ".hsp", ".app"}, filepath.Ext(a))
	})
	ready := t.send(ctx, q, opReady)
	if !ready.OK {
		return
	}
	if len(paths) == 0 {
		t.fail(ready, "[E006001] ", "Not any installation package was found")
		return
	}
	for _, name := range paths {
		local := t.local(name)
		data, err := os.ReadFile(local)
		if err != nil {
			t.localFailed(err, local, 1)
			return
		}
		q.Files = append(q.Files, file{Path: local, Data: data})
	}
	t.send(ctx, q, opInstall)
}

// readLocal reads a file of this machine, or a folder with all that is below it.
func readLocal(name, below string) ([]file, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		data, err := os.ReadFile(name)
		return []file{{Path: below, Data: data}}, err
	}
	entries, err := os.ReadDir(name)
	if err != nil {
		return nil, err
	}
	files := []file{{Path: below, Dir: true}}
	for _, e := range entries {
		inside, err := readLocal(filepath.Join(name, e.Name()), path.Join(below, e.Name()))
		if err != nil {
			return nil, err
		}
		files = append(files, inside...)
	}
	return files, nil
}

// writeLocal writes what came from the phone. The names come from the simulated phone's own files, and stay
// below name.
func writeLocal(name string, files []file) error {
	for _, f := range files {
		if !filepath.IsLocal(filepath.FromSlash(cmp.Or(f.Path, "."))) {
			return &fs.PathError{Op: "open", Path: f.Path, Err: fs.ErrPermission}
		}
		to := filepath.Join(name, filepath.FromSlash(f.Path))
		var err error
		if f.Dir {
			err = os.MkdirAll(to, 0o750)
		} else {
			err = os.WriteFile(to, f.Data, 0o644)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
