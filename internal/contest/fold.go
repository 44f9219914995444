package contest

import (
	"context"
	"errors"
	"math"

	"fsa/anneal"
	"fsa/internal/search"
	"fsa/validate"
)

// Fold is a sample and the functions that measure its fits on the held-out rows.
type Fold struct {
	*search.Runner
	// Test are the held-out rows.
	Test []int
	// Error returns the loss or measure of the margins of the held-out rows; smaller is better.
	Error func(z []float64) float64
	// Gain returns the decrease of the loss of the held-out rows from the margins than to the margins z. It is nil if rows
	// are not independent.
	Gain func(z, than []float64) validate.Gain
	// Caution returns a term that is added to the error when candidates are compared; nil adds nothing.
	Caution func(z []float64) float64

	errors map[key]score // errors computed so far
}

// score is the error of a candidate on the held-out rows of a fold: the error that is reported, and the
// error by which candidates are compared, which includes [Fold.Caution].
type score struct{ error, compared float64 }

// fit runs a recipe at a size; nil if it diverges.
func (f *Fold) fit(ctx context.Context, at key) (*search.Fit, error) {
	fit, err := f.Run(ctx, at.Recipe, at.size)
	if errors.Is(err, anneal.ErrDiverged) {
		return nil, nil
	}
	return fit, err
}

// error returns the error of a recipe at a size, which is infinite if it diverges.
func (f *Fold) error(ctx context.Context, at key) (score, error) {
	if e, known := f.errors[at]; known {
		return e, nil
	}
	e := score{math.Inf(1), math.Inf(1)}
	fit, err := f.fit(ctx, at)
	if err != nil {
		return e, err
	}
	if fit != nil {
		z, err := fit.MarginsOf(ctx, f.Test)
		if err != nil {
			return e, err
		}
		e.error = f.Error(z)
		if e.compared = e.error; f.Caution != nil {
			e.compared += f.Caution(z)
		}
	}
	if f.errors == nil {
		f.errors = map[key]score{}
	}
	f.errors[at] = e
	return e, nil
}

// key identifies a trial.
type key struct {
	search.Recipe
	size int
}
