// Command quickstart does a task on a phone with a model and shows each step. As it is, the phone is simulated and the
// model is a set of rules; flags, or the variables of the handset command, put real ones in their place.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"strings"

	"github.com/handset-go/handset/agent"
	"github.com/handset-go/handset/agent/chat"
	"github.com/handset-go/handset/driver"
	_ "github.com/handset-go/handset/driver/adb"
	_ "github.com/handset-go/handset/driver/hdc"
	_ "github.com/handset-go/handset/driver/sim"
	_ "github.com/handset-go/handset/driver/wda"
	"github.com/handset-go/handset/internal/demomodel"
)

const hint = `
That was a simulated phone and a model made of rules. With an Android phone on USB and a real model:

  export PHONE_AGENT_BASE_URL=https://open.bigmodel.cn/api/paas/v4
  export PHONE_AGENT_MODEL=autoglm-phone PHONE_AGENT_API_KEY=...
  go run ./examples/quickstart -device adb: "打开设置,把蓝牙关掉"
`

func main() {
	device := flag.String("device", os.Getenv("PHONE_AGENT_DEVICE_ID"), "address of the phone, such as adb: or adb:SERIAL; sim: if unset")
	baseURL := flag.String("base-url", os.Getenv("PHONE_AGENT_BASE_URL"), "endpoint of the model; the demo model if unset")
	model := flag.String("model", os.Getenv("PHONE_AGENT_MODEL"), "name of the model")
	flag.Parse()
	task := cmp.Or(flag.Arg(0), "Turn off Bluetooth, then send 'hi from Handset' to Alice in Messages")

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, address(*device), *baseURL, *model, task); err != nil {
		fmt.Fprintln(os.Stderr, "quickstart:", err)
		os.Exit(1)
	}
	if *baseURL == "" {
		fmt.Print(hint)
	}
}

// address takes a bare serial of adb for an address, too.
func address(device string) string {
	scheme, _, _ := strings.Cut(device, ":")
	if device == "" || slices.Contains(driver.Schemes(), scheme) {
		return cmp.Or(device, "sim:")
	}
	return driver.Address{Scheme: "adb", Device: device}.String()
}

func run(ctx context.Context, device, baseURL, name, task string) error {
	mode := agent.Pixels
	if baseURL == "" {
		server, err := demomodel.Listen(ctx, "127.0.0.1:0", nil)
		if err != nil {
			return err
		}
		defer server.Close()
		baseURL, name, mode = server.BaseURL(), demomodel.Name, agent.Tree // it reads rows and sees no pictures
	}
	model, err := chat.New(&chat.Options{
		BaseURL: baseURL, Model: name, APIKey: os.Getenv("PHONE_AGENT_API_KEY"), Proxy: http.ProxyFromEnvironment,
	})
	if err != nil {
		return err
	}
	defer model.Close()

	phone, err := driver.Open(ctx, device)
	if err != nil {
		return err
	}
	defer phone.Close()

	console := agent.NewConsole(os.Stdin, os.Stdout)
	a, err := agent.New(phone, model, &agent.Options{
		Mode: mode, Events: console.Show, Confirm: console.Confirm, TakeOver: console.TakeOver, Ask: console.Ask,
	})
	if err != nil {
		return err
	}
	fmt.Printf("task: %s\n", task)
	_, err = a.Run(ctx, task)
	return err
}
