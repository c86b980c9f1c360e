package agent

import (
	"context"
	"time"

	"github.com/handset-go/handset/driver"
)

const (
	// mostPreviewFails is how often in a row the tree may fail until it is no longer asked for ahead.
	mostPreviewFails = 2
	previewLimit     = 15 * time.Second
)

// preview reads the tree while the model thinks, in pixels mode, so that the gate has it by the time there is
// something to judge: the gate waits for a tree that is on its way. endPreview must follow.
func (r *Run) preview(ctx context.Context, epoch int) {
	if r.agent.opt.Mode != Pixels || r.previewFails >= mostPreviewFails {
		return
	}
	unpaused, cancel := r.ctl.untilPause(ctx)
	in, expire := context.WithTimeout(unpaused, previewLimit)
	p := &ahead{done: make(chan struct{}), cancel: func() { expire(); cancel() }}
	r.ahead = p
	go func() {
		defer close(p.done)
		if !r.ctl.retake(epoch) {
			return
		}
		defer r.ctl.give()
		p.tree, p.err = r.agent.d.Tree(in)
	}()
}

// ahead is a tree that is being read.
type ahead struct {
	cancel context.CancelFunc
	done   chan struct{}
	tree   *driver.Tree // set before done is closed, as err
	err    error
}

// endPreview ends the reading ahead, and waits for its end.
func (r *Run) endPreview() {
	p := r.ahead
	if p == nil {
		return
	}
	r.ahead = nil
	late := false
	select {
	case <-p.done:
	default:
		late = true
	}
	p.cancel()
	<-p.done
	switch {
	case p.tree != nil:
		r.previewFails = 0
	case p.err != nil && !late:
		r.previewFails++
	}
}

// known returns the tree if it has been read, or nil.
func (p *ahead) known() *driver.Tree {
	if p == nil {
		return nil
	}
	select {
	case <-p.done:
		return p.tree
	default:
		return nil
	}
}
