package adb

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/nap"
)

const (
	// clipAnswer bounds the wait for a clipboard: an empty one, and that of a locked phone, is silence.
	clipAnswer = 300 * time.Millisecond
	clipAck    = 2 * time.Second
	// clipRead is how long an app may take to read what it was told to paste.
	clipRead = 500 * time.Millisecond
	// maxPaste is how many bytes one paste carries.
	maxPaste = 200_000
)

var errNoClipboard = driver.Unsupported("adb cannot reach the clipboard: install scrcpy on this computer, 2.1 or newer but not 3.3, or name its server file (scrcpy=PATH)")

// errClipRefused is a clipboard that the system keeps from scrcpy's server, which then presses the paste
// key all the same.
var errClipRefused = driver.Unsupported("the phone refuses scrcpy's server the clipboard, as where adb runs as root: run adb unroot, or take scrcpy 4.0 or newer")

// clipRefused says that the log told of that, for which nothing else does.
func (d *Driver) clipRefused(c *channel) bool {
	refused := isClosed(c.noClip)
	if refused {
		d.scrcpy.noClip.Store(true)
	}
	return refused
}

// readClipboard is channel.clipboard that knows of a refusal.
func (d *Driver) readClipboard(ctx context.Context, c *channel) (text string, there bool, err error) {
	text, there, err = c.clipboard(ctx)
	if errors.Is(err, errChannel) { // the log says why, a moment later
		select {
		case <-c.told:
		case <-time.After(c.waits.clip):
		case <-ctx.Done():
		}
	}
	if !there && ctx.Err() == nil && d.clipRefused(c) {
		err = errClipRefused
	}
	return text, there, err
}

// clipboardChannel returns a channel that bears clipboard messages, or nil.
func (d *Driver) clipboardChannel(ctx context.Context) *channel {
	if d.scrcpy != nil && d.scrcpy.noClip.Load() {
		return nil
	}
	if c := d.control(ctx); c != nil && c.file.clipboard() {
		return c
	}
	return nil
}

// Clipboard reads the clipboard through scrcpy's server (Options.Scrcpy). "" is an empty one, or one
// that holds no text. A locked phone tells nothing, which is ErrLocked.
func (d *Driver) Clipboard(ctx context.Context) (string, error) {
	return value(ctx, d, driver.OpClipboard, limitShort, func(ctx context.Context) (string, error) {
		c := d.clipboardChannel(ctx)
		if c == nil {
			return "", errNoClipboard
		}
		text, there, err := d.readClipboard(ctx, c)
		if err != nil || there {
			return text, err
		}
		p, err := d.power(ctx)
		if err == nil && p.Locked {
			err = fmt.Errorf("%w: its clipboard cannot be read before it is unlocked", driver.ErrLocked)
		}
		if errors.Is(err, errors.ErrUnsupported) {
			err = nil
		}
		return "", err
	})
}

// SetClipboard puts text of at most 256 KiB on the clipboard, through scrcpy's server
// (Options.Scrcpy). Android 13 and newer show a bubble of it for some seconds.
func (d *Driver) SetClipboard(ctx context.Context, text string) error {
	return d.do(ctx, driver.OpSetClipboard, limitShort, func(ctx context.Context) error {
		if len(text) > maxClip {
			return fmt.Errorf("a text of %d bytes is too long for the clipboard; %d is the most", len(text), maxClip)
		}
		c := d.clipboardChannel(ctx)
		if c == nil {
			return errNoClipboard
		}
		if _, _, err := d.readClipboard(ctx, c); err != nil { // a refusal to set it is acknowledged like the rest
			return err
		}
		driver.MarkSent(ctx)
		return c.setClipboard(ctx, text, false)
	})
}

