package search

import (
	"fmt"
	"math"
	"strings"

	"fsa/anneal"
)

// Recipe describes how to select variables, how to improve the selection and how to fit a model to it.
// It is a value: equal recipes do the same to the same rows, so the cross-validated error of a recipe
// describes the model that the recipe makes from all rows. The zero value is that of the null model.
type Recipe struct {
	// Select is the selection.
	Select Selection
	// Polish lets dropped variables compete again with the selected ones, and Swaps replaces selected
	// variables by others.
	Polish bool
	Swaps  Swaps
	// Ridge is λ of the ridge penalty of the final fit. With Adaptive, it is weaker on large
	// coefficients.
	Ridge    float64
	Adaptive bool
	// Direct keeps the coefficients of the descent, refined if that costs little, instead of fitting
	// them with a solver. HessianSwaps then swaps variables by the Hessian bound, and Guard raises the
	// ridge if the fit may be selection noise.
	Direct, HessianSwaps, Guard bool
}

// Method names a selection method.
type Method string

// The selection methods. A new one needs a file and a line in [selectors].
const (
	Annealing Method = "annealing"
	Lasso     Method = "lasso"
)

// Selection is one pass through the table that selects variables, at one or many sizes.
type Selection struct {
	Method Method
	// Bins is the number of bins of the shape functions, in the selection and in the final fit. 0
	// means the form of the sample, which is usually straight lines.
	Bins int
	// Roots means that the square roots of the numbers of a sparse table take their place, in the selection and in the
	// final fit.
	Roots bool
	// Most is the largest size that the selection passes through; 0 means that of the runner.
	Most int
	// Loss is the name of the loss that selects and swaps variables; "" means the loss of the final
	// fit.
	Loss string
	// Ridge is λ of the ridge penalty during the selection.
	Ridge float64
	// Pooling is the factor on the pseudo-counts of categories, in the selection and in the final fit.
	Pooling float64
	// Interactions are the pairs of variables that the selection may add.
	Interactions Interactions
	// Descent holds the settings of annealing. Recipes with the same settings share the pointer.
	Descent *Descent
}

// Interactions says which pairs of variables a selection may add to them. The zero value adds none.
type Interactions struct {
	// Most is the largest number of pairs.
	Most int
	// Heredity says which variables of a pair must be selected with it.
	Heredity Heredity
	// Knots is the largest number of knots of a number in a pair that is a surface, or a curve for each
	// category. 0 means that pairs are products of lines.
	Knots int
}

// Heredity says which variables of a pair must be selected with it.
type Heredity string

// The kinds of heredity: both variables, at least one, or none.
const (
	Strong Heredity = "strong"
	Weak   Heredity = "weak"
	Apart  Heredity = "none"
)

// Form identifies the basis of the variables and the loss of a selection. Selections of one form have
// the same Lipschitz constant.
type Form struct {
	Bins         int
	Roots        bool
	Loss         string
	Interactions Interactions
}

// Form returns the form of a selection.
func (s Selection) Form() Form { return Form{s.Bins, s.Roots, s.Loss, s.Interactions} }

// Descent holds the settings of annealing, except for the ridge.
type Descent struct {
	Batch     int             // rows of a step
	Schedule  anneal.Schedule // number of groups after each epoch
	Mu        float64         // μ of the inverse schedule; −1 for another schedule
	Epochs    int
	WarmUp    int
	Eta       float64 // step size; 0 means 1/L
	Momentum  float64
	Tolerance float64
}

// Swaps replaces selected variables by others, one pair at a time, while the objective falls. The zero
// value means no swaps.
type Swaps struct {
	Ridge   float64 // λ of the objective that swaps lower
	Gain    float64 // smallest relative decrease of the objective by a swap
	Detours bool    // continue with iterated local search when no swap lowers the objective
}

// String describes a selection in a few words.
func (s Selection) String() string {
	name := string(s.Method)
	if s.Method == Annealing {
		name = fmt.Sprintf("annealing with λ = %.3g", s.Ridge)
	}
	if s.Loss != "" {
		name += fmt.Sprintf(" by the %s loss", s.Loss)
	}
	if s.Bins > 0 {
		name += fmt.Sprintf(" of curves with %d bins", s.Bins)
	}
	if s.Most > 0 {
		name += fmt.Sprintf(" from size %d", s.Most)
	}
	if s.Roots {
		name += " of square roots"
	}
	if s.Pooling != 1 {
		name += fmt.Sprintf(", %g of the prior on categories", s.Pooling)
	}
	if n := s.Interactions.Most; n > 0 {
		name += " of variables and "
		if n < math.MaxInt32 {
			name += fmt.Sprintf("at most %d ", n)
		}
		name += fmt.Sprintf("interactions with %s heredity", s.Interactions.Heredity)
	}
	return name
}

// String describes the recipe in a few words.
func (r Recipe) String() string {
	if r == (Recipe{}) {
		return "null model"
	}
	parts := []string{r.Select.String()}
	if r.Polish {
		parts = append(parts, "polished")
	}
	if r.Swaps != (Swaps{}) {
		how := "swaps"
		if r.Swaps.Detours {
			how = "swaps and detours"
		}
		parts = append(parts, fmt.Sprintf("%s with λ = %.3g", how, r.Swaps.Ridge))
	}
	if r.HessianSwaps {
		parts = append(parts, "swaps by the Hessian")
	}
	how := "ridge"
	if r.Adaptive {
		how = "adaptive ridge"
	}
	parts = append(parts, fmt.Sprintf("fitted with %s λ = %.3g", how, r.Ridge))
	if r.Guard {
		parts = append(parts, "guarded")
	}
	return strings.Join(parts, ", ")
}
