package training

import (
	"fmt"

	"fsa/model"
)

func optionError(format string, a ...any) error {
	return fmt.Errorf("%w: %s", model.ErrOptions, fmt.Sprintf(format, a...))
}
