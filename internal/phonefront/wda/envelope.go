package wda

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// wireError is an error as the protocol of WebDriver has it.
type wireError struct {
	code    errorCode
	message string
}

func (e *wireError) Error() string { return e.code.name + ": " + e.message }

// errorCode is one of the codes of WebDriver with its HTTP status.
type errorCode struct {
	name   string
	status int
}

var (
	errSession      = errorCode{"invalid session id", 404}
	errNoElement    = errorCode{"no such element", 404}
	errStale        = errorCode{"stale element reference", 404}
	errNoAlert      = errorCode{"no such alert", 404}
	errCommand      = errorCode{"unknown command", 404}
	errArgument     = errorCode{"invalid argument", 400}
	errElementState = errorCode{"invalid element state", 400}
	errSelector     = errorCode{"invalid selector", 400}
	errNotVisible   = errorCode{"element not visible", 400}
	errTimeout      = errorCode{"timeout", 408}
	errUnknown      = errorCode{"unknown error", 500}
	errCapture      = errorCode{"unable to capture screen", 500}
	errNotCreated   = errorCode{"session not created", 500}
	errUnsupported  = errorCode{"unsupported operation", 500}
)

func fail(code errorCode, format string, args ...any) error {
	if len(args) > 0 {
		format = fmt.Sprintf(format, args...)
	}
	return &wireError{code: code, message: format}
}

// nsError is a failure that comes from an NSError: a 500 with its description.
func nsError(format string, args ...any) error {
	s := fmt.Sprintf(format, args...)
	return fail(errUnknown, "%s", describeNS(s))
}

func describeNS(s string) string {
	return fmt.Sprintf("Error Domain=com.facebook.WebDriverAgent Code=1 \"%s\" UserInfo={NSLocalizedDescription=%s}", s, s)
}

// unrecognized is what calling a method that an object has not ends in.
func unrecognized(class, selector string) error {
	return fail(errUnknown, "-[%s %s]: unrecognized selector sent to instance 0x282f1a5e0", class, selector)
}

// traceback stands for the call stack that comes with an exception. It differs from build to build.
const traceback = "(\n\t0   CoreFoundation                      0x00000001a3f0c4b8 __exceptionPreprocess + 164\n" +
	"\t1   libobjc.A.dylib                     0x000000019c2d8fa8 objc_exception_throw + 60\n" +
	"\t2   WebDriverAgentLib                   0x0000000103ac51d4 -[FBRoute_TargetAction mountRequest:intoResponse:] + 176\n)"

// reply is what goes back over HTTP.
type reply struct {
	status int
	kind   string // Content-Type
	body   []byte
	close  bool
	raw    bool // sent as it is, whatever fault is on
}

const jsonType = "application/json;charset=UTF-8"

// document is an answer that is no JSON.
type document struct{ kind, text string }

// answerOf puts a value or an error into the envelope. active is the id of the active session.
func answerOf(value any, err error, active string) *reply {
	if err == nil {
		if doc, ok := value.(document); ok {
			return &reply{status: 200, kind: doc.kind, body: []byte(doc.text)}
		}
		return envelope(200, value, active)
	}
	e, ok := err.(*wireError)
	if !ok {
		e = &wireError{code: errUnknown, message: err.Error()}
	}
	trace := ""
	if e.code != errSession && e.code != errCommand {
		trace = traceback
	}
	return envelope(e.code.status, map[string]any{"error": e.code.name, "message": e.message, "traceback": trace}, active)
}

func envelope(status int, value any, active string) *reply {
	var id any
	if active != "" {
		id = active
	}
	var b bytes.Buffer
	printJSON(&b, map[string]any{"value": value, "sessionId": id}, 0)
	return &reply{status: status, kind: jsonType, body: b.Bytes()}
}

// printJSON writes JSON as NSJSONSerialization does when it is asked for readable output: keys and values are
// apart with " : ", and a slash is escaped.
func printJSON(b *bytes.Buffer, v any, depth int) {
	pad := strings.Repeat("  ", depth)
	switch v := v.(type) {
	case map[string]any:
		printObject(b, v, pad, depth)
	case []any:
		if len(v) == 0 {
			b.WriteString("[\n\n" + pad + "]")
			return
		}
		b.WriteByte('[')
		for i, e := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString("\n" + pad + "  ")
			printJSON(b, e, depth+1)
		}
		b.WriteString("\n" + pad + "]")
	default:
		printScalar(b, v)
	}
}

func printObject(b *bytes.Buffer, m map[string]any, pad string, depth int) {
	if len(m) == 0 {
		b.WriteString("{\n\n" + pad + "}")
		return
	}
	b.WriteByte('{')
	for i, k := range slices.Sorted(maps.Keys(m)) {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n" + pad + "  ")
		printScalar(b, k)
		b.WriteString(" : ")
		printJSON(b, m[k], depth+1)
	}
	b.WriteString("\n" + pad + "}")
}

func printScalar(b *bytes.Buffer, v any) {
	var s bytes.Buffer
	enc := json.NewEncoder(&s)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic("wda: " + err.Error()) // only strings, numbers and booleans come here
	}
	out := bytes.TrimRight(s.Bytes(), "\n")
	if _, ok := v.(string); ok {
		out = bytes.ReplaceAll(out, []byte("/"), []byte(`\/`))
	}
	b.Write(out)
}
