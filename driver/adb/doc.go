// Package adb drives Android phones through the adb server.
//
//	d, err := adb.New(ctx, "", nil)                 // the only phone that is attached
//	d, err := driver.Open(ctx, "adb:emulator-5554") // the same through the registry
//
// An address is adb:SERIAL, with the options server (HOST:PORT), adb (the program that starts a
// server), start (false: never start one), reconnect (true: attach a phone of the network again that
// the server has lost), keyboard, keyboard_wait, prove (true: read every text back), compressed (true:
// smaller trees), windows (true: all of them), tree_server (false: leave automation servers alone),
// screens (png or raw), resident (false: a connection for each command), scrcpy (a path, auto or off),
// lang (zh or en: of the names of apps) and limit (of New and of each call, such as 30s). Opened
// through the registry, a phone is looked for where the variables of adb itself say: see FromEnv. New
// reads no environment.
//
// # How it talks
//
// The driver speaks to the adb server's socket and starts no process, but for `adb start-server`
// where nothing listens. Commands go through the shell protocol, which keeps the two output streams
// and the exit status, and ends the command on the phone when a call is cancelled; phones before
// Android 7 get the old shell. This part is an own client, as gadb v0.1.0 knows no context, no exit
// status and no state but "device". gadb carries Connect and Disconnect, where it can
// reach the server. Each call dials the server anew, so that a driver outlives a server
// that is restarted, and several servers are used side by side.
//
// Small commands share one shell that stays open on the phone. What lasts (a swipe, a dump, a launch)
// has a connection of its own, which ends it with its call.
//
// # Beyond the driver contract
//
// The package connects phones: Connect, Pair, Driver.TCPIP, and Follow, which yields the list of
// phones at each change for as long as one likes. A Driver has what is Android's own: Unlock,
// AutoRotate, ShowNotifications, Battery, ClearData, LongKey and the editor actions of Key; folders
// with PushDir and PullDir, Stat and List; Look, a frame and a tree in one; and sockets of the phone
// with Dial, Forward and Reverse, which end with the driver. Wrappers, and so a policy gate, do not see these calls.
//
// # scrcpy's server
//
// Where scrcpy is installed on this computer, or Options.Scrcpy names its server file, that is pushed to
// the phone when it pays, started without a picture and removed again at once; it runs until the last
// driver of the phone is closed. Gestures, keys and short
// texts are then a few bytes on an open connection instead of a process each, and Gesture, Pinch,
// Clipboard and SetClipboard work. It acknowledges nothing: a gesture is told to be done when it was
// sent and the server lives, and a refusal of the system is looked for after the first one. Texts beyond
// ASCII go through the clipboard where ADBKeyBoard is missing, and what was on it is put back. Where
// the server does not start, one line of the log says so, and all goes the usual way.
//
// # What a phone must have
//
// USB debugging, and on MIUI, ColorOS, OriginOS and some others a second switch for injected input,
// which driver.ErrInputBlocked names. Text beyond plain ASCII needs ADBKeyBoard
// (com.android.adbkeyboard): it is switched on for a call and off again, however the call ends. For
// a program that is killed meanwhile, a file on the phone (/data/local/tmp/handset-keyboard) says
// what to put back, and the next New does. Temporary files that such a program left are removed once they
// are a day old.
//
// # What to know
//
// Trees come from `uiautomator dump`: one to three seconds, the focused window only, and none while
// the screen never rests. The size of the frame is learnt from frames and trees and believed for
// five seconds; a gesture after that asks once more. Drag rests for the phone's own long-press
// time. The names of apps are those of a table, and labels that an app has
// written out in its manifest: adb does not tell the others.
//
// What was typed is read back the first time that the keyboard is used, after long texts, and always
// with the option prove. adb has no way to the clipboard of its own: `cmd clipboard` says "No shell
// command implementation" on almost all releases. Install pushes the files first and has the phone's
// package manager take them from there, which all releases can, and which streams nothing through a
// shell. Rotate leaves automatic rotation off.
package adb
