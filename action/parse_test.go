package action

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func tapAt(x, y float64) Tap { return Tap{Target: Target{At: Point{X: x, Y: y}}} }

// readsAs is a reply and what a careful person would read in it.
type readsAs struct {
	name, reply string
	want        Action
}

func checkReads(t *testing.T, cases []readsAs) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := Parse(c.reply)
			require.NoError(t, err)
			require.Equal(t, c.want, got.Action)
			again, err := Parse(Format(got.Action))
			require.NoError(t, err)
			require.Equal(t, c.want, again.Action)
		})
	}
}

// refused is a reply that must not be read, with what the error says and where it points.
type refused struct {
	name, reply string
	offset      int
	says        string
}

func checkRefused(t *testing.T, cases []refused) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := Parse(c.reply)
			var syntax *SyntaxError
			require.ErrorAs(t, err, &syntax)
			require.Equal(t, Reply{}, got)
			require.Contains(t, syntax.Msg, c.says)
			require.Equal(t, c.offset, syntax.Offset)
			require.Equal(t, c.reply, syntax.Input)
		})
	}
}

// These are the outputs on which Open-AutoGLM's parser was observed to fail, or to read nonsense.
func TestParseOddOutputs(t *testing.T) {
	checkReads(t, []readsAs{
		{"no closing answer tag", `<think>t</think><answer>do(action="Tap", element=[1,2])`, tapAt(1, 2)},
		{"tags on lines of their own", "<think>t</think>\n<answer>\ndo(action=\"Tap\", element=[1,2])\n</answer>", tapAt(1, 2)},
		{"answer tag after a type", `<answer>do(action="Type", text="hi")</answer>`, Type{Text: "hi"}},
		{"escaped quotes and a smiley", `do(action="Type", text="say \"hi\" (ok) :)")`, Type{Text: `say "hi" (ok) :)`}},
		{"unescaped inner quotes", `do(action="Type", text="say "hi" ok")`, Type{Text: `say "hi" ok`}},
		{"raw newline in a text", "do(action=\"Type\", text=\"a\nb\")", Type{Text: "a\nb"}},
		{"escaped newline", `do(action="Type", text="a\nb")`, Type{Text: "a\nb"}},
		{"needless argument before the text", `do(action="Type", element=[1,2], text="hi")`, Type{Text: "hi"}},
		{"space before the parenthesis", `do(action="Type", text="hi" )`, Type{Text: "hi"}},
		{"full stop after the call", `do(action="Type", text="hi")。`, Type{Text: "hi"}},
		{"tuple", `do(action="Tap", element=(100,200))`, tapAt(100, 200)},
		{"box", `do(action="Tap", element=[100, 200, 300, 400])`, tapAt(200, 300)},
		{"newline between arguments", "do(action=\"Tap\",\n element=[1,2])", tapAt(1, 2)},
		{"number as duration", `do(action="Wait", duration=3)`, Wait{3 * time.Second}},
		{"one second", `do(action="Wait", duration="1 second")`, Wait{time.Second}},
		{"newline in a message", "do(action=\"Take_over\", message=\"a\nb\")", TakeOver{"a\nb"}},
		{"spaces around the equals sign", `do(action = "Tap", element=[1,2])`, tapAt(1, 2)},
		{"curly quotes", `do(action=“Tap”, element=[1,2])`, tapAt(1, 2)},
		{"comment", `do(action="Back") # comment`, Back{}},
		{"no closing parenthesis", `do(action="Back"`, Back{}},
		{"answer tag after a finish", `finish(message="done")</answer>`, Finish{Message: "done"}},
		{"single quotes", `finish(message='done')`, Finish{Message: "done"}},
		{"escape in a finish", `finish(message="a\nb")`, Finish{Message: "a\nb"}},
		{"finish without arguments", `finish()`, Finish{}},
		{"a task that cannot be done", `finish(message="no such app", status="infeasible")`, Finish{Message: "no such app", Infeasible: true}},
		{"a failure in another model's words", `do(action="finish", message="no", status="failure")`, Finish{Message: "no", Infeasible: true}},
		{"success=False", `finish(success=False, message="no")`, Finish{Message: "no", Infeasible: true}},
		{"success=True", `finish(success=True, message="ok")`, Finish{Message: "ok"}},
		{"minus zero", `do(action="Tap", element=[-0,-0.0])`, tapAt(0, 0)},
		{"a success in another model's words", `finish(message="ok", status="success")`, Finish{Message: "ok"}},
		{"finish without quotes", `finish(message=done)`, Finish{Message: "done"}},
		{"finish with one argument too many", `finish(message="done", x=1)`, Finish{Message: "done"}},
		{"a call that is talked about first", `the do(action="Tap" ...) thing then do(action="Back")`, Back{}},
		{"box tokens", `<|begin_of_box|>do(action="Launch", app="Settings")<|end_of_box|>`, Launch{App: "Settings"}},
	})
	checkRefused(t, []refused{
		{"type without a text", `do(action="Type")`, 0, "text is missing"},
		{"placeholder", `do(action="Tap", element=[x,y])`, 26, "two numbers"},
		{"negative", `do(action="Tap", element=[100.5, -3])`, 25, "outside"},
		{"the word done", `done`, 0, "no do(action=...)"},
		{"a verb without a call", `double click`, 0, "no do(action=...)"},
		{"broken list", `[{'Type', text="库迪咖啡")`, 8, "name without a value"},
		{"object without an action", `[{'Type': 'Type'}]`, 1, "names no action"},
		{"empty", ``, 0, "empty"},
		{"blank", " \n", 0, "empty"},
		{"prose", `hello`, 0, "no do(action=...)"},
		{"unpacking", `do(action="Launch", app="微信", **{"a":1})`, 34, "**"},
		{"argument twice", `do(action="Tap", element=[1,2], element=[3,4])`, 32, "twice"},
	})
}

