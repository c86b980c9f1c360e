package policy

import (
	"image"

	"github.com/handset-go/handset/driver"
)

// Request is a call on its way to a phone, as the rules and Confirm see it.
type Request struct {
	Device string      // the address, where the driver tells it
	Call   driver.Call // of Launch, App is the id by now
	App    driver.App  // in front, or for a Launch, Stop or Uninstall the one that is meant
	// Target is what the gesture lands on, and for a key or text the node with the focus; nil if that is
	// not known. Label is what a person reads there.
	Target *driver.Node
	Label  string
	Tree   *driver.Tree    // that the call is judged on, nil for none
	Screen *driver.Screen  // the last frame, if nothing was done since; nil for none
	Crop   image.Rectangle // of Target in the frame, empty for none
	Reason string          // the model's own words, "" if it saw no need
	Rule   string          // that has raised the question
	Why    string          // what that rule says

	texts []string // at the point of the gesture, each by itself
}

// Answer is what Confirm says. The zero value is a no.
type Answer struct {
	Allow  bool
	Always bool   // with Allow: do not ask again for the same rule, app and label
	Note   string // goes into the error of a no
}

// Verdict is what a rule says of a call.
type Verdict int

// The verdicts.
const (
	Pass  Verdict = iota // no opinion
	Allow                // may be done without a question
	Ask                  // Confirm decides
	Deny                 // is not done
)

// String returns "pass", "allow", "ask" or "deny".
func (v Verdict) String() string {
	switch v {
	case Allow:
		return "allow"
	case Ask:
		return "ask"
	case Deny:
		return "deny"
	}
	return "pass"
}

// Rule judges calls that change something on the phone. why is for the person who is asked, and for the
// error of a denial. Judge runs for every call and must be quick; it may be called from several goroutines.
type Rule struct {
	Name  string
	Judge func(r *Request) (v Verdict, why string)
}
