package plan

import (
	"fsa/internal/decimal"
	"fsa/internal/search"
)

// Plan describes how a fit runs. It does not change during the fit.
type Plan struct {
	// Size is the number of groups to select. If k is open, it is the largest size to compare. Sizes
	// are all sizes that a selection passes through.
	Size  int
	Sizes []int
	// Budgets are what selections of the sizes from 1 may cost, ascending, and terms about how many groups each buys.
	// Without prices they are nil, and a size is a number of groups.
	Budgets []float64
	terms   []int
	// Open means that Rule chooses the size, by out-of-fold errors or by an information criterion.
	Open bool
	Rule string
	// Recipe is the first recipe of the contest, and the only recipe without a contest.
	Recipe search.Recipe
	// Contest means that recipes are compared by cross-validation with Folds folds.
	Contest bool
	Folds   int
	// Pairs is the number of pairs of half samples that discover variables at a false discovery rate; 0 means none. Size is
	// then the number of candidates that each of them selects.
	Pairs int
	// Selections are the ways to select that compete, Ridges the ridge strengths of the final fit,
	// ascending, and Poolings the factors on the pseudo-counts of categories.
	Selections []search.Selection
	Ridges     []float64
	Poolings   []float64
	// Swaps means that recipes with swaps compete. Swaps lower the objective with the ridge SwapRidge.
	// Adaptive means that recipes with the adaptive ridge compete.
	Swaps     bool
	SwapRidge float64
	Adaptive  bool
	// Roots means that the best recipe of lines competes with the same one for the square roots of the numbers.
	Roots bool
	// Huber means that cross-validation of straight lines chooses between the squared and the huber loss.
	Huber bool
	// Interactions are those that compete with variables alone. Sizes then go beyond Size, up to which there are variables.
	Interactions search.Interactions
	// Refine means that the contest may also try sizes between those of Sizes. Further are larger sizes, for the best recipe, if
	// the error is lowest at the largest one.
	Refine  bool
	Further []int

	// Decisions lists the choices of the plan with their reasons.
	Decisions []Decision
}

// Decision is a value of a plan and the reason for it.
type Decision struct {
	Setting string // the flag that would set it, or the stage
	Value   string
	Why     string
}

// Say adds a decision to the list.
func (p *Plan) Say(setting, value, why string) {
	p.Decisions = append(p.Decisions, Decision{setting, value, why})
}

// Criterion reports whether an information criterion on all rows chooses the size, without
// cross-validation.
func (p *Plan) Criterion() bool { return p.Open && !p.Contest && p.Pairs == 0 }

// ReadsAgain reports whether the fit reads the whole table again after the first descent.
func (p *Plan) ReadsAgain() bool {
	return p.Contest || p.Open || !p.Recipe.Direct || p.Recipe.Polish || p.Recipe.HessianSwaps || p.Recipe.Guard
}

func choose(yes bool, this, that string) string {
	if yes {
		return this
	}
	return that
}

func number(v float64) string { return decimal.Digits(v, 4) }
