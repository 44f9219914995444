package solve

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"fsa/loss"
)

// constrainedProblem returns a problem with a response for the loss, and constraints that some of the coefficients of
// its optimum would violate.
func constrainedProblem(name string, seed uint64) (*Problem, []Constraint) {
	const cols = 7
	rng := rand.New(rand.NewPCG(seed, 3))
	x, signal := sample(seed, 90, cols)
	y := slices.Clone(signal)
	kind, _ := loss.Named(name)
	for i, s := range signal {
		switch name {
		case "poisson":
			y[i] = math.Floor(math.Exp(s / 3))
		case "squared", "absolute":
		default:
			y[i] = math.Copysign(1, s-1+rng.NormFloat64())
		}
	}
	p := &Problem{X: x, Penalty: penalties(cols, 0.01), Loss: kind.New(loss.Params{}), Target: loss.Target{Y: y}, Intercept: true, Quadratic: kind.Quadratic}
	var list []Constraint
	switch seed % 3 {
	case 0: // bounds
		for j := range cols {
			list = append(list, Constraint{[]int{j}, []float64{1}, -0.1 * float64(j%2)}, Constraint{[]int{j}, []float64{-1}, -0.7})
		}
	case 1: // ascending
		for j := range cols - 1 {
			list = append(list, Constraint{[]int{j, j + 1}, []float64{-1, 1}, 0})
		}
	case 2: // ascending and convex: the constraints depend on each other where coefficients are equal
		for j := range cols - 1 {
			list = append(list, Constraint{[]int{j, j + 1}, []float64{-1, 1}, 0})
			if j > 0 {
				list = append(list, Constraint{[]int{j - 1, j, j + 1}, []float64{1, -2, 1}, 0})
			}
		}
	}
	p.Constraints = list
	return p, list
}

// TestConstrained checks the optimality conditions (Karush, Kuhn and Tucker): the constraints hold, and the gradient is
// a sum of the normals of those that hold with equality, with multipliers that are not negative.
func TestConstrained(t *testing.T) {
	for _, name := range []string{"squared", "logistic", "poisson", "svm"} {
		for seed := range uint64(6) {
			t.Run(fmt.Sprint(name, seed), func(t *testing.T) {
				p, list := constrainedProblem(name, seed)
				cols := all(len(p.X))
				s, err := p.Solve(t.Context(), cols, nil)
				if err != nil {
					t.Fatal(err)
				}
				w := newEvaluator(p, cols)
				grad := gradientAt(w, s)
				tight := tightOf(list, s.Beta[0])
				if len(tight) == 0 {
					t.Fatal("no constraint is active")
				}
				for i := range list {
					if v := list[i].value(s.Beta[0]); v < list[i].Least-1e-12 {
						t.Errorf("constraint %d has %v, less than %v", i, v, list[i].Least)
					}
				}
				if math.Abs(grad[len(cols)]) > 1e-6 {
					t.Errorf("slope of the intercept: %v", grad[len(cols)])
				}
				if rest := residualOfMultipliers(list, tight, grad[:len(cols)]); rest > 1e-6 {
					t.Errorf("the gradient is %v from the cone of the active constraints", rest)
				}
			})
		}
	}
}

// gradientAt returns the gradient of the objective at a solution.
func gradientAt(w *evaluator, s *Solution) []float64 {
	at := w.start(s)
	w.eval(at)
	return slices.Clone(w.grad)
}

func tightOf(list []Constraint, beta []float64) (tight []int) {
	for i := range list {
		if list[i].value(beta) < list[i].Least+1e-9 {
			tight = append(tight, i)
		}
	}
	return tight
}

