package agent

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"sync"
	"unicode"

	"github.com/handset-go/handset/action"
	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/policy"
)

// Console answers the questions of a run on a terminal, and shows its events there. Nothing uses it by itself:
//
//	c := agent.NewConsole(os.Stdin, os.Stdout)
//	o := &agent.Options{Confirm: c.Confirm, TakeOver: c.TakeOver, Ask: c.Ask, Events: c.Show}
//
// Only "y", "yes", "是" and "好" are a yes. An end of the input is a no. One question is asked at a time, so that several
// agents may share a console. An answer counts for the question that it was given to: a line that comes after its
// question was given up answers no other, and on a terminal none does that was typed before its question stood there.
// What a phone or a model has written cannot steer the terminal, nor look like a line of the console's own in a
// question whether a step may be done.
type Console struct {
	// Lang is the language of its own words, action.Chinese or, for any other value, English.
	Lang action.Lang
	// Whole shows what the model thinks when the reply is complete, for a pipe or a file; otherwise it is shown as
	// it arrives.
	Whole bool

	in       io.Reader
	terminal bool
	start    sync.Once
	lines    chan string   // closed at the end of the input
	turn     chan struct{} // held by the question that is asked
	givenUp  bool          // the last question was, by the holder of turn: a line may still come for it

	mu   sync.Mutex // of out
	out  io.Writer
	open bool // the last thing written was no whole line
}

// NewConsole returns a console on a reader and a writer. It reads nothing before the first question; from then on
// one goroutine waits for lines until the reader ends.
func NewConsole(in io.Reader, out io.Writer) *Console {
	return &Console{in: in, out: out, terminal: isTerminal(in), lines: make(chan string, typedAhead), turn: make(chan struct{}, 1)}
}

// typedAhead is how many lines are taken in before somebody wants them.
const typedAhead = 16

