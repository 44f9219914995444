package search

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fsa/internal/need"
	"fsa/loss"
)

// toBasis and toKnots are inverse to each other, a basis function without roughness has unit variance, and a line is a
// multiple of the second basis function.
func TestBend(t *testing.T) {
	seed := need.Seed(t)
	rng := rand.New(rand.NewPCG(seed, 1))
	for range 200 {
		n := 2 + rng.IntN(20)
		knots, share, beta := make([]float64, n), make([]float64, n), make([]float64, n+3)
		at := rng.NormFloat64()
		for i := range knots {
			at += math.Exp(4 * rng.NormFloat64()) // widths of bins may differ by orders of magnitude
			knots[i], share[i] = at, max(rng.Float64()-0.2, 0)
		}
		for i := range beta {
			beta[i] = rng.NormFloat64()
		}
		b := newCurveBasis(2, knots, share)
		back := slices.Clone(beta)
		b.toKnots(back)
		b.toBasis(back)
		for i := range beta {
			if !near(back[i], beta[i], 1e-6) {
				t.Fatalf("seed %d: %v became %v", seed, beta, back)
			}
		}
		copy(beta[2:], knots) // a line
		b.toBasis(beta)
		for i, v := range beta[4 : 2+n] {
			if !near(v/beta[3], 0, 1e-3) {
				t.Errorf("seed %d: coefficient %d of a line is %v", seed, i, v)
			}
		}
	}
}

// A straight line has no roughness. The roughness does not depend on the unit of the knots: for the knots 0, 1 and 3, the
// chord at the second knot is two thirds of the first value plus one third of the last.
func TestRoughness(t *testing.T) {
	for _, unit := range []float64{1, 0.01, 100} {
		form := roughness([]float64{0, unit, 3 * unit}, []float64{1, 1, 1})
		for _, c := range []struct{ value, want float64 }{{0, 1}, {1, 0}, {4, 9}} {
			v := []float64{0, c.value, 3}
			got := 0.0
			for i := range v {
				for j := range v {
					got += v[i] * v[j] * form.At(i, j)
				}
			}
			if !near(got, c.want, 1e-9) {
				t.Errorf("unit %v: the roughness of %v is %v, not %v", unit, v, got, c.want)
			}
		}
	}
}

// The columns of the basis times its coefficients equal the columns of the knots times the values there.
func TestBendColumns(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	b := newCurveBasis(1, []float64{0, 1, 3, 4}, []float64{0.1, 0.4, 0.3, 0.2})
	x := make([][]float64, 6)
	for c := range x {
		for range 5 {
			x[c] = append(x[c], rng.NormFloat64())
		}
	}
	beta := []float64{9, 1, -1, 2, 0.5, 9}
	values := slices.Clone(beta)
	b.toKnots(values)
	want := margins(x, values)
	b.apply(x)
	for r, z := range margins(x, beta) {
		if !near(z, want[r], 1e-12) {
			t.Errorf("row %d: %v, not %v", r, z, want[r])
		}
	}
}

func margins(x [][]float64, beta []float64) []float64 {
	z := make([]float64, len(x[0]))
	for c, b := range beta {
		for r, v := range x[c] {
			z[r] += b * v
		}
	}
	return z
}

// A strong ridge pulls a curve to a line before it pulls the line to zero.
func TestCurvesBecomeLines(t *testing.T) {
	c := normal(1, 400, 3, 0, 0.1, 0)
	for i := range c.y {
		c.y[i] += c.x[3*i] + math.Sin(4*c.x[3*i])
	}
	c.bins = 10
	s := c.sample(t, "squared")
	bent := func(ridge float64) (rough, slope float64) {
		f, err := s.Learn(t.Context(), []int{0}, ridge, false, nil)
		if err != nil {
			t.Fatal(err)
		}
		knots, values := s.Design.KnotsOf(0), f.Variables()[0].Values
		last := len(knots) - 1
		for i := 1; i < last; i++ {
			chord := values[0] + (values[last]-values[0])*(knots[i]-knots[0])/(knots[last]-knots[0])
			rough = max(rough, math.Abs(values[i]-chord))
		}
		return rough, (values[last] - values[0]) / (knots[last] - knots[0])
	}
	little, slope := bent(1e-4)
	much, still := bent(0.3)
	if little < 0.5 || much > little/4 || still < 0.4 || slope < 0.5 {
		t.Errorf("curvature %v and slope %v became %v and %v", little, slope, much, still)
	}
}

