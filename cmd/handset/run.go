package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/handset-go/handset/action"
	"github.com/handset-go/handset/agent"
	"github.com/handset-go/handset/agent/chat"
	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/timing"
)

type runCmd struct {
	Task         string        `arg:"" help:"What to do, in Chinese or English."`
	BaseURL      string        `placeholder:"URL" env:"PHONE_AGENT_BASE_URL" default:"${base_url}" help:"The model's endpoint (${env}; ${default} if unset)."`
	Model        string        `placeholder:"NAME" env:"PHONE_AGENT_MODEL" default:"${model}" help:"Its model (${env}; ${default} if unset)."`
	APIKeyEnv    string        `name:"api-key-env" placeholder:"VAR" default:"PHONE_AGENT_API_KEY" help:"The variable that holds the key: ${default}."`
	Mode         string        `default:"pixels" enum:"pixels,tree" help:"What the model sees: pixels (a screenshot each step) or tree (rows of text)."`
	MaxSteps     int           `placeholder:"N" env:"PHONE_AGENT_MAX_STEPS" default:"100" help:"End after so many steps (${env}; ${default})."`
	MaxTime      time.Duration `placeholder:"TIME" help:"End after so long, such as 10m. Default: no limit."`
	MaxTokens    int           `placeholder:"N" help:"End after so many tokens. Default: no limit."`
	Careful      bool          `help:"24 steps and 10 minutes."`
	ImageWidth   int           `placeholder:"PX" help:"Send frames at most so wide. Default: as the phone gives them."`
	SystemPrompt string        `placeholder:"FILE" type:"existingfile" help:"Use this instead of the built-in prompt."`
}

// Run lets a model do a task.
func (c *runCmd) Run(a *app) error {
	opts, err := c.options(a)
	if err != nil {
		return err
	}
	model, err := c.client(a)
	if err != nil {
		return err
	}
	defer model.Close()
	return a.with(func(ctx context.Context, d driver.Driver) error {
		ag, err := agent.New(d, model, opts)
		if err != nil {
			return usagef("run: %v", err)
		}
		res, err := ag.Run(ctx, c.Task)
		return a.ended(res, err)
	})
}

func (c *runCmd) client(a *app) (*chat.Client, error) {
	key, _ := a.getenv(c.APIKeyEnv)
	if key == "EMPTY" {
		key = "" // what Open-AutoGLM writes for none
	}
	model, err := chat.New(&chat.Options{
		BaseURL: c.BaseURL, Model: c.Model, APIKey: key, Proxy: http.ProxyFromEnvironment, Logger: a.logger(),
	})
	if err != nil {
		return nil, usagef("run: %v", err)
	}
	return model, nil
}

func (c *runCmd) options(a *app) (*agent.Options, error) {
	waits, err := timing.FromEnv(a.getenv)
	if err != nil {
		return nil, usagef("run: %v", err)
	}
	o := &agent.Options{
		Mode: agent.Mode(c.Mode), Lang: action.Lang(a.Lang), Timing: &waits, ImageWidth: c.ImageWidth,
		MaxSteps: c.MaxSteps, MaxTime: c.MaxTime, MaxTokens: c.MaxTokens, Logger: a.logger(), Confirm: a.confirm(),
	}
	if c.Careful {
		careful := agent.Careful()
		o.MaxSteps, o.MaxTime = careful.MaxSteps, careful.MaxTime
	}
	if c.SystemPrompt != "" {
		text, err := os.ReadFile(c.SystemPrompt)
		if err != nil {
			return nil, usagef("run: %v", err)
		}
		o.SystemPrompt = string(text)
	}
	if isTerminal(a.stdin) {
		o.TakeOver, o.Ask = a.console().TakeOver, a.console().Ask
	}
	o.Events = a.events()
	return o, nil
}

// statuses are the exit statuses of the ends of a run.
var statuses = map[agent.Status]int{
	agent.StatusDone: exitDone, agent.StatusDoneUnverified: exitDone, agent.StatusIncomplete: exitIncomplete,
	agent.StatusInfeasible: exitInfeasible, agent.StatusStuck: exitStuck, agent.StatusDenied: exitDenied,
	agent.StatusBudget: exitBudget, agent.StatusStopped: exitInterrupted, agent.StatusDevice: exitDevice,
	agent.StatusModel: exitModel,
}

// ended turns the end of a run into an exit status; the events have told of it.
func (a *app) ended(res *agent.Result, err error) error {
	if err == nil {
		return nil
	}
	status, known := statuses[res.Status]
	if !known {
		return fmt.Errorf("run: %w", err)
	}
	return &toldError{status}
}
