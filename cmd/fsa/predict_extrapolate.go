package main

import (
	"slices"
	"strings"

	"fsa/model"
)

const extrapolateUsage = "how far predictions extrapolate a line beyond the training range: `clip`, by the width of that range; line, without limit"

// extrapolated returns a model whose lines are extrapolated as requested.
func extrapolated(m *model.Model, how string) (*model.Model, error) {
	unlimited := m.Unlimited()
	switch {
	case how == "":
		return m, nil
	case !slices.Contains(model.Extrapolations(), how):
		return nil, usagef("--extrapolate %s: it must be %s", how, strings.Join(model.Extrapolations(), " or "))
	case how == "line":
		return m.Extrapolated(), nil
	case unlimited != "":
		return nil, usagef("--extrapolate %s: the model extrapolates the line of %s without limit and does not have its range: fit it without --extrapolate line", how, unlimited)
	}
	return m, nil
}
