// Package wda drives iPhones and iPads through WebDriverAgent.
//
//	d, err := wda.New(ctx, "192.168.1.5:8100", nil)           // on the network, or behind a forwarded port
//	d, err := wda.New(ctx, "00008030-001A2B3C4D5E6F70", nil)  // on USB: no iproxy is needed
//	d, err := driver.Open(ctx, "wda:")                        // the only one on USB, through the registry
//
// An address is wda://HOST:PORT, wda:UDID or wda:, with the options port and mjpeg (of a phone on USB and of its stream of frames;
// 8100 and 9100), usbmuxd (its socket), rate (of typing), settings (quick, or keep), lang (zh or en: of the names of apps) and limit
// (of New and of each call, such as 30s).
// Opened through the registry, usbmuxd is looked for where USBMUXD_SOCKET_ADDRESS says. New reads no environment.
//
// # What a phone must have
//
// WebDriverAgent running, started by Xcode or by a tool such as go-ios, and the phone unlocked while it starts. Any version from 3 on
// will do; what an old one lacks is an error that says so. Whoever reaches its port drives the phone: it knows no password.
//
// # One session
//
// A WebDriverAgent has one session, and making one ends another client's. The driver shares the one that there is, or makes one that is
// bound to no app, so that nothing is launched with it and nothing dies with it. One that is lost is replaced, up to three times for a request, and
// the command repeated where WebDriverAgent said that it had done nothing: several programs can share one phone. Close and Release put the settings of a shared one back, and
// end one that the driver made.
//
// # Who does what
//
// gwda v0.4.0 is for WebDriverAgent 3 to 4: it has no context, one client for all phones, writes to it in each call, loses some
// errors and mangles others. Each of its calls runs in one adapter, which gives it a context, a limit, the session of the day
// and the true outcome. Do lets a program use it the same way.
//
//	gwda        sessions (make, check), W3C actions of fingers (Swipe, Drag, Pinch, Gesture), double tap, touch and hold,
//	            keys, buttons, Home, lock, alerts, apps (launch, activate, terminate, list), URLs, pasteboard, rotation
//	gidevice    the messages of usbmuxd: the list of phones, connections to their ports. The socket is ours: gidevice knows
//	            one path, no context, and waits for 30 s
//	ours        HTTP (go-retryablehttp with a policy of our own: a POST is never repeated once it may have left, and bodies
//	            have a length, as WebDriverAgent refuses chunks), errors, status (gwda leaves the active session out), the loss
//	            of a session, settings,
//	            taps (gwda has the route that 6.0.0 removed), the size of the window and of the screen (whole numbers in
//	            gwda, which fail on fractions), screenshots (parsed three times there), the source (gwda turns every error into an
//	            empty page), the app in front, the focused field (gwda cannot tell "none" from a failure), the stream of frames
//	            (one request in a lifetime there), which keys are lost
//
// Of gwda's methods, Tap, ForceTouch and PerformAppiumTouchActions name routes that current servers do not have, IsWdaHealthy is
// always false since 8.7.11, Source never fails, Screen fails on fractions, and GetMjpegHTTPClient is dead here: use Frames.
//
// # What to know
//
// WebDriverAgent works in points of the window in front; the scale is measured from a screenshot, for each axis and orientation, and
// believed for five seconds. Where no screenshot can be had (protected video), it is the one of the home screen. It carries out one command at a time, so that a call waits behind one that hangs. Back has no key on
// iOS: it is the button of the navigation bar, for which a tree is read, or a swipe from the edge, and the log says which. Text
// goes as keys, and slow apps can lose some. The clipboard is only shown to the app in front: reading and writing it brings WebDriverAgent's own app
// there for a moment. Apps lists what runs; whether a bundle id is installed only Launch finds out. A source says nothing of
// the keyboard's focus. Alerts are pressed by label (Alert, PressAlert), never accepted blindly.
package wda
