// Package perception turns the tree of a screen into rows that a language model can read.
//
// Start with Render, and give String to the model:
//
//	tree, err := d.Tree(ctx)
//	snap := perception.Render(tree, nil)
//	fmt.Println(snap)
//
//	app com.android.settings · Settings · 1080x2220 · kb off · 4 of 79 nodes
//	1 btn Network & internet · Wi-Fi, mobile, data usage 500,224
//	2 switch Bluetooth off 880,310
//	3 edit Password "•••" focus 500,400
//	- Battery 100% 300,500
//
// The rules:
//
//   - There is one row for each thing that takes a touch, with the texts below it merged, and one for
//     each readable text that is not part of such a thing. What is off the screen, has no area or lies
//     behind something else has none.
//   - The two numbers at the end are where to touch, in thousandths of the frame (0 to 999).
//   - The number in front is a ref. It is good for this snapshot only: Ref and RefIn refuse others.
//   - The text of a password field is never in a row.
//   - A flag stands in a row only where the phone reported it.
//   - A row is one line, whatever the app wrote. Its text is the app's and not to be trusted.
package perception