func TestParseFindsTheCall(t *testing.T) {
	checkReads(t, []readsAs{
		{"finish in the thought", `I must not finish(message="x") yet. do(action="Back")`, Back{}},
		{"finish in the think tag", `<think>then finish(message="x")</think>do(action="Back")`, Back{}},
		{"thought without an opening tag", `maybe do(action="Home")</think>do(action="Back")`, Back{}},
		{"thought that never ends", `<think>go back do(action="Back")`, Back{}},
		{"thinking tag", `<thinking>do(action="Home")</thinking><answer>do(action="Back")</answer>`, Back{}},
		{"nested think tags", `<think><think>t</think><answer></think><answer>do(action="Back")</answer>`, Back{}},
		{"call after the answer", `<answer>do(action="Back")</answer> next do(action="Home")`, Back{}},
		{"blank answer", `do(action="Back")<answer> </answer>`, Back{}},
		{"two answers", `<answer>do(action="Home")</answer><answer>do(action="Back")</answer>`, Back{}},
		{"two calls on two lines", "do(action=\"Home\")\ndo(action=\"Back\")", Back{}},
		{"two calls on one line", `do(action="Type", text="a") do(action="Back")`, Back{}},
		{"code fence", "I go back.\n```python\ndo(action=\"Back\")\n```", Back{}},
		{"fence without parenthesis", "```\ndo(action=\"Back\"\n```", Back{}},
		{"answer tag instead of a parenthesis", `<answer>do(action="Back"</answer>`, Back{}},
		{"text after the call", "do(action=\"Back\")\nThat should close the dialog.", Back{}},
		{"finish() in a comment", `do(action="Back") # not yet finish()`, Back{}},
		{"finish() in a sentence", `I will finish() later: do(action="Back") because finish() is too early`, Back{}},
		{"call inside a text", `finish(message="I ran do(action=\"Back\") for you")`, Finish{Message: `I ran do(action="Back") for you`}},
		{"unescaped call inside a text", `finish(message="I ran do(action="Back") now")`, Finish{Message: `I ran do(action="Back") now`}},
		{"tag inside a text", `<answer>do(action="Type", text="a</answer>b</think>c")</answer>`, Type{Text: "a</answer>b</think>c"}},
		{"capital letter", `Finish(message="ok")`, Finish{Message: "ok"}},
		{"after a Chinese word", `我将do(action="Back")`, Back{}},
		{"action=finish", `do(action="finish", message="ok")`, Finish{Message: "ok"}},
		{"space after do", `do (action="Back")`, Back{}},
	})
	checkRefused(t, []refused{
		{"only a thought", `<think>do(action="Back")</think>`, 32, "no do(action=...)"},
		{"only a thought, no opening tag", `do(action="Back")</think>`, 25, "no do(action=...)"},
		{"finish mentioned", `it is not time to finish() yet`, 0, "no do(action=...)"},
		{"prose in the answer", `do(action="Back")<answer>done</answer>`, 25, "no do(action=...)"},
		{"undo", `undo(action="Back")`, 0, "no do(action=...)"},
		{"last call broken", `do(action="Back") do(action="Tap", element=[x,y])`, 44, "two numbers"},
		{"do with nothing", `do()`, 0, "no do(action=...)"},
	})
}

