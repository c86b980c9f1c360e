package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	cases := []struct {
		name, reply string
		args        []string
		want        string
	}{
		{"the issue's example", `<think>…</think><answer>do(action="Tap", element=[512,800], message="…")</answer>`, []string{"--size", "1080x2400"},
			`{"thinking":"…","action":{"verb":"Tap","at":[512,800],"px":[552,1920],"message":"…"}}`},
		{"without a size", `do(action="Tap", element=[512,800])`, nil, `{"thinking":"","action":{"verb":"Tap","at":[512,800]}}`},
		{"swipe", `do(action="Swipe", start=[0,0], end=[1000,999])`, []string{"--size", "1080X2400"},
			`{"thinking":"","action":{"verb":"Swipe","from":[0,0],"px_from":[0,0],"to":[1000,999],"px_to":[1079,2397]}}`},
		{"launch", `do(action="Launch", app="设置")`, nil, `{"thinking":"","action":{"verb":"Launch","app":"设置"}}`},
		{"type", `do(action="Type", text="a<b & \"c\"")`, nil, `{"thinking":"","action":{"verb":"Type","text":"a<b & \"c\""}}`},
		{"double tap", `do(action="Double Tap", element=[1,2])`, nil, `{"thinking":"","action":{"verb":"Double Tap","at":[1,2]}}`},
		{"long press", `do(action="Long Press", element=[1,2])`, nil, `{"thinking":"","action":{"verb":"Long Press","at":[1,2]}}`},
		{"take over", `do(action="Take_over", message="log in")`, nil, `{"thinking":"","action":{"verb":"Take_over","message":"log in"}}`},
		{"call api", `do(action="Call_API", instruction="sum up")`, nil, `{"thinking":"","action":{"verb":"Call_API","instruction":"sum up"}}`},
		{"wait", `do(action="Wait", duration="2 seconds")`, nil, `{"thinking":"","action":{"verb":"Wait","duration_ms":2000}}`},
		{"ref", `do(action="Tap", ref=12)`, nil, `{"thinking":"","action":{"verb":"Tap","ref":12}}`},
		{"back", `do(action="Back")`, nil, `{"thinking":"","action":{"verb":"Back"}}`},
		{"finish", `all good finish(message=done)`, nil, `{"thinking":"all good","action":{"verb":"finish","message":"done"}}`},
		{"a box is its centre", `do(action="Tap", element=[100,200,300,400])`, nil, `{"thinking":"","action":{"verb":"Tap","at":[200,300]}}`},
		{"a fraction of the screen", `do(action="Tap", element=[0.5,0.25])`, []string{"--size", "1080x2400"},
			`{"thinking":"","action":{"verb":"Tap","at":[0.5,0.25],"px":[540,600],"space":"fraction"}}`},
		{"text after it", `do(action="Home") and so on`, nil, `{"thinking":"","action":{"verb":"Home"}}`},
		{"a number of seconds", `do(action="Wait", duration=1.5)`, nil, `{"thinking":"","action":{"verb":"Wait","duration_ms":1500}}`},
		{"escapes", `do(action="Type", text="a\nb\q")`, nil, `{"thinking":"","action":{"verb":"Type","text":"a\nb\\q"}}`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := feed(t, c.reply, append([]string{"parse", "--dialect", "autoglm"}, c.args...)...).ok(t)
			require.JSONEq(t, c.want, got)
			require.Equal(t, got, run(t, append([]string{"parse", saved(t, c.reply)}, c.args...)...).ok(t))
			require.Equal(t, 1, len(lines(got)))
		})
	}
}

func TestParseKeepsTheOrderOfTheIssue(t *testing.T) {
	got := feed(t, `<think>…</think><answer>do(action="Tap", element=[512,800], message="…")</answer>`, "parse", "--size", "1080x2400", "-").ok(t)
	require.Equal(t, `{"thinking":"…","action":{"verb":"Tap","at":[512,800],"px":[552,1920],"message":"…"}}`+"\n", got)
}

func TestParseRefuses(t *testing.T) {
	cases := []struct{ name, reply string }{
		{"nothing", ""},
		{"no call", "I would tap on Settings."},
		{"a keyword twice", `do(action="Tap", element=[1,2], element=[3,4])`},
		{"two stars", `do(**{"action": "Tap"})`},
		{"an unknown verb", `do(action="Fly")`},
		{"outside the screen", `do(action="Tap", element=[1001,5])`},
		{"a negative duration", `do(action="Wait", duration=-1)`},
		{"no number", `do(action="Wait", duration="nan seconds")`},
		{"three numbers", `do(action="Tap", element=[1,2,3])`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := feed(t, c.reply, "parse", "--size", "1080x2400")
			require.Equal(t, exitIncomplete, r.status, r.out)
			require.Empty(t, r.err)
			got := object(t, r.out)
			require.Len(t, got, 1)
			told := got["error"].(map[string]any)
			require.Len(t, told, 2)
			require.IsType(t, 0.0, told["offset"])
			require.NotEmpty(t, told["message"])
		})
	}
}

func TestParseUsage(t *testing.T) {
	feed(t, "x", "parse", "--dialect", "klingon").fails(t, exitUsage, "klingon", "autoglm")
	feed(t, "x", "parse", "/no/such/file").fails(t, exitUsage, "/no/such/file")
	for _, size := range []string{"1080", "1080x", "axb", "0x5", "-1x5", "99999x99999", "1x2x3"} {
		feed(t, "x", "parse", "--size="+size).fails(t, exitUsage, size)
	}
}
