package model

import (
	"errors"
	"fmt"
	"slices"

	"fsa/loss"
)

// rescaleTargets converts the coefficients back to the units of several targets. The importance of a variable stays in
// units of their standard deviations.
func (s *spec) rescaleTargets(deviations []float64) {
	if deviations == nil {
		return
	}
	scale := func(v []float64) {
		each := len(v) / len(deviations)
		for i := range v {
			v[i] *= deviations[i/each]
		}
	}
	for i := range s.Variables {
		scale(s.Variables[i].Coefficients)
		scale(s.Variables[i].Missing)
	}
	for i := range s.Interactions {
		scale(s.Interactions[i].Coefficients)
	}
}

// checkTargets returns an error unless the targets of a model file match its loss.
func (s *spec) checkTargets() error {
	kind, _ := loss.Named(s.Loss)
	if !kind.Several {
		if s.Targets != nil {
			return fmt.Errorf("several targets do not match the loss %q", s.Loss)
		}
		return nil
	}
	names := map[string]bool{}
	for _, t := range s.Targets {
		classes := 0
		if s.Task == Multilabel {
			classes = 2
		}
		if t.Name == "" || names[t.Name] || len(t.Classes) != classes || classes == 2 && (t.Classes[0] == t.Classes[1] || slices.Contains(t.Classes, "")) {
			return errors.New("its targets are invalid")
		}
		names[t.Name] = true
	}
	if len(s.Targets) != s.Outputs {
		return fmt.Errorf("%d targets for %d outputs", len(s.Targets), s.Outputs)
	}
	return nil
}

// ofTarget returns what metrics and predictions of target c alone need.
func (s *spec) ofTarget(c int) *spec {
	one := &spec{Task: Regression, Loss: "squared", Outputs: 1}
	if classes := s.Targets[c].Classes; classes != nil {
		one.Task, one.Loss, one.Classes = Classification, "logistic", classes
	}
	return one
}
