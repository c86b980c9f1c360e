package perception

import (
	"errors"
	"fmt"
	"image"

	"github.com/handset-go/handset/driver"
)

var (
	// ErrUnknownRef is returned by Ref and RefIn for a number that no row of the snapshot has.
	ErrUnknownRef = errors.New("no row has that ref")
	// ErrStaleRef is returned by RefIn for a ref of another snapshot: the screen was read again since.
	ErrStaleRef = errors.New("the ref is of an older screen")
)

// Snapshot is what Render made of one tree. It is not changed afterwards.
type Snapshot struct {
	ID       string     // short, the same for the same rows
	App      driver.App // in front
	Size     image.Point
	Keyboard Keyboard
	Nodes    int   // of the whole tree
	Rows     []Row // in reading order
	Dropped  Dropped

	targets     []int // the index in Rows of each ref, from ref 1
	fingerprint uint64
	text        string
}

// Keyboard says whether an on-screen keyboard is shown.
type Keyboard string

// The states of the keyboard. Many trees leave the keyboard out: where a field has the focus and none is to
// be seen, it is not known.
const (
	KeyboardOn      Keyboard = "on"
	KeyboardOff     Keyboard = "off"
	KeyboardUnknown Keyboard = "?"
)

// Dropped counts the rows that did not fit in Options.MaxRows.
type Dropped struct{ Texts, Others int }

// Ref returns the node of the row with the number ref, or an error that matches ErrUnknownRef.
func (s *Snapshot) Ref(ref int) (*driver.Node, error) {
	row, err := s.Row(ref)
	if err != nil {
		return nil, err
	}
	return row.Node, nil
}

// RefIn is Ref for a ref that was read in the snapshot with the given ID. It is ErrStaleRef where
// that is not this one.
func (s *Snapshot) RefIn(id string, ref int) (*driver.Node, error) {
	if id != s.ID {
		return nil, fmt.Errorf("ref %d of screen %s: %w; this one is %s", ref, id, ErrStaleRef, s.ID)
	}
	return s.Ref(ref)
}

// Row returns the row with the number ref, or an error that matches ErrUnknownRef.
func (s *Snapshot) Row(ref int) (*Row, error) {
	if ref < 1 || ref > len(s.targets) {
		return nil, fmt.Errorf("ref %d: %w; the refs of this screen are 1 to %d", ref, ErrUnknownRef, len(s.targets))
	}
	return &s.Rows[s.targets[ref-1]], nil
}

// Fingerprint is equal for two snapshots that show a person the same: app, page, labels, values and
// states, roughly where they are. Clocks do not count.
func (s *Snapshot) Fingerprint() uint64 { return s.fingerprint }

// String returns the header, the rows and, where rows were dropped, how many, a line each.
func (s *Snapshot) String() string { return s.text }