func TestParseStrings(t *testing.T) {
	typed := func(s string) Action { return Type{Text: s} }
	checkReads(t, []readsAs{
		{"empty text", `do(action="Type", text="")`, typed("")},
		{"a text in Chinese quotes its words", `do(action="Type", text="去哪里"吃饭"呀？")`, typed(`去哪里"吃饭"呀？`)},
		{"inner call", `do(action="Type", text="call f("x") now")`, typed(`call f("x") now`)},
		{"inner call at the end", `do(action="Type", text="f("x")")`, typed(`f("x")`)},
		{"quotation from the start", `do(action="Type", text=""hi" he said")`, typed(`"hi" he said`)},
		{"only a quotation", `do(action="Type", text=""hi"")`, typed(`"hi"`)},
		{"inches", `do(action="Type", text="a 5" screen")`, typed(`a 5" screen`)},
		{"quotation left open", `do(action="Type", text="say "hi there")`, typed(`say "hi there`)},
		{"apostrophe", `do(action='Type', text='don't')`, typed("don't")},
		{"parentheses", `do(action="Type", text="(a) :) ((b")`, typed("(a) :) ((b")},
		{"comma and equals", `do(action="Type", text="a, b = c")`, typed("a, b = c")},
		{"curly inside straight", `do(action="Type", text="他说“好”")`, typed("他说“好”")},
		{"curly around", `do(action=“Type”, text=“你好”)`, typed("你好")},
		{"curly single", `do(action=‘Type’, text=‘it’s’)`, typed("it’s")},
		{"curly mixed with straight", `do(action=“Type", text=“你好")`, typed("你好")},
		{"three quotes", "do(action=\"Type\", text=\"\"\"a \"b\"\nc\"\"\")", typed("a \"b\"\nc")},
		{"unknown escape", `do(action="Type", text="C:\dir\u0041")`, typed(`C:\dir\u0041`)},
		{"backslash", `do(action="Type", text="a\\nb")`, typed(`a\nb`)},
		{"tab and single quote", `do(action="Type", text="a\t\'b\'")`, typed("a\t'b'")},
		{"digits", `do(action="Type", text=007)`, typed("007")},
		{"bare words", `do(action=Type, text=hello world)`, typed("hello world")},
		{"bare with parentheses", `do(action=Type, text=hello (world))`, typed("hello (world)")},
		{"wide comma", `do(action="Type"，text="a")`, typed("a")},
		{"wide equals", `do(action＝"Type", text＝"a")`, typed("a")},
		{"invalid bytes", "do(action=\"Type\", text=\"a\xffb\")", typed("a\xffb")},
		{"message after the text", `do(action="Type", text="say "hi"", message="why")`, Type{Text: `say "hi"`, Message: "why"}},
		{"type_name", `do(action="Type_Name", text="Ann")`, typed("Ann")},
		{"alias", `do(action="input_text", content="a")`, typed("a")},
		{"null message", `do(action="Type", text="a", message=None)`, typed("a")},
	})
	checkRefused(t, []refused{
		{"cut off in a text", `do(action="Type", text="hel`, 23, "never ends"},
		{"cut off in a bare text", `do(action="Type", text=hel`, 23, "cut off"},
		{"text given as a list", `do(action="Type", text=["a"])`, 23, "must be text"},
		{"nothing after the equals sign", `do(action="Type", text=)`, 23, "no value"},
		{"cut off before the value", `do(action="Type", text=`, 23, "ends before"},
	})
}

