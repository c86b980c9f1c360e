// Package timing holds every wait of an agent as a value that the environment can set.
//
// Start with Default, which waits after a gesture until the screen stops changing, or with FromEnv,
// which lets the PHONE_AGENT_*_DELAY variables of Open-AutoGLM replace single waits by exact ones:
//
//	t, err := timing.FromEnv(os.LookupEnv)
//
// A Timing is plain data and is copied freely. Its zero value waits for nothing at all. The waits
// themselves are made by the agent; a driver never sleeps for the sake of the screen.
package timing
