package android

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/handset-go/handset/internal/nap"
	"github.com/handset-go/handset/internal/phonefront/scrcpy"
)

// helpers is what the phone remembers of the programs that tools start on it.
type helpers struct {
	messages  []scrcpy.Message
	dark      bool     // the panel is off while the system is awake
	dumps     int      // that run
	jar       bool     // u2.jar runs, started by app_process
	requests  []string // over HTTP
	processes []string // of app_process
	session   string   // of Appium's server
}

// keptMessages bounds how many control messages are remembered.
const keptMessages = 2000

// ScrcpyMessages returns the control messages that scrcpy's server got, oldest first.
func (d *Device) ScrcpyMessages() []scrcpy.Message {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.helpers.messages)
}

// PanelDark says that scrcpy switched the panel off while the system is awake. Captures show the screen as ever.
func (d *Device) PanelDark() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.helpers.dark
}

// scrcpySession is one life of scrcpy's server, which is one client.
type scrcpySession struct {
	p *proc
	d *Device
	v scrcpy.Version
	o scrcpyOptions

	control io.ReadWriteCloser
	writing sync.Mutex
	fingers map[int64]*scrcpyFinger
	own     string    // the clipboard as the client set it
	refused time.Time // when the refusal of an event was last told
	status  int
}

// scrcpyServer runs the server from a file. It returns when its client or its shell has gone.
func (p *proc) scrcpyServer(ctx context.Context, path string, file []byte, args []string) int {
	v, err := scrcpy.VersionOf(file)
	if err != nil {
		return p.noClass(scrcpyClass)
	}
	s := &scrcpySession{p: p, d: p.d, v: v, fingers: map[int64]*scrcpyFinger{}}
	switch {
	case len(args) == 0:
		return s.exception("Missing client version")
	case args[0] != v.Name:
		return s.exception("The server version (" + v.Name + ") does not match the client (" + args[0] + ")")
	case p.d.faults.On(FaultScrcpyCrash):
		return s.exception("simulated crash")
	}
	o, unknown, err := parseScrcpy(v, args[1:])
	for _, key := range unknown {
		s.say("WARN", "Unknown server option: "+key)
	}
	if err != nil {
		return s.exception(err.Error())
	}
	s.o = o
	if o.cleanup {
		if !v.AtLeast(2, 3, 0) {
			path = "/data/local/tmp/scrcpy-server.jar"
		}
		_ = p.d.FS().Remove(path, false) // where it is not there, there is nothing to clean
	}
	s.greet()
	return s.run(ctx)
}

// say writes a line as the server's logger does.
func (s *scrcpySession) say(level, text string) {
	w := s.p.Out
	if level != "INFO" && s.v.AtLeast(2, 0, 0) {
		w = s.p.Err
	}
	_, _ = io.WriteString(w, "[server] "+level+": "+text+"\n")
}

// exception ends the server as an uncaught IllegalArgumentException does.
func (s *scrcpySession) exception(text string) int {
	if s.v.AtLeast(2, 2, 0) {
		s.say("ERROR", text)
	} else {
		s.say("ERROR", "Exception on thread Thread[main,5,main]")
	}
	return s.p.Fail(1, "java.lang.IllegalArgumentException: %s\n\tat com.genymobile.scrcpy.Server.main(Server.java:150)", text)
}

// greet names the device, once the version has been accepted.
func (s *scrcpySession) greet() {
	d := s.d
	brand, model := d.Prop("ro.product.brand"), d.profile.Banner.Model
	if s.v.AtLeast(2, 1, 0) {
		s.say("INFO", "Device: ["+d.Prop("ro.product.manufacturer")+"] "+brand+" "+model+" (Android "+d.profile.Release+")")
	} else {
		s.say("INFO", "Device: "+model+" (Android "+d.profile.Release+")")
	}
	if d.faults.On(FaultScrcpyFlood) {
		line := strings.Repeat("x", 1023)
		for range 1024 {
			s.say("INFO", line[:1023-len("[server] INFO: ")])
		}
	}
}

// run waits for the client's connections and serves them to their end.
func (s *scrcpySession) run(ctx context.Context) int {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if nap.For(ctx, s.d.faults.Duration(FaultScrcpySlow)) != nil {
		return 137
	}
	conns, status := s.connect(ctx)
	defer func() {
		for _, c := range conns {
			close(c.done)
		}
	}()
	if status != 0 || ctx.Err() != nil {
		return status
	}
	if s.o.sockets() == 0 {
		<-ctx.Done()
		return 137
	}
	if s.o.meta {
		size := s.videoSize()
		_, _ = conns[0].Write(scrcpy.Meta(s.v, s.d.profile.Banner.Model, size.X, size.Y))
	}
	if s.o.video {
		s.say("ERROR", "Video encoding error: no encoder on this device")
		return 1
	}
	if s.o.audio {
		_, _ = conns[0].Write(make([]byte, 4)) // the stream is disabled by the device
	}
	if s.o.control {
		s.control = conns[len(conns)-1]
		s.serve(ctx)
		return s.status
	}
	<-ctx.Done()
	return 137
}

// scrcpyConn is a connection of the client. done is closed when the server is done with it.
type scrcpyConn struct {
	io.ReadWriteCloser
	done chan struct{}
}

