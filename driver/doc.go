// Package driver is the contract between a program and a phone.
//
// A program opens a phone with [Open] and the address of a registered driver, or with a driver's own
// constructor, and uses the seven core methods of [Driver] and the package functions, one for each
// further operation:
//
//	d, err := driver.Open(ctx, "adb:")            // import _ ".../driver/adb" registers it
//	err = d.Tap(ctx, image.Pt(540, 1200))
//	err = driver.Type(ctx, d, "hello")            // never d.(driver.TypeDriver)
//
// # The rules
//
// They bind whoever writes a driver, and whoever calls one may build on them. Package drivertest
// checks each.
//
// One coordinate space. Every point, and the bounds of every node, are pixels of the upright frame that
// Screenshot returns, origin at the top left. A driver whose tool speaks another unit (points, an
// unrotated size, an overridden size) converts inside, from measured sizes and never from a constant.
// A point outside the frame is ErrOffScreen; 0 and the last pixel are legal. Nothing is sent for a
// point that was refused.
//
// Gestures. Swipe from a point to itself holds there. A duration of zero or less is the driver's
// default. A driver returns when the tool accepted the gesture; waiting for the screen to come to rest
// is not its work. Launch is the exception: it returns once the app is in front, within a limit.
//
// Names of apps. Launch takes an id or a name, and Resolve is the only meaning of either: an exact id,
// then the driver's name tables, then what is installed, by id or label. Nothing is ErrAppNotFound with
// near misses in the text, several are ErrAmbiguousApp with the list.
//
// Concurrency. A Driver may be used from several goroutines. Operations that change the phone take
// turns per device and process: two drivers opened on one device share the queue. Waiting for a turn
// obeys ctx and Close. Close may be called from any goroutine and more than once; it unblocks calls in
// progress, and every later call returns ErrClosed.
//
// Contexts. ctx bounds every call: a cancelled call returns at once, whatever the tool does, with an
// error for which errors.Is(err, ctx.Err()) holds. A driver has a limit of its own for each kind of
// call; running into it is ErrTimeout, which never matches context.DeadlineExceeded.
//
// Nothing is left behind. What a driver changes to do its work (the input method, a forwarded port, a
// file on the phone) the same call puts back. Where the call was cancelled the undo goes on in a
// goroutine that the driver owns, and the next call and Close wait for it, within a bound. What cannot
// be put back is declared in the driver's documentation and logged.
//
// A gesture is never sent twice. Once it may have reached the phone there is no retry, and the error says
// so with MaybeDone. Reads, and attempts that provably never left this machine, may be retried.
//
// Truth. A tool that printed a failure has failed, whatever its exit status. A failed screenshot is an
// error and never a made-up picture. What a tool does not report is unknown, not false: see [Node.Known].
//
// Text is data. Nothing typed, no app name and no URL is ever read as syntax by a shell on either side.
// A newline goes to a multi-line field as it is; in a single-line field it is refused before the first
// key, where the driver can tell.
//
// # Capabilities
//
// One further operation is one small interface, one file and one package function of the same name. The
// function asks the driver; where that has no such method, or returns an error that matches
// errors.ErrUnsupported, it does the work with the core methods where it can, and otherwise returns an
// error that matches errors.ErrUnsupported. A capability that returns ErrUnsupported has sent nothing.
// Callers outside this package never assert the interfaces themselves.
//
// # Wrappers
//
// A recorder, a policy gate, a logger is made with [Wrap], which keeps every capability. Embedding a
// Driver in a struct does not: it hides all of them.
//
// # Writing a driver
//
// Build on [Calls], which brings the turns, the limits, Close in mid-call, the undo and the errors; a
// driver then has one function for each operation. See docs/writing-a-driver.md and examples/newdriver.
package driver
