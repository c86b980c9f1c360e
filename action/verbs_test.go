package action

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// full has one action of every type, with all of its fields set.
var full = []Action{
	Launch{"微信", "m"},
	Tap{Target{At: Point{X: 512, Y: 800}}, "m"},
	Type{"say \"hi\"\n\t\\", "m"},
	Interact{"which one?"},
	Swipe{Target{At: Point{X: 1, Y: 2}}, Target{Ref: 4}, 1500 * time.Millisecond, "m"},
	Note{"True"},
	CallAPI{"sum up"},
	LongPress{Target{Ref: 12}, 3 * time.Second, "m"},
	DoubleTap{Target{At: Point{X: 0.5, Y: 999}}, "m"},
	TakeOver{"log in"},
	Back{"m"},
	Home{"m"},
	Wait{1234567 * time.Microsecond},
	Finish{Message: "there is no such app", Infeasible: true},
	Key{"Enter", "m"},
	Drag{Target{Ref: 3}, Target{At: Point{X: 1, Y: 2}}, time.Nanosecond, "m"},
	Pinch{Target{At: Point{X: 5, Y: 6}}, 1.25, "m"},
	Gesture{[][]Point{{{X: 1, Y: 2}, {X: 3, Y: 4}}, {{X: 5, Y: 6}}}, time.Second, "m"},
	OpenURL{"https://example.com/a?b=c&d=<e>", "m"},
	Look{},
}

// bare has the same verbs with no more than they need.
var bare = []Action{
	Launch{App: "a"}, Tap{}, Type{}, Interact{}, Swipe{}, Note{}, CallAPI{"i"}, LongPress{}, DoubleTap{},
	TakeOver{}, Back{}, Home{}, Wait{}, Finish{}, Key{Name: "a"}, Drag{}, Pinch{Scale: 1},
	Gesture{Paths: [][]Point{{{}}}}, OpenURL{URL: "u"}, Look{},
}

func TestEveryVerbHasItsAction(t *testing.T) {
	seen := map[Verb]bool{VerbTypeName: true} // an alias: its action is Type
	for _, a := range full {
		require.False(t, seen[a.Verb()], "%s twice", a.Verb())
		seen[a.Verb()] = true
	}
	require.Len(t, seen, len(Verbs()))
	for _, v := range Verbs() {
		require.True(t, seen[v], "no action of %s in the tests", v)
	}
	require.Len(t, ProtocolVerbs(), 15)
}

func TestEveryActionGoesThroughEveryForm(t *testing.T) {
	for _, a := range append(append([]Action{}, full...), bare...) {
		t.Run(a.String(), func(t *testing.T) {
			reply, err := Parse(Format(a))
			require.NoError(t, err)
			require.Equal(t, a, reply.Action)
			data, err := EncodeJSON(a)
			require.NoError(t, err)
			back, err := DecodeJSON(data)
			require.NoError(t, err)
			require.Equal(t, a, back)
			reply, err = Parse(string(data))
			require.NoError(t, err)
			require.Equal(t, a, reply.Action)
			reply, err = Parse(FormatReply(Reply{"because", a}))
			require.NoError(t, err)
			require.Equal(t, Reply{"because", a}, reply)
			require.True(t, Equal(a, back))
		})
	}
}

// Every field of every type must be in the table: one that is not would be lost on the way.
func TestTableIsComplete(t *testing.T) {
	for _, a := range full {
		row, rec, ok := unpack(a)
		require.True(t, ok)
		require.Equal(t, a, row.pack(rec))
		for i := range row.fields {
			require.False(t, row.fields[i].zero(&rec), "%s of %s", row.fields[i].key, row.verb)
		}
	}
	for i := range rows {
		require.NotEmpty(t, rows[i].doc.zh, rows[i].verb)
		require.NotEmpty(t, rows[i].doc.en, rows[i].verb)
		require.Same(t, &rows[i], rowNamed(rows[i].fn), rows[i].verb)
		for _, f := range rows[i].fields {
			require.NotEmpty(t, f.doc.zh, "%s of %s", f.key, rows[i].verb)
			require.NotEmpty(t, f.doc.en, "%s of %s", f.key, rows[i].verb)
			require.True(t, !f.required || f.sample != "", "%s of %s has no sample", f.key, rows[i].verb)
		}
	}
}

func TestNoNameMeansTwoVerbs(t *testing.T) {
	owner := map[string]Verb{}
	for i := range rows {
		names := map[string]bool{normal(string(rows[i].verb)): true, normal(rows[i].fn): true}
		for _, n := range rows[i].also {
			require.Equal(t, normal(n), n, "aliases are written in normal form")
			names[n] = true
		}
		for n := range names {
			require.Empty(t, owner[n], "%s and %s are both called %s", owner[n], rows[i].verb, n)
			owner[n] = rows[i].verb
		}
	}
}