// connect gets every connection that the options ask for: by waiting, or by a reverse forward.
func (s *scrcpySession) connect(ctx context.Context) (conns []scrcpyConn, status int) {
	arrivals := make(chan scrcpyConn)
	if s.o.forward && s.o.sockets() > 0 {
		stop, free := s.d.listenFor(s.o.socketName(), s.o.sockets(), func(streamCtx context.Context, conn io.ReadWriteCloser) {
			s.arrive(ctx, streamCtx, conn, arrivals)
		})
		if !free {
			s.say("ERROR", "Address already in use")
			return nil, 1
		}
		defer stop()
	}
	for range s.o.sockets() {
		c, ok := s.next(ctx, arrivals)
		if !ok {
			return conns, s.status
		}
		if len(conns) == 0 && s.o.forward && s.o.dummy {
			_, _ = c.Write([]byte{0})
		}
		conns = append(conns, c)
	}
	return conns, 0
}

// arrive hands a connection over, and holds it until the server is done with it.
func (s *scrcpySession) arrive(ctx, streamCtx context.Context, conn io.ReadWriteCloser, to chan<- scrcpyConn) {
	c := scrcpyConn{conn, make(chan struct{})}
	select {
	case to <- c:
		select {
		case <-c.done:
		case <-streamCtx.Done():
		}
	case <-ctx.Done():
	case <-streamCtx.Done():
	}
}

// next is the next connection.
func (s *scrcpySession) next(ctx context.Context, arrivals <-chan scrcpyConn) (scrcpyConn, bool) {
	if s.o.forward {
		select {
		case c := <-arrivals:
			return c, true
		case <-ctx.Done():
			s.status = 137
			return scrcpyConn{}, false
		}
	}
	conn, ok := s.d.dialOut(ctx, s.o.socketName())
	if !ok {
		s.say("ERROR", "Connection refused")
		s.status = 1
		return scrcpyConn{}, false
	}
	c := scrcpyConn{conn, make(chan struct{})}
	go func() { // it ends with the session, which closes done
		<-c.done
		_ = conn.Close()
	}()
	return c, true
}

// serve does what the client's messages ask for, until the control socket or the shell ends.
func (s *scrcpySession) serve(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(ctx, func() { _ = s.control.Close() })
	defer stop()
	var watching sync.WaitGroup
	defer watching.Wait()
	defer cancel()
	if s.o.powerOn && !s.d.phone.Power().On {
		s.d.phone.Wake()
		if nap.For(ctx, 500*time.Millisecond) != nil {
			return
		}
	}
	s.own = s.d.phone.Clipboard()
	if last := s.own; s.o.autosync {
		watching.Go(func() { s.watchClipboard(ctx, last) })
	}
	r := scrcpy.NewReader(s.control, s.v)
	for {
		m, err := r.Next()
		if err != nil {
			s.badMessage(err, r.Rest())
			break
		}
		if !s.handle(m) {
			break
		}
	}
	if s.o.cleanup {
		s.setDark(false)
	}
}

// badMessage ends the reading: silently where the client has gone.
func (s *scrcpySession) badMessage(err error, rest io.Reader) {
	unknown, ok := errors.AsType[scrcpy.UnknownTypeError](err)
	switch {
	case ok && !s.v.AtLeast(2, 7, 0):
		s.say("WARN", unknown.Error())
		if n, _ := io.CopyN(io.Discard, rest, scrcpy.MaxMessage-1); n == scrcpy.MaxMessage-1 {
			s.say("ERROR", "Exception on thread Thread[control-recv,5,main]")
			s.p.Fail(0, "java.lang.IllegalStateException: Buffer full, call next() to consume")
			s.status = 1
		}
	case ok && s.v.AtLeast(4, 0, 0):
		s.say("ERROR", "Controller error")
		s.p.Fail(0, "com.genymobile.scrcpy.control.ControlProtocolException: %s", unknown)
	}
}

// handle does one message. false ends the server.
func (s *scrcpySession) handle(m scrcpy.Message) bool {
	d := s.d
	defer s.note(m) // once it is done
	switch {
	case d.faults.On(FaultScrcpyDies):
		return false
	case d.faults.On(FaultScrcpyDeaf):
		return true
	}
	fingerDown := m.Kind == scrcpy.KindTouch && m.Action != scrcpy.ActionUp
	return s.do(m) && (fingerDown || !d.faults.On(FaultScrcpyDiesAfter))
}

// note remembers a message.
func (s *scrcpySession) note(m scrcpy.Message) {
	d := s.d
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.helpers.messages = append(d.helpers.messages, m); len(d.helpers.messages) > keptMessages {
		d.helpers.messages = slices.Delete(d.helpers.messages, 0, 1)
	}
}

// write sends a device message.
func (s *scrcpySession) write(b []byte) {
	s.writing.Lock()
	defer s.writing.Unlock()
	_, _ = s.control.Write(b) // a client that is gone is noticed by the reader
}

// watchClipboard tells the client what others put on the clipboard.
func (s *scrcpySession) watchClipboard(ctx context.Context, last string) {
	for nap.For(ctx, 50*time.Millisecond) == nil {
		s.writing.Lock()
		text, own := s.d.phone.Clipboard(), s.own
		s.writing.Unlock()
		if text != last && text != own && s.readable() {
			s.write(scrcpy.ClipboardMessage(text))
		}
		last = text
	}
}

// readable says that the clipboard can be read: there is a text, and the phone is not locked.
func (s *scrcpySession) readable() bool {
	d := s.d
	return d.phone.Clipboard() != "" && !d.phone.Power().Locked && !d.faults.On(FaultClipLocked)
}

func (s *scrcpySession) setDark(dark bool) {
	s.d.mu.Lock()
	defer s.d.mu.Unlock()
	s.d.helpers.dark = dark
}