func isTerminal(in io.Reader) bool {
	file, ok := in.(fs.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&fs.ModeCharDevice != 0
}

var errInputEnded = errors.New("the input has ended")

// question writes what is asked, when it is its turn, and waits for the answer.
func (c *Console) question(ctx context.Context, write func()) (string, error) {
	select {
	case c.turn <- struct{}{}:
		defer func() { <-c.turn }()
	case <-ctx.Done():
		return "", ctx.Err()
	}
	if c.givenUp || c.terminal {
		c.forget()
	}
	write()
	answer, err := c.line(ctx)
	c.givenUp = ctx.Err() != nil
	return answer, err
}

// forget drops the lines that came before a question.
func (c *Console) forget() {
	for {
		select {
		case _, ok := <-c.lines:
			if !ok {
				return
			}
		default:
			return
		}
	}
}

// line waits for a line of input.
func (c *Console) line(ctx context.Context) (string, error) {
	c.start.Do(func() {
		go func() {
			defer close(c.lines)
			for s := bufio.NewScanner(c.in); s.Scan(); {
				c.lines <- s.Text()
			}
		}()
	})
	select {
	case l, ok := <-c.lines:
		if !ok {
			return "", errInputEnded
		}
		return strings.TrimSpace(l), nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// Confirm asks whether a step may be done.
func (c *Console) Confirm(ctx context.Context, r *policy.Request) (policy.Answer, error) {
	answer, err := c.question(ctx, func() {
		if app := oneLine(r.App.String()); app != "" {
			c.say(c.tr("confirm on %s, in %s: %s", "请确认 %s 上的操作,应用 %s:%s"), r.Device, app, oneLine(r.Why))
		} else {
			c.say(c.tr("confirm on %s: %s", "请确认 %s 上的操作:%s"), r.Device, oneLine(r.Why))
		}
		if r.Reason != "" {
			c.say(c.tr("the model says: %s", "模型说:%s"), oneLine(r.Reason))
		}
		c.prompt(c.tr("do %q now? [y/N] ", "现在执行“%s”吗?[y/N] "), strings.TrimSpace(string(r.Call.Op)+" "+oneLine(target(r))))
	})
	if err != nil {
		return policy.Answer{}, err
	}
	return policy.Answer{Allow: affirms(answer)}, nil
}

// target is what a step is done to, in words.
func target(r *policy.Request) string {
	if r.Call.Op == driver.OpOpenURL {
		return r.Call.Text
	}
	return r.Label
}

func affirms(answer string) bool {
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes", "是", "好":
		return true
	}
	return false
}

// TakeOver waits until a person has done something by hand. What they type goes to the model.
func (c *Console) TakeOver(ctx context.Context, q *Question) (string, error) {
	return c.question(ctx, func() {
		c.say(c.tr("the phone %s is yours: %s", "手机 %s 交给你了:%s"), q.Device, q.Message)
		c.prompt("%s", c.tr("press Enter when you are done, or write something for the model: ", "完成后按回车,也可以写给模型几句话:"))
	})
}

// Ask passes a question of the model on.
func (c *Console) Ask(ctx context.Context, q *Question) (string, error) {
	return c.question(ctx, func() {
		c.say(c.tr("the model asks: %s", "模型问:%s"), orDefault(q.Message, c.tr("what should be chosen?", "选哪一个?")))
		c.prompt("> ")
	})
}

// Show writes an event as it comes.
func (c *Console) Show(_ context.Context, e Event) {
	switch e := e.(type) {
	case StepStarted:
		c.say(c.tr("--- step %d", "--- 第 %d 步"), e.Step)
	case ThinkingDelta:
		if !c.Whole {
			c.prompt("%s", e.Text)
		}
	case Decided:
		c.decided(e)
	case Acted:
		c.say("  %s", e.Outcome)
	case Dropped:
		c.say(c.tr("  dropped: %s", "  放弃:%s"), e.Why)
	case Paused:
		c.say("%s", c.tr("paused", "已暂停"))
	case Resumed:
		c.say("%s", c.tr("resumed", "已继续"))
	case RunEnded:
		c.say(c.tr("=== %s after %d steps: %s", "=== %s,共 %d 步:%s"), c.status(e.Result.Status), len(e.Result.Steps), orDefault(e.Result.Message, e.Result.Reason))
	}
}

// statusesInChinese are the ends of a run for a person.
var statusesInChinese = map[Status]string{
	StatusDone: "已完成", StatusDoneUnverified: "已完成(未经核实)", StatusIncomplete: "未完成", StatusInfeasible: "无法做到",
	StatusStuck: "卡住了", StatusDenied: "被拒绝", StatusBudget: "超出预算", StatusStopped: "已停止", StatusDevice: "手机出错",
	StatusModel: "模型出错",
}

func (c *Console) status(s Status) string {
	return c.tr(string(s), orDefault(statusesInChinese[s], string(s)))
}

func (c *Console) decided(e Decided) {
	if c.Whole && e.Thinking != "" {
		c.say("%s", e.Thinking)
	}
	if e.Action != nil {
		c.say("> %s", e.Action)
	}
}

// tr chooses between the two languages.
func (c *Console) tr(en, zh string) string {
	if c.Lang == action.Chinese {
		return zh
	}
	return en
}

// say writes a line of its own.
func (c *Console) say(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open {
		fmt.Fprintln(c.out)
	}
	c.open = false
	fmt.Fprintln(c.out, visible(fmt.Sprintf(format, args...)))
}

// prompt writes without an end of line.
func (c *Console) prompt(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	text := visible(fmt.Sprintf(format, args...))
	fmt.Fprint(c.out, text)
	if text != "" {
		c.open = !strings.HasSuffix(text, "\n")
	}
}

// visible drops what could steer a terminal: control characters, and those that turn the order of a line around.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		steers := unicode.IsControl(r) && r != '\n' && r != '\t'
		if steers || (r >= '\u202a' && r <= '\u202e') || (r >= '\u2066' && r <= '\u2069') {
			return -1
		}
		return r
	}, s)
}

// oneLine keeps what others wrote from looking like a line of its own.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
