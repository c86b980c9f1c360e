// Package sim is a simulated phone: it draws real frames, has a real tree, a text cursor, input methods,
// apps, power and a lock, and a log of what was done to it. Tests, examples and the command line run on it
// without hardware.
//
//	p := sim.New(nil)                 // a phone of 1080x2400 that shows its launcher
//	d := sim.Open(p, nil)             // a driver.Driver with every capability
//	err := d.Launch(ctx, "Messages")
//	...
//	p.Events("message_sent")          // what came of it
//
// A [Phone] is what the hardware and its system are; protocol fronts put it behind the wires of real tools.
// It is deterministic: the same inputs lead to the same frames, trees and log. It has no clock of its own;
// each input takes its nominal time, and a phone at rest costs nothing.
//
// Its apps are data ([App], [Screen], [Widget], [Effect]): Options.Apps adds ones of your own. What is on
// every phone:
//
//   - a launcher, with recent apps, a notification shade and a lock screen;
//   - Settings: switches, lists longer than the screen, pages below, a search field, a reset behind a dialog;
//   - Messages: chats, a text field and Send; "message_sent" {to, text};
//   - Shop: products, a cart, a payment page; "payment" {amount, items, method} on the final confirmation only;
//   - Clock: alarms, a list that can be sorted by dragging, sliders, a timer;
//   - Notes: a field of several lines; "note_saved" {text};
//   - Browser: a page that draws by itself, with no tree inside;
//   - Wallet: a page that the system protects from capture;
//   - Camera: asks for a permission when it starts;
//   - Mail, twice: two apps of one name.
//
// A program that takes addresses opens "sim:" for a new phone,
// "sim:?size=720x1280&density=320&lang=zh&start=ID" for one of another make, and "sim:NAME" for the phone
// of that name in the same process.
//
// Its gestures are those of current phones: a swipe up from the bottom edge is Home, one from a side edge
// is Back, one down from the top pulls the shade.
package sim
