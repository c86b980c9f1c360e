package policy

import (
	"fmt"

	"github.com/handset-go/handset/driver"
)

// Denied is the refusal of a call. It matches driver.ErrDenied.
type Denied struct {
	Rule   string // that decided, or raised the question
	Reason string // why, and what can be done about it
}

// Error says which rule denied what, and why.
func (e *Denied) Error() string { return fmt.Sprintf("denied by rule %q: %s", e.Rule, e.Reason) }

// Is makes errors.Is(err, driver.ErrDenied) hold.
func (e *Denied) Is(target error) bool { return target == driver.ErrDenied }
