// Package hdc drives HarmonyOS NEXT phones through the hdc tool of DevEco Studio.
//
//	d, err := hdc.New(ctx, "", nil)                       // the only phone that is connected
//	d, err := driver.Open(ctx, "hdc:127.0.0.1:5555")      // the same through the registry
//
// An address is hdc:KEY, with KEY as `hdc list targets` prints it and the options tool (the path of hdc), server (IP:PORT
// of an hdc server), png (true: screenshots as PNG), unguarded (true: no look at the display before a gesture),
// lang (zh or en: of the names of apps) and limit (of New and of each call, such as 30s). Opened through the registry, the tool and the server are looked for where variables say:
// see FromEnv. New reads no environment.
//
// # What comes from which tool
//
//	Screenshot               snapshot_display, or uitest screenCap on a phone without it
//	Tree                     uitest dumpLayout, hidumper DisplayManagerService for the rotation
//	Tap, DoubleTap           uitest uiInput; uinput on the left and upper edge, which uitest refuses
//	Swipe, LongPress, Drag   uinput, which takes times; uitest, which takes speeds, on a phone without it
//	Pinch, Gesture           uinput: up to three fingers on straight lines
//	Key                      uitest uiInput keyEvent
//	Type                     uitest uiInput text or inputText, uinput -K -t
//	Launch, Stop, OpenURL    bm dump, aa start, aa force-stop, aa dump
//	Foreground               aa dump -l
//	PowerState, Wake, Lock   hidumper RenderService and WindowManagerService, power-shell
//	Install, Push, Pull      hdc install, uninstall, file send, file recv
//
// # How it talks
//
// Each call is one run of hdc, or a few. hdc ends with 0 whatever happened, so that text decides: each command line ends with
// a mark that carries the status on the phone and proves that nothing was cut off. Every value is one word for
// the phone's shell. A call that ends early kills the client only; what it started on the phone goes on. uitest, of which
// the phone takes one at a time, gets two and a half seconds to end by itself.
//
// # What a phone must have
//
// Developer mode and USB debugging (Settings, System, Developer options), and this computer's key accepted in the
// dialog that the phone shows.
//
// # What to know
//
// A gesture looks first, in the same process, whether the display is on, unlocked, and of the size that the last frame
// had: driver.ErrAsleep and ErrLocked say so before anything was sent. Unlock swipes the lock screen away.
//
// Text that cannot be typed by keys is pasted, which overwrites the phone's clipboard for good: no tool reads it. The
// names of apps are those of a table, as bm does not tell labels. A frame that is black where the tree has texts is
// taken to be protected, as no tool tells. The display cannot be turned, and there is no way to the clipboard.
package hdc
