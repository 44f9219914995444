package baseline

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestRefitGolden(t *testing.T) {
	var want penalisedGolden
	readGolden(t, "penalised", &want)
	for loss, s := range map[string]*penalisedSample{"squared": &want.Squared, "logistic": &want.Logistic} {
		for _, c := range s.Cases {
			if c.Penalty != "ridge" {
				continue
			}
			made := s.task(t, loss, c)
			intercept, beta, err := made.refit(context.Background(), made.design.Usable, c.A)
			if err != nil {
				t.Fatal(err)
			}
			near(t, loss, beta, c.Beta, 1e-6)
			near(t, loss+" intercept", []float64{intercept}, []float64{c.Intercept}, 1e-6)
		}
	}
}

// Classes that a line separates have no finite solution without a ridge: the
// refit stays finite, separates them and is certain of every row.
func TestRefitSeparable(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	s := &sample{Columns: 3}
	for range 40 {
		x := []float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
		s.X = append(s.X, x...)
		s.Y = append(s.Y, math.Copysign(1, x[0]-x[1]+0.1))
	}
	made := rawTask(t, s.dense(t), "logistic")
	intercept, beta, err := made.refit(context.Background(), []int{0, 1, 2}, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range append(beta, intercept) {
		if !(math.Abs(b) < 1e4) {
			t.Errorf("coefficient %v", b)
		}
	}
	for i, z := range made.margins(intercept, []int{0, 1, 2}, beta) {
		if z*s.Y[i] <= 0.5 {
			t.Errorf("row %d has margin %v", i, z*s.Y[i])
		}
	}
}

// Collinear variables, more variables than rows, and none at all.
func TestRefitDegenerate(t *testing.T) {
	for _, loss := range []string{"squared", "logistic"} {
		s := mixed(3, loss)
		s.X, s.Y, s.Weight = s.X[:20*s.Columns], s.Y[:20], nil
		for i := range s.Y {
			s.X[i*s.Columns+1] = 2 * s.X[i*s.Columns]
		}
		made := rawTask(t, s.dense(t), loss)
		for _, variables := range [][]int{nil, {0, 1}, {0, 1, 5}, made.design.Usable} {
			intercept, beta, err := made.refit(context.Background(), variables, 0)
			if err != nil {
				t.Fatalf("%s, %v: %v", loss, variables, err)
			}
			for _, b := range append(slices.Clone(beta), intercept) {
				if math.IsNaN(b) || math.IsInf(b, 0) {
					t.Fatalf("%s, %v: coefficients %v", loss, variables, beta)
				}
			}
			if len(variables) == s.Columns { // all rows can be met
				for i, z := range made.margins(intercept, variables, beta) {
					if loss == "squared" && math.Abs(z-s.Y[i]) > 1e-5 || loss == "logistic" && z*s.Y[i] < 1 {
						t.Errorf("%s: row %d is predicted %v, want %v", loss, i, z, s.Y[i])
					}
				}
			}
		}
	}
}
