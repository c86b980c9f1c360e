package chat_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/handset-go/handset/agent"
	"github.com/handset-go/handset/agent/chat"
)

// A client is made once and asked once for each step. Here a small server takes the model's place.
func ExampleClient_Reply() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, piece := range []string{"<think>Settings is open.</think>\\n", `<answer>do(action=\"Back\")</answer>`} {
			_, _ = fmt.Fprintf(w, "data: {\"choices\":[{\"delta\":{\"content\":\"%s\"}}]}\n\n", piece)
		}
		_, _ = fmt.Fprint(w, "data: [DONE]\n\n")
	}))
	defer server.Close()

	model, err := chat.New(&chat.Options{BaseURL: server.URL + "/v1", Model: "autoglm-phone-9b"})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer model.Close()
	reply, err := model.Reply(context.Background(), &agent.Request{
		Messages: []agent.Message{{Role: agent.RoleUser, Text: "go back"}},
	}, func(d agent.Delta) { fmt.Printf("piece: %q\n", d.Text) })
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(reply.Text)
	// Output:
	// piece: "<think>Settings is open.</think>\n"
	// piece: "<answer>do(action=\"Back\")</answer>"
	// <think>Settings is open.</think>
	// <answer>do(action="Back")</answer>
}
