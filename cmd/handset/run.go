package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
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
	APIKeyEnv    string        `name:"api-key-env" placeholder:"VAR" help:"The variable that holds the key; PHONE_AGENT_API_KEY if unset."`
	Mode         string        `default:"auto" enum:"auto,pixels,tree" placeholder:"MODE" help:"What the model sees: pixels (a screenshot each step), tree (rows of text), or auto: pixels, but tree for the demo model."`
	MaxSteps     int           `placeholder:"N" env:"PHONE_AGENT_MAX_STEPS" help:"End after so many steps (${env}; 100 if unset)."`
	MaxTime      time.Duration `placeholder:"TIME" help:"End after so long, such as 10m. Default: no limit."`
	MaxTokens    int           `placeholder:"N" help:"End after so many tokens. Default: no limit."`
	Careful      bool          `help:"24 steps and 10 minutes, where no other limits are given."`
	ImageWidth   int           `placeholder:"PX" help:"Send frames at most so wide. Default: as the phone gives them."`
	SystemPrompt string        `placeholder:"FILE" help:"Use the text of this file instead of the built-in prompt."`
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
		opts.Mode = c.mode(ctx)
		ag, err := agent.New(d, model, opts)
		if err != nil {
			return usagef("run: %v", err)
		}
		res, err := ag.Run(ctx, c.Task)
		return a.ended(res, err)
	})
}

func (c *runCmd) client(a *app) (*chat.Client, error) {
	key, set := os.LookupEnv(cmp.Or(c.APIKeyEnv, "PHONE_AGENT_API_KEY"))
	if c.APIKeyEnv != "" && !set {
		return nil, usagef("run: --api-key-env: the variable %s is not set", c.APIKeyEnv)
	}
	if key == "EMPTY" {
		key = "" // what Open-AutoGLM writes for none
	}
	model, err := chat.New(&chat.Options{
		BaseURL: c.BaseURL, Model: c.Model, APIKey: key, Proxy: http.ProxyFromEnvironment, Logger: a.modelLogger(),
	})
	if err != nil {
		return nil, usagef("%v", err)
	}
	return model, nil
}

func (c *runCmd) options(a *app) (*agent.Options, error) {
	if strings.TrimSpace(c.Task) == "" {
		return nil, usagef("run: the task is empty")
	}
	waits, err := timing.FromEnv(os.LookupEnv)
	if err != nil {
		return nil, usagef("run: %v", err)
	}
	prompt, err := c.prompt()
	if err != nil {
		return nil, err
	}
	o := &agent.Options{
		Lang: action.Lang(a.Lang), SystemPrompt: prompt, Timing: &waits, ImageWidth: c.ImageWidth,
		MaxSteps: c.MaxSteps, MaxTime: c.MaxTime, MaxTokens: c.MaxTokens,
		Logger: a.gateLogger(), Confirm: a.confirm(), Events: a.events(), Blind: a.blind(),
	}
	if c.Careful {
		careful := agent.Careful()
		o.MaxSteps, o.MaxTime = cmp.Or(o.MaxSteps, careful.MaxSteps), cmp.Or(o.MaxTime, careful.MaxTime)
	}
	if isTerminal(a.stdin) {
		o.TakeOver, o.Ask = a.console().TakeOver, a.console().Ask
	}
	return o, nil
}

// prompt reads the file of --system-prompt.
func (c *runCmd) prompt() (string, error) {
	if c.SystemPrompt == "" {
		return "", nil
	}
	text, err := os.ReadFile(c.SystemPrompt)
	if err != nil {
		return "", usagef("run: --system-prompt: %v", err)
	}
	if strings.TrimSpace(string(text)) == "" {
		return "", usagef("run: --system-prompt: %s is empty", c.SystemPrompt)
	}
	return string(text), nil
}

// statuses are the exit statuses of the ends of a run.
var statuses = map[agent.Status]int{
	agent.StatusDone: exitDone, agent.StatusDoneUnverified: exitDone, agent.StatusIncomplete: exitIncomplete,
	agent.StatusInfeasible: exitInfeasible, agent.StatusStuck: exitStuck, agent.StatusDenied: exitDenied,
	agent.StatusBudget: exitBudget, agent.StatusStopped: exitInterrupted, agent.StatusDevice: exitDevice,
	agent.StatusModel: exitModel,
}

// ended turns the end of a run into an exit status. The events have told of it; where they went into a pipe or a file,
// the person who waits is told too.
func (a *app) ended(res *agent.Result, err error) error {
	if err == nil {
		return nil
	}
	status, known := statuses[res.Status]
	if !known {
		return fmt.Errorf("run: %w", err)
	}
	if !a.JSON && !isTerminal(a.stdout) {
		fmt.Fprintf(a.stderr, "handset: %v\n", err)
	}
	var model *agent.ModelError
	if errors.As(err, &model) && model.Status == 0 && !a.JSON {
		fmt.Fprintln(a.stderr, a.tr("Is the endpoint right? --base-url or PHONE_AGENT_BASE_URL says where the model is; handset demo-model serves one to try things with.",
			"接口地址对吗?用 --base-url 或 PHONE_AGENT_BASE_URL 指定模型的地址;handset demo-model 可以启动一个试用的模型。"))
	}
	return &toldError{status}
}
