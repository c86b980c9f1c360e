package timing_test

import (
	"fmt"

	"github.com/handset-go/handset/timing"
)

// A user of Open-AutoGLM keeps the variables that they have; what is not set settles.
func ExampleFromEnv() {
	environment := map[string]string{"PHONE_AGENT_LAUNCH_DELAY": "2.5"}
	t, err := timing.FromEnv(func(name string) (string, bool) {
		value, ok := environment[name]
		return value, ok
	})
	fmt.Println(t.After(timing.AfterLaunch), t.After(timing.AfterTap), err)

	environment["PHONE_AGENT_TAP_DELAY"] = "-1"
	_, err = timing.FromEnv(func(name string) (string, bool) {
		value, ok := environment[name]
		return value, ok
	})
	fmt.Println(err)
	// Output:
	// 2.5s settle <nil>
	// PHONE_AGENT_TAP_DELAY="-1": a wait is not negative
}
