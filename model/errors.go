package model

import (
	"errors"
	"fmt"
)

// ErrOptions is wrapped by errors that are caused by the options and not by the data.
var ErrOptions = errors.New("fsa")

func optionError(format string, a ...any) error {
	return fmt.Errorf("%w: %s", ErrOptions, fmt.Sprintf(format, a...))
}
