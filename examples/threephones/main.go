// Command threephones does one task on three phones at once: an Android phone, a HarmonyOS phone and an iPhone, with
// one agent each and the same model. As it is, the phones are simulated, behind the protocols of the real ones; name
// addresses to use others:
//
//	go run ./examples/threephones adb: hdc: wda:
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"

	"github.com/handset-go/handset/agent"
	"github.com/handset-go/handset/agent/chat"
	"github.com/handset-go/handset/driver"
	_ "github.com/handset-go/handset/driver/adb"
	_ "github.com/handset-go/handset/driver/hdc"
	_ "github.com/handset-go/handset/driver/wda"
	"github.com/handset-go/handset/internal/demomodel"
	hdcfront "github.com/handset-go/handset/internal/phonefront/hdc"
)

const task = "Turn off Bluetooth"

func main() {
	if code, ok := hdcfront.AsTool(os.Args, os.LookupEnv); ok {
		os.Exit(code) // this program also stands in for hdc
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "threephones:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, addresses []string, out io.Writer) error {
	if len(addresses) == 0 {
		s, err := simulate()
		if err != nil {
			return err
		}
		defer s.close()
		addresses = s.addresses
	}
	server, err := demomodel.Listen(ctx, "127.0.0.1:0", nil)
	if err != nil {
		return err
	}
	defer server.Close()
	model, err := chat.New(&chat.Options{BaseURL: server.BaseURL(), Model: demomodel.Name})
	if err != nil {
		return err
	}
	defer model.Close()

	var wg sync.WaitGroup
	results := make([]string, len(addresses))
	errs := make([]error, len(addresses))
	for i, address := range addresses {
		wg.Go(func() { results[i], errs[i] = do(ctx, address, model) })
	}
	wg.Wait()
	for _, r := range results {
		fmt.Fprint(out, r)
	}
	return errors.Join(errs...)
}

// do does the task on one phone and says how it went.
func do(ctx context.Context, address string, model agent.Model) (string, error) {
	d, err := driver.Open(ctx, address)
	if err != nil {
		return "", err
	}
	defer d.Close()
	desc, err := driver.Describe(ctx, d)
	if err != nil {
		return "", err
	}
	a, err := agent.New(d, model, &agent.Options{Mode: agent.Tree}) // with nobody to ask: sensitive steps are refused
	if err != nil {
		return "", err
	}
	res, err := a.Run(ctx, task)
	if err != nil {
		return "", fmt.Errorf("%s: %w", desc.Platform, err)
	}
	return fmt.Sprintf("%-8s %s: %s\n", desc.Platform, res.Status, res.Message), nil
}
