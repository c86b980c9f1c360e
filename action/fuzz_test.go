package action

import (
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func seeds(f *testing.F) {
	for _, a := range append(append([]Action{}, full...), bare...) {
		f.Add(Format(a))
		f.Add(FormatReply(Reply{"why", a}))
		if data, err := EncodeJSON(a); err == nil {
			f.Add(string(data))
		}
	}
	for _, s := range []string{
		"", "done", `[{'Type', text="库迪咖啡")`, `do(action=“Tap”, element=[1,2])`,
		`the do(action="Tap" ...) thing then do(action="Back")`, `do(action="Type", text="say "hi" ok")`,
		`do(action="Type", text="f("x")")`, `<think>a</think><answer>finish(message=done)</answer>`,
		"```json\n{'action': 'Tap', 'element': \"[1,2]\"}\n```", `do("Tap",[[1,2],[3,4]], **x)`,
		`do(action="Tap", element=[0.5,0.5])`, `do(action="Swipe", start=[0,0.5], end=[1,1])`, `{"verb":"Tap","at":[0.5,1],"space":"per-mille"}`,
		`do(action="Type", text="""a"b""")`, `{"name":"tap","arguments":"{\"at\":[1,2]}"}`,
		`finish() do(action='Wait', duration=5秒) # x`, `do(action="Type"，text=‘it’s’`,
	} {
		f.Add(s)
	}
}

// FuzzParse: no reply makes Parse panic, an error points into the reply, and what was read is read
// again from each of its written forms.
func FuzzParse(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, reply string) {
		got, err := Parse(reply)
		if err != nil {
			var syntax *SyntaxError
			require.ErrorAs(t, err, &syntax)
			require.GreaterOrEqual(t, syntax.Offset, 0)
			require.LessOrEqual(t, syntax.Offset, len(reply))
			require.Equal(t, reply, syntax.Input)
			require.NotEmpty(t, syntax.Msg)
			return
		}
		again, err := Parse(Format(got.Action))
		require.NoError(t, err)
		require.Equal(t, got.Action, again.Action)
		data, err := EncodeJSON(got.Action)
		require.NoError(t, err)
		back, err := DecodeJSON(data)
		require.NoError(t, err)
		if utf8.ValidString(reply) {
			require.Equal(t, got.Action, back)
		}
		require.NotEmpty(t, got.Action.String())
	})
}

// FuzzSplitter: how a reply is cut into chunks makes no difference, and nothing but the marks is
// lost.
func FuzzSplitter(f *testing.F) {
	for _, s := range []string{
		"<think>想</think>\n<answer>do(action=\"Back\")</answer>", "a <thin", "<th<think>ink>", "undo(action=",
		"finish()", "{\"action\"", "\xe4\xbd", "<|begin_of_box|><tool_call>x",
	} {
		for _, n := range []uint8{1, 2, 7} {
			f.Add(s, n)
		}
	}
	f.Fuzz(func(t *testing.T, reply string, n uint8) {
		whole := splitAll(reply, len(reply)+1)
		require.Equal(t, whole, splitAll(reply, int(n)+1))
		require.Equal(t, unmark.Replace(reply), joined(whole))
	})
}

// FuzzDecodeJSON: no text makes DecodeJSON or FromCall panic.
func FuzzDecodeJSON(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		if a, err := DecodeJSON([]byte(text)); err == nil {
			data, err := EncodeJSON(a)
			require.NoError(t, err)
			back, err := DecodeJSON(data)
			require.NoError(t, err)
			require.Equal(t, a, back)
		}
		if a, err := FromCall("swipe", []byte(text)); err == nil {
			require.Equal(t, VerbSwipe, a.Verb())
		}
	})
}
