// Command android looks at an Android phone and changes nothing that matters: it opens the settings, reads the rows of
// the screen, scrolls and saves a picture. It needs a phone that adb sees, or "handset sim".
package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"os/signal"
	"time"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/adb"
	"github.com/handset-go/handset/perception"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	serial := "" // the only phone
	if len(os.Args) > 1 {
		serial = os.Args[1]
	}
	if err := run(ctx, serial, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "android:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, serial string, out io.Writer) error {
	d, err := adb.New(ctx, serial, adb.FromEnv(os.Getenv)) // nil would do where the adb server is where it always is
	if errors.Is(err, driver.ErrSeveralDevices) {
		return fmt.Errorf("%w\nusage: go run ./examples/android SERIAL", err)
	}
	if err != nil {
		return err
	}
	defer d.Close()

	if err := d.Launch(ctx, "Settings"); err != nil {
		return err
	}
	tree, err := d.Tree(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, perception.Render(tree, nil))

	middle := tree.Size.Div(2)
	if err := d.Swipe(ctx, middle, middle.Sub(image.Pt(0, tree.Size.Y/4)), 300*time.Millisecond); err != nil {
		return err
	}
	frame, err := d.Screenshot(ctx)
	if err != nil {
		return err
	}
	data, _, err := frame.Encoded()
	if err != nil {
		return err
	}
	file, err := os.CreateTemp("", "handset-*.png")
	if err != nil {
		return err
	}
	defer file.Close()
	if _, err := file.Write(data); err != nil {
		return err
	}
	fmt.Fprintf(out, "%v, %s: %s\n", frame.Size(), frame.Health(), file.Name())
	return d.Key(ctx, driver.KeyHome)
}
