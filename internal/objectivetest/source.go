package objectivetest

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"fsa/anneal"
)

// tolerance is the error of single precision, relative to the summed numbers.
const tolerance = 1e-4

// source draws what checks need.
type source struct {
	*rand.Rand
	fresh func() anneal.Objective
}

// beta returns random coefficients whose margins are about as large as scale, if the columns of the
// data are about as large as 1.
func (s source) beta(obj anneal.Objective, scale float64) []float64 {
	v := make([]float64, obj.Layout().Len())
	for i := range v {
		v[i] = scale * s.NormFloat64() / math.Sqrt(float64(len(v)))
	}
	return v
}

// directions returns a random direction, one with a few nonzero coefficients, and those of single
// coefficients: all the free ones, which are few and easily forgotten, and some of the others.
func (s source) directions(l anneal.Layout) [][]float64 {
	const single = 24
	n := l.Len()
	dense, sparse := make([]float64, n), make([]float64, n)
	for i := range dense {
		dense[i] = s.NormFloat64() / math.Sqrt(float64(n))
	}
	for range 3 {
		sparse[s.IntN(n)] = 1
	}
	directions := [][]float64{dense, sparse}
	order := s.Perm(n - l.Free)
	for i := range l.Free {
		order = append([]int{n - 1 - i}, order...)
	}
	for _, i := range order[:min(n, l.Free+single)] {
		v := make([]float64, n)
		v[i] = 1
		directions = append(directions, v)
	}
	return directions
}

// groups returns some of n groups, ascending, at least one.
func (s source) groups(n int) []int {
	share := 0.3 + 0.6*s.Float64()
	var some []int
	for j := range n {
		if s.Float64() < share {
			some = append(some, j)
		}
	}
	if len(some) == 0 {
		some = []int{s.IntN(n)}
	}
	return some
}

// result is the result of an objective for a batch.
type result struct {
	grad        []float64
	sum, weight float64
}

// eval computes the sums over a batch. The gradient is NaN before, so that an objective that
// forgets a coefficient, or adds to it, is found.
func eval(obj anneal.Objective, batch int, beta []float64) (result, error) {
	at := result{grad: slices.Repeat([]float64{math.NaN()}, len(beta))}
	var err error
	at.sum, at.weight, err = obj.Eval(context.Background(), batch, at.grad, beta)
	if err != nil {
		return at, fmt.Errorf("Eval of batch %d: %w", batch, err)
	}
	if !finite(at.sum) || !finite(at.grad...) {
		return at, fmt.Errorf("batch %d: sum %g and gradient %g must be finite\nbeta %g", batch, at.sum, at.grad, beta)
	}
	return at, nil
}

// same returns an error if got differs from want.
func same(got, want result) error {
	if !near(got.sum, want.sum) {
		return fmt.Errorf("sum %g, want %g", got.sum, want.sum)
	}
	if !near(got.weight, want.weight) {
		return fmt.Errorf("weight %g, want %g", got.weight, want.weight)
	}
	// A gradient that vanishes is the remainder of sums that do not.
	noise := tolerance * (anneal.Norm(want.grad) + 1e-2*math.Abs(want.sum))
	for i, g := range got.grad {
		if !(math.Abs(g-want.grad[i]) <= noise) {
			return fmt.Errorf("derivative %d is %g, want %g", i, g, want.grad[i])
		}
	}
	return nil
}

// near reports whether a and b differ by rounding only.
func near(a, b float64) bool {
	return math.Abs(a-b) <= tolerance*max(math.Abs(a), math.Abs(b))
}

func finite(v ...float64) bool {
	return !slices.ContainsFunc(v, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
}

// moved returns beta + step·v.
func moved(beta []float64, step float64, v []float64) []float64 {
	out := slices.Clone(beta)
	add(out, step, v)
	return out
}