// A recipe with curves on a sample of lines gives the same fit as a recipe without on a sample of curves.
func TestForms(t *testing.T) {
	for _, name := range []string{"squared", "logistic", "multinomial"} {
		c := normal(1, 150, 8, 0.3, 0.5, 2, -2, 1).of(name).holdOut(4)
		lines := c.sample(t, name)
		c.bins = 4
		curves := c.sample(t, name)
		recipe := annealed(descent(lines), 0.001)
		want := ran(t, curves, []int{3}, recipe, 3)
		recipe.Select.Bins = 4
		got := ran(t, lines, []int{3}, recipe, 3)
		if !slices.Equal(got.Columns(), want.Columns()) || got.Sample().Design.Bins != 4 {
			t.Errorf("%s: %v, not %v", name, got.Columns(), want.Columns())
		}
		for i, v := range got.Solution.Z {
			if v != want.Solution.Z[i] {
				t.Fatalf("%s: margin %v, not %v", name, v, want.Solution.Z[i])
			}
		}
	}
}

// Variables selected by one loss are fitted by another.
func TestRobustSelection(t *testing.T) {
	for _, swaps := range []Swaps{{}, {Ridge: 0.01, Gain: 1e-4}} {
		c := normal(3, 200, 30, 0.8, 1, 2, -2, 1, -1, 1).of("logistic")
		for i := 0; i < len(c.y); i += 9 {
			c.y[i] = -c.y[i]
		}
		s := c.sample(t, "logistic")
		recipe := annealed(hasty(s), 0.001)
		recipe.Swaps = swaps
		want := ran(t, c.sample(t, "lorenz"), []int{5}, recipe, 5)
		plain := ran(t, s, []int{5}, recipe, 5)
		recipe.Select.Loss = "lorenz"
		got := ran(t, s, []int{5}, recipe, 5)
		if !slices.Equal(got.Groups, want.Groups) || slices.Equal(plain.Groups, want.Groups) {
			t.Errorf("%v by the lorenz loss, %v by it alone, %v without", got.Groups, want.Groups, plain.Groups)
		}
		again, err := s.Learn(t.Context(), got.Groups, 0.001, false, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := got.Sample().Loss.(loss.Logistic); !ok || !near(got.Solution.Objective, again.Solution.Objective, 1e-9) {
			t.Errorf("objective %v, not %v", got.Solution.Objective, again.Solution.Objective)
		}
	}
}

// The weights of knots are shares of the rows, with a smallest one, and chords divide the distance of their ends.
func TestKnotWeights(t *testing.T) {
	weight, mean, sd := knotWeights([]float64{0, 1, 3}, []float64{1, 0, 3})
	total := 4 + 1e-4
	for i, want := range []float64{1 / total, 1e-4 / total, 3 / total} {
		if !near(weight[i], want, 1e-12) {
			t.Errorf("weights %v", weight)
		}
	}
	wantMean := (1e-4 + 9) / total
	wantSquare := (wantMean*wantMean + 1e-4*(1-wantMean)*(1-wantMean) + 3*(3-wantMean)*(3-wantMean)) / total
	if !near(mean, wantMean, 1e-12) || !near(sd, math.Sqrt(wantSquare), 1e-12) {
		t.Errorf("%v ± %v, not %v ± %v", mean, sd, wantMean, math.Sqrt(wantSquare))
	}
	for _, c := range [][4]float64{{0, 1, 4, 0.25}, {-2, 1, 2, 0.75}, {3, 3, 3, 0.5}, {0, 0, 2, 0}, {0, 2, 2, 1}} {
		if got := chordShare(c[0], c[1], c[2]); got != c[3] {
			t.Errorf("%v: %v", c, got)
		}
	}
}
