package agent_test

import (
	"context"
	"fmt"

	"github.com/handset-go/handset/agent"
	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/timing"
)

// A scripted model on a simulated phone. A real one comes from package chat.
func Example() {
	phone := sim.New(nil)
	d := sim.Open(phone, nil)
	defer d.Close()
	replies := []string{
		`<think>Settings has it.</think><answer>do(action="Launch", app="Settings")</answer>`,
		`<think>Bluetooth is on.</think><answer>do(action="Tap", element=[500,280])</answer>`,
		`<answer>finish(message="Bluetooth is off.")</answer>`,
	}
	model := agent.ModelFunc(func(context.Context, *agent.Request, func(agent.Delta)) (*agent.Response, error) {
		reply := replies[0]
		replies = replies[1:]
		return &agent.Response{Text: reply}, nil
	})
	a, err := agent.New(d, model, &agent.Options{Timing: &timing.Timing{}})
	if err != nil {
		panic(err)
	}
	res, err := a.Run(context.Background(), "turn Bluetooth off")
	for _, s := range res.Steps {
		fmt.Println(s.N, s.Action, "-", s.Outcome)
	}
	fmt.Println(res.Status, res.Message, err)
	bluetooth := phone.Tree().Find(driver.ByText("Bluetooth"))
	fmt.Println("on:", bluetooth != nil && bluetooth.Is(driver.Checked), len(phone.Events("switch")))
	// Output:
	// 1 Launch Settings - done
	// 2 Tap 500,280 - done
	// 3 finish "Bluetooth is off." - finished
	// done Bluetooth is off. <nil>
	// on: false 1
}
