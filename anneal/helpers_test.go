package anneal_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fsa/anneal"
	"fsa/internal/objectivetest"
)

// linear returns a regression on independent normal columns. Free columns are ones. The target is Xβ with the
// coefficients truth, plus noise.
func linear(seed uint64, rows int, l anneal.Layout, truth []float64, noise float64) *objectivetest.Dense {
	rng := rand.New(rand.NewPCG(seed, 0))
	d := &objectivetest.Dense{Columns: l}
	for range rows {
		x := make([]float64, l.Len())
		var y float64
		for j := range x {
			x[j] = rng.NormFloat64()
			if j >= l.Len()-l.Free {
				x[j] = 1
			}
			y += x[j] * truth[j]
		}
		d.X = append(d.X, x)
		d.Y = append(d.Y, y+noise*rng.NormFloat64())
	}
	return d
}

// classified turns a regression into a classification by the sign of the target.
func classified(d *objectivetest.Dense) *objectivetest.Dense {
	d.Logistic = true
	for i, y := range d.Y {
		d.Y[i] = math.Copysign(1, y)
	}
	return d
}

// spread returns coefficients that are not zero in the given groups.
func spread(l anneal.Layout, groups ...int) []float64 {
	truth := make([]float64, l.Len())
	for i, j := range groups {
		lo, hi := l.Span(j)
		for c := lo; c < hi; c++ {
			truth[c] = float64(1-2*(c%2)) * (1 + 0.5*float64(i))
		}
	}
	return truth
}

func anneals(t *testing.T, obj anneal.Objective, s anneal.Settings) *anneal.Result {
	t.Helper()
	r, err := anneal.Run(t.Context(), obj, s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// coefficients returns the coefficients of all groups, at their original positions; those of
// dropped groups are zero.
func coefficients(l anneal.Layout, groups []int, beta []float64) []float64 {
	out := make([]float64, l.Len())
	for _, j := range groups {
		n := copy(l.Of(out, j), beta)
		beta = beta[n:]
	}
	copy(out[l.Len()-l.Free:], beta)
	return out
}

// closeTo reports whether two vectors differ by less than the tolerance, relative to their largest element.
func closeTo(a, b []float64, tolerance float64) bool {
	size := 1.0
	for i := range a {
		size = max(size, math.Abs(a[i]), math.Abs(b[i]))
	}
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) <= tolerance*size })
}

// flat hides the method Curvature of an objective.
type flat struct{ anneal.Objective }

// watched is an objective that calls a function before every evaluation and returns its error.
type watched struct {
	anneal.Curved
	eval      func(batch int) error
	keep      func(groups []int) error
	curvature func(batch int) error
}

func (w watched) Eval(ctx context.Context, batch int, grad, beta []float64) (float64, float64, error) {
	if w.eval != nil {
		if err := w.eval(batch); err != nil {
			return 0, 0, err
		}
	}
	return w.Curved.Eval(ctx, batch, grad, beta)
}

func (w watched) Keep(ctx context.Context, groups []int) error {
	if w.keep != nil {
		if err := w.keep(groups); err != nil {
			return err
		}
	}
	return w.Curved.Keep(ctx, groups)
}

func (w watched) Curvature(ctx context.Context, batch int, dst, v []float64) (float64, error) {
	if w.curvature != nil {
		if err := w.curvature(batch); err != nil {
			return 0, err
		}
	}
	return w.Curved.Curvature(ctx, batch, dst, v)
}
