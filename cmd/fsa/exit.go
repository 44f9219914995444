package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"syscall"

	"github.com/spf13/cobra"

	"fsa"
	"fsa/data"
	"fsa/data/open"
	"fsa/internal/cuda"
	"fsa/report"
	"fsa/validate"
)

// Exit codes.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitBadData     = 3
	exitResources   = 4
	exitInterrupted = 130
)

var (
	errUsage = errors.New("usage")
	// errReader is the error if the reader of the output has ended, as with head.
	errReader = syscall.EPIPE
)

// usagef returns an error about the use of the command.
func usagef(format string, a ...any) error {
	return &usageError{fmt.Sprintf(format, a...)}
}

type usageError struct{ msg string }

func (e *usageError) Error() string { return e.msg }

func (e *usageError) Unwrap() error { return errUsage }

// gridError is an error of one or several processes that all of them know. The first process prints
// it.
type gridError struct {
	text string
	code int
}

func (e *gridError) Error() string { return e.text }

// exitCode returns the exit code of an error.
func exitCode(ctx context.Context, err error, began bool) int {
	var memory *open.MemoryError
	if e, ok := errors.AsType[*gridError](err); ok {
		return e.code
	}
	switch {
	case ctx.Err() != nil:
		return exitInterrupted
	case !began || errors.Is(err, fsa.ErrOptions) || errors.Is(err, errUsage) || errors.Is(err, open.ErrUsage) || errors.Is(err, validate.ErrFolds) || errors.Is(err, validate.ErrChoice):
		return exitUsage
	case errors.Is(err, data.ErrMemory):
		return exitResources
	case errors.Is(err, data.ErrBadData) || errors.Is(err, report.ErrDamaged):
		return exitBadData
	case errors.As(err, &memory) || errors.Is(err, fsa.ErrTime) || errors.Is(err, cuda.ErrMemory) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.ENOMEM) || errors.Is(err, syscall.EDQUOT) ||
		errors.Is(err, syscall.EFBIG) || errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE):
		return exitResources
	}
	return exitFailed
}

// complain prints the reason why a command failed.
func complain(stderr io.Writer, cmd *cobra.Command, code int, err error) {
	fmt.Fprintf(stderr, "fsa: %s\n", message(err))
	if code == exitUsage {
		fmt.Fprintf(stderr, "Run '%s --help' for usage.\n", cmd.CommandPath())
	}
}
