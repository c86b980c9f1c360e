package demomodel_test

import (
	"fmt"
	"image"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/handset-go/handset/action"
	"github.com/handset-go/handset/agent"
	"github.com/handset-go/handset/agent/chat"
	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/demomodel"
	"github.com/handset-go/handset/perception"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// operator does a task on a simulated phone in the simplest way: it shows the rows, asks the demo
// model over its real protocol, and does what it says.
type operator struct {
	phone    *sim.Phone
	model    agent.Model
	messages []agent.Message
	snapshot *perception.Snapshot
	asked    []string // what the person was asked
	forgets  bool     // old screens are taken out of the messages, and notes say what came of an action
	lines    []string // what was done
}

func operate(t *testing.T, o *sim.Options) *operator {
	t.Helper()
	server, err := demomodel.Listen(t.Context(), "127.0.0.1:0", nil)
	require.NoError(t, err)
	client, err := chat.New(&chat.Options{BaseURL: server.BaseURL()})
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, client.Close())
		require.NoError(t, server.Close())
	})
	return &operator{phone: sim.New(o), model: client}
}

// do returns the message that the task ended with.
func (o *operator) do(t *testing.T, task string) string {
	t.Helper()
	for step := range 40 {
		before := o.snapshot
		o.snapshot = perception.Render(o.phone.Tree(), nil)
		text := "<screen>\n" + o.snapshot.String() + "\n</screen>"
		if o.forgets {
			text = o.forget(before) + text
		}
		if step == 0 {
			text = task + "\n\n" + text
		}
		o.messages = append(o.messages, agent.Message{Role: agent.RoleUser, Text: text})
		reply, err := o.model.Reply(t.Context(), &agent.Request{Messages: o.messages}, nil)
		require.NoError(t, err)
		require.Equal(t, "stop", reply.Finish)
		parsed, err := action.Parse(reply.Text)
		require.NoError(t, err)
		o.messages = append(o.messages, agent.Message{Role: agent.RoleAssistant, Text: reply.Text})
		o.lines = append(o.lines, parsed.Action.String())
		if end, ok := parsed.Action.(action.Finish); ok {
			return end.Message
		}
		o.act(t, parsed.Action)
	}
	t.Fatalf("no end after %d steps:\n%s", len(o.lines), strings.Join(o.lines, "\n"))
	return ""
}

// forget does what an agent does whose model has a short context.
func (o *operator) forget(before *perception.Snapshot) string {
	for i := range o.messages {
		o.messages[i].Text, _, _ = strings.Cut(o.messages[i].Text, "<screen>")
	}
	if before != nil && before.Fingerprint() == o.snapshot.Fingerprint() {
		return "The last action led to no visible change.\n"
	}
	return ""
}

func (o *operator) act(t *testing.T, a action.Action) {
	t.Helper()
	switch a := a.(type) {
	case action.Tap:
		row, err := o.snapshot.Row(a.Ref)
		require.NoError(t, err)
		if a.Message != "" {
			o.asked = append(o.asked, a.Message)
		}
		o.phone.Tap(row.At)
	case action.Swipe:
		o.phone.Swipe(o.pixel(t, a.From.At), o.pixel(t, a.To.At), 1500*time.Millisecond)
	case action.Type:
		require.True(t, o.phone.InsertText(a.Text), "a field has the focus")
	case action.Launch:
		o.launch(t, a.App)
	case action.Back:
		o.phone.Key(driver.KeyBack)
	case action.Home:
		o.phone.Key(driver.KeyHome)
	default:
		t.Fatalf("%s is nothing that this test can do", a)
	}
}

func (o *operator) pixel(t *testing.T, p action.Point) image.Point {
	t.Helper()
	at, err := action.View{Frame: o.phone.Size()}.Pixel(p)
	require.NoError(t, err)
	return at
}

// launch knows an app by its name on this phone, and Settings by both.
func (o *operator) launch(t *testing.T, name string) {
	t.Helper()
	for _, app := range o.phone.Apps() {
		if strings.EqualFold(app.Name, name) || app.ID == name {
			_, err := o.phone.StartApp(app.ID)
			require.NoError(t, err)
			return
		}
	}
}

