package main

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/handset-go/handset/agent"
	"github.com/handset-go/handset/internal/demomodel"
)

// mode settles what auto means.
func (c *runCmd) mode(ctx context.Context) agent.Mode {
	switch {
	case c.Mode != "auto":
		return agent.Mode(c.Mode)
	case servesDemo(ctx, c.BaseURL):
		return agent.Tree
	}
	return agent.Pixels
}

// servesDemo says that the endpoint, which must be on this computer, lists the demo model. Whatever goes wrong is a
// no: the run itself will tell.
func servesDemo(ctx context.Context, base string) bool {
	u, err := url.Parse(strings.TrimSuffix(strings.TrimRight(strings.TrimSpace(base), "/"), "/chat/completions"))
	if err != nil || !isLoopback(u.Hostname()) {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, u.JoinPath("models").String(), nil)
	if err != nil {
		return false
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(r)
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	var list struct{ Data []struct{ ID string } }
	err = json.NewDecoder(io.LimitReader(resp.Body, 1<<16)).Decode(&list)
	return err == nil && len(list.Data) == 1 && list.Data[0].ID == demomodel.Name
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip.IsLoopback()
}
