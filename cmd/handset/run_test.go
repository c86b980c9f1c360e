package main

import (
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver/sim"
)

// quick takes the waiting for the screen to settle out of a test.
func quick(t *testing.T) {
	t.Helper()
	t.Setenv("PHONE_AGENT_SETTLE_LIMIT", "0")
}

// noControls wants an output without what only a terminal understands.
func noControls(t *testing.T, s string) {
	t.Helper()
	require.NotRegexp(t, `[\x00-\x08\x0b-\x1f\x7f]`, s)
}

func TestRunWithTheDemoModel(t *testing.T) {
	quick(t)
	cases := []struct{ name, task, event string }{
		{"a message", "send 'hi there' to Alice in Messages", "message_sent"},
		{"a switch, in Chinese", "打开设置,把蓝牙关掉", "switch"},
	}
	for _, mode := range []string{"auto", "tree"} {
		for _, c := range cases {
			t.Run(mode+" "+c.name, func(t *testing.T) {
				device, _ := attach(t, nil)
				t.Setenv("PHONE_AGENT_BASE_URL", demo(t))
				r := run(t, "run", "--mode", mode, c.task)
				out := r.ok(t)
				require.Empty(t, r.err)
				noControls(t, out)
				require.Contains(t, out, "--- step 1\n")
				require.Contains(t, out, "\n> Launch ")
				require.Regexp(t, `(?m)^=== done after \d+ steps: `, out)
				require.Len(t, device.Phone().Events(c.event), 1)
			})
		}
	}
}

func TestRunTellsInJSON(t *testing.T) {
	quick(t)
	attach(t, nil)
	out := run(t, "--json", "run", "--base-url", demo(t), "turn off Bluetooth").ok(t)
	all := lines(out)
	first, last := object(t, all[0]), object(t, all[len(all)-1])
	require.Equal(t, "run", first["event"])
	require.Equal(t, "adb:SIM0001", first["device"])
	require.Equal(t, "tree", first["mode"])
	require.Equal(t, "end", last["event"])
	require.Equal(t, "done", last["status"])
	require.NotEmpty(t, last["message"])
	var verbs []any
	for _, line := range all {
		if e := object(t, line); e["event"] == "decided" {
			verbs = append(verbs, e["action"].(map[string]any)["verb"])
		}
	}
	require.Equal(t, []any{"Launch", "Tap", "finish"}, verbs)
}

func TestRunDoesNotPayWithoutATerminal(t *testing.T) {
	quick(t)
	device, _ := attach(t, nil)
	r := run(t, "run", "--base-url", demo(t), "buy Green tea in Shop")
	r.fails(t, exitDenied, "denied")
	require.Regexp(t, `(?m)^=== denied after `, r.out)
	p := device.Phone()
	require.Empty(t, p.Events("payment"))
	require.Len(t, p.Events("cart_added"), 1)
	require.Equal(t, "com.handset.shop.CartActivity", p.Foreground().Page, "Pay was not tapped, which leads to another page")
}

func TestRunPaysWhereTheCommandSaysYes(t *testing.T) {
	quick(t)
	device, _ := attach(t, nil)
	run(t, "--yes", "run", "--base-url", demo(t), "buy Green tea in Shop").ok(t)
	require.Len(t, device.Phone().Events("payment"), 1)
}

func TestRunInPixels(t *testing.T) {
	quick(t)
	device, _ := attach(t, nil)
	model := scripted(t,
		`<think>I open the settings.</think><answer>do(action="Launch", app="Settings")</answer>`,
		`<think>Bluetooth is here.</think><answer>do(action="Tap", element=[500,280])</answer>`,
		`<think>Done.</think><answer>finish(message="Bluetooth is off.")</answer>`)
	t.Setenv("MY_KEY", "sk-123")
	r := run(t, "run", "--base-url", model.url, "--model", "some-model", "--api-key-env", "MY_KEY", "--image-width", "540", "turn off Bluetooth")
	out := r.ok(t)
	noControls(t, out)
	for _, text := range []string{"I open the settings.\n", "> Launch Settings\n", "> Tap 500,280\n", "=== done after 3 steps: Bluetooth is off.\n"} {
		require.Contains(t, out, text)
	}
	require.NotContains(t, out, "<think>")
	require.NotContains(t, out+r.err, "sk-123")
	require.Len(t, device.Phone().Events("switch"), 1)
	require.Len(t, model.asked(), 3)
	for i, body := range model.asked() {
		require.Equal(t, 1, strings.Count(body, `"image_url":`), "one picture in request %d", i)
		require.Contains(t, body, `"some-model"`)
		require.Equal(t, "Bearer sk-123", model.keys[i])
	}
}

