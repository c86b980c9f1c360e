package driver

import (
	"encoding/json"
	"image"
)

// MarshalJSON gives {"size":[w,h],"rotation":0,"app":"id","root":{…}}.
func (t *Tree) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Size     [2]int `json:"size"`
		Rotation int    `json:"rotation"`
		App      string `json:"app,omitempty"`
		Page     string `json:"page,omitempty"`
		Root     *Node  `json:"root"`
	}{[2]int{t.Size.X, t.Size.Y}, t.Rotation, t.App.ID, t.App.Page, t.Root})
}

// nodeJSON is a node's encoding: empty strings and flags that are not set are left out.
type nodeJSON struct {
	Role     Role    `json:"role,omitempty"`
	Class    string  `json:"class,omitempty"`
	Text     string  `json:"text,omitempty"`
	Desc     string  `json:"desc,omitempty"`
	Hint     string  `json:"hint,omitempty"`
	ID       string  `json:"id,omitempty"`
	Package  string  `json:"package,omitempty"`
	Window   string  `json:"window,omitempty"`
	Bounds   [4]int  `json:"bounds"`
	Children []*Node `json:"children,omitempty"`
}

// MarshalJSON gives {"role":…,"class":…,"bounds":[left,top,right,bottom],"clickable":true,…,"children":[…]}.
func (n *Node) MarshalJSON() ([]byte, error) {
	j := nodeJSON{n.Role, n.Class, n.Text, n.Desc, n.Hint, n.ID, n.Package, n.Window, corners(n.Bounds), nil}
	head, err := json.Marshal(j)
	if err != nil {
		return nil, err
	}
	out := head[:len(head)-1]
	for _, f := range flagNames {
		if n.Flags&f.Flag != 0 {
			out = append(out, `,"`+f.Name+`":true`...)
		}
	}
	if len(n.Children) > 0 {
		kids, err := json.Marshal(n.Children)
		if err != nil {
			return nil, err
		}
		out = append(append(out, `,"children":`...), kids...)
	}
	return append(out, '}'), nil
}

func corners(r image.Rectangle) [4]int { return [4]int{r.Min.X, r.Min.Y, r.Max.X, r.Max.Y} }
