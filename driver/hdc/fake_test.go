//go:build unix

package hdc

import (
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/nap"
)

// fakePhone answers the questions of New as a phone does. A shell line is in $line, and its mark in $mark.
const fakePhone = `
for last; do :; done
case "$*" in
*"list targets"*) printf 'K\t\tUSB\tConnected\tlocalhost\thdc\n'; exit 0;;
esac
line=$last
mark=${line##*handset-}; mark=handset-${mark%%=*}=
end() { printf '\n%s%d\n' "$mark" "$1"; }
sections() { s=${line#*handset-}; s=handset-${s%%:*}; }
case $line in
*"param get const.ohos.apiversion"*)
	sections
	printf '\n%s:0\n%s \n\n%s:1\nFake \n\n%s:2\n\n%s:3\nX 5.0.0.1\n\n%s:4\n\n%s:5\nen-US \n\n%s:6\nscreen[0]: powerStatus=POWER_STATUS_ON, render resolution=1000x2000, isVirtual=false\n\n%s:7\nScreenRotation: 0\n' $s API $s $s $s $s $s $s $s
	end 0; exit 0;;
esac
`

// fakeTool writes a tool that does what script says, after the answers that New needs.
func fakeTool(t *testing.T, api int, script string) string {
	t.Helper()
	tool := filepath.Join(t.TempDir(), "hdc")
	text := "#!/bin/sh\n" + strings.ReplaceAll(fakePhone, "API", strconv.Itoa(api)) + script + "\n"
	writeProgram(t, tool, text)
	return tool
}

// writeProgram writes a file that can be executed at once. A process that is started in the meantime would hold it open for
// a moment, and the system refuses to execute what is open for writing.
func writeProgram(t *testing.T, name, text string) {
	t.Helper()
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	require.NoError(t, os.WriteFile(name, []byte(text), 0o755))
}

func openFake(t *testing.T, api int, script string) *Driver {
	t.Helper()
	d, err := New(t.Context(), "K", &Options{Tool: fakeTool(t, api, script)})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	return d
}

// TestPhoneWithoutUinput falls back on uitest, once and for all.
func TestPhoneWithoutUinput(t *testing.T) {
	log := filepath.Join(t.TempDir(), "lines")
	d := openFake(t, 12, fmt.Sprintf(`
case $line in
*"uinput "*) echo uinput >>'%[1]s'; echo "/bin/sh: uinput: inaccessible or not found"; end 127;;
*"uitest "*) c=${line#*uitest }; printf 'uitest %%s\n' "${c%%%%
*}" >>'%[1]s'; echo "No Error"; end 0;;
esac`, log))
	ctx := t.Context()
	p, q := image.Pt(500, 1500), image.Pt(500, 500)
	require.NoError(t, d.Swipe(ctx, p, q, 500*time.Millisecond))
	require.NoError(t, d.Swipe(ctx, p, q, 0))
	require.NoError(t, d.LongPress(ctx, p, 0))
	require.NoError(t, d.Drag(ctx, p, q, 0, time.Second))
	require.NoError(t, d.Tap(ctx, image.Pt(0, 7)))
	text, err := os.ReadFile(log)
	require.NoError(t, err)
	require.Equal(t, []string{
		"uinput", "uitest uiInput swipe 500 1500 500 500 2000", "uitest uiInput fling 500 1500 500 500 3333",
		"uitest uiInput longClick 500 1500", "uitest uiInput drag 500 1500 500 500 1000", "uitest uiInput click 1 7",
	}, strings.Split(strings.TrimSpace(string(text)), "\n"))
	require.ErrorIs(t, d.Pinch(ctx, p, 2, 0), errors.ErrUnsupported)
	require.ErrorIs(t, d.LongPress(ctx, p, time.Minute), errors.ErrUnsupported)
}

// TestUinputSaysNo holds that what uinput prints counts, and that then nothing was done.
func TestUinputSaysNo(t *testing.T) {
	d := openFake(t, 20, `case $line in *uinput*) echo "invalid coordinate value"; end 0;; *) echo "No such thing"; end 0;; esac`)
	err := d.Swipe(t.Context(), image.Pt(1, 1), image.Pt(9, 9), 0)
	require.ErrorContains(t, err, "invalid coordinate")
	err = d.Tap(t.Context(), image.Pt(1, 1))
	require.ErrorContains(t, err, "No such thing", "uitest says No Error where it worked")
	require.True(t, driver.MaybeDone(err))
}

// TestUitestUsage holds that a usage text is a refusal.
func TestUitestUsage(t *testing.T) {
	d := openFake(t, 20, `echo "Please confirm that the coordinate values are correct. "; echo USAGE; end 1`)
	err := d.Tap(t.Context(), image.Pt(1, 1))
	require.ErrorContains(t, err, "coordinate values")
	require.False(t, driver.MaybeDone(err))
}

