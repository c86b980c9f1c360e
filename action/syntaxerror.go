package action

import "fmt"

// A SyntaxError says where and why a reply could not be read. Its text is written for the model, so
// that it can be sent back; it quotes names, but never what was to be typed.
type SyntaxError struct {
	// Input is the whole reply.
	Input string
	// Offset is the byte in Input at which reading failed, from 0 to len(Input).
	Offset int
	// Msg is what is wrong there and what to write instead.
	Msg string
	// Err is ErrNoTarget or ErrOutside where the reply named such a point, and otherwise nil.
	Err error
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("at byte %d: %s", e.Offset, e.Msg) }

// Unwrap returns Err.
func (e *SyntaxError) Unwrap() error { return e.Err }

func faultf(at int, format string, args ...any) *SyntaxError {
	return &SyntaxError{Offset: at, Msg: fmt.Sprintf(format, args...)}
}

// in completes a fault with the text in which it was found.
func (e *SyntaxError) in(input string) *SyntaxError {
	e.Input = input
	e.Offset = min(max(e.Offset, 0), len(input))
	return e
}
