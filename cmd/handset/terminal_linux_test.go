package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/handset-go/handset/internal/phonefront/android"
)

// screenOf is the program on a terminal of its own.
type screenOf struct {
	t    *testing.T
	cmd  *exec.Cmd
	keys *os.File // the other end of the terminal
	seen buffer
	read chan struct{} // closed when the terminal has hung up
}

func onTerminal(t *testing.T, args ...string) *screenOf {
	t.Helper()
	keys, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no terminals here: %v", err)
	}
	fd := int(keys.Fd())
	require.NoError(t, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	require.NoError(t, err)
	tty, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)
	s := &screenOf{t: t, cmd: exec.Command(program(t), args...), keys: keys, read: make(chan struct{})}
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = tty, tty, tty
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	require.NoError(t, s.cmd.Start())
	require.NoError(t, tty.Close())
	go s.watch()
	t.Cleanup(func() {
		_ = s.cmd.Process.Kill() // an error says that it has ended by itself
		<-s.read
		require.NoError(t, keys.Close())
	})
	return s
}

// watch reads until the program and all that it started have let go of the terminal.
func (s *screenOf) watch() {
	defer close(s.read)
	for b := make([]byte, 4096); ; {
		n, err := s.keys.Read(b)
		_, _ = s.seen.Write(b[:n])
		if err != nil {
			return
		}
	}
}

// await waits until the terminal shows a text.
func (s *screenOf) await(text string) {
	s.t.Helper()
	soon(s.t, text+" on the terminal: "+s.seen.String(), func() bool { return strings.Contains(s.seen.String(), text) })
}

func (s *screenOf) press(keys string) {
	s.t.Helper()
	_, err := s.keys.WriteString(keys)
	require.NoError(s.t, err)
}

// end returns the exit status and what the terminal has shown.
func (s *screenOf) end() (int, string) {
	s.t.Helper()
	watchdog := time.AfterFunc(patience, func() { _ = s.cmd.Process.Kill() })
	defer watchdog.Stop()
	_ = s.cmd.Wait() // the status tells
	<-s.read
	return s.cmd.ProcessState.ExitCode(), s.seen.String()
}

// atTheCart goes to where the next tap would pay.
func atTheCart(t *testing.T) *android.Device {
	t.Helper()
	device, _ := attach(t, nil)
	_, err := device.Phone().StartApp("com.handset.shop")
	require.NoError(t, err)
	payButton(t)
	device.Phone().ClearLog()
	return device
}

func TestTapAsksOnATerminal(t *testing.T) {
	cases := []struct {
		name, keys string
		status     int
		taps       int
	}{
		{"yes", "y\n", exitDone, 1},
		{"Chinese yes", "是\n", exitDone, 1},
		{"no", "n\n", exitDenied, 0},
		{"nothing", "\n", exitDenied, 0},
		{"something else", "yup\n", exitDenied, 0},
		{"the end of the input", "\x04", exitDenied, 0},
		{"ctrl-c", "\x03", exitInterrupted, 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			device := atTheCart(t)
			s := onTerminal(t, "tap", "--text", "Pay")
			s.await("[y/N]")
			require.Empty(t, device.Phone().Log(), "it asks first")
			s.press(c.keys)
			status, seen := s.end()
			require.Equal(t, c.status, status, seen)
			require.Len(t, device.Phone().Events("tap"), c.taps, seen)
		})
	}
}

func TestRunAsksOnATerminal(t *testing.T) {
	quick(t)
	for answer, status := range map[string]int{"y": exitDone, "n": exitDenied} {
		t.Run(answer, func(t *testing.T) {
			device, _ := attach(t, nil)
			s := onTerminal(t, "--lang", "en", "run", "--base-url", demo(t), "buy Green tea in Shop")
			s.await("[y/N]")
			require.Empty(t, device.Phone().Events("payment"))
			s.press(answer + "\n")
			if answer == "y" { // the next page has such a button, too, which no answer before its question counts for
				s.await(`do "tap Confirm payment" now? [y/N]`)
				require.Empty(t, device.Phone().Events("payment"))
				s.press(answer + "\n")
			}
			got, seen := s.end()
			require.Equal(t, status, got, seen)
			require.Contains(t, seen, "confirm on adb:SIM0001")
			require.Len(t, device.Phone().Events("payment"), map[string]int{"y": 1}[answer], seen)
			require.False(t, bytes.ContainsRune([]byte(seen), '\x1b'), seen)
		})
	}
}

func TestTakeOverOnATerminal(t *testing.T) {
	quick(t)
	device, _ := attach(t, nil)
	model := scripted(t, `do(action="Take_over", message="Please log in.")`, `do(action="Interact", message="Which account?")`, `finish(message="Logged in.")`)
	s := onTerminal(t, "run", "--base-url", model.url, "log in")
	s.await("Please log in.")
	_, err := device.Phone().StartApp("com.handset.notes")
	require.NoError(t, err)
	s.press("I am in\n")
	s.await("Which account?")
	s.press("the second\n")
	status, seen := s.end()
	require.Equal(t, exitDone, status, seen)
	require.Contains(t, seen, "=== done")
	asked := model.asked()
	require.Len(t, asked, 3)
	require.True(t, strings.Contains(asked[1], "I am in"))
	require.True(t, strings.Contains(asked[2], "the second"))
}
