package contest

import (
	"cmp"
	"slices"

	"fsa/internal/search"
	"fsa/validate"
)

// tie is the share of the loss unit below which two mean errors are equal.
const tie = 1e-9

// lower reports whether the mean error of a trial is lower than that of another by more than rounding errors and
// incomplete convergence can explain.
func (g *contest) lower(a, b *Trial) bool { return a.Mean < b.Mean-tie*g.Unit }

// complexity orders the recipes at one size. Recipes of equal complexity are compared by their mean error alone, others by
// the rule. Swaps with detours come first: they are tried with many rows per coefficient, where they find a better
// optimum of the same model. The selection loss does not make the model more complex, but curves and interactions do.
func complexity(r search.Recipe) int {
	order := 1
	switch {
	case r.Swaps.Detours:
		order = 0
	case r.Swaps != search.Swaps{}:
		order = 2
	}
	if r.Select.Method != search.Annealing {
		order += 3
	}
	if r.Adaptive {
		order += 6
	}
	if r.Select.Bins > 0 {
		order += 12 // the ridge, not the number of bins, determines the complexity of a curve
	}
	if r.Select.Interactions.Most > 0 {
		order += 24
	}
	return order
}

// ordered returns the best trial of each complexity at a size, the simplest first.
func (g *contest) ordered(size int) []*Trial {
	var list []*Trial
	for _, t := range g.bySize[size] {
		order := complexity(t.Recipe)
		at, found := slices.BinarySearchFunc(list, order, func(t *Trial, order int) int { return cmp.Compare(complexity(t.Recipe), order) })
		if !found {
			list = slices.Insert(list, at, t)
		} else if g.lower(t, list[at]) {
			list[at] = t
		}
	}
	return list
}

// winner returns the trial that the rule chooses at a size.
func (g *contest) winner(size int) *Trial {
	list := g.ordered(size)
	errors := make([][]float64, len(list))
	for i, t := range list {
		errors[i] = t.Errors
	}
	var null []float64
	if size > 0 {
		null = g.bySize[0][0].Errors
	}
	return list[max(validate.Simplest(errors, null, g.Repeats), 0)]
}