func TestTasksOnTheSimulatedPhone(t *testing.T) {
	cases := []struct {
		name, task string
		phone      sim.Options
		before     map[string]string
		says       string
		event      string // that must be in the log, as its name and a part of its JSON
		part       string
		asked      int
	}{
		{name: "open an app", task: "open Clock", says: "Clock is open.", event: "launch", part: "deskclock"},
		{name: "open an app", task: "打开设置", phone: sim.Options{Lang: "zh"}, says: "已打开设置。", event: "launch", part: "settings"},
		{name: "an app that asks for a permission", task: "open Camera", says: "Camera is open.", event: "permission", part: "false"},
		{name: "no such app", task: "open Teapot", says: "Not done: Teapot could not be opened."},

		{name: "a switch", task: "turn off Bluetooth", says: "Bluetooth is off.", event: "switch", part: `"on":false`},
		{name: "a switch", task: "打开设置,把蓝牙关掉", phone: sim.Options{Lang: "zh"}, says: "蓝牙已关。", event: "switch", part: `"on":false`},
		{name: "a switch that is already so", task: "turn off Bluetooth", before: map[string]string{"bluetooth": "false"}, says: "Bluetooth was already off."},
		{name: "a switch below the screen", task: "turn on Developer options", says: "Developer options is on.", event: "switch", part: `"on":true`},
		{name: "a switch below the screen", task: "开启自动旋转", phone: sim.Options{Lang: "zh"}, says: "自动旋转已开。", event: "switch", part: `"on":true`},
		{name: "a switch on another page", task: "turn off Wi-Fi", says: "Wi-Fi is off.", event: "switch", part: `"on":false`},
		{name: "a switch on another page", task: "打开勿扰模式", phone: sim.Options{Lang: "zh"}, says: "勿扰模式已开。", event: "switch", part: `"on":true`},
		{name: "a page with a switch", task: "turn off Location", says: "Location is off.", event: "switch", part: `"on":false`},
		{name: "two switches", task: "turn off Bluetooth and turn on NFC", says: "NFC is on.", event: "switch", part: "NFC"},
		{name: "no such switch", task: "turn on Teleport", says: "Not done: I did not find Teleport in Settings."},

		{name: "a message", task: "send 'hi' to Alice in Messages", says: "Sent to Alice: hi", event: "message_sent", part: `"text":"hi"`},
		{name: "a message", task: "给爱丽丝发消息:你好,明天见", phone: sim.Options{Lang: "zh"}, says: "已发给爱丽丝:你好,明天见", event: "message_sent", part: `"text":"你好,明天见"`},
		{name: "a message with quotes", task: `send "it's \ "done"" to Bob`, says: `Sent to Bob: it's \ "done"`, event: "message_sent", part: `it's \\ \"done\"`},
		{name: "nobody of that name", task: "send 'hi' to Zoe", says: "Not done: I did not find Zoe in Messages."},

		{name: "a payment", task: "buy Green tea in Shop", says: "Paid in Shop.", event: "payment", part: `"amount":"12.5`, asked: 2},
		{name: "a payment", task: "在商城买绿茶并付款", phone: sim.Options{Lang: "zh"}, says: "已在商城付款。", event: "payment", part: `12.5`, asked: 2},
		{name: "a name that the phone does not use", task: "打开短信", phone: sim.Options{Lang: "zh"}, says: "已打开短信。", event: "launch", part: "messaging"},
		{name: "an empty cart", task: "pay for the cart in Shop", says: "Not done: the cart in Shop is empty."},

		{name: "a look", task: "find About phone in Settings", says: "Found it in Settings: About phone"},
		{name: "a look", task: "在设置里找到关于手机", phone: sim.Options{Lang: "zh"}, says: "在设置里找到了:关于手机"},
		{name: "a page", task: "open Display in Settings", says: "Display is open in Settings."},
		{name: "home", task: "open Clock, then go to the home screen", says: "The home screen is in front."},
	}
	for i, c := range slices.Concat(cases, cases) {
		forgets := i >= len(cases)
		t.Run(fmt.Sprintf("%s: %s, old screens forgotten: %v", c.name, c.task, forgets), func(t *testing.T) {
			o := operate(t, &c.phone)
			o.forgets = forgets
			for key, value := range c.before {
				o.phone.SetValue(key, value)
			}
			said := o.do(t, c.task)
			steps := strings.Join(o.lines, "\n")
			require.Contains(t, said, c.says, steps)
			require.Len(t, o.asked, c.asked, steps)
			if c.event != "" {
				require.Contains(t, logged(o.phone, c.event), c.part, steps)
			}
		})
	}
}

// logged returns the events of one name as lines.
func logged(p *sim.Phone, name string) string {
	var b strings.Builder
	for _, e := range p.Events(name) {
		data, err := e.MarshalJSON()
		fmt.Fprintln(&b, string(data), err)
	}
	return b.String()
}