func TestParsePlaces(t *testing.T) {
	checkReads(t, []readsAs{
		{"edges", `do(action="Tap", element=[0,1000])`, tapAt(0, 1000)},
		{"floats", `do(action="Tap", element=[1.5,2.25])`, tapAt(1.5, 2.25)},
		{"nested", `do(action="Tap", element=[[1,2]])`, tapAt(1, 2)},
		{"nested box", `do(action="Tap", element=[[10,20],[30,40]])`, tapAt(20, 30)},
		{"string", `do(action="Tap", element="[100,200]")`, tapAt(100, 200)},
		{"bare string", `do(action="Tap", element="500, 300")`, tapAt(500, 300)},
		{"spaces only", `do(action="Tap", element=[500 300])`, tapAt(500, 300)},
		{"wrong bracket", `do(action="Tap", element=[1,2))`, tapAt(1, 2)},
		{"missing parenthesis", `do(action="Tap", element=[1,2]`, tapAt(1, 2)},
		{"names", `do(action="Tap", element={"x": 1, "y": 2})`, tapAt(1, 2)},
		{"positional", `do("Tap", [1,2])`, tapAt(1, 2)},
		{"our key", `do(action="click", at=[1,2])`, tapAt(1, 2)},
		{"message", `do(action="Tap", element=[1,2], message="pay")`, Tap{Target{At: Point{X: 1, Y: 2}}, "pay"}},
		{"ref", `do(action="Tap", ref=12)`, Tap{Target: Target{Ref: 12}}},
		{"ref as text", `do(action="Tap", ref="12")`, Tap{Target: Target{Ref: 12}}},
		{"ref in a list", `do(action="Tap", ref=[12])`, Tap{Target: Target{Ref: 12}}},
		{"ref beside a point", `do(action="Tap", element=[1,2], ref=12)`, Tap{Target: Target{Ref: 12}}},
		{"swipe", `do(action="Swipe", start=[1,2], end=[3,4])`,
			Swipe{From: Target{At: Point{X: 1, Y: 2}}, To: Target{At: Point{X: 3, Y: 4}}}},
		{"swipe with refs", `do(action="Swipe", from_ref=1, to_ref=2, duration=0.5)`,
			Swipe{From: Target{Ref: 1}, To: Target{Ref: 2}, Duration: 500 * time.Millisecond}},
		{"drag", `do(action="Drag", start=[1,2], to_ref=9)`,
			Drag{From: Target{At: Point{X: 1, Y: 2}}, To: Target{Ref: 9}}},
		{"long press", `do(action="long_press", element=[1,2])`, LongPress{Target: Target{At: Point{X: 1, Y: 2}}}},
		{"double tap", `do(action="DoubleTap", element=[1,2])`, DoubleTap{Target: Target{At: Point{X: 1, Y: 2}}}},
		{"pinch", `do(action="Pinch", element=[1,2], scale=0.5)`, Pinch{Target: Target{At: Point{X: 1, Y: 2}}, Scale: 0.5}},
		{"gesture", `do(action="Gesture", paths=[[[1,2],[3,4]],[[5,6]]])`,
			Gesture{Paths: [][]Point{{{X: 1, Y: 2}, {X: 3, Y: 4}}, {{X: 5, Y: 6}}}}},
		{"gesture of one finger", `do(action="Gesture", paths=[[1,2],[3,4]], duration="500ms")`,
			Gesture{Paths: [][]Point{{{X: 1, Y: 2}, {X: 3, Y: 4}}}, Duration: 500 * time.Millisecond}},
	})
	checkRefused(t, []refused{
		{"one number", `do(action="Tap", element=[1])`, 25, "two numbers"},
		{"bare number", `do(action="Tap", element=12)`, 25, "ref=N"},
		{"three numbers", `do(action="Tap", element=[1,2,3])`, 25, "not 3"},
		{"a box in pixels", `do(action="Tap", element=[800,900,1080,1000])`, 25, "outside"},
		{"a box over the edge", `do(action="Tap", element=[-20,0,40,40])`, 25, "outside"},
		{"no box", `do(action="Tap", element=[-1,-1,-1,-1])`, 25, "not found"},
		{"over the edge", `do(action="Tap", element=[1,1001])`, 25, "outside"},
		{"not found", `do(action="Tap", element=[-1,-1])`, 25, "element not found"},
		{"words", `do(action="Tap", element="the button")`, 25, "not a number"},
		{"infinite", `do(action="Tap", element=[Inf,1])`, 26, "not a number"},
		{"hexadecimal", `do(action="Tap", element=[0x10,1])`, 26, "not a number"},
		{"no place", `do(action="Tap")`, 0, "Tap needs element=[x,y]"},
		{"half a swipe", `do(action="Swipe", start=[1,2])`, 0, "end is missing"},
		{"list cut off", `do(action="Tap", element=[1,`, 25, "never ends"},
		{"ref cut off", `do(action="Tap", ref=1`, 21, "cut off"},
		{"ref of nothing", `do(action="Tap", ref=0)`, 21, "number of a row"},
		{"ref with a fraction", `do(action="Tap", ref=1.5)`, 21, "number of a row"},
		{"two names for one place", `do(action="Tap", element=[1,2], at=[3,4])`, 32, "twice"},
		{"no scale", `do(action="Pinch", element=[1,2])`, 0, "scale is missing"},
		{"scale of nothing", `do(action="Pinch", element=[1,2], scale=0)`, 40, "scale must be"},
		{"no paths", `do(action="Gesture", paths=[])`, 27, "paths must hold"},
		{"empty path", `do(action="Gesture", paths=[[[1,2]],[]])`, 36, "a path must be"},
	})
}

