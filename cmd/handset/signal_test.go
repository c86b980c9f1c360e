//go:build unix

package main

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/android"
)

// typing starts a command that is in the middle of typing: it has switched the input method, which does not listen.
func typing(t *testing.T) (*process, *android.Device, string) {
	t.Helper()
	device, _ := attach(t, &sim.Options{Start: "com.handset.notes"}, android.FaultIMESettle+"=1h")
	focusNote(t)
	p := device.Phone()
	own := p.CurrentIME()
	require.NotEqual(t, sim.ADBKeyboardIME, own)
	typed := start(t, nil, "type", "你好")
	soon(t, "the input method is switched", func() bool { return p.CurrentIME() == sim.ADBKeyboardIME })
	return typed, device, own
}

func TestInterruptWhileTypingPutsTheKeyboardBack(t *testing.T) {
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(s.String(), func(t *testing.T) {
			typed, device, own := typing(t)
			typed.signal(s)
			status, out := typed.wait()
			require.Equal(t, exitInterrupted, status, typed.stderr.String())
			require.Empty(t, out)
			p := device.Phone()
			require.Equal(t, own, p.CurrentIME())
			changes := p.Events("ime")
			require.NotEmpty(t, changes)
			require.Equal(t, own, changes[len(changes)-1].String("id"), "the log tells it too: %v", changes)
			require.Empty(t, p.Events("text"), "nothing was typed")
		})
	}
}

// A phone that does not answer while its keyboard is put back keeps the command for a while; a second signal does not
// wait for it.
func TestSecondInterruptEndsAtOnce(t *testing.T) {
	typed, device, _ := typing(t)
	require.NoError(t, device.SetFault(android.FaultHang, true))
	for ended := false; !ended; {
		if err := typed.cmd.Process.Signal(os.Interrupt); !errors.Is(err, os.ErrProcessDone) {
			require.NoError(t, err)
		}
		select {
		case err := <-typed.done:
			typed.done <- err
			ended = true
		case <-time.After(100 * time.Millisecond):
		}
	}
	status, _ := typed.wait()
	require.Equal(t, -1, status, "a signal ended it, and not its own exit")
}

func TestInterruptWhileTheModelThinks(t *testing.T) {
	asked, left := make(chan struct{}, 8), make(chan struct{}, 8)
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			http.NotFound(w, r)
			return
		}
		w.WriteHeader(http.StatusOK)
		_ = http.NewResponseController(w).Flush()
		asked <- struct{}{}
		<-r.Context().Done()
		left <- struct{}{}
	}))
	defer slow.Close()
	device, _ := attach(t, nil)
	r := start(t, nil, "run", "--base-url", slow.URL, "go home")
	<-asked
	r.signal(os.Interrupt)
	status, out := r.wait()
	require.Equal(t, exitInterrupted, status, r.stderr.String())
	require.Contains(t, out, "=== stopped after 0 steps")
	<-left
	require.Empty(t, device.Phone().Log())
}

func TestInterruptWhileThePhoneHangs(t *testing.T) {
	for _, args := range [][]string{{"info"}, {"screenshot", "-o", "-"}, {"tap", "5,5"}, {"tree"}, {"apps"}, {"launch", "Settings"}} {
		t.Run(args[0], func(t *testing.T) {
			device, _ := attach(t, nil, android.FaultHang)
			r := start(t, nil, append([]string{"-d", "adb:SIM0001"}, args...)...)
			soon(t, "the phone is asked for something", func() bool {
				_, count := device.Requests()
				return count > 0
			})
			r.signal(os.Interrupt)
			status, out := r.wait()
			require.Equal(t, exitInterrupted, status, r.stderr.String())
			require.Empty(t, out)
			require.Empty(t, device.Phone().Log())
		})
	}
}

func TestServersEndOnASignal(t *testing.T) {
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		for _, command := range []string{"sim", "demo-model"} {
			t.Run(command+" "+s.String(), func(t *testing.T) {
				p := start(t, nil, command)
				require.NotEmpty(t, p.line())
				p.signal(s)
				status, out := p.wait()
				require.Equal(t, exitDone, status, p.stderr.String())
				require.Empty(t, out)
			})
		}
	}
}