func TestRunEnds(t *testing.T) {
	quick(t)
	cases := []struct {
		name    string
		replies []string
		args    []string
		status  int
		says    string
	}{
		{"unreadable replies", []string{"I think I shall tap on it."}, nil, exitIncomplete, "incomplete"},
		{"empty replies", []string{""}, nil, exitModel, "model"},
		{"the same over and over", []string{`do(action="Tap", element=[990,500])`}, nil, exitStuck, "stuck"},
		{"too many steps", []string{`do(action="Launch", app="Settings")`, `do(action="Home")`, `do(action="Launch", app="Notes")`}, []string{"--max-steps", "2"}, exitBudget, "budget"},
		{"too many tokens", []string{`do(action="Launch", app="Settings")`, `do(action="Home")`}, []string{"--max-tokens", "1"}, exitBudget, "budget"},
		{"somebody is needed", []string{`do(action="Take_over", message="Please log in.")`}, nil, exitInfeasible, "infeasible"},
		{"a sensitive tap", []string{`do(action="Tap", element=[500,500], message="pays 20 yuan")`}, nil, exitDenied, "denied"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			device, _ := attach(t, nil)
			r := run(t, append([]string{"run", "--base-url", scripted(t, c.replies...).url, "do something"}, c.args...)...)
			r.fails(t, c.status, "handset: the run ended as "+c.says)
			require.Regexp(t, `(?m)^=== `+c.says+` after \d+ steps: .`, r.out)
			if c.status == exitDenied {
				require.Empty(t, device.Phone().Log())
			}
		})
	}
}

func TestRunStopsWhereThePhoneGoesAway(t *testing.T) {
	quick(t)
	_, server := attach(t, nil)
	gone := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			server.Detach("SIM0001")
		}
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = w.Write([]byte("data: {\"choices\":[{\"delta\":{\"content\":\"do(action=\\\"Home\\\")\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"))
	}))
	defer gone.Close()
	r := run(t, "run", "--base-url", gone.URL+"/v1", "go home")
	r.fails(t, exitDevice, "SIM0001")
	require.Regexp(t, `(?m)^=== device after `, r.out)
}

func TestRunWithAnEndpointThatIsNone(t *testing.T) {
	attach(t, nil)
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<html><body>Welcome</body></html>"))
	}))
	defer page.Close()
	run(t, "run", "--base-url", page.URL, "go home").fails(t, exitModel, page.URL)

	locked := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, `{"error":{"message":"Incorrect API key provided","code":"invalid_api_key"}}`, http.StatusUnauthorized)
	}))
	defer locked.Close()
	t.Setenv("PHONE_AGENT_API_KEY", "sk-wrong-key")
	r := run(t, "run", "--base-url", locked.URL, "go home")
	r.fails(t, exitModel, "HTTP 401", "Incorrect API key")
	require.NotContains(t, r.out+r.err, "sk-wrong-key")
}

// A person who waits is told why, and one who would wait until tomorrow does not wait.
func TestRunTellsOfRetries(t *testing.T) {
	attach(t, nil)
	asked := 0
	wait := "0.1"
	busy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost { // a GET asks whether it is the demo model
			asked++
		}
		w.Header().Set("Retry-After", wait)
		http.Error(w, `{"error":{"message":"slow down"}}`, http.StatusTooManyRequests)
	}))
	defer busy.Close()
	r := run(t, "run", "--base-url", busy.URL, "go home")
	r.fails(t, exitModel, "slow down")
	require.Equal(t, 4, asked)
	require.Equal(t, 3, strings.Count(r.err, "handset: model busy (429), trying again in 0.1 s\n"), r.err)
	run(t, "--lang", "zh", "run", "--base-url", busy.URL, "go home").fails(t, exitModel, "模型繁忙(429),0.1 秒后重试")

	asked, wait = 0, "86400"
	r = run(t, "run", "--base-url", busy.URL, "go home")
	r.fails(t, exitModel, "for 24h0m0s: come back at ")
	require.NotContains(t, r.err, "trying again")
	require.Equal(t, 1, asked)
}

