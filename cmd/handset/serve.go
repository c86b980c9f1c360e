package main

import (
	"fmt"

	"github.com/handset-go/handset/internal/demomodel"
)

type demoModelCmd struct {
	Addr string `default:"127.0.0.1:0" placeholder:"ADDR" help:"Where to listen: ${default} is a free port."`
}

// Run serves the demo model until a signal.
func (c *demoModelCmd) Run(a *app) error {
	s, err := demomodel.Listen(a.ctx, c.Addr, nil)
	if err != nil {
		return notServed("", err)
	}
	if a.JSON {
		a.printJSON(map[string]string{"base_url": s.BaseURL(), "model": demomodel.Name})
	} else {
		fmt.Fprintf(a.text, "%s\n", s.BaseURL())
		fmt.Fprintln(a.stderr, a.tr("This is no intelligence but a few rules. Use it with: export PHONE_AGENT_BASE_URL=", "它没有智能,只有几条规则。使用方法:export PHONE_AGENT_BASE_URL=")+s.BaseURL())
	}
	return s.Wait()
}
