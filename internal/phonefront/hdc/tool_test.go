package hdc_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/internal/phonefront/hdc"
)

func TestShellOutput(t *testing.T) {
	s, _ := onePhone(t, "")
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"line":                      {[]string{"echo", "hi"}, "hi\n"},
		"both outputs, no status":   {[]string{"echo hi; echo err >&2; exit 3"}, "hi\nerr\n"},
		"no newline at the end":     {[]string{"printf", "abc"}, "abc"},
		"nothing":                   {[]string{"true"}, ""},
		"status inside":             {[]string{`sh -c "exit 7"; echo RC=$?`}, "RC=7\n"},
		"arithmetic":                {[]string{`echo "a b" $((1+2))`}, "a b 3\n"},
		"a blank gets quotes":       {[]string{"echo", "a  b", "c"}, "a  b c\n"},
		"one argument stays":        {[]string{"echo a  b"}, "a b\n"},
		"an apostrophe breaks":      {[]string{"echo", "it's"}, "/bin/sh: no closing quote\n"},
		"quotes vanish":             {[]string{"echo", `say "hi"`}, "say hi\n"},
		"substitution":              {[]string{"echo", "$(echo x)"}, "x\n"},
		"a backslash is lost":       {[]string{"echo", `a\nb`}, "anb\n"},
		"posix quoting holds":       {[]string{`printf %s 'it'\''s "q" $(x) ; | & ` + "\n" + `你好 🙂'`}, "it's \"q\" $(x) ; | & \n你好 🙂"},
		"unknown program":           {[]string{"nosuch"}, "/bin/sh: nosuch: inaccessible or not found\n"},
		"bytes pass":                {[]string{`printf 'a\000b\r\nc\001\377'`}, "a\x00b\r\nc\x01\xff"},
		"an option is refused":      {[]string{"-h"}, "[Fail][E003003] Unsupport shell option: -h\n"},
		"an option in a command":    {[]string{"echo", "-n", "x"}, "x"},
		"silenced in the back":      {[]string{"nohup sleep 500 >/dev/null 2>&1 & echo on"}, "on\n"},
		"the longest line":          {[]string{": " + strings.Repeat("x", 61437-10) + "; echo x"}, "x\n"},
		"one byte too long is lost": {[]string{": " + strings.Repeat("x", 61437-9) + "; echo x"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, out(t, s, append([]string{"shell"}, c.args...)...))
		})
	}
}

func TestToolOptions(t *testing.T) {
	s, _ := onePhone(t, "")
	long := strings.Repeat("k", 40)
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"version":            {[]string{"-v"}, "Ver: 3.2.0f\n"},
		"version as a word":  {[]string{"version"}, "Ver: 3.2.0f\n"},
		"both versions":      {[]string{"checkserver"}, "Client version:Ver: 3.2.0f, server version:Ver: 3.2.0f\n"},
		"key too long":       {[]string{"-t", long, "shell", "true"}, "Sizeo of of parament '-t' 40 is too long\n"},
		"server by name":     {[]string{"-s", "localhost:8710", "list", "targets"}, "-s content IP incorrect.\n"},
		"server by port":     {[]string{"-s", "8710", "list", "targets"}, usb + "\n"},
		"server by address":  {[]string{"-s", "127.0.0.1:8710", "list", "targets"}, usb + "\n"},
		"no such port":       {[]string{"-s", "127.0.0.1:99999", "list", "targets"}, "Port range incorrect\n"},
		"log level":          {[]string{"-l5", "list", "targets"}, usb + "\n"},
		"lists ignore a key": {[]string{"-t", "x", "list", "targets"}, usb + "\n"},
		"start":              {[]string{"start"}, ""},
		"restart":            {[]string{"start", "-r"}, ""},
		"wait":               {[]string{"wait"}, ""},
		"tmode":              {[]string{"tmode"}, "[Fail]Error input parameter\n"},
		"tmode port":         {[]string{"tmode", "port", "5555"}, "Set device run mode successful.\r\n"},
		"mount":              {[]string{"target", "mount"}, "[Fail]Mount failed\r\n"},
		"smode":              {[]string{"smode"}, ""},
		"uninstall nothing":  {[]string{"uninstall", "com.x"}, "[Info]App uninstall path: msg:error: failed to uninstall bundle. code:9568386 error: uninstall missing installed bundle. \r\nAppMod finish\r\n"},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, out(t, s, c.args...)) })
	}
}

func TestUnknownCommand(t *testing.T) {
	s, _ := onePhone(t, "")
	for _, args := range [][]string{{"frob"}, {"list"}, {"list", "foo"}, {"file"}, {"file", "foo"}, {}} {
		o := run(t, s, t.TempDir(), args...)
		require.Equal(t, "Unknown operation command...\n", o.out, args)
		require.Contains(t, o.err, "OpenHarmony device connector(hdc)", args)
	}
	o := run(t, s, t.TempDir(), "-h")
	require.Empty(t, o.out)
	require.Contains(t, o.err, "connectkey")
}

