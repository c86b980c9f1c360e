package adb

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
)

// packageFiles writes n files that look like packages.
func packageFiles(t *testing.T, n int) []string {
	dir := t.TempDir()
	var files []string
	for i := range n {
		name := filepath.Join(dir, "part "+string(rune('a'+i))+".apk")
		require.NoError(t, os.WriteFile(name, []byte(strings.Repeat("PK", i+1)), 0o644))
		files = append(files, name)
	}
	return files
}

func TestInstall(t *testing.T) {
	tests := []struct {
		name  string
		files int
		say   map[string]string // by a part of the line
		want  []string          // how lines of pm begin
		err   string
	}{
		{"one file", 1, map[string]string{"pm install": "\tpkg: /data/local/tmp/x.apk\nSuccess\n"}, []string{"pm install -r -t /data/local/tmp/handset-"}, ""},
		{
			"three parts", 3,
			map[string]string{"install-create": "Success: created install session [1234]\n", "install-write": "Success: streamed 2 bytes\n", "install-commit": "Success\n"},
			[]string{"pm install-create -r -t", "pm install-write -S 2 1234 part0.apk ", "pm install-write -S 4 1234 part1.apk ", "pm install-write -S 6 1234 part2.apk ", "pm install-commit 1234"}, "",
		},
		{
			"a part that does not fit", 2,
			map[string]string{"install-create": "Success: created install session [7]\n", "install-write": "Success: streamed 2 bytes\n", "install-commit": "Failure [INSTALL_FAILED_INVALID_APK: Split null was defined multiple times]\n"},
			[]string{"pm install-create -r -t", "pm install-write -S 2 7 part0.apk ", "pm install-write -S 4 7 part1.apk ", "pm install-commit 7", "pm install-abandon 7"}, "INVALID_APK",
		},
		{"no session", 2, map[string]string{"install-create": "Success\n"}, []string{"pm install-create -r -t"}, "no install session"},
		{"another signature", 1, map[string]string{"pm install": "Failure [INSTALL_FAILED_UPDATE_INCOMPATIBLE: Package signatures do not match]\n"}, []string{"pm install"}, "uninstall that first"},
		{"MIUI", 1, map[string]string{"pm install": "Failure [INSTALL_FAILED_USER_RESTRICTED: Install canceled by user]\n", "getprop": sectionLabel(0) + "\nV14\n"}, []string{"pm install"}, "Install via USB"},
		{"another maker", 1, map[string]string{"pm install": "Failure [INSTALL_FAILED_USER_RESTRICTED]\n"}, []string{"pm install"}, "in the dialog on the phone"},
		{"an exception", 1, map[string]string{"pm install": "java.lang.SecurityException: no\n"}, []string{"pm install"}, "SecurityException"},
		{"silence", 1, nil, []string{"pm install"}, "printed nothing"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t)
			f.setShell(func(line string) answer {
				for part, say := range tt.say {
					if strings.Contains(line, part) && (part != "pm install" || strings.HasPrefix(line, "pm install ")) {
						return answer{out: say}
					}
				}
				return answer{}
			})
			d := f.open()
			err := d.Install(t.Context(), packageFiles(t, tt.files)...)
			f.mu.Lock()
			lines := strings.Join(f.lines, "\n")
			sent := len(f.files)
			f.mu.Unlock()
			require.Equal(t, tt.files, sent, "every file was pushed")
			require.Equal(t, tt.files, strings.Count(lines, "rm -f /data/local/tmp/handset-"), "and is removed")
			ran := f.ran("pm ")
			require.Len(t, ran, len(tt.want), "%q", ran)
			for i, want := range tt.want {
				require.True(t, strings.HasPrefix(ran[i], want), "%s", ran[i])
			}
			if tt.err == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, tt.err)
			require.Equal(t, tt.name == "no session", driver.MaybeDone(err), "a session without a number stays on the phone")
		})
	}
}

func TestInstallLooksAtTheFilesFirst(t *testing.T) {
	f := newFake(t)
	d := f.open()
	dir := t.TempDir()
	bundle := filepath.Join(dir, "x.apks")
	require.NoError(t, os.WriteFile(bundle, nil, 0o644))
	for _, files := range [][]string{nil, {filepath.Join(dir, "none.apk")}, {bundle}, {dir}} {
		require.Error(t, d.Install(t.Context(), files...))
	}
	require.Empty(t, f.ran(""))
}

func TestUninstallAndClearData(t *testing.T) {
	calls := map[string]func(*Driver, string) error{
		"pm uninstall": func(d *Driver, id string) error { return d.Uninstall(t.Context(), id) },
		"pm clear":     func(d *Driver, id string) error { return d.ClearData(t.Context(), id) },
	}
	for line, call := range calls {
		t.Run(line, func(t *testing.T) {
			have := installed("com.example.shop")
			f := newFake(t)
			reply := "Success\n"
			f.setShell(func(l string) answer {
				if strings.HasPrefix(l, line) {
					return answer{out: reply}
				}
				a, _ := have(l)
				return a
			})
			d := f.open()
			require.NoError(t, call(d, "com.example.shop"))
			require.Equal(t, []string{line + " com.example.shop"}, f.ran(line))
			for _, bad := range []string{"Shop", "com.example.none", "-k", "com.a; reboot", ""} {
				require.ErrorIs(t, call(d, bad), driver.ErrAppNotFound, bad)
			}
			require.Empty(t, f.ran(line), "a guess deletes nothing")
			reply = "Failure [DELETE_FAILED_DEVICE_POLICY_MANAGER]\n"
			err := call(d, "com.example.shop")
			require.ErrorContains(t, err, "security settings")
			require.False(t, driver.MaybeDone(err))
			reply = "Failed\n"
			require.ErrorContains(t, call(d, "com.example.shop"), "Failed")
		})
	}
}