func TestSchemasHaveEveryVerb(t *testing.T) {
	valid := regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)
	for _, lang := range []Lang{Chinese, English} {
		schemas := Schemas(lang)
		require.Len(t, schemas, len(Verbs())-1) // without Type_Name
		for i, s := range schemas {
			require.Regexp(t, valid, s.Name)
			require.NotEmpty(t, s.Description)
			var schema struct {
				Type       string
				Properties map[string]struct{ Type, Description string }
				Required   []string
			}
			require.NoError(t, json.Unmarshal(s.Parameters, &schema))
			require.Equal(t, "object", schema.Type)
			for _, name := range schema.Required {
				require.Contains(t, schema.Properties, name)
			}
			checkCall(t, full[i], s.Name, func(key string) { require.Contains(t, schema.Properties, key) })
		}
	}
	require.Len(t, Schemas(English, VerbTap, VerbFinish), 2)
}

// checkCall calls a tool with the arguments that the JSON encoding of an action has.
func checkCall(t *testing.T, a Action, name string, property func(string)) {
	t.Helper()
	data, err := EncodeJSON(a)
	require.NoError(t, err)
	var args map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(data, &args))
	delete(args, "verb")
	for key := range args {
		property(key)
	}
	data, err = json.Marshal(args)
	require.NoError(t, err)
	back, err := FromCall(name, data)
	require.NoError(t, err)
	require.Equal(t, a, back)
}

func TestFromCallRefuses(t *testing.T) {
	a, err := FromCall("back", nil)
	require.NoError(t, err)
	require.Equal(t, Back{}, a)
	for name, c := range map[string]struct{ tool, args, says string }{
		"unknown tool": {"fly", `{}`, "unknown action"},
		"no object":    {"tap", `[1,2]`, "want an object"},
		"missing":      {"tap", `{}`, "element is missing"},
		"cut off":      {"type", `{"text":"a`, "never ends"},
		"more":         {"back", `{} {}`, "unexpected text"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := FromCall(c.tool, []byte(c.args))
			var syntax *SyntaxError
			require.ErrorAs(t, err, &syntax)
			require.Contains(t, syntax.Msg, c.says)
			require.Equal(t, c.args, syntax.Input)
		})
	}
}

func TestLines(t *testing.T) {
	for name, c := range map[string]struct {
		a               Action
		plain, redacted string
	}{
		"tap":     {Tap{Target{At: Point{X: 512, Y: 800}}, "pay"}, `Tap 512,800 (sensitive: "pay")`, `Tap 512,800 (sensitive: "pay")`},
		"ref":     {LongPress{Target: Target{Ref: 12}}, `Long Press ref 12`, `Long Press ref 12`},
		"type":    {Type{Text: "密码123"}, `Type "密码123"`, `Type (5 characters)`},
		"swipe":   {Swipe{To: Target{Ref: 2}, Duration: time.Second}, `Swipe 0,0 -> ref 2 1s`, `Swipe 0,0 -> ref 2 1s`},
		"key":     {Key{Name: "7"}, `Key 7`, `Key (1 character)`},
		"enter":   {Key{Name: "Enter"}, `Key Enter`, `Key Enter`},
		"link":    {OpenURL{URL: "https://a.example/x?token=1"}, `OpenURL https://a.example/x?token=1`, `OpenURL https://a.example/…`},
		"no host": {OpenURL{URL: "tel:123"}, `OpenURL tel:123`, `OpenURL (a link)`},
		"gesture": {Gesture{Paths: [][]Point{{{}}, {{}}}}, `Gesture 2 paths`, `Gesture 2 paths`},
		"pinch":   {Pinch{Scale: 1.5}, `Pinch 0,0 x1.5`, `Pinch 0,0 x1.5`},
		"finish":  {Finish{Message: "ok"}, `finish "ok"`, `finish "ok"`},
		"long":    {Note{strings.Repeat("好", 90)}, `Note "` + strings.Repeat("好", 80) + `…"`, `Note "` + strings.Repeat("好", 80) + `…"`},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.plain, c.a.String())
			require.Equal(t, c.redacted, Redacted(c.a))
		})
	}
}

func TestSensitive(t *testing.T) {
	for _, a := range full {
		switch a.(type) {
		case Interact, Note, CallAPI, TakeOver, Wait, Finish, Look:
			require.Empty(t, Sensitive(a), a.Verb())
		default:
			require.Equal(t, "m", Sensitive(a), a.Verb())
		}
	}
}

// foreign is an action of somebody else.
type foreign struct{}

func (foreign) Verb() Verb     { return VerbTap }
func (foreign) String() string { return "" }

func TestForeignActions(t *testing.T) {
	for _, a := range []Action{foreign{}, nil, &Tap{}} {
		_, err := EncodeJSON(a)
		require.ErrorContains(t, err, "is not an action of this package")
		require.Empty(t, Format(a))
		require.Empty(t, Sensitive(a))
		require.Contains(t, Redacted(a), "unknown action")
	}
}
