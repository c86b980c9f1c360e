package action_test

import (
	"errors"
	"fmt"
	"image"
	"time"

	"github.com/handset-go/handset/action"
)

func ExampleParse() {
	reply, err := action.Parse(`<think>The switch is on.</think><answer>do(action="Tap", element=[880,310])</answer>`)
	if err != nil {
		fmt.Println(err)
		return
	}
	view := action.View{Frame: image.Pt(1080, 2400)}
	tap := reply.Action.(action.Tap)
	at, err := view.Pixel(tap.At)
	fmt.Println(reply.Thinking, tap, at, err)
	// Output: The switch is on. Tap 880,310 (950,744) <nil>
}

func ExampleParse_error() {
	_, err := action.Parse(`do(action="Tap", element=[x,y])`)
	var syntax *action.SyntaxError
	if errors.As(err, &syntax) {
		fmt.Println(syntax.Offset, syntax.Msg)
	}
	// Output: 26 "x" is not a number: [x,y] stands for two numbers from 0 to 999, such as [500,300]
}

func ExampleFormat() {
	fmt.Println(action.Format(action.Type{Text: `say "hi"`}))
	fmt.Println(action.Format(action.Tap{Target: action.Target{Ref: 12}}))
	fmt.Println(action.Format(action.Wait{Duration: 1500 * time.Millisecond}))
	// Output:
	// do(action="Type", text="say \"hi\"")
	// do(action="Tap", ref=12)
	// do(action="Wait", duration="1.5 seconds")
}

func ExampleReplyJSON() {
	reply, err := action.Parse(`Paying. do(action="Tap", element=[512,800], message="pays 12.00")`)
	out, _ := action.ReplyJSON(reply, err, &action.View{Frame: image.Pt(1080, 2400)})
	fmt.Println(string(out))
	// Output: {"thinking":"Paying.","action":{"verb":"Tap","at":[512,800],"px":[552,1920],"message":"pays 12.00"}}
}

func ExampleSplitter() {
	var s action.Splitter
	for _, chunk := range []string{"<thi", "nk>go ba", "ck</think><answer>do(act", `ion="Back")`} {
		for _, p := range s.Write(chunk) {
			fmt.Printf("%t %q\n", p.Acting, p.Text)
		}
	}
	fmt.Println(s.Flush())
	// Output:
	// false "go ba"
	// false "ck"
	// true "do(act"
	// true "ion=\"Back\")"
	// []
}