func TestParseNotFoundIsAnErrorOfItsOwn(t *testing.T) {
	_, err := Parse(`do(action="Tap", element=[-1,-1])`)
	require.ErrorIs(t, err, ErrNoTarget)
	_, err = Parse(`do(action="Tap", element=[2000,1])`)
	require.ErrorIs(t, err, ErrOutside)
	require.NotErrorIs(t, err, ErrNoTarget)
}

func TestParseDurations(t *testing.T) {
	for text, want := range map[string]time.Duration{
		`3`: 3 * time.Second, `3.5`: 3500 * time.Millisecond, `"3"`: 3 * time.Second,
		`"3s"`: 3 * time.Second, `"1 second"`: time.Second, `"5秒"`: 5 * time.Second,
		`"2 Seconds"`: 2 * time.Second, `"500ms"`: 500 * time.Millisecond,
		`"2 minutes"`: 2 * time.Minute, `"1 分钟"`: time.Minute, `0`: 0, `3 seconds`: 3 * time.Second,
	} {
		t.Run(text, func(t *testing.T) {
			got, err := Parse(`do(action="Wait", duration=` + text + `)`)
			require.NoError(t, err)
			require.Equal(t, Wait{want}, got.Action)
		})
	}
	for _, text := range []string{`-5`, `"-5 seconds"`, `NaN`, `"nan"`, `Inf`, `1e308`, `99999999`, `"x seconds"`, `"soon"`, `"1-2 seconds"`, `""`} {
		t.Run("refused "+text, func(t *testing.T) {
			_, err := Parse(`do(action="Wait", duration=` + text + `)`)
			var syntax *SyntaxError
			require.ErrorAs(t, err, &syntax)
			require.Equal(t, 27, syntax.Offset)
		})
	}
	got, err := Parse(`do(action="Wait")`)
	require.NoError(t, err)
	require.Equal(t, Wait{time.Second}, got.Action)
	_, err = Parse(`do(action="Swipe", start=[1,2], end=[3,4], duration=500)`)
	require.ErrorContains(t, err, "limit of 60 seconds for Swipe")
}

func TestParseObjects(t *testing.T) {
	checkReads(t, []readsAs{
		{"plain", `{"action":"Tap","element":[1,2]}`, tapAt(1, 2)},
		{"single quotes", `{'action': 'Tap', 'element': [1,2],}`, tapAt(1, 2)},
		{"fenced", "```json\n{\"action\": \"Tap\", \"element\": [1,2]}\n```", tapAt(1, 2)},
		{"in an answer", `<think>{"a":1}</think><answer>{"action":"Back"}</answer>`, Back{}},
		{"in a list", `[{"action":"Back"}]`, Back{}},
		{"metadata", `{"_metadata":"do","action":"Back"}`, Back{}},
		{"metadata finish", `{"_metadata":"finish","message":"ok"}`, Finish{Message: "ok"}},
		{"our own encoding", `{"verb":"Wait","duration_ms":1500}`, Wait{1500 * time.Millisecond}},
		{"our own reply", `{"thinking":"t","action":{"verb":"Back"}}`, Back{}},
		{"tool call", `<tool_call>{"name":"tap","arguments":{"at":[1,2]}}</tool_call>`, tapAt(1, 2)},
		{"tool call with text", `{"name":"tap","arguments":"{\"at\":[1,2]}"}`, tapAt(1, 2)},
		{"escapes of JSON", `{"action":"Type","text":"\u4f60\ud83d\ude00\/\r"}`, Type{Text: "你😀/\r"}},
		{"call after an object", `{"current_app":"x"} do(action="Back")`, Back{}},
		{"object without quotes", `{action: "Back"}`, Back{}},
		{"key", `{"action":"Key","name":"Enter"}`, Key{Name: "Enter"}},
	})
	checkRefused(t, []refused{
		{"no action", `{"message":""}`, 0, "names no action"},
		{"never ends", `{"action":"Tap"`, 0, "never ends"},
		{"name twice", `{"action":"Tap","element":[1,2],"element":[3,4]}`, 32, "twice"},
		{"unknown", `{"action":"Fly"}`, 10, "unknown action"},
		{"empty name", `{"":"Back"}`, 1, "name is empty"},
	})
}

