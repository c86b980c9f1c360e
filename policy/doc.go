// Package policy says what may be done to a phone, below whoever asks: rules judge every call on its
// way to a driver.
//
// Start with a Gate, and use the driver that it guards:
//
//	gate := policy.New(&policy.Options{Confirm: askThePerson})
//	d = gate.Guard(d)
//
// The rules:
//
//   - Reading is free. Operations that the gate does not know are denied, and so are, unless
//     Options.Ops says otherwise, Shell, Install, Uninstall and Push.
//   - A gesture is judged on the tree that last passed through the guarded driver, if nothing was done
//     since and it is not old, and otherwise on a fresh one. Where the phone gives no tree, only the
//     rules that need none apply; that is logged.
//   - An app is resolved before it is launched, and judged and launched by its id.
//   - What a model says of its own step (WithReason) can only tighten the judgement.
//   - After an approval the screen is read again. If it has changed, the question is asked again.
//   - No Confirm, no answer in time and an error are all a no. A refusal matches driver.ErrDenied, and
//     nothing was sent.
//   - One approval covers one step (WithStep): its retries, and the calls that it is made of.
package policy