// TestPhoneWithoutTools takes pictures with what is left, and leaves nothing behind.
func TestPhoneWithoutTools(t *testing.T) {
	log := filepath.Join(t.TempDir(), "lines")
	d := openFake(t, 12, fmt.Sprintf(`
case "$*" in
*"file recv"*) echo recv >>'%[1]s'; printf '\377\330\377 no picture \377\331' >"$last"; echo "FileTransfer finish, Size:1"; exit 0;;
esac
case $line in
*snapshot_display*) sections; printf '\n%%s:0\n/bin/sh: snapshot_display: inaccessible or not found\n\n%%s:1\nbase64: /x: No such file\n' $s $s; end 0;;
*screenCap*base64*) sections; printf '\n%%s:0\nScreenCap saved to /x.png\n\n%%s:1\n/bin/sh: base64: not found\n' $s $s; end 0;;
*screenCap*) echo shot >>'%[1]s'; echo "ScreenCap saved to /x.png"; end 0;;
*"rm -f"*) echo rm >>'%[1]s'; end 0;;
esac`, log))
	_, err := d.Screenshot(t.Context())
	require.ErrorContains(t, err, "picture of", "the file came, and is none")
	text, err := os.ReadFile(log)
	require.NoError(t, err)
	require.Equal(t, "shot\nrecv\nrm\n", string(text))
}

// TestOldTextCommand falls back where uitest does not know the newer command that its release should have. What says that a
// step was done counts once, though this phone prints it twice.
func TestOldTextCommand(t *testing.T) {
	page := screen("[1000,2000]", window("com.example.a", "Main", "", at{"focused": "true"},
		element(at{"type": "TextInput", "bounds": "[100,100][300,200]", "focused": "true", "text": "MARK"})))
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "page"), []byte(page), 0o644))
	log := filepath.Join(dir, "lines")
	d := openFake(t, 18, fmt.Sprintf(`
case $line in
*dumpLayout*) sections; printf '\n%%s:0\nDumpLayout saved to:/x\n\n%%s:1\n' $s $s; cat '%[1]s/page'; printf '\n%%s:2\nScreenRotation: 0\n' $s; end 0;;
*"uiInput text"*) echo text >>'%[2]s'; echo "Illegal argument: text"; end 1;;
*"uiInput inputText 200 150"*) echo inputText >>'%[2]s'; sed 's/MARK/MARK打/' '%[1]s/page' >'%[1]s/new'; mv '%[1]s/new' '%[1]s/page'; echo "No Error"; s=${line#*echo step-}; s=step-${s%%%%[!A-Z0-9-]*}; echo $s; echo $s; end 0;;
esac`, dir, log))
	require.NoError(t, d.Type(t.Context(), "打"))
	require.NoError(t, d.Type(t.Context(), "打"))
	text, err := os.ReadFile(log)
	require.NoError(t, err)
	require.Equal(t, "text\ninputText\ninputText\n", string(text), "it is asked once")
}

// TestClearWhereCtrlATypes empties a field of an app to which Ctrl+A is a letter.
func TestClearWhereCtrlATypes(t *testing.T) {
	page := screen("[1000,2000]", window("com.example.a", "Main", "", at{"focused": "true"},
		element(at{"type": "TextInput", "bounds": "[100,100][300,200]", "focused": "true", "text": "TEXT"})))
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "page"), []byte(page), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "text"), []byte("abc"), 0o644))
	d := openFake(t, 20, fmt.Sprintf(`
case $line in
*dumpLayout*) sections; printf '\n%%s:0\nDumpLayout saved to:/x\n\n%%s:1\n' $s $s; sed "s/TEXT/$(cat '%[1]s/text')/" '%[1]s/page'; printf '\n%%s:2\nScreenRotation: 0\n' $s; end 0;;
*"keyEvent 2072 2017"*"keyEvent 2055"*) printf abca >'%[1]s/text'; echo "No Error"; echo "No Error"; end 0;;
*"uinput -K -d 2055 -u 2055 -d 2055 -u 2055 -d 2055 -u 2055 -d 2055 -u 2055 -d 2071"*) printf '' >'%[1]s/text'; end 0;;
esac`, dir))
	require.NoError(t, d.ClearText(t.Context()))
	left, err := os.ReadFile(filepath.Join(dir, "text"))
	require.NoError(t, err)
	require.Empty(t, left)
}