func TestParseNamesOfVerbs(t *testing.T) {
	checkReads(t, []readsAs{
		{"open_app", `do(action="open_app", app_name="微信")`, Launch{App: "微信"}},
		{"left_click", `do(action="left_click", coordinate=[1,2])`, tapAt(1, 2)},
		{"TAKE OVER", `do(action="TAKE OVER", message="login")`, TakeOver{"login"}},
		{"call_user", `do(action="call_user")`, TakeOver{}},
		{"finished", `do(action="finished", message="ok")`, Finish{Message: "ok"}},
		{"note", `do(action="Note", message="True")`, Note{"True"}},
		{"call_api", `do(action="Call_API", instruction="sum up")`, CallAPI{"sum up"}},
		{"interact", `do(action="Interact")`, Interact{}},
		{"open_url", `do(action="open_url", url="https://example.com/?a=b&c=d")`, OpenURL{URL: "https://example.com/?a=b&c=d"}},
		{"look", `do(action="Look")`, Look{}},
		{"back that may lose something", `do(action="Back", message="draft is lost")`, Back{"draft is lost"}},
	})
	for _, ambiguous := range []string{"scroll", "terminate", "status", "abort", "infeasible", "info", "ask_user", "done"} {
		t.Run(ambiguous, func(t *testing.T) {
			_, err := Parse(`do(action="` + ambiguous + `")`)
			require.ErrorContains(t, err, "unknown action")
			require.ErrorContains(t, err, "Launch, Tap, Type, Interact")
		})
	}
	checkRefused(t, []refused{
		{"no action", `do(element=[1,2])`, 0, "no action named"},
		{"no app", `do(action="Launch")`, 0, `Launch needs app="xxx"`},
		{"blank app", `do(action="Launch", app=" ")`, 24, "app is empty"},
		{"no key", `do(action="Key", key="")`, 21, "key is empty"},
	})
}

func TestParseThinking(t *testing.T) {
	for name, c := range map[string]struct{ reply, want string }{
		"tags":          {`<think>go back</think><answer>do(action="Back")</answer>`, "go back"},
		"no tags":       {"go back\n\ndo(action=\"Back\")", "go back"},
		"around a tag":  {`first <think>then</think> last <answer>do(action="Back")`, "first then last"},
		"fence":         {"go back\n```python\ndo(action=\"Back\")\n```", "go back"},
		"polluted tags": {`<think><think>t</think><answer></think><answer>do(action="Back")</answer>`, "t"},
		"none":          {`do(action="Back")`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Parse(c.reply)
			require.NoError(t, err)
			require.Equal(t, c.want, got.Thinking)
		})
	}
}

// The scanner once rescanned the rest of the text for every beginning of a call or string.
func TestParseTakesLinearTime(t *testing.T) {
	const size = 1 << 20
	for name, unit := range map[string]string{
		"calls in strings":     `do(action="`,
		"strings in texts":     `do(text="`,
		"calls in values":      `do(action=`,
		"many arguments":       `b="do(a=", `,
		"quotes":               `do(action="Type", text="a "b`,
		"ends that are none":   `do(action="Type", text="a "b")x`,
		"all kinds of quotes":  `do(a="“'‘`,
		"think tags":           `<think>`,
		"other think tags":     `<think></thinking>`,
		"lists":                `do(a=[`,
		"objects":              `{"a":`,
		"nested lists":         `[[[[do(a=[[[[`,
		"spaces":               "do(   \"\t ",
		"commas":               `do(a="",`,
		"backslashes":          `do(a="\`,
		"bare parentheses":     `do(a=((`,
		"three quotes":         `do(a="""`,
		"repetition of prose":  `我需要点击搜索按钮。`,
		"numbers":              `1,`,
		"complete calls":       `do(action="Back")` + "\n",
		"finish in a sentence": `     finish() `,
	} {
		t.Run(name, func(t *testing.T) {
			long := strings.Repeat(unit, size/len(unit))
			part := long[:size/8]
			begin := time.Now()
			for _, reply := range []string{long, `do(a="` + part, `do(a=[` + part, part + `")`, `do(a="x "y` + part} {
				_, _ = Parse(reply)
				split := Splitter{}
				split.Write(reply)
				split.Flush()
			}
			// A quadratic step takes many minutes on a megabyte; a linear one takes milliseconds.
			require.Less(t, time.Since(begin), 30*time.Second)
		})
	}
}
