// Command iphone looks at an iPhone or iPad and changes nothing that matters: it opens the settings, prints the rows of
// the screen and the scale at which points become pixels. It needs WebDriverAgent on the phone; or a simulated one:
// "handset sim --wda 127.0.0.1:8100".
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/wda"
	"github.com/handset-go/handset/perception"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	phone := "" // the only one on USB
	if len(os.Args) > 1 {
		phone = os.Args[1] // HOST:PORT, or the UDID of one on USB
	}
	if err := run(ctx, phone, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "iphone:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, phone string, out io.Writer) error {
	d, err := wda.New(ctx, phone, wda.FromEnv(os.Getenv))
	if err != nil {
		return err
	}
	defer d.Close()

	if err := d.Launch(ctx, "com.apple.Preferences"); err != nil {
		return err
	}
	tree, err := d.Tree(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, perception.Render(tree, nil))
	frame, err := d.Screenshot(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%v pixels, %s\n", frame.Size(), frame.Health())
	return d.Key(ctx, driver.KeyHome)
}
