// Package hdc is the simulated HarmonyOS phone behind a program that answers as hdc does.
//
// A Device wraps a sim.Phone: a shell with HarmonyOS's programs, a file system and the answers of one release. A
// Server holds devices and stays up between calls, as hdc's own server does. WriteTool writes a program named hdc
// that talks to it, so that anything that runs hdc can use the phone:
//
//	d, err := hdc.New(sim.New(&sim.Options{Platform: sim.PlatformHarmony}), nil)
//	s, err := hdc.Serve(nil, d)
//	defer s.Close()
//	path, err := s.WriteTool(dir, "")   // the program calls AsTool first
//
// What it prints is what hdc 3.2.0f and phones of HarmonyOS 5.0 to 6.0 were seen to print, to the byte, with a
// status of 0 whatever happens. Nothing in it reaches the machine that it runs on, but for the files that the
// tool is told to send and to receive, and the ports that it is told to forward.
package hdc
