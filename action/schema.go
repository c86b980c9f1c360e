package action

import (
	"encoding/json"
	"time"
)

// A Schema describes a verb as a tool for models that call functions. FromCall reads their calls.
type Schema struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"` // a JSON schema of an object
}

// Schemas returns one tool for each of the verbs, or for all of them if none is given. Type_Name,
// which is another name of Type, has none. The names of the parameters are the keys of the JSON
// encoding.
func Schemas(l Lang, verbs ...Verb) []Schema {
	var out []Schema
	for _, r := range rowsOf(verbs) {
		if !r.alias {
			out = append(out, Schema{r.fn, r.doc.in(l), r.parameters(l)})
		}
	}
	return out
}

// rowsOf returns the rows of some verbs in the order of the table, or all of them for none.
func rowsOf(verbs []Verb) []*row {
	wanted := map[Verb]bool{}
	for _, v := range verbs {
		wanted[v] = true
	}
	var out []*row
	for i := range rows {
		if len(verbs) == 0 || wanted[rows[i].verb] {
			out = append(out, &rows[i])
		}
	}
	return out
}

func (r *row) parameters(l Lang) json.RawMessage {
	var props encoder
	required := "[]"
	var names []string
	for i := range r.fields {
		f := &r.fields[i]
		f.properties(&props, l)
		if _, target := f.slot(&record{}).(*Target); f.required && !target {
			names = append(names, f.key)
		}
	}
	if len(names) > 0 {
		b, _ := json.Marshal(names) // strings always marshal
		required = string(b)
	}
	properties := "{}"
	if props.buf.Len() > 0 {
		properties = props.buf.String() + "}"
	}
	return json.RawMessage(`{"type":"object","properties":` + properties +
		`,"required":` + required + `,"additionalProperties":false}`)
}

// A target has two properties, of which a call gives one, so neither is required.
var refDoc = words{"列表中该行的编号,代替坐标", "number of the row, instead of a place"}

const pointSchema = `"type":"array","items":{"type":"number"},"minItems":2,"maxItems":2`

func (f *field) properties(e *encoder, l Lang) {
	about := `,"description":` + jsonText(f.doc.in(l)) + "}"
	switch f.slot(&record{}).(type) {
	case *string:
		e.raw(f.key, `{"type":"string"`+about)
	case *time.Duration:
		e.raw(f.key, `{"type":"integer","minimum":0`+about)
	case *float64:
		e.raw(f.key, `{"type":"number"`+about)
	case *[][]Point:
		e.raw(f.key, `{"type":"array","items":{"type":"array","items":{`+pointSchema+`}}`+about)
	case *Target:
		e.raw(f.key, `{`+pointSchema+about)
		e.raw(f.refKey(), `{"type":"integer","minimum":1,"description":`+jsonText(refDoc.in(l))+"}")
	}
}
