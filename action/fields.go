package action

import "time"

// A field is one argument of a verb.
type field struct {
	key      string   // in JSON and in tool calls
	arg      string   // in do(...)
	also     []string // what other models call it
	required bool
	always   bool   // written even where it is empty
	blank    bool   // may be empty even where it is required
	warning  bool   // the message that marks a sensitive step
	fallback string // the value where a model gives none
	sample   string // what the prompt shows; "" leaves the argument out of the prompt
	doc      words
	slot     func(*record) any // *string, *Target, *time.Duration, *float64 or *[][]Point
}

// refKey is how a target is named by the number of its row: ref, from_ref, to_ref.
func (f *field) refKey() string {
	if f.key == "at" {
		return "ref"
	}
	return f.key + "_ref"
}

// zero reports whether the record has nothing in the field.
func (f *field) zero(r *record) bool {
	switch v := f.slot(r).(type) {
	case *string:
		return *v == ""
	case *Target:
		return *v == Target{}
	case *time.Duration:
		return *v == 0
	case *float64:
		return *v == 0
	case *[][]Point:
		return len(*v) == 0
	}
	return true
}

// written says whether the field belongs into the text of the action.
func (f *field) written(r *record) bool {
	return f.required || f.always || f.fallback != "" || !f.zero(r)
}

func (f field) kept() field               { f.always = true; return f }
func (f field) need() field               { f.required = true; return f }
func (f field) shown(sample string) field { f.sample = sample; return f }
func (f field) or(fallback string) field  { f.fallback = fallback; return f }
func (f field) means(zh, en string) field { f.doc = words{zh, en}; return f }

var (
	fieldApp = field{
		key: "app", arg: "app", also: []string{"app_name", "package"}, sample: `"xxx"`,
		doc:  words{"应用的名称或包名", "name or id of the app"},
		slot: func(r *record) any { return &r.App },
	}
	fieldText = field{
		key: "text", arg: "text", also: []string{"content", "value"}, sample: `"xxx"`, blank: true,
		doc:  words{"要输入的文字", "the text to type"},
		slot: func(r *record) any { return &r.Text },
	}
	fieldAt = field{
		key: "at", arg: "element", also: []string{"point", "position", "coordinate", "coordinates"},
		sample: "[x,y]",
		doc:    words{"位置 [x,y]，0 到 999", "place [x,y], 0 to 999"},
		slot:   func(r *record) any { return &r.At },
	}
	fieldFrom = field{
		key: "from", arg: "start", also: []string{"start_point"}, sample: "[x1,y1]",
		doc:  words{"起点 [x,y]，0 到 999", "where to start, [x,y], 0 to 999"},
		slot: func(r *record) any { return &r.From },
	}
	fieldTo = field{
		key: "to", arg: "end", also: []string{"end_point"}, sample: "[x2,y2]",
		doc:  words{"终点 [x,y]，0 到 999", "where to end, [x,y], 0 to 999"},
		slot: func(r *record) any { return &r.To },
	}
	fieldMessage = field{
		key: "message", arg: "message", sample: `"xxx"`,
		doc:  words{"给用户的话", "what to tell the person"},
		slot: func(r *record) any { return &r.Message },
	}
	fieldStatus = field{
		key: "status", arg: "status", also: []string{"success"},
		doc:  words{`任务确实无法完成时填 "infeasible"`, `"infeasible" if the task cannot be done at all`},
		slot: func(r *record) any { return &r.Status },
	}
	fieldInstruction = field{
		key: "instruction", arg: "instruction", sample: `"xxx"`,
		doc:  words{"要如何总结或评论", "what to summarise or comment on"},
		slot: func(r *record) any { return &r.Instruction },
	}
	fieldDuration = field{
		key: "duration_ms", arg: "duration", also: []string{"seconds"},
		doc:  words{"时长，毫秒", "how long, in milliseconds"},
		slot: func(r *record) any { return &r.Duration },
	}
	fieldURL = field{
		key: "url", arg: "url", also: []string{"link"}, sample: `"https://..."`,
		doc:  words{"要打开的链接", "the link to open"},
		slot: func(r *record) any { return &r.URL },
	}
	fieldKey = field{
		key: "key", arg: "key", also: []string{"name", "button"}, sample: `"Enter"`,
		doc:  words{"按键名称，如 Enter、Search、VolumeUp", "name of the key, such as Enter, Search, VolumeUp"},
		slot: func(r *record) any { return &r.Key },
	}
	fieldScale = field{
		key: "scale", arg: "scale", sample: "2",
		doc:  words{"大于 1 为放大，小于 1 为缩小", "above 1 zooms in, below 1 zooms out"},
		slot: func(r *record) any { return &r.Scale },
	}
	fieldPaths = field{
		key: "paths", arg: "paths", sample: "[[[x1,y1],[x2,y2]],[[x3,y3],[x4,y4]]]",
		doc: words{"每个手指一条路径，每条路径是一串 [x,y]，0 到 999",
			"one path for each finger, a path being a list of [x,y], 0 to 999"},
		slot: func(r *record) any { return &r.Paths },
	}
	// fieldWarning is the message of an action that touches the phone.
	fieldWarning = field{
		key: "message", arg: "message", warning: true,
		doc: words{"仅在涉及支付、财产、隐私、删除等敏感操作时填写：说明原因",
			"only for a sensitive step (payment, property, privacy, deletion): why it is one"},
		slot: func(r *record) any { return &r.Message },
	}
)
