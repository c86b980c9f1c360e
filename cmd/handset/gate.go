package main

import (
	"context"
	"os"
	"sync"

	"golang.org/x/term"

	"github.com/handset-go/handset/action"
	"github.com/handset-go/handset/agent"
	"github.com/handset-go/handset/policy"
)

// gate judges what the command does to a phone. It asks on the terminal; without one, nobody says yes.
func (a *app) gate() *policy.Gate {
	return policy.New(&policy.Options{Logger: a.logger(), Confirm: a.confirm()})
}

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
