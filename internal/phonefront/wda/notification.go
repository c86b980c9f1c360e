package wda

import (
	"slices"
	"time"
)

// expectNotification waits for a notification that this phone never posts, and so runs into its time limit.
func (c *call) expectNotification() (any, error) {
	name := text(c.body["name"])
	if name == "" {
		return nil, fail(errArgument, "Missing argument: 'name'")
	}
	kind := text(c.body["type"])
	if kind == "" {
		kind = "plain"
	}
	if !slices.Contains([]string{"plain", "darwin"}, kind) {
		return nil, fail(errArgument, "Notification type could only be 'plain' or 'darwin'. Got '%s' instead", kind)
	}
	limit, given, err := c.float("timeout")
	if err != nil {
		return nil, err
	}
	if !given {
		limit = 60
	}
	if err := c.takes(time.Duration(limit * float64(time.Second))); err != nil {
		return nil, err
	}
	return nil, fail(errTimeout, "Did not receive any expected %s notifications within %gs", name, limit)
}
