// Package wda is the iPhone and iPad side of the simulated phone: an HTTP server that answers as WebDriverAgent
// does, from version 4 to 16, down to its odd answers.
//
//	phone, err := wda.NewPhone("iphone-15", nil)
//	s, err := wda.Listen("127.0.0.1:0", phone, &wda.Options{Version: "16"})
//	defer s.Close()
//	// s.URL() is what a client is given; s.MJPEGAddr() serves the frames.
//
// A stock client finds the routes of a session, of elements, touches, W3C actions, keys, apps, alerts, the lock,
// the pasteboard, sources and pictures. What no phone in memory can have is an unknown command: video, voice
// over, Siri, simulated places, audits, and the routes of a television or a watch.
//
// What is done to the phone is in its log (sim.Phone.Log). What can go wrong is switched on by name: FaultList
// says which faults there are. Coordinates on the wire are points of the upright window; pictures are pixels.
package wda