// clipboard asks for the clipboard. there is false where nothing came.
func (c *channel) clipboard(ctx context.Context) (text string, there bool, err error) {
	select {
	case <-c.clips: // one that came late
	default:
	}
	refused := c.noClip
	if isClosed(refused) {
		refused = nil // by an earlier question; what was sent before this one takes its time all the same
	}
	if err := c.write(getClipboardMessage()); err != nil {
		return "", false, err
	}
	t := time.NewTimer(c.waits.clip)
	defer t.Stop()
	select {
	case text := <-c.clips:
		return text, true, nil
	case <-refused:
		if c.file.endsRefused() { // nothing may be sent to it meanwhile
			select {
			case <-c.gone:
			case <-t.C:
			case <-ctx.Done():
			}
		}
		return "", false, nil
	case <-t.C:
		return "", false, nil
	case <-c.gone:
		return "", false, errChannel
	case <-ctx.Done():
		return "", false, ctx.Err()
	}
}

// setClipboard sets the clipboard, pastes it if asked, and waits until the server has done so, which
// does not tell whether a field took it.
func (c *channel) setClipboard(ctx context.Context, text string, paste bool) error {
	c.mu.Lock()
	c.next++
	sequence, acked := c.next, make(chan struct{})
	c.acks[sequence] = acked
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		delete(c.acks, sequence)
		c.mu.Unlock()
	}()
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := c.write(setClipboardMessage(sequence, paste, text)); err != nil {
		return err
	}
	t := time.NewTimer(c.waits.ack)
	defer t.Stop()
	select {
	case <-acked:
		return nil
	case <-t.C:
		return errors.New("scrcpy's server does not say that the clipboard is set")
	case <-c.gone:
		return errChannel
	case <-ctx.Done():
		return ctx.Err()
	}
}

// canPaste says that texts of any script can go through the clipboard: Android 7 has the paste key.
func (d *Driver) canPaste(ctx context.Context) bool {
	if d.beforeAndroid7() {
		return false
	}
	c := d.clipboardChannel(ctx)
	return c != nil && !c.isBlocked()
}

// pasteText types text by way of the clipboard, which it puts back. An image on it is lost, as no tool
// can read that.
func (d *Driver) pasteText(ctx context.Context, text string) error {
	c := d.clipboardChannel(ctx)
	if c == nil {
		return fmt.Errorf("%w: scrcpy's server has ended: install ADBKeyBoard on the phone", driver.ErrNoTextInput)
	}
	before, there, err := d.readClipboard(ctx, c)
	switch {
	case errors.Is(err, errClipRefused):
		return fmt.Errorf("%w: %w; or install ADBKeyBoard on the phone", driver.ErrNoTextInput, err)
	case err != nil:
		return err
	}
	driver.MarkSent(ctx)
	defer d.restoreClipboard(ctx, c, before, there)
	for _, chunk := range textChunks(text, maxPaste) {
		if err := c.setClipboard(ctx, chunk, true); err != nil {
			return err
		}
		if err := nap.For(ctx, clipRead); err != nil {
			return err
		}
	}
	if err := d.accepted(ctx, c); err != nil {
		return err
	}
	return d.provePaste(ctx, c, text)
}

// restoreClipboard puts back what was there, and leaves nothing of the text where nothing was.
func (d *Driver) restoreClipboard(ctx context.Context, c *channel, before string, there bool) {
	err := driver.Undo(ctx, func(ctx context.Context) error { return c.setClipboard(ctx, before, false) })
	if err != nil || !there {
		d.log.InfoContext(ctx, "the clipboard could not be read, or not be put back, and is lost", "error", err)
	}
}

// provePaste looks, the first time, whether a field took the paste: fields drawn by an app itself do
// not, and nothing says so.
func (d *Driver) provePaste(ctx context.Context, c *channel, text string) error {
	if c.pasted {
		return nil
	}
	t, err := d.tree(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return err
		}
		return nil // what cannot be read is trusted
	}
	n := t.Find(driver.HasFlag(driver.Focused), driver.ByRole(driver.RoleEdit))
	if n == nil || n.Is(driver.Password) {
		return nil
	}
	if !strings.Contains(n.Text, text) && !arrived(text, n.Text) {
		driver.MarkRefused(ctx)
		return fmt.Errorf("%w: the field took no paste: install ADBKeyBoard on the phone (github.com/senzhk/ADBKeyBoard)", driver.ErrNoTextInput)
	}
	c.pasted = true
	return nil
}
