package solve

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"fsa/loss"
)

// sample returns columns, some of them nearly equal, and a response that depends on two of them.
func sample(seed uint64, rows, cols int) (x [][]float64, signal []float64) {
	rng := rand.New(rand.NewPCG(seed, 7))
	x = make([][]float64, cols)
	for j := range x {
		x[j] = make([]float64, rows)
		for i := range x[j] {
			x[j][i] = rng.NormFloat64()
			if j > 0 {
				x[j][i] = 0.8*x[j-1][i] + 0.6*x[j][i]
			}
		}
	}
	signal = make([]float64, rows)
	for i := range signal {
		signal[i] = 2*x[1][i] - 1.5*x[cols-2][i] + 0.5*rng.NormFloat64() + 1
	}
	return x, signal
}

func penalties(n int, lambda float64) []float64 { return slices.Repeat([]float64{lambda}, n) }

// TestRidge compares with the normal equations.
func TestRidge(t *testing.T) {
	x, y := sample(1, 60, 6)
	weight := make([]float64, len(y))
	for i := range weight {
		weight[i] = 0.5 + float64(i%3)
	}
	p := &Problem{X: x, Penalty: penalties(6, 0.05), Loss: loss.Squared{}, Target: loss.Target{Y: y, Weight: weight}, Intercept: true}
	cols := []int{0, 1, 4, 5}
	s, err := p.Solve(t.Context(), cols, nil)
	if err != nil {
		t.Fatal(err)
	}
	n := len(cols)
	h, g := mat.NewSymDense(n+1, nil), mat.NewVecDense(n+1, nil)
	at := func(j, i int) float64 {
		if j == n {
			return 1
		}
		return x[cols[j]][i]
	}
	for i, w := range weight {
		for a := range n + 1 {
			g.SetVec(a, g.AtVec(a)+w*at(a, i)*y[i])
			for b := a; b <= n; b++ {
				h.SetSym(a, b, h.At(a, b)+w*at(a, i)*at(b, i))
			}
		}
	}
	for a := range n {
		h.SetSym(a, a, h.At(a, a)+2*0.05*total(weight))
	}
	var c mat.Cholesky
	c.Factorize(h)
	want := mat.NewVecDense(n+1, nil)
	if err := c.SolveVecTo(want, g); err != nil {
		t.Fatal(err)
	}
	for a := range n {
		if math.Abs(s.Beta[0][a]-want.AtVec(a)) > 1e-8 {
			t.Errorf("coefficient %d is %v, want %v", a, s.Beta[0][a], want.AtVec(a))
		}
	}
	if math.Abs(s.Intercept[0]-want.AtVec(n)) > 1e-8 {
		t.Errorf("intercept %v, want %v", s.Intercept[0], want.AtVec(n))
	}
}

// TestOptimum checks that the gradient vanishes, for every loss.
func TestOptimum(t *testing.T) {
	x, y := sample(2, 90, 5)
	signs, classes, grades := make([]float64, len(y)), make([]float64, len(y)), make([]float64, len(y))
	for i, v := range y {
		signs[i] = math.Copysign(1, v-1+0.8*math.Sin(float64(7*i)))
		classes[i] = float64(min(max(int(v+1), 0), 2))
		grades[i] = classes[i]
	}
	for name, p := range map[string]*Problem{
		"logistic":    {Loss: loss.Logistic{}, Target: loss.Target{Y: signs}, Intercept: true},
		"svm":         {Loss: loss.SVM{}, Target: loss.Target{Y: signs}, Intercept: true},
		"multinomial": {Loss: loss.Multinomial{Classes: 3}, Target: loss.Target{Y: classes}, Intercept: true},
		"rank":        {Loss: loss.Rank{}, Target: loss.Target{Y: grades, Query: []int{0, 30, 60, 90}}},
	} {
		p.X, p.Penalty = x, penalties(5, 0.01)
		s, err := p.Solve(t.Context(), all(5), nil)
		if err != nil {
			t.Fatal(err)
		}
		w := newEvaluator(p, all(5))
		w.eval(s)
		if size := math.Sqrt(dot(w.grad, w.grad)); size > 1e-4 {
			t.Errorf("%s: the norm of the gradient at the optimum is %v", name, size)
		}
	}
}

// TestSeparable checks that the solver finds the optimum of separable classes, which is finite with a ridge.
func TestSeparable(t *testing.T) {
	x, _ := sample(3, 40, 4)
	y := make([]float64, 40)
	for i := range y {
		y[i] = math.Copysign(1, x[0][i])
	}
	p := &Problem{X: x, Penalty: penalties(4, 1e-4), Loss: loss.Logistic{}, Target: loss.Target{Y: y}, Intercept: true}
	s, err := p.Solve(t.Context(), all(4), nil)
	if err != nil {
		t.Fatal(err)
	}
	w := newEvaluator(p, all(4))
	w.eval(s)
	if size := math.Sqrt(dot(w.grad, w.grad)); size > 1e-4 || s.Loss > 0.1 {
		t.Errorf("loss %v, gradient %v", s.Loss, size)
	}
}

