package action

import "strings"

// rows is the one table of verbs: prompts, parser, Format, JSON and schemas are made from it.
// The order is the protocol's, and ours follow.
var rows = []row{
	{
		verb: VerbLaunch, protocol: true, fn: "launch",
		also:   []string{"open", "openapp", "awake", "launchapp", "startapp"},
		fields: []field{fieldApp.need(), fieldWarning},
		doc: words{"启动指定的应用，比在桌面上寻找图标更快。操作完成后会自动收到新的屏幕。",
			"Start an app by name, which is quicker than looking for its icon. The new screen follows by itself."},
		codec: codecOf(func(r record) Launch { return Launch{r.App, r.Message} },
			func(a Launch) record { return record{App: a.App, Message: a.Message} }),
	},
	{
		verb: VerbTap, protocol: true, fn: "tap",
		also:   []string{"click", "leftclick", "touch"},
		fields: []field{fieldAt.need(), fieldWarning},
		doc: words{"点击屏幕上的一个位置：按钮、列表项、输入框、链接等。坐标以左上角 (0,0) 为起点，右下角为 (999,999)。",
			"Touch one place: a button, a list item, an input field, a link. Coordinates run from (0,0) at the top left to (999,999) at the bottom right."},
		warned: words{"同样是点击，但目标涉及支付、财产、隐私、删除等敏感操作；message 写明原因，执行前会请用户确认。其他触及手机的指令也可以同样带上 message。",
			"The same touch on something sensitive (payment, property, privacy, deletion); message says why, and the person is asked first. Other instructions that touch the phone take a message in the same way."},
		codec: codecOf(func(r record) Tap { return Tap{r.At, r.Message} },
			func(a Tap) record { return record{At: a.Target, Message: a.Message} }),
	},
	{
		verb: VerbType, protocol: true, fn: "type",
		also:   []string{"input", "inputtext", "typetext"},
		fields: []field{fieldText.need(), fieldWarning},
		doc: words{"在已获得焦点的输入框中输入文字，请先点击输入框。输入前会自动清除原有内容，不必手动删除。",
			"Type into the input field that has the focus, so tap it first. What was in the field is cleared by itself."},
		codec: typeCodec,
	},
	{
		verb: VerbTypeName, protocol: true, alias: true, fn: "type_name",
		fields: []field{fieldText.need(), fieldWarning},
		doc:    words{"输入人名，用法与 Type 相同。", "Type the name of a person; works as Type does."},
		codec:  typeCodec,
	},
	{
		verb: VerbInteract, protocol: true, fn: "interact",
		fields: []field{fieldMessage.shown("")},
		doc: words{"有多个选项都符合要求、需要用户选择时，询问用户。",
			"Ask the person which one is meant, where several choices fit."},
		codec: codecOf(func(r record) Interact { return Interact{r.Message} },
			func(a Interact) record { return record{Message: a.Message} }),
	},
	{
		verb: VerbSwipe, protocol: true, fn: "swipe",
		also:   []string{"slide"},
		fields: []field{fieldFrom.need(), fieldTo.need(), fieldDuration, fieldWarning},
		doc: words{"从起点滑动到终点：滚动内容、切换页面、下拉通知栏。坐标范围与 Tap 相同。",
			"Move a finger from start to end: scroll, change pages, pull down the notifications. Coordinates as for Tap."},
		codec: codecOf(func(r record) Swipe { return Swipe{r.From, r.To, r.Duration, r.Message} },
			func(a Swipe) record {
				return record{From: a.From, To: a.To, Duration: a.Duration, Message: a.Message}
			}),
	},
	{
		verb: VerbNote, protocol: true, fn: "note",
		fields: []field{fieldMessage.shown(`"True"`)},
		doc:    words{"记录当前页面的内容，供之后总结使用。", "Keep the content of the current page for a later summary."},
		codec: codecOf(func(r record) Note { return Note{r.Message} },
			func(a Note) record { return record{Message: a.Message} }),
	},
	{
		verb: VerbCallAPI, protocol: true, fn: "call_api",
		fields: []field{fieldInstruction.need()},
		doc: words{"对记录下的内容进行总结或评论，结果会在下一轮给出。",
			"Have the kept pages summarised or commented on; the result comes with the next turn."},
		codec: codecOf(func(r record) CallAPI { return CallAPI{r.Instruction} },
			func(a CallAPI) record { return record{Instruction: a.Instruction} }),
	},
	{
		verb: VerbLongPress, protocol: true, fn: "long_press",
		also:   []string{"longclick", "longtap"},
		fields: []field{fieldAt.need(), fieldDuration, fieldWarning},
		doc: words{"长按一个位置，用于弹出菜单、选择文字等。坐标范围与 Tap 相同。",
			"Hold one place, for a context menu or to select text. Coordinates as for Tap."},
		codec: codecOf(func(r record) LongPress { return LongPress{r.At, r.Duration, r.Message} },
			func(a LongPress) record {
				return record{At: a.Target, Duration: a.Duration, Message: a.Message}
			}),
	},
	{
		verb: VerbDoubleTap, protocol: true, fn: "double_tap",
		also:   []string{"doubleclick"},
		fields: []field{fieldAt.need(), fieldWarning},
		doc: words{"快速连续点击一个位置两次，用于缩放、点赞等。坐标范围与 Tap 相同。",
			"Touch one place twice, quickly, to zoom or to like. Coordinates as for Tap."},
		codec: codecOf(func(r record) DoubleTap { return DoubleTap{r.At, r.Message} },
			func(a DoubleTap) record { return record{At: a.Target, Message: a.Message} }),
	},
	{
		verb: VerbTakeOver, protocol: true, fn: "take_over",
		also:   []string{"calluser"},
		fields: []field{fieldMessage},
		doc: words{"请用户接管：登录、验证码等需要用户亲自完成的步骤。",
			"Ask the person to do a step by hand, such as a login or a captcha."},
		codec: codecOf(func(r record) TakeOver { return TakeOver{r.Message} },
			func(a TakeOver) record { return record{Message: a.Message} }),
	},
	{
		verb: VerbBack, protocol: true, fn: "back",
		also:   []string{"goback", "pressback", "navigateback"},
		fields: []field{fieldWarning},
		doc: words{"返回上一个页面，或关闭当前的弹窗。",
			"Go back to the page before, or close a dialog."},
		codec: codecOf(func(r record) Back { return Back{r.Message} },
			func(a Back) record { return record{Message: a.Message} }),
	},
	{
		verb: VerbHome, protocol: true, fn: "home",
		also:   []string{"gohome", "presshome", "navigatehome"},
		fields: []field{fieldWarning},
		doc:    words{"回到系统桌面。", "Go to the home screen."},
		codec: codecOf(func(r record) Home { return Home{r.Message} },
			func(a Home) record { return record{Message: a.Message} }),
	},
	{
		verb: VerbWait, protocol: true, fn: "wait",
		also:   []string{"sleep"},
		fields: []field{fieldDuration.shown(`"x seconds"`).or("1 seconds")},
		doc: words{"等待页面加载，x 为需要等待的秒数。",
			"Wait for the page to load; x is a number of seconds."},
		codec: codecOf(func(r record) Wait { return Wait{r.Duration} },
			func(a Wait) record { return record{Duration: a.Duration} }),
	},
	{
		verb: VerbFinish, protocol: true, fn: "finish",
		also:   []string{"finished", "complete", "completed"},
		fields: []field{fieldMessage.means("任务的结果", "the result of the task").kept(), fieldStatus},
		doc: words{`结束任务：表示任务已准确、完整地完成，message 说明结果。任务确实无法完成时，加上 status="infeasible"，message 说明原因。`,
			`End the task: it is done, correctly and completely; message says how it went. If the task cannot be done at all, add status="infeasible"; message says why.`},
		codec: codecOf(func(r record) Finish { return Finish{r.Message, saysInfeasible(r.Status)} },
			func(a Finish) record {
				if a.Infeasible {
					return record{Message: a.Message, Status: statusInfeasible}
				}
				return record{Message: a.Message}
			}),
	},
	{
		verb: VerbKey, fn: "key",
		also:   []string{"presskey", "keyevent"},
		fields: []field{fieldKey.need(), fieldWarning},
		doc: words{"按下一个按键，例如输入后按 Enter 或 Search。",
			"Press a key, for example Enter or Search after typing."},
		codec: codecOf(func(r record) Key { return Key{r.Key, r.Message} },
			func(a Key) record { return record{Key: a.Name, Message: a.Message} }),
	},
	{
		verb: VerbDrag, fn: "drag",
		also:   []string{"draganddrop"},
		fields: []field{fieldFrom.need(), fieldTo.need(), fieldDuration, fieldWarning},
		doc: words{"按住起点的内容，拖动到终点再松开。",
			"Pick up what is at start, move it to end and let go."},
		codec: codecOf(func(r record) Drag { return Drag{r.From, r.To, r.Duration, r.Message} },
			func(a Drag) record {
				return record{From: a.From, To: a.To, Duration: a.Duration, Message: a.Message}
			}),
	},
	{
		verb: VerbPinch, fn: "pinch",
		also:   []string{"zoom"},
		fields: []field{fieldAt.need(), fieldScale.need(), fieldWarning},
		doc: words{"双指缩放：scale 大于 1 放大，小于 1 缩小。",
			"Move two fingers: a scale above 1 zooms in, below 1 zooms out."},
		codec: codecOf(func(r record) Pinch { return Pinch{r.At, r.Scale, r.Message} },
			func(a Pinch) record {
				return record{At: a.Target, Scale: a.Scale, Message: a.Message}
			}),
	},
	{
		verb: VerbGesture, fn: "gesture",
		fields: []field{fieldPaths.need(), fieldDuration, fieldWarning},
		doc: words{"多指手势：每个手指一条路径，同时进行。",
			"A gesture of several fingers: one path for each, all at the same time."},
		codec: codecOf(func(r record) Gesture { return Gesture{r.Paths, r.Duration, r.Message} },
			func(a Gesture) record {
				return record{Paths: a.Paths, Duration: a.Duration, Message: a.Message}
			}),
	},
	{
		verb: VerbOpenURL, fn: "open_url",
		also:   []string{"openlink", "gotourl"},
		fields: []field{fieldURL.need(), fieldWarning},
		doc:    words{"打开一个链接。", "Open a link."},
		codec: codecOf(func(r record) OpenURL { return OpenURL{r.URL, r.Message} },
			func(a OpenURL) record { return record{URL: a.URL, Message: a.Message} }),
	},
	{
		verb: VerbLook, fn: "look", rowsOnly: true,
		doc: words{"列表不足以判断时，请求查看屏幕截图。",
			"Ask for a picture of the screen, where the rows do not tell enough."},
		codec: codecOf(func(record) Look { return Look{} },
			func(Look) record { return record{} }),
	},
}

// statusInfeasible is how Finish says that a task cannot be done.
const statusInfeasible = "infeasible"

// saysInfeasible reads the status of a finish, in the words of several models, or success=False; any other word is a
// success.
func saysInfeasible(status string) bool {
	switch strings.ToLower(strings.TrimSpace(status)) {
	case statusInfeasible, "impossible", "failure", "failed", "fail", "false", "abort", "aborted", "error", "incomplete", "失败":
		return true
	}
	return false
}

var typeCodec = codecOf(func(r record) Type { return Type{r.Text, r.Message} },
	func(a Type) record { return record{Text: a.Text, Message: a.Message} })
