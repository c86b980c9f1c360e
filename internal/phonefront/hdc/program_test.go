package hdc_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/internal/phonefront/hdc"
)

// program writes hdc into a folder with a blank and a quote in its name.
func program(t *testing.T, s *hdc.Server) string {
	t.Helper()
	path, err := s.WriteTool(filepath.Join(t.TempDir(), "it's a folder"), "")
	require.NoError(t, err)
	return path
}

// execute runs the program and returns its outputs. Its status must be 0.
func execute(t *testing.T, name, dir string, args ...string) output {
	t.Helper()
	var out, err bytes.Buffer
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &err
	require.NoError(t, cmd.Run())
	return output{out.String(), err.String()}
}

// A script that was written for hdc works with the program.
func TestProgram(t *testing.T) {
	s, d := onePhone(t, "")
	name, dir := program(t, s), t.TempDir()
	require.Equal(t, output{out: usb + "\n"}, execute(t, name, dir, "list", "targets"))
	require.Equal(t, output{out: "it's  \"q\" 你好\n"}, execute(t, name, dir, "shell", `echo 'it'\''s  "q" 你好'`))
	require.Empty(t, execute(t, name, dir, "shell", "exit 3"))
	o := execute(t, name, dir, "frob")
	require.Equal(t, "Unknown operation command...\n", o.out)
	require.Contains(t, o.err, "OpenHarmony device connector")

	script := filepath.Join(dir, "tour.sh")
	write(t, script, `set -e
hdc -t `+usb+` shell "aa start -a `+settings+`.MainAbility -b `+settings+`" | grep -q successfully
hdc shell uitest dumpLayout -p /data/local/tmp/l.json
hdc file recv /data/local/tmp/l.json l.json
hdc shell rm -f /data/local/tmp/l.json
grep -o '"text":"Bluetooth"' l.json
hdc shell uitest uiInput keyEvent Home
`)
	cmd := exec.Command("/bin/sh", script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(name)+":"+os.Getenv("PATH"))
	text, err := cmd.CombinedOutput()
	require.NoError(t, err, string(text))
	require.Regexp(t, `^DumpLayout saved to:/data/local/tmp/l\.json\nFileTransfer finish, Size:\d+, File count = 1, time:\d+ms rate:[\d.]+kB/s\n"text":"Bluetooth"\nNo Error\n$`, string(text))
	require.Len(t, d.Phone().Events("launch"), 1)
	require.Equal(t, "com.ohos.sceneboard", d.Phone().FocusedApp().ID)
}

// A program that has just been written can be started, whatever else is started at the time.
func TestProgramIsReadyAtOnce(t *testing.T) {
	s, _ := onePhone(t, "")
	other, err := exec.LookPath("true")
	require.NoError(t, err)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 15 {
				path, err := s.WriteTool(t.TempDir(), other)
				if err == nil {
					err = exec.Command(path).Run()
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

// Killing the program leaves its command on the phone.
func TestProgramKilled(t *testing.T) {
	s, d := onePhone(t, "")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	cmd := exec.CommandContext(ctx, program(t, s), "shell", patient)
	require.NoError(t, cmd.Start())
	awaitFile(t, d, "a")
	cancel()
	require.Error(t, cmd.Wait())
	letGo(t, d)
	awaitFile(t, d, "b")
}

// Without its server the program says what hdc says.
func TestProgramWithoutServer(t *testing.T) {
	s, err := hdc.Serve(&hdc.ServerOptions{Listen: "127.0.0.1:" + freePort(t)})
	require.NoError(t, err)
	name := program(t, s)
	require.NoError(t, s.Close())
	require.Equal(t, output{err: "Connect server failed\n"}, execute(t, name, t.TempDir(), "list", "targets"))
}

func TestAsTool(t *testing.T) {
	for _, args := range [][]string{nil, {"handset"}, {"handset", "sim", "--hdc"}} {
		_, ok := hdc.AsTool(args, os.LookupEnv)
		require.False(t, ok, args)
	}
}
