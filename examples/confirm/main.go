// Command confirm shows how a program keeps its hand on an agent: it answers each confirmation itself, allows small
// payments only, and lets a person take over. It runs on the simulated phone.
package main

import (
	"context"
	"fmt"
	"regexp"
	"strconv"

	"github.com/handset-go/handset/agent"
	"github.com/handset-go/handset/agent/chat"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/demomodel"
	"github.com/handset-go/handset/policy"
)

func main() {
	ctx := context.Background()
	for _, goods := range []string{"Green tea", "Headphones"} {
		fmt.Printf("* buy %s\n", goods)
		if err := buy(ctx, goods); err != nil {
			fmt.Println("  not bought:", err)
		}
	}
	fmt.Println("* a login that only a person can do")
	if err := handOver(ctx); err != nil {
		fmt.Println("  failed:", err)
	}
}

var yuan = regexp.MustCompile(`¥(\d+\.\d\d)`)

// small allows what costs less than 50 yuan by what the screen says; the model's own words (r.Reason) are not
// trusted. What it cannot read it refuses.
func small(_ context.Context, r *policy.Request) (policy.Answer, error) {
	if r.Tree == nil {
		return policy.Answer{Note: "the price cannot be read"}, nil
	}
	highest := 0.0
	for n := range r.Tree.Root.All() {
		for _, price := range yuan.FindAllStringSubmatch(n.Text, -1) {
			amount, err := strconv.ParseFloat(price[1], 64)
			if err != nil {
				return policy.Answer{}, err
			}
			highest = max(highest, amount)
		}
	}
	ok := highest > 0 && highest < 50
	fmt.Printf("  asked: %s for %.2f yuan: %t\n", r.Label, highest, ok)
	return policy.Answer{Allow: ok, Note: "too expensive"}, nil
}

func buy(ctx context.Context, goods string) error {
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
	phone := sim.New(&sim.Options{Name: "mine"})
	d := sim.Open(phone, nil)
	defer d.Close()

	a, err := agent.New(d, model, &agent.Options{Mode: agent.Tree, Confirm: small})
	if err != nil {
		return err
	}
	res, err := a.Run(ctx, "buy "+goods+" in Shop")
	if err != nil {
		return err
	}
	fmt.Printf("  %s Payments on the phone: %d\n", res.Message, len(phone.Events("payment")))
	return nil
}

// handOver runs a script in the place of a model, and changes the phone in the place of a person.
func handOver(ctx context.Context) error {
	phone := sim.New(nil)
	d := sim.Open(phone, nil)
	defer d.Close()
	replies := []string{`do(action="Take_over", message="Please log in.")`, `finish(message="Logged in.")`}
	script := agent.ModelFunc(func(context.Context, *agent.Request, func(agent.Delta)) (*agent.Response, error) {
		reply := replies[0]
		replies = replies[1:]
		return &agent.Response{Text: reply, Finish: "stop"}, nil
	})
	byHand := func(_ context.Context, q *agent.Question) (string, error) {
		fmt.Printf("  the phone is yours: %s\n", q.Message)
		_, err := phone.StartApp("com.handset.notes")
		return "it is done", err
	}
	a, err := agent.New(d, script, &agent.Options{TakeOver: byHand})
	if err != nil {
		return err
	}
	res, err := a.Run(ctx, "log in")
	if err == nil {
		fmt.Printf("  %s In front now: %s\n", res.Message, phone.Foreground())
	}
	return err
}
