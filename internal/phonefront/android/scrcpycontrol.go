package android

import (
	"fmt"
	"image"
	"slices"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/handset-go/handset/internal/phonefront/scrcpy"
)

// do does one message. false ends the server.
func (s *scrcpySession) do(m scrcpy.Message) bool {
	d := s.d
	switch m.Kind {
	case scrcpy.KindKey, scrcpy.KindText, scrcpy.KindTouch, scrcpy.KindScroll, scrcpy.KindBackOrScreenOn:
		return s.inject(m)
	case scrcpy.KindNotifications, scrcpy.KindQuickSettings:
		d.phone.ShowShade(true)
	case scrcpy.KindCollapse:
		d.phone.ShowShade(false)
	case scrcpy.KindGetClipboard, scrcpy.KindSetClipboard:
		return s.clipboard(m)
	case scrcpy.KindDisplayPower:
		s.setDark(!m.On)
	case scrcpy.KindRotate:
		_ = d.phone.SetRotation(1 - d.phone.Rotation()%2) // 0 and 1 exist
	case scrcpy.KindUHIDCreate:
		return s.dies("Controller error", "java.io.IOException: open failed: EACCES (Permission denied)")
	case scrcpy.KindUHIDInput, scrcpy.KindUHIDDestroy:
		s.say("WARN", fmt.Sprintf("Unknown device id: %d", m.ID))
	case scrcpy.KindKeyboardSettings:
		_, _ = d.phone.StartApp(settings) // every phone has it
	case scrcpy.KindStartApp:
		s.startApp(m.Text)
	case scrcpy.KindTorch, scrcpy.KindZoomIn, scrcpy.KindZoomOut, scrcpy.KindResizeDisplay:
		return s.dies("Controller error", "java.lang.AssertionError: wrong video source")
	}
	return true
}

// dies says why the control thread ends, and with it the server.
func (s *scrcpySession) dies(what, exception string) bool {
	s.say("ERROR", what)
	s.p.Fail(0, "%s", exception)
	s.status = 1
	return false
}

// inject does the messages that inject events, which a phone may refuse.
func (s *scrcpySession) inject(m scrcpy.Message) bool {
	positional := m.Kind == scrcpy.KindTouch || m.Kind == scrcpy.KindScroll
	if positional && s.v.AtLeast(3, 0, 0) && !s.v.AtLeast(3, 0, 1) {
		return s.dies("Exception on thread Thread[control-recv,5,main]", "java.lang.NullPointerException: Attempt to read from field on a null object reference")
	}
	if s.d.faults.On(FaultInjectEvents) {
		s.injectRefused()
		return true
	}
	s.d.passTime()
	switch m.Kind {
	case scrcpy.KindKey:
		s.key(m)
	case scrcpy.KindText:
		s.text(m.Text)
	case scrcpy.KindTouch:
		s.touch(m)
	case scrcpy.KindScroll:
		s.scroll(m)
	case scrcpy.KindBackOrScreenOn:
		switch {
		case m.Action != scrcpy.ActionDown:
		case s.d.phone.Power().On:
			s.d.pressKey(keyBack)
		default:
			s.d.phone.Wake()
		}
	}
	return true
}

// injectRefused is what the log says where the system takes no events: nothing goes over the socket.
func (s *scrcpySession) injectRefused() {
	const permission = "the INJECT_EVENTS permission."
	switch now := s.d.now(); {
	case !s.v.AtLeast(3, 3, 0):
		s.say("ERROR", "Could not invoke method")
		s.p.Fail(0, "java.lang.reflect.InvocationTargetException\nCaused by: java.lang.SecurityException: Injecting input events requires "+
			"the caller (or the source of the instrumentation, if any) to have %s", permission)
	case now.Sub(s.refused) >= 3*time.Second:
		s.refused = now
		s.say("ERROR", "Injecting input events requires the caller (or the source of the instrumentation, if any) to have "+permission)
		s.say("ERROR", `Make sure you have enabled "USB debugging (Security Settings)" and then rebooted your device.`)
	}
}

