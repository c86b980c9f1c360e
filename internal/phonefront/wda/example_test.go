package wda_test

import (
	"fmt"
	"io"
	"log"
	"net/http"

	"github.com/handset-go/handset/internal/phonefront/wda"
)

func Example() {
	phone, err := wda.NewPhone("iphone-se", nil)
	if err != nil {
		log.Fatal(err)
	}
	s, err := wda.Listen("127.0.0.1:0", phone, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	resp, err := http.Get(s.URL() + "/window/size")
	if err != nil {
		log.Fatal(err)
	}
	defer resp.Body.Close()
	http.DefaultClient.CloseIdleConnections()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", body)
	// Output:
	// {
	//   "sessionId" : null,
	//   "value" : {
	//     "height" : 667,
	//     "width" : 375
	//   }
	// }
}