func TestServerDown(t *testing.T) {
	s, d := onePhone(t, "")
	down := output{err: "Connect server failed\n"}
	require.Equal(t, down, run(t, s, "", "-s", "18710", "list", "targets"), "another server cannot run beside this one")
	set(t, d, hdc.FaultServerDown)
	require.Equal(t, down, run(t, s, "", "list", "targets"))
	require.NoError(t, d.SetFault(hdc.FaultServerDown, false))
	require.Equal(t, output{}, run(t, s, "", "kill"))
	require.Equal(t, down, run(t, s, "", "-p", "list", "targets"), "-p starts none")
	require.Equal(t, usb+"\n", out(t, s, "list", "targets"))

	gone, err := hdc.Serve(&hdc.ServerOptions{Listen: "127.0.0.1:" + freePort(t)})
	require.NoError(t, err)
	require.NoError(t, gone.Close())
	require.Equal(t, down, run(t, gone, "", "list", "targets"))

	cold := serve(t, &hdc.ServerOptions{Cold: true}, newDevice(t, nil))
	require.Equal(t, down, run(t, cold, "", "-p", "list", "targets"))
	require.Equal(t, usb+"\n", out(t, cold, "list", "targets"))
}

// TestServerElsewhere names a server by an address: nothing answers at another computer's, whatever phone is attached here.
func TestServerElsewhere(t *testing.T) {
	s, _ := onePhone(t, "")
	for _, own := range []string{"127.0.0.1:8710", "0.0.0.0:8710", "127.0.0.2:8710", "[::1]:8710", "::1:8710"} {
		require.Equal(t, output{out: usb + "\n"}, run(t, s, "", "-s", own, "list", "targets"), own)
	}
	for _, foreign := range []string{"192.0.2.1:8710", "10.9.0.2:8710", "[2001:db8::1]:8710", "127.0.0.1:8711"} {
		for _, args := range [][]string{{"list", "targets"}, {"-p", "list", "targets"}, {"shell", "echo here"}, {"-t", usb, "shell", "echo here"}, {"checkserver"}} {
			require.Equal(t, output{err: "Connect server failed\n"}, run(t, s, "", append([]string{"-s", foreign}, args...)...), "%s %v", foreign, args)
		}
	}
}

// TestRealTime lets everything take as long as on a phone: what waits there has not ended when what does not wait has long been
// over.
func TestRealTime(t *testing.T) {
	for name, c := range map[string]struct {
		faults []string
		args   []string
		want   string
	}{
		"the service is held": {[]string{hdc.FaultDumpBusy}, []string{"shell", "uitest dumpLayout"}, "RET_ERR_CONNECTION_EXIST"},
		"no server":           {[]string{hdc.FaultServerDown}, []string{"list", "targets"}, "Connect server failed"},
		"another server":      {nil, []string{"-s", "192.0.2.1:8710", "list", "targets"}, "Connect server failed"},
	} {
		t.Run(name, func(t *testing.T) {
			s, d := onePhone(t, "")
			set(t, d, c.faults...)
			o := run(t, s, "", c.args...)
			require.Contains(t, o.out+o.err, c.want, "at once")
			set(t, d, hdc.FaultRealTime)
			ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond) // of 12 s and more
			defer cancel()
			var out bytes.Buffer
			s.Run(ctx, t.TempDir(), &out, &out, c.args...)
			require.Empty(t, out.String())
		})
	}
	s, d := onePhone(t, "")
	set(t, d, hdc.FaultRealTime)
	require.Equal(t, "here\n", out(t, s, "shell", "echo here"), "and what is quick on a phone is quick")
}

// The environment names the server too; a phone of the network is forgotten with the server.
func TestServerPort(t *testing.T) {
	d := newDevice(t, &hdc.Options{Key: lan})
	s := serve(t, &hdc.ServerOptions{Port: 18710}, d)
	ask := func(port string) string {
		var out, err bytes.Buffer
		tool := hdc.Tool{Addr: s.Addr(), Args: []string{"list", "targets"}, Out: &out, Err: &err,
			Lookup: func(name string) (string, bool) { return port, name == "OHOS_HDC_SERVER_PORT" && port != "" }}
		require.Equal(t, 0, tool.Run(context.Background()))
		return out.String() + err.String()
	}
	require.Equal(t, lan+"\n", ask("18710"))
	require.Equal(t, "Connect server failed\n", ask("8710"))
	require.Equal(t, lan+"\n", ask(""))
	out(t, s, "kill", "-r")
	require.Equal(t, "[Empty]\r\n", ask(""))
	require.Equal(t, "Connect OK\r\n", out(t, s, "tconn", lan))
}