// residualOfMultipliers returns the distance of a gradient from the cone of some normals, by coordinate descent.
func residualOfMultipliers(list []Constraint, tight []int, grad []float64) float64 {
	rest, force := slices.Clone(grad), make([]float64, len(tight))
	for range 20000 {
		for i, a := range tight {
			c := &list[a]
			square := 0.0
			for _, w := range c.Weights {
				square += w * w
			}
			next := max(force[i]+c.value(rest)/square, 0)
			for k, at := range c.Columns {
				rest[at] -= (next - force[i]) * c.Weights[k]
			}
			force[i] = next
		}
	}
	return math.Sqrt(dot(rest, rest))
}

// TestConstrainedFree compares with the optimum without constraints if all constraints are wide.
func TestConstrainedFree(t *testing.T) {
	for _, name := range []string{"squared", "logistic", "poisson"} {
		p, _ := constrainedProblem(name, 0)
		p.Constraints = nil
		free, err := p.Solve(t.Context(), all(len(p.X)), nil)
		if err != nil {
			t.Fatal(err)
		}
		for j := range p.X {
			p.Constraints = append(p.Constraints, Constraint{[]int{j}, []float64{1}, -100})
		}
		s, err := p.Solve(t.Context(), all(len(p.X)), nil)
		if err != nil {
			t.Fatal(err)
		}
		for j, b := range s.Beta[0] {
			if math.Abs(b-free.Beta[0][j]) > 1e-7 {
				t.Errorf("%s: coefficient %d is %v, without constraints %v", name, j, b, free.Beta[0][j])
			}
		}
	}
}

// TestProject compares with the pool-adjacent-violators algorithm.
func TestProject(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		n := 2 + rng.IntN(12)
		x := make([]float64, n)
		for i := range x {
			x[i] = rng.NormFloat64()
		}
		var list []Constraint
		for j := range n - 1 {
			list = append(list, Constraint{[]int{j, j + 1}, []float64{-1, 1}, 0})
		}
		want := pooled(x)
		Project(x, list)
		for i := range x {
			if math.Abs(x[i]-want[i]) > 1e-9 {
				t.Fatalf("%v, want %v", x, want)
			}
		}
	}
}

// pooled returns the isotonic regression of x: the largest of the smallest means.
func pooled(x []float64) []float64 {
	fit := make([]float64, len(x))
	for i := range x {
		best := math.Inf(-1)
		for lo := range i + 1 {
			least := math.Inf(1)
			for hi := i; hi < len(x); hi++ {
				least = min(least, mat.Sum(mat.NewVecDense(hi-lo+1, x[lo:hi+1]))/float64(hi-lo+1))
			}
			best = max(best, least)
		}
		fit[i] = best
	}
	return fit
}

// TestConstrainedGolden compares with the optima that SciPy finds; see testdata/constrained.py.
func TestConstrainedGolden(t *testing.T) {
	text, err := os.ReadFile("testdata/constrained.json")
	if err != nil {
		t.Fatal(err)
	}
	var list []struct {
		Loss, Shape string
		X, Weights  [][]float64
		Y, Least    []float64
		Objective   float64
		Beta        []float64
	}
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	for i, of := range list {
		kind, _ := loss.Named(of.Loss)
		p := &Problem{X: of.X, Penalty: penalties(len(of.X), 0), Ridge: 0.01, Loss: kind.New(loss.Params{}), Target: loss.Target{Y: of.Y}, Intercept: true, Quadratic: kind.Quadratic}
		for r, weights := range of.Weights {
			p.Constraints = append(p.Constraints, Constraint{all(len(of.X)), weights, of.Least[r]})
		}
		s, err := p.Solve(t.Context(), all(len(of.X)), nil)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(s.Objective-of.Objective) > 1e-6 {
			t.Errorf("%d, %s, %s: the objective is %v, of SciPy %v", i, of.Loss, of.Shape, s.Objective, of.Objective)
		}
		for j, b := range s.Beta[0] {
			if math.Abs(b-of.Beta[j]) > 1e-4 {
				t.Errorf("%d, %s, %s: coefficient %d is %v, of SciPy %v", i, of.Loss, of.Shape, j, b, of.Beta[j])
			}
		}
	}
}
