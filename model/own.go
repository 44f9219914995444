package model

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"fsa/loss"
)

// checkGiven checks what a loss of the caller says of its predictions.
func (r *Response) checkGiven() error {
	l := r.given
	if l == nil {
		return nil
	}
	if _, ok := l.(loss.Inverter); r.link != loss.Identity && !r.link.Numbers() || r.link == loss.Own && !ok {
		return optionError("the link of the loss is %q: it must be %q or %q, or the loss must have the method Inverse instead of Link", r.link, loss.Exp, loss.LogisticLink)
	}
	of, ok := l.(loss.Measured)
	if !ok {
		return nil
	}
	names := MeasureNames()
	for _, m := range of.Measures() {
		strange := func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != ' ' }
		if m.Name == "" || strings.TrimSpace(m.Name) != m.Name || strings.ContainsFunc(m.Name, strange) || slices.Contains(names, m.Name) || m.Of == nil {
			return optionError("the measure %q of the loss: its name must be letters, digits and spaces, and not that of another measure, and it must have a function", m.Name)
		}
		names = append(names, m.Name)
	}
	return nil
}

// ownLink returns the link of a loss of the caller, which a model keeps.
func (r *Response) ownLink() loss.Link {
	if r.given == nil {
		return loss.Identity
	}
	return r.link
}

// unlinked reports whether the predictions are unknown because the link is.
func (s *spec) unlinked() bool { return s.link() == loss.Own && s.given == nil }

// ownMeasures returns the measures of a loss of the caller.
func (s *spec) ownMeasures() (list []measure) {
	of, ok := s.given.(loss.Measured)
	if !ok {
		return nil
	}
	for _, m := range of.Measures() {
		list = append(list, measure{name: m.Name, usual: true, of: func(v *measured) float64 {
			predicted := v.z
			if v.spec.Task == Regression {
				predicted = v.values()
			}
			if len(v.Y) == 0 {
				return math.NaN()
			}
			return m.Of(predicted, v.Y, v.Weight)
		}})
	}
	return list
}

// Link returns the function that turns decision values into predictions.
func (m *Model) Link() Link { return m.spec.link() }

// CheckLink returns an error if the predictions are unknown: the model was read from a file, and was fitted with a loss of the
// caller that has a link of its own. Its decision values are known.
func (m *Model) CheckLink() error {
	if m.spec.unlinked() {
		return optionError("the model was fitted with a loss of a Go program, whose link the file does not have: predict with that program, which gives its loss to Model.WithLoss")
	}
	return nil
}

// WithLoss returns a model that was read from a file, with the loss of the caller that it was fitted with: its link and its
// measures.
func (m *Model) WithLoss(l loss.Loss) (*Model, error) {
	r := &Response{Task: m.spec.Task}
	r.give(l)
	if err := r.checkGiven(); err != nil {
		return nil, err
	}
	if m.spec.Loss != customLoss || m.spec.Link != r.link || m.spec.Outputs != l.Outputs() {
		return nil, optionError("the model was fitted with the %s loss, %d decision values per row and the link %q, and this loss has %d and the link %q: give the loss of the fit", m.spec.Loss, m.spec.Outputs, m.Link(), l.Outputs(), r.link)
	}
	to := *m
	to.spec.given = l
	return &to, nil
}