// TestDeadlineKillsTheClientAlone holds that a tool that hangs is killed, and what it started, which others may use, is not.
func TestDeadlineKillsTheClientAlone(t *testing.T) {
	dir := t.TempDir()
	d := openFake(t, 20, fmt.Sprintf(`trap '' TERM; sleep 300 >/dev/null 2>&1 & echo $! >'%[1]s/new'; echo $$ >'%[1]s/client'; mv '%[1]s/new' '%[1]s/server'; wait`, dir))
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := d.Foreground(ctx)
		done <- err
	}()
	server := pidIn(t, filepath.Join(dir, "server"))
	client := pidIn(t, filepath.Join(dir, "client"))
	cancel()
	require.ErrorIs(t, <-done, context.Canceled)
	for syscall.Kill(client, 0) == nil {
		require.NoError(t, nap.For(t.Context(), 5*time.Millisecond))
	}
	require.NoError(t, syscall.Kill(server, 0), "the server lives")
	require.NoError(t, syscall.Kill(server, syscall.SIGKILL))
}

func pidIn(t *testing.T, file string) int {
	t.Helper()
	for {
		if text, err := os.ReadFile(file); err == nil && strings.HasSuffix(string(text), "\n") {
			pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
			require.NoError(t, err)
			return pid
		}
		require.NoError(t, nap.For(t.Context(), 5*time.Millisecond))
	}
}

// TestLimitIsNotTheCallers holds that a tool which hangs runs into the driver's own limit.
func TestLimitIsNotTheCallers(t *testing.T) {
	tool := fakeTool(t, 20, `exec sleep 300`)
	d, err := New(t.Context(), "K", &Options{Tool: tool, Limit: time.Second})
	for n := 0; errors.Is(err, driver.ErrTimeout) && n < 100; n++ { // a busy computer
		d, err = New(t.Context(), "K", &Options{Tool: tool, Limit: time.Second})
	}
	require.NoError(t, err)
	_, err = d.Foreground(t.Context())
	require.ErrorIs(t, err, driver.ErrTimeout)
	require.NotErrorIs(t, err, context.DeadlineExceeded)
	require.NoError(t, d.Close())
}

func TestNoTool(t *testing.T) {
	for _, path := range []string{"/no/such/hdc", "no-such-hdc-of-handset"} {
		_, err := New(t.Context(), "K", &Options{Tool: path})
		require.ErrorIs(t, err, ErrNoTool)
		require.ErrorContains(t, err, "DevEco")
	}
}

// TestFindTool looks where DevEco Studio keeps the tool.
func TestFindTool(t *testing.T) {
	sdk := t.TempDir()
	dir := filepath.Join(sdk, "default", "openharmony", "toolchains")
	require.NoError(t, os.MkdirAll(dir, 0o755))
	tool := filepath.Join(dir, "hdc")
	require.NoError(t, os.WriteFile(tool, []byte("#!/bin/sh\n"), 0o755))
	require.Equal(t, tool, inSDK(sdk))
	require.Empty(t, inSDK(t.TempDir()))
	t.Setenv("PATH", t.TempDir())
	o := FromEnv(func(name string) string { return map[string]string{"DEVECO_SDK_HOME": sdk}[name] })
	require.Equal(t, tool, o.Tool)
	t.Setenv("PATH", dir)
	found, err := findTool("")
	require.NoError(t, err)
	require.Equal(t, tool, found)
	require.Empty(t, FromEnv(func(string) string { return sdk }).Tool, "the one in PATH comes first")
}

// TestArguments holds that the key and the server are always named, and the line is one argument.
func TestArguments(t *testing.T) {
	log := filepath.Join(t.TempDir(), "args")
	tool := fakeTool(t, 20, fmt.Sprintf(`printf '<%%s>' "$@" >'%s'; end 0`, log))
	d, err := New(t.Context(), "K", &Options{Tool: tool, Server: "localhost:18710"})
	require.NoError(t, err)
	_, err = d.Shell(t.Context(), "echo", "it's; $(x)")
	require.NoError(t, err)
	text, err := os.ReadFile(log)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(text), `<-s><127.0.0.1:18710><-t><K><shell><( echo 'it'\''s; $(x)' ) </dev/null`), string(text))
	require.NoError(t, d.Close())
}

// TestAnotherProgramIsNoHdc is a tool option that names the wrong program: it answers, and lists no phones.
func TestAnotherProgramIsNoHdc(t *testing.T) {
	tabs := filepath.Join(t.TempDir(), "hdc")
	writeProgram(t, tabs, "#!/bin/sh\nprintf 'a\tb\n\033[2J\n'\n")
	for _, program := range []string{"/bin/true", "/bin/echo", tabs} {
		_, err := Devices(t.Context(), &Options{Tool: program})
		require.ErrorIs(t, err, ErrNoTool, program)
		require.ErrorContains(t, err, "is no hdc", program)
	}
}
