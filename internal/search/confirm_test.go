package search

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Confirming two classes is least squares on the classes as numbers, even if the classes are separable. The mirror statistic
// of an effect that is the column itself is its coefficient over the diagonal of the inverse Gram matrix.
func TestConfirm(t *testing.T) {
	const rows, cols = 40, 3
	c := normal(2, rows, cols, 0.5, 0, 1, -1).of("logistic")
	confirmed, err := c.sample(t, "logistic").Confirm(t.Context(), []int{0, 1, 2})
	if err != nil {
		t.Fatal(err)
	}
	x, y := mat.NewDense(rows, cols+1, nil), mat.NewVecDense(rows, nil)
	for i := range rows {
		x.Set(i, cols, 1)
		for j := range cols {
			x.Set(i, j, c.x[i*cols+j])
		}
		y.SetVec(i, (c.y[i]+1)/2)
	}
	var beta mat.VecDense
	var gram, inverse mat.Dense
	gram.Mul(x.T(), x)
	if err := errors.Join(beta.SolveVec(x, y), inverse.Inverse(&gram)); err != nil {
		t.Fatal(err)
	}
	for j := range cols {
		effect := mat.Col(nil, j, x)
		if got, want := confirmed.Mirror(j, effect), beta.AtVec(j)/inverse.At(j, j); !near(got, want, 1e-4) {
			t.Errorf("variable %d: %v, want %v", j, got, want)
		}
	}
}

// A near copy of a variable has a small statistic, although its coefficient is large.
func TestConfirmCopies(t *testing.T) {
	const rows = 100
	c := normal(4, rows, 3, 0, 1, 1)
	for i := range rows {
		c.x[i*3+2] = c.x[i*3+1] + 1e-3*c.x[i*3+2]
	}
	s := c.sample(t, "squared")
	confirmed, err := s.Confirm(t.Context(), []int{0, 1, 2})
	if err != nil {
		t.Fatal(err)
	}
	f, err := s.Learn(t.Context(), []int{0, 1, 2}, 0, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	if first := confirmed.Mirror(0, f.Effect(0)); !(first > 10*confirmed.Mirror(1, f.Effect(1))) || !(first > 10*confirmed.Mirror(2, f.Effect(2))) {
		t.Errorf("%v, %v, %v", first, confirmed.Mirror(1, f.Effect(1)), confirmed.Mirror(2, f.Effect(2)))
	}
}

// Effects of a fit add up to its decision values, for lines, curves and several classes.
func TestEffect(t *testing.T) {
	for _, of := range []string{"squared", "logistic", "multinomial"} {
		for _, bins := range []int{0, 4} {
			c := normal(3, 120, 4, 0, 1, 1, 1).of(of)
			c.bins = bins
			s := c.sample(t, of)
			f, err := s.Learn(t.Context(), []int{0, 2, 3}, 0.1, false, nil)
			if err != nil {
				t.Fatal(err)
			}
			z, err := f.Margins(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for i := range z {
				z[i] -= f.Intercept()[i/120]
			}
			for g := range 3 {
				for i, v := range f.Effect(g) {
					z[i] -= v
				}
			}
			for i, v := range z {
				if !near(v, 0, 1e-6) {
					t.Fatalf("%s, %d bins: value %d differs by %v", of, bins, i, v)
				}
			}
		}
	}
}

// Curves are confirmed with a ridge, and columns that depend on each other exactly by themselves.
func TestConfirmCurvesAndDependentColumns(t *testing.T) {
	c := normal(4, 80, 3, 0, 1, 1)
	curved := *c
	curved.bins = 4
	s := curved.sample(t, "squared")
	confirmed, err := s.Confirm(t.Context(), []int{0, 2})
	if err != nil {
		t.Fatal(err)
	}
	if got := confirmed.fits[0].Ridge; got != 0.5/80 || len(confirmed.first) != 3 || len(confirmed.Columns()) != 2 || confirmed.Columns()[1] != 2 {
		t.Errorf("ridge %v, columns %v from %v", got, confirmed.Columns(), confirmed.first)
	}
	if lines, err := c.sample(t, "squared").Confirm(t.Context(), []int{0, 2}); err != nil || lines.fits[0].Ridge != 0 {
		t.Errorf("lines have a ridge: %v", err)
	}
	f, err := s.Learn(t.Context(), []int{0, 2}, 0.01, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	if own, other := confirmed.Mirror(0, f.Effect(0)), confirmed.Mirror(1, f.Effect(1)); !(own > 10*math.Abs(other)) {
		t.Errorf("%v with an effect, and %v without", own, other)
	}
	if none, err := c.sample(t, "squared").Confirm(t.Context(), []int{}); err != nil || len(none.Columns()) != 0 {
		t.Errorf("without groups: %v", err)
	}
}
