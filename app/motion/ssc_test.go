package motion

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
)

// TestSparseAffinity: points of two subspaces are mostly combinations of points of their own
// subspace, enough to separate them.
func TestSparseAffinity(t *testing.T) {
	s := rigid("r", 2, 20, 12, 0, 21)
	a, err := sparseAffinity(context.Background(), principalCoordinates(s.Track, 8))
	if err != nil {
		t.Fatal(err)
	}
	if wrong := Misclassified(spectral(a, 2), s.Truth); wrong != 0 {
		t.Errorf("%d of %d points are in the wrong cluster", wrong, s.Points)
	}
	if a, err := sparseAffinity(context.Background(), still(2).Track); err != nil || a.SymmetricDim() != 8 {
		t.Errorf("points that are all in one place: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := sparseAffinity(ctx, s.Track); err == nil {
		t.Error("a cancellation was not noticed")
	}
}

// TestAffineLasso checks the optimality conditions: coefficients sum to one, nonzero ones have the
// same slope except for the penalty, and no other's is steeper. Some points occur twice.
func TestAffineLasso(t *testing.T) {
	const n, width, seed, penalty = 40, 5, 8, 0.01
	rng := rand.New(rand.NewPCG(seed, 0))
	points := make([][]float64, n)
	for i := range points {
		points[i] = make([]float64, width)
		for j := range points[i] {
			points[i][j] = rng.NormFloat64()
		}
		if i%7 == 6 {
			copy(points[i], points[i-3])
		}
	}
	for of := range points {
		lasso := affineLasso{penalty: penalty}
		c := lasso.solve(points, of)
		if sum := floats.Sum(c); math.Abs(sum-1) > 1e-6 || c[of] != 0 {
			t.Fatalf("seed %d, point %d: coefficients sum to %v, its own is %v", seed, of, sum, c[of])
		}
		residual := make([]float64, width)
		for j, v := range c {
			floats.AddScaled(residual, v, points[j])
		}
		floats.Sub(residual, points[of])
		low, high := math.Inf(-1), math.Inf(1) // range of the multiplier that all slopes allow
		for j, p := range points {
			if j == of {
				continue
			}
			slope := floats.Dot(p, residual)
			from, to := slope-penalty, slope+penalty
			switch {
			case c[j] > 0:
				from = to
			case c[j] < 0:
				to = from
			}
			low, high = max(low, from), min(high, to)
		}
		if low-high > 1e-6 {
			t.Errorf("seed %d, point %d: the conditions of the optimum are off by %g", seed, of, low-high)
		}
	}
}

// Sequences of the benchmark, one of each kind, on which sparse subspace clustering is right, as
// its authors report for most.
func TestSparseHopkins(t *testing.T) {
	needHopkins(t)
	for _, name := range []string{"cars2_06_g12", "arm", "2R3RTC_g12"} {
		s := hopkinsSequence(t, name)
		c, err := sparseCandidate(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		if e := Error(c.Labels, s.Truth); e > 0.02 {
			t.Errorf("%s: %.1f%% of the points are in the wrong motion", name, 100*e)
		}
	}
}