// A shell without a command, and a program that reads its input, hang until the tool is killed.
func TestHangs(t *testing.T) {
	for name, c := range map[string]struct {
		fault string
		args  []string
		want  string
	}{
		"no command":  {"", []string{"shell"}, "[W]["},
		"reads stdin": {"", []string{"shell", "echo on; cat"}, "on\n"},
		"hang":        {hdc.FaultHang, []string{"shell", "echo on"}, ""},
		"file":        {hdc.FaultHang, []string{"file", "recv", "/data/local/tmp/x"}, ""},
		"slow":        {hdc.FaultSlow + "=1h", []string{"shell", "echo on"}, ""},
		"log":         {"", []string{"hilog"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s, d := onePhone(t, "")
			if c.fault != "" {
				set(t, d, c.fault)
			}
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			dir, over := t.TempDir(), make(chan struct{})
			var out, errs syncBuffer
			go func() {
				defer close(over)
				s.Run(ctx, dir, &out, &errs, c.args...)
			}()
			require.Eventually(t, func() bool { return strings.HasPrefix(out.String(), c.want) }, time.Minute, time.Millisecond)
			select {
			case <-over:
				t.Error("it came back by itself")
			case <-time.After(100 * time.Millisecond):
			}
			cancel()
			<-over
			require.True(t, strings.HasPrefix(out.String(), c.want), out.String())
			require.Empty(t, errs.String())
		})
	}
}

// syncBuffer is a buffer that one goroutine may read while another writes.
type syncBuffer struct {
	mu   sync.Mutex
	text strings.Builder
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// patient is a command that writes the file a, waits for the file go, and writes the file b.
const patient = "cd /data/local/tmp; echo begun >a; while [ ! -e go ]; do sleep 0.01; done; echo done >b"

// awaitFile waits until the phone has a file.
func awaitFile(t *testing.T, d *hdc.Device, name string) {
	t.Helper()
	require.Eventually(t, func() bool {
		_, err := d.FS().ReadFile("/data/local/tmp/" + name)
		return err == nil
	}, time.Minute, time.Millisecond)
}

// letGo writes the file that patient waits for.
func letGo(t *testing.T, d *hdc.Device) {
	t.Helper()
	require.NoError(t, d.FS().WriteFile("/data/local/tmp/go", nil, 0o644))
}

// What a killed tool started goes on.
func TestKilledToolLeavesItsCommand(t *testing.T) {
	s, d := onePhone(t, "")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	over := make(chan struct{})
	go func() {
		defer close(over)
		s.Run(ctx, "", io.Discard, io.Discard, "shell", patient)
	}()
	awaitFile(t, d, "a")
	cancel()
	<-over
	letGo(t, d)
	awaitFile(t, d, "b")
}

func TestManyAtOnce(t *testing.T) {
	s, _ := onePhone(t, "")
	var wg sync.WaitGroup
	for i := range 32 {
		wg.Go(func() {
			want := strings.Repeat("x", i) + "\n"
			if got := run(t, s, "", "shell", "echo "+want).out; got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
	wg.Wait()
}

// Each of several phones does what it was told, and only that.
func TestSeveralPhonesAtOnce(t *testing.T) {
	var phones []*hdc.Device
	for i := range 6 {
		phones = append(phones, newDevice(t, &hdc.Options{Key: fmt.Sprintf("SIM%d", i), Profile: hdc.Profiles()[i%3].Name}))
	}
	s := serve(t, nil, phones...)
	var wg sync.WaitGroup
	for i, d := range phones {
		for range i + 1 {
			wg.Go(func() {
				run(t, s, "", "-t", d.Key(), "shell", "uinput -T -c 5 900")
				run(t, s, "", "-t", d.Key(), "shell", "hidumper -s WindowManagerService -a -a; snapshot_display -f "+picFile+" -w 27 -h 60")
			})
		}
	}
	wg.Wait()
	for i, d := range phones {
		require.Len(t, d.Phone().Events("tap"), i+1)
	}
}

func TestWindowsLineEnds(t *testing.T) {
	s, d := onePhone(t, "")
	set(t, d, hdc.FaultCRLF)
	require.Equal(t, usb+"\r\n", out(t, s, "list", "targets"))
	require.Equal(t, "a\r\r\nb\r\n", out(t, s, "shell", `printf 'a\r\nb\n'`))
}

func TestChatter(t *testing.T) {
	s, d := onePhone(t, "")
	set(t, d, hdc.FaultChatter)
	require.Equal(t, "INFO:             Vulkan Loader Version 1.3.250\nNo Error\n", out(t, s, "shell", "uitest uiInput click 5 5"))
}

func TestOldToolHasNoCodes(t *testing.T) {
	s, _ := onePhone(t, "5.0")
	require.Equal(t, "Ver: 3.1.0b\n", out(t, s, "-v"))
	require.Equal(t, "[Fail]Not any installation package was found\n", out(t, s, "install"))
	require.Equal(t, "[Fail]IP address incorrect\n", out(t, s, "tconn", "x:1"))
	require.Equal(t, "[Fail]Unsupport shell option: -h\n", out(t, s, "shell", "-h"))
}