func TestRunWithoutAnEndpoint(t *testing.T) {
	attach(t, nil)
	r := run(t, "--lang", "zh", "run", "--base-url", "http://"+closedPort()+"/v1", "go home")
	r.fails(t, exitModel, "连接不上模型,", "connection refused", "接口地址对吗", "PHONE_AGENT_BASE_URL", "demo-model")
}

func TestRunUsage(t *testing.T) {
	cases := []struct {
		name string
		args []string
		says string
	}{
		{"no task", []string{"run"}, "<task>"},
		{"an empty task", []string{"run", "  "}, "empty"},
		{"two tasks", []string{"run", "open", "settings"}, "settings"},
		{"an unknown mode", []string{"run", "--mode", "video", "x"}, "pixels"},
		{"a bad endpoint", []string{"run", "--base-url", "localhost:8000", "x"}, "http://"},
		{"a key that is not set", []string{"run", "--api-key-env", "NO_SUCH_KEY", "x"}, "NO_SUCH_KEY"},
		{"no prompt", []string{"run", "--system-prompt", "/no/such/file", "x"}, "/no/such/file"},
		{"negative steps", []string{"run", "--max-steps=-1", "x"}, "negative"},
		{"time without a unit", []string{"run", "--max-time", "10", "x"}, "max-time"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			run(t, append([]string{"-d", "sim:"}, c.args...)...).fails(t, exitUsage, c.says)
		})
	}
	t.Run("a wait that is none", func(t *testing.T) {
		t.Setenv("PHONE_AGENT_TAP_DELAY", "soon")
		run(t, "-d", "sim:", "run", "x").fails(t, exitUsage, "PHONE_AGENT_TAP_DELAY")
	})
	t.Run("an empty prompt", func(t *testing.T) {
		run(t, "-d", "sim:", "run", "--system-prompt", saved(t, " \n"), "x").fails(t, exitUsage, "is empty")
	})
}

func TestRunPrompts(t *testing.T) {
	quick(t)
	prompt := func(args ...string) string {
		model := scripted(t, `finish(message="ok")`)
		run(t, append([]string{"-d", "sim:", "run", "--base-url", model.url}, args...)...).ok(t)
		return model.asked()[0]
	}
	require.True(t, strings.Contains(prompt("--system-prompt", saved(t, "You are a parrot."), "x"), `"content":"You are a parrot.`))
	require.True(t, strings.Contains(prompt("open the settings"), `"content":"The current date: `))
	require.True(t, strings.Contains(prompt("打开设置"), `"content":"今天的日期`))
	require.True(t, strings.Contains(prompt("--lang", "cn", "open the settings"), `"content":"今天的日期`))
}

func TestRunPicksLimits(t *testing.T) {
	base := runCmd{Task: "x"}
	of := func(change func(*runCmd)) [2]any {
		c := base
		change(&c)
		a := &app{cli: &cli{}, ctx: t.Context(), stdin: strings.NewReader(""), stdout: &buffer{}, stderr: &buffer{}}
		o, err := c.options(a)
		require.NoError(t, err)
		return [2]any{o.MaxSteps, o.MaxTime.String()}
	}
	require.Equal(t, [2]any{0, "0s"}, of(func(*runCmd) {}))
	require.Equal(t, [2]any{24, "10m0s"}, of(func(c *runCmd) { c.Careful = true }))
	require.Equal(t, [2]any{50, "10m0s"}, of(func(c *runCmd) { c.Careful, c.MaxSteps = true, 50 }))
}

// The screen that is sent is the phone's, byte for byte, where no width is asked for.
func TestRunSendsTheFrameUnchanged(t *testing.T) {
	quick(t)
	device, _ := attach(t, nil)
	model := scripted(t, `finish(message="ok")`)
	run(t, "run", "--base-url", model.url, "look").ok(t)
	data, err := os.ReadFile(screenshotOf(t))
	require.NoError(t, err)
	require.True(t, strings.Contains(model.asked()[0], base64.StdEncoding.EncodeToString(data)))
	require.Empty(t, device.Phone().Log())
}

func screenshotOf(t *testing.T) string {
	t.Helper()
	file := t.TempDir() + "/s.png"
	run(t, "screenshot", "-o", file).ok(t)
	return file
}

func TestRunOnALockedPhone(t *testing.T) {
	quick(t)
	attach(t, &sim.Options{Locked: true})
	run(t, "run", "--base-url", demo(t), "turn off Bluetooth").fails(t, exitDevice, "the phone is locked", "unlock the phone")
}
