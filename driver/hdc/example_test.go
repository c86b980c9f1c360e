package hdc_test

import (
	"context"
	"fmt"
	"log"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/hdc"
)

// A phone is opened by the key that `hdc list targets` prints, and wakes before anything else.
func Example() {
	ctx := context.Background()
	d, err := hdc.New(ctx, "127.0.0.1:5555", nil)
	if err != nil {
		log.Fatal(err) // says what to do: "allow USB debugging in the dialog that it shows"
	}
	defer d.Close()
	if err := d.Unlock(ctx, ""); err != nil {
		log.Fatal(err)
	}
	if err := d.Launch(ctx, "设置"); err != nil {
		log.Fatal(err)
	}
	tree, err := d.Tree(ctx)
	if err != nil {
		log.Fatal(err)
	}
	if n := tree.Find(driver.ByText("蓝牙")); n != nil {
		err = d.Tap(ctx, n.Center())
	}
	if err != nil {
		log.Fatal(err)
	}
}

// ParseLayout reads a dump that was saved with `uitest dumpLayout`, without a phone.
func ExampleParseLayout() {
	const dump = `{"attributes":{"bounds":"[0,0][1260,2720]","type":""},"children":[
		{"attributes":{"bounds":"[0,123][1260,2720]","bundleName":"com.example.notes","focused":"true","pagePath":"pages/Index","type":"root"},
		"children":[{"attributes":{"bounds":"[60,240][1200,360]","clickable":"true","enabled":"true","text":"New note","type":"Button"},"children":[]}]}]}`
	tree, err := hdc.ParseLayout([]byte(dump))
	if err != nil {
		log.Fatal(err)
	}
	n := tree.Find(driver.ByText("New note"))
	fmt.Println(tree.App.ID, tree.App.Page, tree.Size)
	fmt.Println(n.Role, n.Center(), n.Flags)
	// Output:
	// com.example.notes pages/Index (1260,2720)
	// button (630,300) clickable enabled
}
