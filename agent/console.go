package agent

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/handset-go/handset/action"
	"github.com/handset-go/handset/policy"
)

// Console answers the questions of a run on a terminal, and shows its events there. Nothing uses it by itself:
//
//	c := agent.NewConsole(os.Stdin, os.Stdout)
//	o := &agent.Options{Confirm: c.Confirm, TakeOver: c.TakeOver, Ask: c.Ask, Events: c.Show}
//
// Only "y", "yes", "是" and "好" are a yes. An end of the input is a no.
type Console struct {
	// Lang is the language of its own words, action.Chinese or, for any other value, English.
	Lang action.Lang
	// Whole shows what the model thinks when the reply is complete, for a pipe or a file; otherwise it is shown as
	// it arrives.
	Whole bool

	in    io.Reader
	start sync.Once
	lines chan string // closed at the end of the input

	mu   sync.Mutex // of out
	out  io.Writer
	open bool // the last thing written was no whole line
}

// NewConsole returns a console on a reader and a writer. It reads nothing before the first question; from then on
// one goroutine waits for lines until the reader ends.
func NewConsole(in io.Reader, out io.Writer) *Console {
	return &Console{in: in, out: out, lines: make(chan string)}
}

var errInputEnded = errors.New("the input has ended")

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
	c.say(c.tr("confirm on %s, in %s: %s", "请确认 %s 上的操作,应用 %s:%s"), r.Device, r.App, r.Why)
	if r.Reason != "" {
		c.say(c.tr("the model says: %s", "模型说:%s"), r.Reason)
	}
	c.prompt(c.tr("do %q now? [y/N] ", "现在执行“%s”吗?[y/N] "), strings.TrimSpace(string(r.Call.Op)+" "+r.Label))
	answer, err := c.line(ctx)
	if err != nil {
		return policy.Answer{}, err
	}
	return policy.Answer{Allow: affirms(answer)}, nil
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
	c.say(c.tr("the phone %s is yours: %s", "手机 %s 交给你了:%s"), q.Device, q.Message)
	c.prompt("%s", c.tr("press Enter when you are done, or write something for the model: ", "完成后按回车,也可以写给模型几句话:"))
	return c.line(ctx)
}

// Ask passes a question of the model on.
func (c *Console) Ask(ctx context.Context, q *Question) (string, error) {
	c.say(c.tr("the model asks: %s", "模型问:%s"), orDefault(q.Message, c.tr("what should be chosen?", "选哪一个?")))
	c.prompt("> ")
	return c.line(ctx)
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
		c.say(c.tr("=== %s after %d steps: %s", "=== %s,共 %d 步:%s"), e.Result.Status, len(e.Result.Steps), orDefault(e.Result.Message, e.Result.Reason))
	}
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
	fmt.Fprintf(c.out, format+"\n", args...)
}

// prompt writes without an end of line.
func (c *Console) prompt(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	text := fmt.Sprintf(format, args...)
	fmt.Fprint(c.out, text)
	if text != "" {
		c.open = !strings.HasSuffix(text, "\n")
	}
}
