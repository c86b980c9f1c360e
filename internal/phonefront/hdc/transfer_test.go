package hdc_test

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/internal/phonefront/hdc"
)

// timing is what differs from run to run in the tool's answers.
var timing = regexp.MustCompile(`time:\d+ms rate:\d+\.\d\dkB/s|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d`)

// steady takes the times and the folder out of an answer.
func steady(dir, text string) string {
	return string(timing.ReplaceAllFunc([]byte(regexp.MustCompile(regexp.QuoteMeta(dir)).ReplaceAllString(text, "DIR")), func(m []byte) []byte {
		if m[0] == 't' {
			return []byte("TIME")
		}
		return []byte("DATE")
	}))
}

func write(t *testing.T, name, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
	require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
}

func TestFileTransfer(t *testing.T) {
	s, d := onePhone(t, "")
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.txt"), "hello\n")
	write(t, filepath.Join(dir, "empty"), "")
	write(t, filepath.Join(dir, "名 前.txt"), "unicode")
	write(t, filepath.Join(dir, "d/x"), "x\n")
	write(t, filepath.Join(dir, "d/sub/y"), "y\n")
	require.NoError(t, os.Mkdir(filepath.Join(dir, "nothing"), 0o755))
	const phone = "/data/local/tmp/"
	missing := func(name, master string) string {
		return "[Fail]Error opening file: no such file or directory, path:" + name + "\n[F][DATE] open path:" + name + ", localPath:" + name +
			", error:no such file or directory, dir:0, master:" + master + "\n"
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"send", "a.txt", phone + "a.txt"}, "FileTransfer finish, Size:6, File count = 1, TIME\r\n"},
		{[]string{"send", dir + "/a.txt", phone}, "FileTransfer finish, Size:6, File count = 1, TIME\r\n"},
		{[]string{"recv", phone + "a.txt", "back"}, "FileTransfer finish, Size:6, File count = 1, TIME\n"},
		{[]string{"recv", phone + "a.txt", dir + "/d"}, "FileTransfer finish, Size:6, File count = 1, TIME\n"},
		{[]string{"recv", phone + "nosuch", "x"}, "[Fail]Error opening file: no such file or directory, path:" + phone + "nosuch\r\n"},
		{[]string{"recv", "data/local/tmp/a.txt", "x"}, "[Fail]Error opening file: no such file or directory, path:data/local/tmp/a.txt\r\n"},
		{[]string{"recv", phone + "a.txt", dir + "/no/q"}, missing("DIR/no/q", "0")},
		{[]string{"send", "nosuch", phone + "x"}, missing("DIR/nosuch", "1")},
		{[]string{"send", "a.txt", "/nonexistent/a.txt"}, "[Fail]Error opening file: no such file or directory, path:/nonexistent/a.txt\r\n"},
		{[]string{"send", "a.txt", "/system/bin/a.txt"}, "[Fail]Error opening file: read-only file system, path:/system/bin/a.txt\r\n"},
		{[]string{"send", "a.txt", "/data/app/a.txt"}, "[Fail]Error opening file: permission denied, path:/data/app/a.txt\r\n"},
		{[]string{"send", "a.txt"}, "[Fail]There is no remote path\n"},
		{[]string{"send"}, "[Fail]There is no local and remote path\n"},
		{[]string{"recv"}, "[Fail]There is no local and remote path\r\n"},
		{[]string{"send", "-a", "-x", "a.txt", phone + "b"}, "[Fail]Unknown file option: -x\n"},
		{[]string{"send", "-a", "-sync", "a.txt", phone + "b"}, "FileTransfer finish, Size:6, File count = 1, TIME\r\n"},
		{[]string{"send", "empty", phone + "empty"}, "FileTransfer finish, Size:0, File count = 1, TIME\r\n"},
		{[]string{"recv", phone + "empty", "empty2"}, "FileTransfer finish, Size:0, File count = 1, TIME\n"},
		{[]string{"send", "名 前.txt", phone + "名 前.txt"}, "FileTransfer finish, Size:7, File count = 1, TIME\r\n"},
		{[]string{"recv", phone + "名 前.txt"}, "FileTransfer finish, Size:7, File count = 1, TIME\n"},
		{[]string{"send", "nothing", phone}, "[Fail]Operation failed, because the source folder is empty.\n"},
		{[]string{"send", "d", phone}, "FileTransfer finish, Size:10, File count = 3, TIME\r\n"},
		{[]string{"recv", phone + "d", "dd"}, "FileTransfer finish, Size:10, File count = 3, TIME\n"},
	} {
		o := run(t, s, dir, append([]string{"file"}, c.args...)...)
		require.Empty(t, o.err, c.args)
		require.Equal(t, c.want, steady(dir, o.out), c.args)
	}
	data, err := d.FS().ReadFile(phone + "d/sub/y")
	require.NoError(t, err)
	require.Equal(t, "y\n", string(data))
	back, err := os.ReadFile(filepath.Join(dir, "dd/sub/y"))
	require.NoError(t, err)
	require.Equal(t, "y\n", string(back))
	info, err := os.Stat(filepath.Join(dir, "dd"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o750), info.Mode().Perm())
}

