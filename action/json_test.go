package action

import (
	"encoding/json"
	"image"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestEncodeJSON(t *testing.T) {
	view := View{Frame: image.Pt(1080, 2400)}
	for _, c := range []struct {
		name string
		a    Action
		view *View
		want string
	}{
		{"tap", Tap{Target{At: Point{X: 512, Y: 800}}, "pay"}, &view, `{"verb":"Tap","at":[512,800],"px":[552,1920],"message":"pay"}`},
		{"without a view", tapAt(512, 800), nil, `{"verb":"Tap","at":[512,800]}`},
		{"row", Tap{Target: Target{Ref: 12}}, &view, `{"verb":"Tap","ref":12}`},
		{"swipe", Swipe{From: Target{At: Point{X: 500, Y: 800}}, To: Target{At: Point{X: 500, Y: 200}}, Duration: 300 * time.Millisecond}, &view,
			`{"verb":"Swipe","from":[500,800],"px_from":[540,1920],"to":[500,200],"px_to":[540,480],"duration_ms":300}`},
		{"swipe to a row", Swipe{From: Target{Ref: 1}, To: Target{At: Point{X: 500, Y: 200}}}, &view,
			`{"verb":"Swipe","from_ref":1,"to":[500,200],"px_to":[540,480]}`},
		{"gesture", Gesture{Paths: [][]Point{{{X: 0, Y: 0}, {X: 500, Y: 500}}}}, &view,
			`{"verb":"Gesture","paths":[[[0,0],[500,500]]],"px_paths":[[[0,0],[540,1200]]]}`},
		{"app", Launch{App: "微信"}, nil, `{"verb":"Launch","app":"微信"}`},
		{"empty text", Type{}, nil, `{"verb":"Type","text":""}`},
		{"nothing is escaped without need", Type{Text: "<a> & \"b\"\n"}, nil, `{"verb":"Type","text":"<a> & \"b\"\n"}`},
		{"wait for nothing", Wait{}, nil, `{"verb":"Wait","duration_ms":0}`},
		{"part of a millisecond", Wait{1500 * time.Microsecond}, nil, `{"verb":"Wait","duration_ms":1.5}`},
		{"finish", Finish{}, nil, `{"verb":"finish","message":""}`},
		{"long press", LongPress{}, nil, `{"verb":"Long Press","at":[0,0]}`},
		{"instruction", CallAPI{"sum up"}, nil, `{"verb":"Call_API","instruction":"sum up"}`},
		{"another space", Tap{Target: Target{At: Point{5, 6, SentPixels}}}, nil, `{"verb":"Tap","at":[5,6],"space":"sent"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Describe(c.a, c.view)
			require.NoError(t, err)
			require.Equal(t, c.want, string(got))
			back, err := DecodeJSON(got)
			require.NoError(t, err)
			require.Equal(t, c.a, back)
		})
	}
}

func TestEncodeJSONInsideOtherValues(t *testing.T) {
	got, err := json.Marshal(map[string]any{"a": Tap{Target: Target{Ref: 3}}, "b": Look{}})
	require.NoError(t, err)
	require.Equal(t, `{"a":{"verb":"Tap","ref":3},"b":{"verb":"Look"}}`, string(got))
	for _, a := range full {
		whole, err := json.Marshal(a)
		require.NoError(t, err)
		plain, err := EncodeJSON(a)
		require.NoError(t, err)
		require.JSONEq(t, string(plain), string(whole))
	}
}

func TestEncodeJSONRefuses(t *testing.T) {
	view := View{Frame: image.Pt(1080, 2400)}
	for name, c := range map[string]struct {
		a    Action
		view *View
		says string
	}{
		"not found":     {tapAt(-1, -1), nil, "element not found"},
		"outside":       {tapAt(0, 1001), nil, "outside"},
		"off the view":  {Tap{Target: Target{At: Point{2000, 1, SentPixels}}}, &view, "outside"},
		"two spaces":    {Swipe{From: Target{At: Point{1, 1, SentPixels}}}, nil, "points in both sent and per-mille"},
		"no paths":      {Gesture{}, nil, "0 paths"},
		"an empty path": {Gesture{Paths: [][]Point{{}}}, nil, "a path without points"},
		"no scale":      {Pinch{}, nil, "scale 0"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Describe(c.a, c.view)
			require.ErrorContains(t, err, c.says)
		})
	}
}

func TestDecodeJSONRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		text   string
		offset int
		says   string
	}{
		"no JSON":       {`{'verb':'Back'}`, 2, "not JSON"},
		"no UTF-8":      {"{\"verb\":\"Type\",\"text\":\"\x80\"}", 0, "not JSON"},
		"no object":     {`[1]`, 0, "want an object"},
		"no verb":       {`{}`, 0, "no action named"},
		"unknown verb":  {`{"verb":"Fly"}`, 8, "unknown action"},
		"verb a number": {`{"verb":5}`, 8, "unknown action"},
		"no place":      {`{"verb":"Tap"}`, 0, "element is missing"},
		"unknown space": {`{"verb":"Back","space":"x"}`, 23, "unknown space"},
		"outside":       {`{"verb":"Tap","at":[1,1001]}`, 19, "outside"},
		"twice":         {`{"verb":"Tap","at":[1,1],"at":[1,1]}`, 25, "twice"},
		"too deep":      {`{"verb":"Back","x":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]}`, 50, "too deeply"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := DecodeJSON([]byte(c.text))
			var syntax *SyntaxError
			require.ErrorAs(t, err, &syntax)
			require.Contains(t, syntax.Msg, c.says)
			require.Equal(t, c.offset, syntax.Offset)
		})
	}
}

func TestReplyJSON(t *testing.T) {
	view := View{Frame: image.Pt(1080, 2400)}
	for name, c := range map[string]struct {
		reply string
		view  *View
		want  string
		ok    bool
	}{
		"action": {`<think>pay</think><answer>do(action="Tap", element=[512,800], message="付款")</answer>`, &view,
			`{"thinking":"pay","action":{"verb":"Tap","at":[512,800],"px":[552,1920],"message":"付款"}}`, true},
		"no view":    {`do(action="Back")`, nil, `{"thinking":"","action":{"verb":"Back"}}`, true},
		"unreadable": {`<answer>do(action="Fly")</answer>`, nil, `{"error":{"offset":18,"message":"unknown action \"Fly\": the known ones are ` + knownVerbs() + `"}}`, false},
		"bad view":   {`do(action="Tap", element=[1,2])`, &View{}, `{"error":{"offset":0,"message":"encode Tap: view: a frame of 0x0 has no pixels"}}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := Parse(c.reply)
			got, ok := ReplyJSON(r, err, c.view)
			require.Equal(t, c.want, string(got))
			require.Equal(t, c.ok, ok)
		})
	}
}

func TestReplyIsJSONBothWays(t *testing.T) {
	want := Reply{"t", Tap{Target: Target{Ref: 3}}}
	data, err := json.Marshal(want)
	require.NoError(t, err)
	var got Reply
	require.NoError(t, json.Unmarshal(data, &got))
	require.Equal(t, want, got)
	require.Error(t, json.Unmarshal([]byte(`{"thinking":"t"}`), &got))
	require.Error(t, json.Unmarshal([]byte(`{"thinking":5,"action":{"verb":"Back"}}`), &got))
}
