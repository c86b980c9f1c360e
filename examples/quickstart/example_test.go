package main

import (
	"context"
	"fmt"
)

func Example() {
	task := "Turn off Bluetooth, then send 'hi from Handset' to Alice in Messages"
	if err := run(context.Background(), "sim:", "", "", task); err != nil {
		fmt.Println(err)
	}
	// Output:
	// task: Turn off Bluetooth, then send 'hi from Handset' to Alice in Messages
	// --- step 1
	// (1/2) Settings is not in front, so I open it.
	// > Launch Settings
	//   done
	// --- step 2
	// (1/2) Bluetooth is not yet off, so I tap its switch.
	// > Tap ref 4
	//   done
	// --- step 3
	// (2/2) Messages is not in front, so I open it.
	// > Launch Messages
	//   done
	// --- step 4
	// (2/2) I open the chat with Alice.
	// > Tap ref 1
	//   done
	// --- step 5
	// (2/2) The chat is open, so I tap its text field.
	// > Tap ref 2
	//   done
	// --- step 6
	// (2/2) The field has the focus, so I write the message.
	// > Type "hi from Handset"
	//   done
	// --- step 7
	// (2/2) The message is written, so I send it.
	// > Tap ref 3
	//   done
	// --- step 8
	// (2/2) The message is in the chat.
	// > finish "Sent to Alice: hi from Handset"
	//   finished
	// === done after 8 steps: Sent to Alice: hi from Handset
}
