package search

import (
	"fmt"
	"strings"

	"fsa/anneal"
)

// Recipe says how to select variables, how to improve the selection and how to learn a
// model on it. It is a value: recipes that are equal do the same to the same rows, so
// that what folds say of a recipe holds for the model that it makes on all rows.
type Recipe struct {
	// Select is how variables are selected.
	Select Selection
	// Polish says that variables that were dropped compete once more with the selected ones,
	// and Swaps how selected variables are exchanged for others.
	Polish bool
	Swaps  Swaps
	// Ridge is λ of the ridge penalty that the selected variables are learned with, and
	// Adaptive says that it is weaker on large coefficients.
	Ridge    float64
	Adaptive bool
	// Direct says that the coefficients are those of the descent, refined where that costs
	// little, and not learned anew by a solver. HessianSwaps then exchanges variables by the
	// Hessian bound, and Guard raises the ridge where much of what is explained may be
	// selection noise.
	Direct, HessianSwaps, Guard bool
}

// Method names a way to select.
type Method string

// The ways to select; a new one is a file and a line in [selectors].
const (
	Annealing Method = "annealing"
	Lasso     Method = "lasso"
)

// Selection is one pass through the table that selects variables, at one or many sizes.
type Selection struct {
	Method Method
	// Bins is the number of bins of the curves that the variables are, from selecting to
	// learning; 0 means lines, or what the sample has.
	Bins int
	// Loss names the loss by which variables are selected and swapped; "" means the one that
	// the model is learned by.
	Loss string
	// Ridge is λ of the ridge penalty while variables are selected.
	Ridge float64
	// Pooling is the share of the prior on categories that counts, here and later.
	Pooling float64
	// Descent is how annealing descends. Recipes that share it point to the same one.
	Descent *Descent
}

// Form is the kind of variables that a selection works on, and the loss that it lowers.
type Form struct {
	Bins int
	Loss string
}

// Form returns that of a selection.
func (s Selection) Form() Form { return Form{s.Bins, s.Loss} }

// Descent is how annealing descends, but for the ridge.
type Descent struct {
	Batch     int             // rows of a step
	Schedule  anneal.Schedule // how many groups stay after each epoch
	Mu        float64         // speed of the schedule if it is the inverse one; else −1
	Epochs    int
	WarmUp    int
	Eta       float64 // the step; 0 means 1/L
	Momentum  float64
	Tolerance float64
}

// Swaps says how selected variables are exchanged for others, one pair at a time, while the
// objective falls. The zero value means that they are not.
type Swaps struct {
	Ridge   float64 // λ of the objective that has to fall
	Gain    float64 // share of the objective that a swap has to gain
	Detours bool    // go on by iterated local search where no swap gains
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
	if s.Pooling != 1 {
		name += fmt.Sprintf(", %g of the prior on categories", s.Pooling)
	}
	return name
}

// String describes the recipe in a few words.
func (r Recipe) String() string {
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
	parts = append(parts, fmt.Sprintf("learned with %s λ = %.3g", how, r.Ridge))
	if r.Guard {
		parts = append(parts, "guarded")
	}
	return strings.Join(parts, ", ")
}
