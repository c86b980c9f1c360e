package sim

import (
	"maps"
	"slices"
	"strings"
)

// Effect is one thing that happens when a widget is used. The functions below make them.
type Effect struct {
	Kind  EffectKind
	If    string // does nothing unless this condition holds
	Name  string
	Value string
	Data  map[string]string
	Label Label
}

// EffectKind says what an Effect does.
type EffectKind string

// The kinds of effects.
const (
	EffectGo     EffectKind = "go"     // opens the screen Name of the same app
	EffectBack   EffectKind = "back"   // leaves the screen
	EffectRoot   EffectKind = "root"   // goes back to the first screen of the app
	EffectOpen   EffectKind = "open"   // starts the app Name
	EffectSet    EffectKind = "set"    // sets the value Name to Value
	EffectToggle EffectKind = "toggle" // turns the value Name from "true" to anything else, or back
	EffectAppend EffectKind = "append" // adds an entry with Data to the list Name
	EffectRemove EffectKind = "remove" // takes the entry that was touched from the list Name
	EffectEmpty  EffectKind = "empty"  // empties the list Name
	EffectEmit   EffectKind = "emit"   // writes the event Name with Data to the log
	EffectAsk    EffectKind = "ask"    // shows the dialog Name
	EffectToast  EffectKind = "toast"  // shows Label for a moment, until the next touch or key
	EffectNotify EffectKind = "notify" // posts the notification with the title Label and the text Value
	EffectCopy   EffectKind = "copy"   // puts Value on the clipboard
)

// Go opens another screen of the app.
func Go(screen string) Effect { return Effect{Kind: EffectGo, Name: screen} }

// Back leaves the screen.
func Back() Effect { return Effect{Kind: EffectBack} }

// Root goes back to the first screen of the app.
func Root() Effect { return Effect{Kind: EffectRoot} }

// OpenApp starts another app.
func OpenApp(id string) Effect { return Effect{Kind: EffectOpen, Name: id} }

// Set sets a value.
func Set(key, value string) Effect { return Effect{Kind: EffectSet, Name: key, Value: value} }

// Toggle turns a value on or off.
func Toggle(key string) Effect { return Effect{Kind: EffectToggle, Name: key} }

// Append adds an entry, given as names and values in turn, to a list.
func Append(list string, fields ...string) Effect {
	return Effect{Kind: EffectAppend, Name: list, Data: pairs(fields)}
}

// Remove takes the entry that was touched from a list.
func Remove(list string) Effect { return Effect{Kind: EffectRemove, Name: list} }

// Empty empties a list.
func Empty(list string) Effect { return Effect{Kind: EffectEmpty, Name: list} }

// Emit writes an event, with names and values in turn, to the log of the phone.
func Emit(event string, fields ...string) Effect {
	return Effect{Kind: EffectEmit, Name: event, Data: pairs(fields)}
}

// Ask shows a dialog.
func Ask(dialog string) Effect { return Effect{Kind: EffectAsk, Name: dialog} }

// Toast shows a text for a moment.
func Toast(text Label) Effect { return Effect{Kind: EffectToast, Label: text} }

// Notify posts a notification of the app.
func Notify(title Label, text string) Effect {
	return Effect{Kind: EffectNotify, Label: title, Value: text}
}

// Copy puts a text on the clipboard.
func Copy(text string) Effect { return Effect{Kind: EffectCopy, Value: text} }

// When returns the effect with a condition.
func (e Effect) When(cond string) Effect {
	e.If = cond
	return e
}

func pairs(fields []string) map[string]string {
	m := map[string]string{}
	for i := 0; i+1 < len(fields); i += 2 {
		m[fields[i]] = fields[i+1]
	}
	return m
}

// perform does effects in their order, for the app and the entry that they belong to.
func (p *Phone) perform(effects []Effect, app *App, at place) {
	for _, e := range effects {
		if p.holds(e.If, at) {
			p.performOne(e, app, at)
		}
	}
}

func (p *Phone) performOne(e Effect, app *App, at place) {
	name, value := p.expand(e.Name, at), p.expand(e.Value, at)
	switch e.Kind {
	case EffectGo:
		p.push(app, name)
	case EffectBack:
		p.pop()
	case EffectRoot:
		p.unwind()
	case EffectOpen:
		p.start(name)
	case EffectSet:
		p.set(name, value)
	case EffectToggle:
		p.toggle(name)
	case EffectAppend:
		p.append(name, p.expandAll(e.Data, at))
	case EffectRemove:
		p.remove(name, at.index)
	case EffectEmpty:
		delete(p.lists, name)
	case EffectEmit:
		p.emit(name, p.eventData(app, e.Data, at))
	case EffectAsk:
		p.ask(app, name, at)
	case EffectToast:
		p.toast = p.expand(e.Label.In(p.lang), at)
	case EffectNotify:
		p.notify(Notification{App: app.ID, Title: p.expand(e.Label.In(p.lang), at), Text: value})
	case EffectCopy:
		p.clipboard = value
	}
}

func (p *Phone) expandAll(data map[string]string, at place) Entry {
	out := make(Entry, len(data))
	for k, v := range data {
		out[k] = p.expand(v, at)
	}
	return out
}

// eventData is what an app's event says: its data and the app's English name.
func (p *Phone) eventData(app *App, data map[string]string, at place) map[string]any {
	out := map[string]any{"app": app.Name.En}
	for k, v := range p.expandAll(data, at) {
		out[k] = v
	}
	return out
}

func (p *Phone) append(list string, e Entry) {
	p.lists[list] = append(p.lists[list], e)
}

func (p *Phone) remove(list string, i int) {
	if l := p.lists[list]; i >= 0 && i < len(l) {
		p.lists[list] = slices.Delete(slices.Clone(l), i, i+1)
	}
}

// cloneLists copies lists so that two phones never share them.
func cloneLists(in map[string][]Entry) map[string][]Entry {
	out := make(map[string][]Entry, len(in))
	for name, list := range in {
		for _, e := range list {
			out[name] = append(out[name], maps.Clone(e))
		}
	}
	return out
}

// isOn says whether a value counts as on.
func isOn(v string) bool { return v != "" && v != "false" && v != "0" }

func (p *Phone) toggle(key string) {
	on := strings.EqualFold(p.values[key], "true")
	p.set(key, onOff(!on))
}

func onOff(on bool) string {
	if on {
		return "true"
	}
	return "false"
}
