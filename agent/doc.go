// Package agent drives a phone from a vision-language model: it looks at the screen, asks the model,
// does what it asks for, and looks again.
//
// Start with New and Run:
//
//	a, err := agent.New(d, model, &agent.Options{Confirm: askThePerson})
//	res, err := a.Run(ctx, "打开设置，把蓝牙关掉")
//	fmt.Println(res.Status, res.Message)
//
// NewRun gives the run itself, to see it step by step, to pause it and to stop it:
//
//	run := a.NewRun("send 'hi' to Alice")
//	for step, err := range run.Steps(ctx) {
//		...
//	}
//
// The rules:
//
//   - The error of a run is nil only for StatusDone and StatusDoneUnverified. Result is never nil.
//   - One action at a time. What became of it is told to the model with the next screen.
//   - What a model writes that cannot be read is never a finish.
//   - Every gesture passes a policy.Gate. A question that nobody can answer is a no, and ends the run.
//   - After a pause and after a take-over the action that was pending is dropped, and the next one is
//     decided on the screen as it is then.
//   - Exactly one picture, or one list of rows, is in a request; older ones are taken out, and old turns
//     are dropped before the model's context is full.
//   - What is on a screen is data. It is sent as such, fenced, and nothing in it can end a run, answer a
//     question or widen what is allowed.
//   - Logs never hold typed text.
package agent
