package wda

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/handset-go/handset/driver"
)

// jsonElement is an element as the JSON of /source has it, in the shapes of today, of 2016 and of XCTestWD.
type jsonElement struct {
	Type        loose          `json:"type"`
	RawID       loose          `json:"rawIdentifier"`
	RawIDOdd    loose          `json:"rawIndentifier"`
	Name        loose          `json:"name"`
	Label       loose          `json:"label"`
	Value       loose          `json:"value"`
	Placeholder loose          `json:"placeholderValue"`
	Traits      loose          `json:"traits"`
	Enabled     loose          `json:"isEnabled"`
	Visible     loose          `json:"isVisible"`
	Focused     loose          `json:"isFocused"`
	BundleID    loose          `json:"bundleId"`
	Rect        jsonRect       `json:"rect"`
	Children    []*jsonElement `json:"children"`
}

// loose is a text, or a number or a truth value as a text; "" for anything else.
type loose string

// UnmarshalJSON never fails: what is odd is not known.
func (l *loose) UnmarshalJSON(b []byte) error {
	switch {
	case len(b) > 0 && b[0] == '"':
		var s string
		if err := json.Unmarshal(b, &s); err != nil {
			return err
		}
		*l = loose(s)
	case len(b) > 0 && (b[0] == '{' || b[0] == '[' || b[0] == 'n'):
		*l = ""
	default:
		*l = loose(b)
	}
	return nil
}

// jsonRect is {x, y, width, height}, or {origin: {x, y}, size: {width, height}}.
type jsonRect struct {
	X      *float64 `json:"x"`
	Y      *float64 `json:"y"`
	Width  *float64 `json:"width"`
	Height *float64 `json:"height"`
}

// UnmarshalJSON takes what it can read: an infinite frame is written in many ways.
func (r *jsonRect) UnmarshalJSON(b []byte) error {
	type plain jsonRect
	var in struct {
		plain
		Origin, Size *plain
	}
	if err := json.Unmarshal(b, &in); err != nil {
		return nil //nolint:nilerr // a frame that cannot be read is not known
	}
	*r = jsonRect(in.plain)
	if in.Origin != nil && in.Size != nil {
		*r = jsonRect{X: in.Origin.X, Y: in.Origin.Y, Width: in.Size.Width, Height: in.Size.Height}
	}
	return nil
}

func (r *jsonRect) ok() bool {
	for _, v := range []*float64{r.X, r.Y, r.Width, r.Height} {
		if v == nil || math.IsInf(*v, 0) || math.IsNaN(*v) {
			return false
		}
	}
	return true
}

// jsonSource reads the JSON of /source.
type jsonSource struct{ builder }

func (p *jsonSource) parse(data []byte) (*driver.Node, error) {
	var root jsonElement
	if err := json.Unmarshal(data, &root); err != nil {
		return nil, fmt.Errorf("the JSON of the source: %w", err)
	}
	if root.Type == "" && len(root.Children) == 0 {
		return nil, errors.New("the JSON of the source has no element")
	}
	if root.Type == "" {
		root.Type = "Application" // the oldest leave it out
	}
	return p.add(&root, nil, 0)
}

func (p *jsonSource) add(j *jsonElement, parent *driver.Node, depth int) (*driver.Node, error) {
	if depth > maxDepth || p.nodes >= maxNodes {
		return nil, fmt.Errorf("the JSON of the source is too large: %d elements, %d deep", p.nodes, depth)
	}
	e := element{
		kind: strings.TrimPrefix(orElse(string(j.Type), "Other"), typePrefix), name: string(j.Name), rawID: orElse(string(j.RawID), string(j.RawIDOdd)),
		label: string(j.Label), value: string(j.Value), placeholder: string(j.Placeholder), traits: string(j.Traits),
		enabled: string(j.Enabled), visible: string(j.Visible), focused: string(j.Focused), bundle: string(j.BundleID),
	}
	if j.Rect.ok() {
		e.x, e.y, e.w, e.h, e.framed = *j.Rect.X, *j.Rect.Y, *j.Rect.Width, *j.Rect.Height, true
	}
	n := p.node(&e, parent)
	for _, c := range j.Children {
		if c == nil {
			continue
		}
		if _, err := p.add(c, n, depth+1); err != nil {
			return nil, err
		}
	}
	return n, nil
}
