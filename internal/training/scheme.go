package training

import (
	"context"
	"slices"

	"fsa/loss"
	"fsa/validate"
)

// Scheme returns the settings that all divisions of the rows have in common: classes are spread evenly, and queries and
// groups stay whole.
func (t *Set) Scheme(ctx context.Context) (validate.Scheme, error) {
	r, of := t.Response, t.Data.Target
	s := validate.Scheme{Seed: t.options.Seed, Weight: of.Weight, Query: of.Query, Group: of.Group}
	if r.Task == loss.Classification {
		s.Class = t.Whole.Target.Y
		s.ClassName = func(class float64) string {
			if len(r.Classes) == 2 && !r.Kind.Many {
				class = (class + 1) / 2
			}
			return r.Classes[int(class)]
		}
		if name := s.ClassName; r.Swapped { // folds do not depend on which class is positive
			other := func(class float64) float64 {
				if r.Kind.Many {
					return 1 - class
				}
				return -class
			}
			s.Class = make([]float64, len(t.Whole.Target.Y))
			for i, class := range t.Whole.Target.Y {
				s.Class[i] = other(class)
			}
			s.ClassName = func(class float64) string { return name(other(class)) }
		}
	}
	if r.Task == loss.Survival {
		s.Class = of.Event
		s.ClassName = func(class float64) string { return map[bool]string{true: "event", false: "no event"}[class != 0] }
	}
	var err error
	if s.Keys, err = t.Whole.Keys(ctx); err == nil && r.Swapped { // with the other sign, the rows are in reverse order
		last := slices.Max(s.Keys)
		for i, key := range s.Keys {
			s.Keys[i] = last - key
		}
	}
	return s, err
}
