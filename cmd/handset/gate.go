package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"sync"

	"golang.org/x/term"

	"github.com/handset-go/handset/action"
	"github.com/handset-go/handset/agent"
	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/policy"
)

// gate judges what the command does to a phone, with verdicts on whole operations or nil. It asks on the terminal;
// without one, nobody says yes.
func (a *app) gate(ops map[driver.Op]policy.Verdict) *policy.Gate {
	return policy.New(&policy.Options{Logger: a.gateLogger(), Confirm: a.confirm(), Blind: a.blind(), Ops: ops})
}

// gateLogger tells what the gate does, or without -v only that it could not judge.
func (a *app) gateLogger() *slog.Logger {
	if a.Verbose {
		return a.logger()
	}
	return slog.New(&unjudged{a: a})
}

// blind is the verdict on gestures that cannot be judged.
func (a *app) blind() policy.Verdict {
	if a.Strict {
		return policy.Ask
	}
	return policy.Pass
}

// unjudged is a handler that tells, once, that the gate had no tree: a label could not be asked about.
type unjudged struct {
	slog.Handler
	a    *app
	once sync.Once
}

func (u *unjudged) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelWarn }

func (u *unjudged) Handle(_ context.Context, r slog.Record) error {
	if r.Message != policy.LogBlind {
		return nil
	}
	u.once.Do(func() {
		fmt.Fprintln(u.a.stderr, u.a.tr(
			"handset: warning: the screen could not be read, so that a label such as Pay or Delete is not asked about; look at a screenshot, or use --strict",
			"handset: 警告:无法读取屏幕控件,“支付”“删除”之类的标签不会询问;请看截图,或使用 --strict"))
	})
	return nil
}

func (u *unjudged) WithAttrs([]slog.Attr) slog.Handler { return u }
func (u *unjudged) WithGroup(string) slog.Handler      { return u }

// confirm returns who answers whether a step may be done. It is no where there is no terminal to ask on.
func (a *app) confirm() func(context.Context, *policy.Request) (policy.Answer, error) {
	switch {
	case a.Yes:
		return func(context.Context, *policy.Request) (policy.Answer, error) { return policy.Answer{Allow: true}, nil }
	case isTerminal(a.stdin):
		return a.console().Confirm
	}
	return func(context.Context, *policy.Request) (policy.Answer, error) {
		return policy.Answer{Note: a.tr("there is no terminal to ask on; --yes allows such steps", "没有终端可以询问;--yes 允许这类操作")}, nil
	}
}

// console is the terminal: questions go to stderr, so that stdout can be piped.
func (a *app) console() *agent.Console {
	a.once.Do(func() {
		a.asks = agent.NewConsole(a.stdin, a.stderr)
		a.asks.Lang = action.Lang(a.lang)
	})
	return a.asks
}

// terminal is the console once it is needed.
type terminal struct {
	once sync.Once
	asks *agent.Console
}

func isTerminal(f any) bool {
	file, ok := f.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
