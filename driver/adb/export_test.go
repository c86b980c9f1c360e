package adb

import (
	"context"
	"image"
	"time"
)

// Ask runs a question as the driver's own ones are run.
func Ask(ctx context.Context, d *Driver, line string) (stdout, stderr string, code int, err error) {
	out, err := d.ask(ctx, line)
	if err != nil {
		return "", "", 0, err
	}
	return string(out.stdout), string(out.stderr), out.code, nil
}

// Hurry gives an open driver another limit for its calls.
func Hurry(d *Driver, limit time.Duration) { d.opts.Limit = limit }

// ResidentAlive says that the resident shell is there.
func ResidentAlive(d *Driver) bool {
	d.resident.mu.Lock()
	defer d.resident.mu.Unlock()
	return d.resident.shell != nil && d.resident.shell.alive()
}

// A scrcpy on the computer that runs the tests is not theirs.
func init() { installedScrcpy = func() []string { return nil } }

// SettleControl waits until scrcpy's server has done all that it was sent. clip is what the clipboard
// holds anyway.
func SettleControl(d *Driver, clip string) {
	if d.scrcpy == nil || !d.scrcpy.mu.TryLock() { // one that is just being started was sent nothing
		return
	}
	c := d.scrcpy.channel
	d.scrcpy.mu.Unlock()
	if c != nil && c.alive() && c.file.clipboard() {
		_ = c.setClipboard(context.Background(), clip, false)
	}
}

// patience is longer than anything takes that comes.
const patience = time.Minute

// AwaitAcks gives scrcpy's server as long as it takes to set the clipboard.
func AwaitAcks(d *Driver) { d.waits.ack = patience }

// AwaitClipboard gives it as long as it takes to tell what a clipboard holds, which must not be empty.
func AwaitClipboard(d *Driver) { d.waits.clip = patience }

// AwaitRefusal gives the phone as long as it takes to refuse the first event over a control channel, or to end that.
func AwaitRefusal(d *Driver) (off func()) {
	before := d.waits.refusal
	d.waits.refusal = patience
	return func() { d.waits.refusal = before }
}

// Gestures is what spreads the events of each gesture over a control channel in time.
type Gestures = pace

// Pace has each control channel's gestures go by what p returns for it. sent counts the channel's messages.
func Pace(d *Driver, p func(sent func() int64, alive func() bool) Gestures) {
	d.pace = func(c *channel) pace { return p(c.sent.Load, c.alive) }
}

// ControlAlive says that scrcpy's server runs.
func ControlAlive(d *Driver) bool { return d.scrcpy.runs() }

// LookForTreeServer has the next tree look for a server on the phone, which may take as long as it likes to answer if patient says so.
func LookForTreeServer(d *Driver, patient bool) {
	if patient {
		d.treeServer.hello, d.treeServer.limit = patience, patience
	}
	d.treeServer.lookAgain()
}

// ScreensWay says how pictures are taken: "png", "raw", or "" where that is not settled.
func ScreensWay(d *Driver) string {
	return map[int32]string{wayPNG: screensPNG, wayRaw: screensRaw}[d.frames.way.Load()]
}

// RawImage reads a raw capture.
func RawImage(data []byte) (*image.RGBA, error) { return rawImage(data) }
