package adb

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/handset-go/handset/internal/nap"
)

const (
	scrcpyListen = 10 * time.Second // as scrcpy's own client waits for the server
	scrcpyPoll   = 50 * time.Millisecond
	scrcpyHello  = 5 * time.Second
	scrcpyLeave  = time.Second // until a server that was told to end is ended
	scrcpyWrite  = 3 * time.Second
	scrcpyMeta   = 1 + 64 // a byte that proves the connection, and the model
	scrcpyLines  = 50     // of its log that are kept
	// scrcpyPays is the gesture by which a server that was found, not asked for, is started: its start
	// takes about as long as two calls of `input`.
	scrcpyPays = 3
	// scrcpyStarts bounds how often a server is started in scrcpySpan: one that ends again and again
	// costs more than it saves.
	scrcpyStarts = 3
	scrcpySpan   = 10 * time.Minute
)

// scrcpy is the control channel of a phone: a server on it that injects events without a process for
// each. The drivers of one phone share it, as two servers would mix their fingers up.
type scrcpy struct {
	key    string
	file   scrcpyFile
	shares int // under the lock of scrcpys

	mu      sync.Mutex
	channel *channel
	starts  []time.Time // of the servers, the latest
	off     bool        // it does not work on this phone
	noClip  atomic.Bool // nor does its clipboard
}

// scrcpyWaits are how long is waited for what the server does not always say.
type scrcpyWaits struct {
	refusal time.Duration // of the first event
	clip    time.Duration // what the clipboard holds
	ack     time.Duration // that it is set
}

// scrcpys are the channels of this process, by the server's address and the phone's serial.
var scrcpys = struct {
	sync.Mutex
	of map[string]*scrcpy
}{of: map[string]*scrcpy{}}

// shareScrcpy returns the phone's channel, which is not started yet, or the one that another driver of
// this process has; nil without a file. Each share is released.
func shareScrcpy(key string, f scrcpyFile) *scrcpy {
	if f.data == nil {
		return nil
	}
	scrcpys.Lock()
	defer scrcpys.Unlock()
	s := scrcpys.of[key]
	if s == nil {
		s = &scrcpy{key: key, file: f}
		scrcpys.of[key] = s
	}
	s.shares++
	return s
}

// release ends the channel with its last share.
func (s *scrcpy) release() {
	if s == nil {
		return
	}
	scrcpys.Lock()
	s.shares--
	last := s.shares == 0
	if last {
		delete(scrcpys.of, s.key)
	}
	scrcpys.Unlock()
	if !last {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.off = true; s.channel != nil {
		s.channel.end()
	}
}

// works says that there is a channel, or may be.
func (s *scrcpy) works() bool {
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.off
}

// quick returns the control channel for what the phone's own tools can do as well, only slower. A
// server that nobody asked for is not started for the first of these.
func (d *Driver) quick(ctx context.Context) *channel {
	if d.opts.Scrcpy == "" && d.asked.Add(1) < scrcpyPays && !d.scrcpy.runs() {
		return nil
	}
	return d.control(ctx)
}

// runs says that a server has been started and lives.
func (s *scrcpy) runs() bool {
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.channel != nil && s.channel.alive()
}

// control returns the control channel, started by the first that asks. nil is to do it another way,
// of which the log tells once.
func (d *Driver) control(ctx context.Context) *channel {
	s := d.scrcpy
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.channel != nil && s.channel.alive() {
		return s.channel
	}
	if s.off || ctx.Err() != nil {
		return nil
	}
	s.starts = slices.DeleteFunc(s.starts, func(at time.Time) bool { return time.Since(at) > scrcpySpan })
	if len(s.starts) >= scrcpyStarts {
		s.off = true
		d.log.WarnContext(ctx, "scrcpy's server ends again and again: the phone's own tools are used", "version", s.file.version)
		return nil
	}
	if s.channel != nil {
		d.log.WarnContext(ctx, "scrcpy's server has ended", "said", s.channel.said())
		s.channel.end()
		s.channel = nil
	}
	s.starts = append(s.starts, time.Now())
	c, err := d.startScrcpy(ctx)
	if err == nil {
		s.channel = c
		return c
	}
	if s.off = ctx.Err() == nil; s.off {
		d.log.WarnContext(ctx, "scrcpy's server does not work on this phone: its own tools are used", "version", s.file.version, "error", err)
	}
	return nil
}

// startScrcpy pushes the server, starts it and connects. The file is removed once it runs.
func (d *Driver) startScrcpy(ctx context.Context) (c *channel, err error) {
	file := tempFile(".jar")
	defer func() {
		if err != nil {
			d.giveUp(ctx, file)
		}
	}()
	if err := d.send(ctx, bytes.NewReader(d.scrcpy.file.data), file); err != nil {
		return nil, err
	}
	c = newChannel(&d.scrcpy.file, d.shellV2, &d.waits)
	c.pace = d.pace(c)
	id := rand.Uint32() >> 1
	if err := c.launch(ctx, d, file, id); err != nil {
		return nil, err
	}
	if err = c.connect(ctx, d, id); err == nil {
		_, err = d.ask(ctx, "rm -f "+file)
	}
	if err != nil {
		c.end()
		return nil, fmt.Errorf("%w%s", err, c.said())
	}
	d.log.DebugContext(ctx, "scrcpy's server runs", "version", c.file.version)
	return c, nil
}

// launch starts the server. No word of the line is a person's.
func (c *channel) launch(ctx context.Context, d *Driver, file string, id uint32) error {
	line := fmt.Sprintf("export CLASSPATH=%s; exec app_process / com.genymobile.scrcpy.Server %s scid=%08x log_level=info video=false "+
		"audio=false control=true tunnel_forward=true clipboard_autosync=false cleanup=false power_on=false", file, c.file.version, id)
	service := shellOld + line
	if c.v2 {
		service = shellRaw + line
	}
	sock, err := d.server.open(ctx, d.serial, service, nil)
	if err != nil {
		return err
	}
	if !sock.stop() {
		sock.close()
		return ctx.Err()
	}
	c.shell = sock
	c.readers.Go(c.readLog)
	return nil
}

// connect dials the server's socket, which is there once its virtual machine has started, and waits
// for its greeting.
func (c *channel) connect(ctx context.Context, d *Driver, id uint32) error {
	name := fmt.Sprintf("localabstract:scrcpy_%08x", id)
	deadline := time.Now().Add(scrcpyListen)
	for wait := scrcpyPoll / 10; ; wait = min(2*wait, scrcpyPoll) {
		sock, err := d.server.open(ctx, d.serial, name, nil)
		if err == nil {
			return c.greet(ctx, sock)
		}
		if !errors.Is(err, errRefused) {
			return err
		}
		switch {
		case !c.alive():
			return errors.New("the server ended before it listened")
		case time.Now().After(deadline):
			return errors.New("the server does not listen")
		}
		if err := nap.For(ctx, wait); err != nil {
			return err
		}
	}
}

func (c *channel) greet(ctx context.Context, sock *socket) error {
	_ = sock.conn.SetReadDeadline(time.Now().Add(scrcpyHello))
	var meta [scrcpyMeta]byte
	if _, err := io.ReadFull(sock.r, meta[:]); err != nil {
		sock.close()
		return fmt.Errorf("the server does not greet: %w", sock.err(ctx, err))
	}
	_ = sock.conn.SetReadDeadline(time.Time{})
	if !sock.stop() {
		sock.close()
		return ctx.Err()
	}
	c.conn = sock
	c.readers.Go(c.readAnswers)
	return nil
}
