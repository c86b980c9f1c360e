package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/handset-go/handset/agent"
	"github.com/handset-go/handset/driver"
)

// The exit statuses.
const (
	exitDone        = 0
	exitOther       = 1
	exitUsage       = 2
	exitIncomplete  = 3
	exitStuck       = 4
	exitDenied      = 5
	exitBudget      = 6
	exitDevice      = 7
	exitModel       = 8
	exitInfeasible  = 9
	exitInterrupted = 130
)

// usageError is a command line that makes no sense.
type usageError struct{ msg string }

func (e *usageError) Error() string { return e.msg }

func usagef(format string, args ...any) error { return &usageError{fmt.Sprintf(format, args...)} }

// incompleteError is a file that cannot be read as what it should be, or a screen that is not as it was thought to be.
type incompleteError struct{ err error }

func (e *incompleteError) Error() string { return e.err.Error() }
func (e *incompleteError) Unwrap() error { return e.err }

func incompletef(format string, args ...any) error {
	return &incompleteError{fmt.Errorf(format, args...)}
}

// toldError is a failure that the command has already told of, with its exit status.
type toldError struct{ status int }

func (e *toldError) Error() string { return fmt.Sprintf("exit status %d", e.status) }

// exitStatus says what an error means for the shell that called. ctx is done after a signal.
func exitStatus(ctx context.Context, err error) int {
	var told *toldError
	var usage *usageError
	var device *driver.Error
	var model *agent.ModelError
	var open *openError
	var incomplete *incompleteError
	switch {
	case ctx.Err() != nil:
		return exitInterrupted
	case errors.As(err, &told):
		return told.status
	case errors.As(err, &usage), errors.Is(err, driver.ErrOffScreen), errors.Is(err, driver.ErrBadOption):
		return exitUsage
	case errors.As(err, &incomplete):
		return exitIncomplete
	case errors.Is(err, driver.ErrDenied):
		return exitDenied
	case errors.As(err, &device), errors.As(err, &open), errors.Is(err, errors.ErrUnsupported):
		return exitDevice
	case errors.As(err, &model):
		return exitModel
	}
	return exitOther
}
