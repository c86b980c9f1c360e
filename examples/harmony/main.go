// Command harmony looks at a HarmonyOS NEXT phone and changes nothing that matters: it opens the settings and prints
// the rows of the screen. It needs hdc, which comes with DevEco Studio, and a phone in developer mode; or a simulated
// one: "handset sim --hdc DIR", and DIR in PATH.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/hdc"
	"github.com/handset-go/handset/perception"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	key := "" // the only phone
	if len(os.Args) > 1 {
		key = os.Args[1]
	}
	if err := run(ctx, key, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "harmony:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, key string, out io.Writer) error {
	d, err := hdc.New(ctx, key, hdc.FromEnv(os.Getenv))
	if errors.Is(err, driver.ErrSeveralDevices) {
		return fmt.Errorf("%w\nusage: go run ./examples/harmony KEY", err)
	}
	if err != nil {
		return err
	}
	defer d.Close()

	power, err := d.PowerState(ctx)
	if err != nil {
		return err
	}
	if !power.On {
		if err := d.Wake(ctx); err != nil {
			return err
		}
	}
	if err := d.Launch(ctx, "设置"); err != nil {
		return err
	}
	tree, err := d.Tree(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, perception.Render(tree, nil))
	return d.Key(ctx, driver.KeyHome)
}