// The keys and the modifiers that the server's clients combine.
const (
	keyBack   = 4
	keyEnter  = 66
	keyTab    = 61
	keyV      = 50
	keyPaste  = 279
	metaShift = 0x01
	metaCtrl  = 0x1000
)

// key presses a key on its way down.
func (s *scrcpySession) key(m scrcpy.Message) {
	code := int(m.Key)
	switch {
	case m.Action != scrcpy.ActionDown:
	case code == keyV && m.Meta&metaCtrl != 0:
		s.paste()
	case m.Meta&metaCtrl != 0:
	case m.Meta&metaShift != 0 && code >= 29 && code <= 54:
		s.d.phone.InsertText(string(rune('A' + code - 29)))
	default:
		s.d.pressKey(code)
	}
}

// accented are the letters beyond ASCII that the virtual keyboard makes with dead keys.
const accented = "ÀÁÂÃÄÈÉÊËÌÍÎÏÑÒÓÔÕÖÙÚÛÜÝàáâãäèéêëìíîïñòóôõöùúûüýÿ"

// text types what the virtual keyboard has keys for and skips the rest, telling each half of an emoji.
func (s *scrcpySession) text(text string) {
	var run strings.Builder
	flush := func() {
		if run.Len() > 0 {
			s.d.phone.InsertText(run.String())
		}
		run.Reset()
	}
	for _, r := range text {
		switch {
		case r == '\n':
			flush()
			s.d.pressKey(keyEnter)
		case r == '\t':
			flush()
			s.d.pressKey(keyTab)
		case r >= 0x20 && r < 0x7f || strings.ContainsRune(accented, r):
			run.WriteRune(r)
		default:
			for _, unit := range utf16.Encode([]rune{r}) {
				s.say("WARN", fmt.Sprintf("Could not inject char u+%04x", unit))
			}
		}
	}
	flush()
}

// scrcpyFinger is a pointer of the server's table. A cancelled one stays there and spoils what follows.
type scrcpyFinger struct {
	id    int
	stale bool
}

// maxFingers is the size of the server's table.
const maxFingers = 10

func (s *scrcpySession) touch(m scrcpy.Message) {
	at, ok := s.point(m)
	if !ok {
		return
	}
	f := s.fingers[m.Pointer]
	if f == nil {
		if len(s.fingers) == maxFingers {
			s.say("WARN", "Too many pointers for touch event")
			return
		}
		f = &scrcpyFinger{id: s.freeFinger()}
		s.fingers[m.Pointer] = f
	}
	phone := s.d.phone
	switch m.Action {
	case scrcpy.ActionDown:
		if !s.anyStale() {
			phone.Down(f.id, at)
		}
	case scrcpy.ActionMove:
		phone.Move(f.id, at)
	case scrcpy.ActionUp:
		phone.Move(f.id, at)
		phone.Up(f.id)
		delete(s.fingers, m.Pointer)
	case scrcpy.ActionCancel:
		phone.Cancel()
		f.stale = true
	}
}

// freeFinger is the smallest number that no pointer has.
func (s *scrcpySession) freeFinger() int {
	var taken []int
	for _, f := range s.fingers {
		taken = append(taken, f.id)
	}
	id := 0
	for slices.Contains(taken, id) {
		id++
	}
	return id
}

func (s *scrcpySession) anyStale() bool {
	for _, f := range s.fingers {
		if f.stale {
			return true
		}
	}
	return false
}

// videoSize is the size that a video of the display would have, in whose pixels positions are before 3.0.1.
func (s *scrcpySession) videoSize() image.Point {
	size := s.d.phone.Size()
	size = image.Pt(size.X&^7, size.Y&^7)
	limit := s.o.maxSize &^ 7
	long, short := max(size.X, size.Y), min(size.X, size.Y)
	if limit == 0 || long <= limit {
		return size
	}
	short = (limit*short/long + 4) &^ 7
	if size.X > size.Y {
		return image.Pt(limit, short)
	}
	return image.Pt(short, limit)
}

