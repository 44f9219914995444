package serve

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"fsa"
	"fsa/anneal"
	"fsa/data"
	"fsa/data/open"
	"fsa/internal/checkpoint"
	"fsa/validate"
)

// protocolError is a mistake of the client.
type protocolError struct{ error }

func (e *protocolError) Unwrap() error { return e.error }

// jobError is the error of one or several workers. All workers return it.
type jobError struct{ kind, text string }

func (e *jobError) Error() string { return e.text }

// kindOf returns the kind of an error, which determines what the client does with it.
func kindOf(err error) string {
	var protocol *protocolError
	var memory *open.MemoryError
	var together *jobError
	switch {
	case errors.As(err, &together):
		return together.kind
	case errors.Is(err, context.Canceled):
		return "cancelled"
	case errors.As(err, &protocol):
		return "protocol"
	case errors.Is(err, anneal.ErrDiverged):
		return "diverged"
	case errors.Is(err, checkpoint.ErrOther):
		return "other"
	case errors.Is(err, fsa.ErrOptions) || errors.Is(err, open.ErrUsage):
		return "options"
	case errors.Is(err, fsa.ErrTime):
		return "time"
	case errors.Is(err, fs.ErrNotExist):
		return "missing"
	case errors.Is(err, fs.ErrPermission):
		return "permission"
	case errors.Is(err, data.ErrBadData) || errors.Is(err, validate.ErrFolds):
		return "data"
	case errors.As(err, &memory) || errors.Is(err, syscall.ENOMEM) || errors.Is(err, syscall.ENOSPC):
		return "memory"
	}
	return "failed"
}

// ofPath names the option of a path that cannot be used, if its error has no kind of its own.
func ofPath(option string, err error) error {
	if err == nil || kindOf(err) != "failed" {
		return err
	}
	return fmt.Errorf("%w: %s: %w", fsa.ErrOptions, option, err)
}

// message returns an error without the names of Go packages, which are not helpful to users of
// Python.
func message(err error) string {
	text := err.Error()
	for _, name := range []string{"fsa: ", "serve: ", "anneal: ", "data: ", "grid: ", "tcp: "} {
		text = strings.TrimPrefix(text, name)
	}
	return strings.ReplaceAll(text, ": cuda: ", ": ")
}
