package wda

import (
	"context"
	"errors"
	"time"

	"github.com/handset-go/handset/internal/nap"
)

// errEnded says that the server was closed in the middle of a command: nothing is answered.
var errEnded = errors.New("wda: the server has ended")

// answer does what a request asks for. It returns nil when the server ended meanwhile.
func (d *Device) answer(ctx context.Context, r *request) *reply {
	rt, params := d.match(r)
	if rt == nil {
		return d.noRoute(r)
	}
	c := &call{request: r, d: d, ctx: ctx, params: params}
	if rt.form == inSession {
		if c.ses = d.find(params["sessionID"]); c.ses == nil {
			return answerOf(nil, fail(errSession, "Session does not exist"), d.SessionID())
		}
	}
	var value any
	var err error
	if rt.apart && d.version.atLeast(offMainQueue) {
		value, err = rt.run(c)
	} else {
		value, err = c.queued(rt.run)
	}
	if errors.Is(err, errEnded) {
		return nil
	}
	return answerOf(value, err, d.SessionID())
}

// noRoute answers a request for a path that is not there.
func (d *Device) noRoute(r *request) *reply {
	switch r.method {
	case "OPTIONS":
		return envelope(200, nil, d.SessionID())
	case "GET", "POST", "PUT", "DELETE":
		return answerOf(nil, fail(errCommand, "%s", r.unhandled()), d.SessionID())
	}
	return answerOf(nil, fail(errCommand, "The requested resource could not be found, or a request was received using an HTTP method "+
		"that is not supported by the mapped resource"), d.SessionID())
}

// queued runs a command when its turn on the main queue has come.
func (c *call) queued(run command) (any, error) {
	select {
	case c.d.queue <- struct{}{}:
	case <-c.ctx.Done():
		return nil, errEnded
	case <-c.gone():
		return nil, c.deleted()
	}
	defer func() { <-c.d.queue }()
	if err := c.while(FaultBusy); err != nil {
		return nil, err
	}
	if c.ses != nil && c.d.find(c.ses.id) == nil {
		return nil, c.deleted()
	}
	if err := c.sleep(c.d.faults.Duration(FaultSlow)); err != nil {
		return nil, err
	}
	if c.list {
		return nil, unrecognized("__NSArrayM", "objectForKeyedSubscript:")
	}
	if c.ses != nil && c.d.faults.On(FaultOldForOS) {
		return nil, unrecognized("XCUIApplicationProcess", "waitForQuiescenceIncludingAnimationsIdle:")
	}
	c.answerAlert()
	return run(c)
}

// gone is closed when the session of the call is deleted, where this release looks at that.
func (c *call) gone() <-chan struct{} {
	if c.ses == nil || !c.d.version.atLeast(gonesAnswered) {
		return nil
	}
	return c.ses.gone
}

// deleted is the answer for a session that went away while the call waited.
func (c *call) deleted() error {
	if !c.d.version.atLeast(offMainQueue) {
		return fail(errSession, "Session does not exist")
	}
	return fail(errSession, "Session %s was deleted while this request was still pending", c.ses.id)
}

// while waits until a fault is off.
func (c *call) while(fault string) error {
	for {
		on, changed := c.d.faults.Next(fault)
		if !on {
			return nil
		}
		select {
		case <-changed:
		case <-c.ctx.Done():
			return errEnded
		case <-c.gone():
			return c.deleted()
		}
	}
}

// sleep waits, for as long as there is anybody to answer.
func (c *call) sleep(d time.Duration) error {
	if d <= 0 {
		return nil
	}
	ctx, cancel := context.WithCancel(c.ctx)
	defer cancel()
	if gone := c.gone(); gone != nil {
		stop := make(chan struct{})
		defer close(stop)
		go func() {
			select {
			case <-gone:
				cancel()
			case <-stop:
			}
		}()
	}
	switch {
	case nap.For(ctx, d) == nil:
		return nil
	case c.ctx.Err() != nil:
		return errEnded
	}
	return c.deleted()
}

// takes is the time that something takes on a phone: none, unless the device keeps real time.
func (c *call) takes(d time.Duration) error {
	if !c.d.realtime {
		return nil
	}
	return c.sleep(d)
}