// point is where on the panel a position is. Before 3.0.1 one of another size is ignored.
func (s *scrcpySession) point(m scrcpy.Message) (image.Point, bool) {
	if s.v.AtLeast(3, 0, 1) {
		return s.d.point(float64(m.X), float64(m.Y)), true
	}
	video, panel := s.videoSize(), s.d.phone.Size()
	if image.Pt(int(m.W), int(m.H)) != video {
		s.say("WARN", "Ignore touch event, it was generated for a different device size")
		return image.Point{}, false
	}
	return image.Pt(int(m.X)*panel.X/video.X, int(m.Y)*panel.Y/video.Y), true
}

// notchDP is how far one notch of a wheel scrolls, in dp, as ViewConfiguration has it.
const notchDP = 64

// scroll moves what is under the pointer as a finger would: the phone has no wheel.
func (s *scrcpySession) scroll(m scrcpy.Message) {
	at, ok := s.point(m)
	if !ok {
		return
	}
	step := float64(notchDP*s.d.phone.Density()) / 160
	to := at.Add(image.Pt(int(-m.HScroll*step), int(m.VScroll*step)))
	size := s.d.phone.Size()
	to = image.Pt(min(max(to.X, 0), size.X-1), min(max(to.Y, 0), size.Y-1))
	if to != at {
		s.d.phone.Swipe(at, to, 300*time.Millisecond)
	}
}

// clipboard reads or sets the clipboard.
func (s *scrcpySession) clipboard(m scrcpy.Message) bool {
	d := s.d
	if s.v.AtLeast(3, 3, 0) && !s.v.AtLeast(3, 3, 1) && !s.o.autosync {
		return s.dies("Exception on thread Thread[control-recv,5,main]",
			"java.lang.RuntimeException: Can't create handler inside thread Thread[control-recv,5,main] that has not called Looper.prepare()")
	}
	if d.faults.On(FaultScrcpyRoot) && !s.v.AtLeast(4, 0, 0) {
		const refusal = "java.lang.SecurityException: Calling uid 0 does not own package com.android.shell"
		if s.v.AtLeast(3, 3, 0) {
			return s.dies("Exception on thread Thread[control-recv,5,main]", refusal)
		}
		s.say("ERROR", "Could not invoke method")
		s.p.Fail(0, "%s", refusal)
		if m.Paste && d.profile.SDK >= 24 { // whatever became of the text
			s.paste()
		}
		s.ack(m)
		return true
	}
	if m.Kind == scrcpy.KindGetClipboard {
		if !s.o.autosync && s.readable() {
			s.write(scrcpy.ClipboardMessage(d.phone.Clipboard()))
		}
		return true
	}
	if d.phone.Clipboard() != m.Text {
		s.writing.Lock()
		s.own = m.Text
		d.phone.SetClipboard(m.Text)
		s.writing.Unlock()
		s.say("INFO", "Device clipboard set")
	}
	if m.Paste && d.profile.SDK >= 24 {
		s.paste()
	}
	s.ack(m)
	return true
}

// paste presses the paste key.
func (s *scrcpySession) paste() {
	switch {
	case s.d.faults.On(FaultInjectEvents):
		s.injectRefused()
	case s.d.faults.On(FaultScrcpyNoPaste):
	default:
		s.d.pressKey(keyPaste)
	}
}

func (s *scrcpySession) ack(m scrcpy.Message) {
	if m.Kind == scrcpy.KindSetClipboard && m.Sequence != 0 && !s.d.faults.On(FaultScrcpyNoAck) {
		s.write(scrcpy.AckMessage(m.Sequence))
	}
}

// startApp starts an app by id, or with "?" before it by the beginning of its name. "+" stops it first.
func (s *scrcpySession) startApp(name string) {
	name, stop := strings.CutPrefix(name, "+")
	name, byLabel := strings.CutPrefix(name, "?")
	for _, a := range s.d.phone.Apps() {
		if a.ID == name && !byLabel || byLabel && strings.HasPrefix(strings.ToLower(a.Name), strings.ToLower(name)) {
			if stop {
				_ = s.d.phone.StopApp(a.ID)
			}
			_, _ = s.d.phone.StartApp(a.ID)
			return
		}
	}
	s.say("WARN", fmt.Sprintf("No app found for package %q", name))
}