func TestTransferNeedsAPhone(t *testing.T) {
	s, d := onePhone(t, "")
	set(t, d, hdc.FaultUnauthorized)
	for _, args := range [][]string{{"file", "send", "a", "/b"}, {"file", "recv", "/b"}, {"install", "x.hap"}, {"uninstall", "x"}, {"fport", "tcp:1", "tcp:2"}} {
		require.Equal(t, "[Fail][E000003]:"+denied, out(t, s, args...), args)
	}
}

func TestRecvCut(t *testing.T) {
	s, d := onePhone(t, "")
	require.NoError(t, d.FS().WriteFile("/data/local/tmp/f", []byte("12345678"), 0o644))
	set(t, d, hdc.FaultRecvCut)
	dir := t.TempDir()
	require.Equal(t, "[Fail]Transfer Stop at:4/8(Bytes), Reason: I/O error\r\n", run(t, s, dir, "file", "recv", "/data/local/tmp/f").out)
	data, err := os.ReadFile(filepath.Join(dir, "f"))
	require.NoError(t, err)
	require.Equal(t, "1234", string(data))
}

// hap makes a package of a bundle.
func hap(t *testing.T, name, bundle string) {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create("module.json")
	require.NoError(t, err)
	_, err = w.Write([]byte(`{"app":{"bundleName":"` + bundle + `"}}`))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	write(t, name, b.String())
}

func TestInstall(t *testing.T) {
	s, d := onePhone(t, "")
	dir := t.TempDir()
	hap(t, filepath.Join(dir, "x.hap"), "com.x")
	write(t, filepath.Join(dir, "bad.hap"), "not a package")
	write(t, filepath.Join(dir, "a.txt"), "x")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"install"}, "[Fail][E006001] Not any installation package was found\n"},
		{[]string{"install", "a.txt"}, "[Fail][E006001] Not any installation package was found\n"},
		{[]string{"install", "-r", "x.hap"}, "[Info]App install path:DIR/x.hap msg:install bundle successfully. \r\nAppMod finish\r\n"},
		{[]string{"install", "bad.hap"}, "[Info]App install path:DIR/bad.hap msg:error: failed to install bundle. code:9568320 error: no signature file. \r\nAppMod finish\r\n"},
		{[]string{"install", "no.hap"}, "[Fail]Error opening file: no such file or directory, path:DIR/no.hap\n[F][DATE] open path:DIR/no.hap, localPath:DIR/no.hap, error:no such file or directory, dir:0, master:1\n"},
		{[]string{"uninstall", "com.ohos.mms"}, "[Info]App uninstall path: msg:error: failed to uninstall bundle. code:9568388 error: uninstall system app error. \r\nAppMod finish\r\n"},
	} {
		require.Equal(t, c.want, steady(dir, run(t, s, dir, c.args...).out), c.args)
	}
	require.Contains(t, out(t, s, "shell", "bm dump -a"), "\tcom.x\n")
	require.Equal(t, "ID: 100:\n\tcom.x\n", out(t, s, "shell", "bm dump -g"))
	require.Equal(t, "[Info]App uninstall path: msg:uninstall bundle successfully. \r\nAppMod finish\r\n", out(t, s, "uninstall", "-k", "com.x"))
	require.NotContains(t, out(t, s, "shell", "bm dump -a"), "\tcom.x\n")
	set(t, d, hdc.FaultInstallFail)
	require.Contains(t, run(t, s, dir, "install", "x.hap").out, "code:9568322")

	old, _ := onePhone(t, "5.0")
	require.Equal(t, "[I][DATE] HdcFile::TransferSummary success\nFileTransfer finish, Size:1, File count = 1, TIME\r\n",
		steady(dir, run(t, old, dir, "file", "send", "a.txt", "/data/local/tmp/a.txt").out))
	out(t, old, "shell", "rm /data/local/tmp/a.txt")
	require.Equal(t, "[Info]App install path:DIR/x.hap, queuesize:0, msg:install bundle successfully. \nAppMod finish\r\n",
		steady(dir, run(t, old, dir, "install", "x.hap").out))
	require.Empty(t, out(t, old, "shell", "ls /data/local/tmp"), "the package was left on the phone")
}
