package policy_test

import (
	"context"
	"errors"
	"fmt"
	"image"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/policy"
)

func ExampleGate_Guard() {
	phone := &fakePhone{tree: page(button("Pay ¥10", 100), button("Details", 300))}
	gate := policy.New(&policy.Options{
		Confirm: func(_ context.Context, r *policy.Request) (policy.Answer, error) {
			fmt.Printf("%s on %q: %s\n", r.Call.Op, r.Label, r.Why)
			return policy.Answer{}, nil // no
		},
	})
	d := gate.Guard(phone)
	fmt.Println(d.Tap(context.Background(), image.Pt(500, 350)))
	err := d.Tap(context.Background(), image.Pt(500, 150))
	fmt.Println(errors.Is(err, driver.ErrDenied), phone.log())
	// Output:
	// <nil>
	// tap on "Pay ¥10": "Pay ¥10" looks like a payment
	// true [tap 500,350]
}
