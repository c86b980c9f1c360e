package sim

import (
	"encoding/json"
	"maps"
	"slices"
	"time"
)

// Event is one thing that was done to the phone, or that came of it. The inputs are "tap", "double_tap",
// "long_press", "swipe", "drag", "pinch", "touch" (any other movement), "key", "text", "clear", "ime",
// "rotate", "power", "clipboard". The effects are "launch", "stop", "switch", "value", "field",
// "permission", "notification", "url", "unlock", "wrong_pin", and what the apps emit: "message_sent", "payment", "note_saved", ...
type Event struct {
	At   time.Duration // since the phone was made, in the phone's own time
	Name string
	Data map[string]any
}

// MarshalJSON gives {"at":1250,"event":"switch","name":"Bluetooth","on":false}, at in milliseconds.
func (e Event) MarshalJSON() ([]byte, error) {
	all := maps.Clone(e.Data)
	if all == nil {
		all = map[string]any{}
	}
	all["at"], all["event"] = e.At.Milliseconds(), e.Name
	return json.Marshal(all)
}

// String returns a field as text, "" if it is not there or is not text.
func (e Event) String(field string) string {
	s, _ := e.Data[field].(string)
	return s
}

// Log returns what was done to the phone so far, oldest first.
func (p *Phone) Log() []Event {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.log)
}

// Events returns the events of one name, oldest first.
func (p *Phone) Events(name string) []Event {
	var found []Event
	for _, e := range p.Log() {
		if e.Name == name {
			found = append(found, e)
		}
	}
	return found
}

// ClearLog forgets what was done so far.
func (p *Phone) ClearLog() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.log = nil
}

func (p *Phone) emit(name string, data map[string]any) {
	p.log = append(p.log, Event{At: p.clock, Name: name, Data: data})
}