// TestCollinear checks that equal columns have a solution.
func TestCollinear(t *testing.T) {
	x, y := sample(4, 30, 3)
	x = append(x, x[1], x[1])
	p := &Problem{X: x, Penalty: penalties(5, 0), Loss: loss.Squared{}, Target: loss.Target{Y: y}, Intercept: true}
	all5, err := p.Solve(t.Context(), all(5), nil)
	if err != nil {
		t.Fatal(err)
	}
	three, err := p.Solve(t.Context(), all(3), nil)
	if err != nil || math.Abs(all5.Loss-three.Loss) > 1e-6 {
		t.Errorf("loss %v with copies, %v without, error %v", all5.Loss, three.Loss, err)
	}
}

// columns is a table of plain columns.
type columns struct {
	x [][]float64
}

func (c columns) Count() int { return len(c.x) }

func (c columns) Products(_ context.Context, r [][]float64) ([][]float64, error) {
	out := make([][]float64, len(r))
	for i := range r {
		for _, x := range c.x {
			out[i] = append(out[i], dot(x, r[i]))
		}
	}
	return out, nil
}

func (c columns) Columns(_ context.Context, js []int) ([][]float64, error) {
	x := make([][]float64, len(js))
	for i, j := range js {
		x[i] = c.x[j]
	}
	return x, nil
}

func (c columns) Square(j int) float64 { return dot(c.x[j], c.x[j]) / float64(len(c.x[j])) }

// TestSwap starts from a bad selection and expects one that no single swap improves. It tries all swaps, with the
// squared loss.
func TestSwap(t *testing.T) {
	for seed := range uint64(20) {
		x, y := sample(seed, 80, 12)
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			problem := func(cols []int) *Problem {
				p := &Problem{Penalty: penalties(len(cols), 0.001), Loss: loss.Squared{}, Target: loss.Target{Y: y}, Intercept: true}
				for _, j := range cols {
					p.X = append(p.X, x[j])
				}
				return p
			}
			solve := func(cols []int) *Solution {
				s, err := problem(cols).Solve(t.Context(), all(len(cols)), nil)
				if err != nil {
					t.Fatal(err)
				}
				return s
			}
			first := []int{3, 4, 5}
			p := problem(first)
			chosen, s, err := p.Swap(t.Context(), columns{x}, first, nil, solve(first), Swaps{Most: 50, Gain: 1e-9, Try: 5})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.IsSorted(chosen) || math.Abs(solve(chosen).Objective-s.Objective) > 1e-9 {
				t.Fatalf("chosen %v with objective %v, which is %v", chosen, s.Objective, solve(chosen).Objective)
			}
			for i := range chosen {
				for j := range x {
					if slices.Contains(chosen, j) {
						continue
					}
					other := slices.Clone(chosen)
					other[i] = j
					if o := solve(other).Objective; o < s.Objective*(1-1e-6) {
						t.Errorf("%v has %v, and %v has %v", chosen, s.Objective, other, o)
					}
				}
			}
		})
	}
}

// TestSwapKeepsForced checks that forced columns stay selected.
func TestSwapKeepsForced(t *testing.T) {
	x, y := sample(1, 80, 12)
	first := []int{5, 6}
	p := &Problem{X: [][]float64{x[5], x[6]}, Penalty: penalties(2, 0.001), Loss: loss.Squared{}, Target: loss.Target{Y: y}, Intercept: true}
	from, err := p.Solve(t.Context(), all(2), nil)
	if err != nil {
		t.Fatal(err)
	}
	chosen, _, err := p.Swap(t.Context(), columns{x}, first, []bool{true, false}, from, Swaps{Most: 50, Gain: 1e-9, Try: 5})
	if err != nil || !slices.Contains(chosen, 5) || slices.Contains(chosen, 6) {
		t.Errorf("chosen %v, error %v", chosen, err)
	}
}

// TestFarResponse checks that quantiles are found if all responses are far from the null model, where the loss is linear.
func TestFarResponse(t *testing.T) {
	const far = 400
	rng := rand.New(rand.NewPCG(3, 0))
	x, near, y := make([]float64, 50), make([]float64, 50), make([]float64, 50)
	for i := range y {
		x[i] = rng.NormFloat64()
		near[i] = 3*x[i] + rng.NormFloat64()
		y[i] = near[i] + far
	}
	quantiles := loss.NewSeveral(loss.Quantile{Tau: 0.1, S: 0.1}, loss.Quantile{Tau: 0.5, S: 0.1})
	of := func(y []float64) *Solution {
		p := &Problem{X: [][]float64{x}, Penalty: []float64{0}, Loss: quantiles, Target: loss.Target{Y: y}, Intercept: true}
		s, err := p.Solve(t.Context(), []int{0}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	a, b := of(near), of(y)
	for c := range a.Beta {
		if math.Abs(a.Beta[c][0]-b.Beta[c][0]) > 1e-4 || math.Abs(a.Intercept[c]+far-b.Intercept[c]) > 1e-4 {
			t.Errorf("output %d: %v + %v x instead of %v + %v x", c, b.Intercept[c], b.Beta[c], a.Intercept[c]+far, a.Beta[c])
		}
	}
}
