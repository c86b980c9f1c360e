// Package action is what a model can ask a phone for: typed actions, the points they aim at, and
// the languages that models write them in.
//
// Start with Parse, which reads a model's reply, and View.Pixel, which turns the place that the
// model named into a pixel of the screen:
//
//	reply, err := action.Parse(text)
//	if tap, ok := reply.Action.(action.Tap); ok {
//		at, err := view.Pixel(tap.At)
//		...
//	}
//
// One table of verbs is the source of everything here: the parser, Format, the JSON encoding, the
// tool schemas and the system prompts are all made from it.
//
// The rules:
//
//   - Nothing is ever evaluated. Parse is lenient where models are sloppy and exact about what it
//     could not read: the error is a *SyntaxError with a byte offset into the reply.
//   - What cannot be read is never a finish.
//   - A Point keeps its Space until View.Pixel, which is the only step from a model to a pixel.
//   - [0.5,0.25] is a fraction of the screen, as models write it that were not trained on the
//     protocol: see ReadPoint. [0,0], [0,1] and [1,1] are in thousandths as ever.
//   - Actions are plain values. Compare them with Equal.
//
// The package needs the standard library only and knows nothing of drivers.
package action
