package hdc_test

import (
	"context"
	"fmt"
	"os"

	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/hdc"
)

func ExampleServe() {
	phone := sim.New(&sim.Options{Platform: sim.PlatformHarmony})
	d, err := hdc.New(phone, &hdc.Options{Key: "SIM1"})
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := hdc.Serve(nil, d)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	ctx := context.Background()
	s.Run(ctx, ".", os.Stdout, os.Stdout, "list", "targets", "-v")
	s.Run(ctx, ".", os.Stdout, os.Stdout, "shell", "uitest uiInput click 540 1200; echo RC=$?")
	fmt.Println(len(phone.Events("tap")), "tap")
	// Output:
	// SIM1		USB	Connected	localhost	hdc
	// No Error
	// RC=0
	// 1 tap
}
