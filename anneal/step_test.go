package anneal_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"fsa/anneal"
	"fsa/internal/need"
	"fsa/internal/objectivetest"
)

// curved returns a regression whose Hessian has exactly the given eigenvalues. If mixed is set, the eigenvectors are not
// the coordinate axes. Only the last of these directions has a signal.
func curved(eigen []float64, mixed bool) *objectivetest.Dense {
	n := len(eigen)
	d := &objectivetest.Dense{Columns: anneal.Uniform(n, 1, 0), Y: make([]float64, n)}
	for i, e := range eigen {
		x := make([]float64, n)
		x[i] = math.Sqrt(float64(n) * e)
		if mixed { // the reflection I − 2uuᵀ with u = (1,…,1)/√n
			shift := 2 * x[i] / float64(n)
			for j := range x {
				x[j] -= shift
			}
		}
		d.X = append(d.X, x)
	}
	d.Y[n-1] = 1
	return d
}

// TestEtaChosen compares the step size with the inverse of the largest eigenvalue. Power iteration underestimates the
// eigenvalue, so the step size may be slightly larger, but never smaller.
func TestEtaChosen(t *testing.T) {
	for _, mixed := range []bool{false, true} {
		for _, top := range []float64{1, 2, 30, 1e6, 1e-6} {
			eigen := make([]float64, 20)
			for i := range eigen {
				eigen[i] = top * float64(1+i%4) / 8
			}
			eigen[7] = top
			r := anneals(t, curved(eigen, mixed), anneal.Settings{K: 20, Iterations: 1})
			if got := r.Trace[0].Eta * top; !(got > 1-1e-9 && got < 1.02) {
				t.Errorf("largest eigenvalue %g, mixed %v: the step is %g of its inverse", top, mixed, got)
			}
		}
	}
}

// TestEtaLogistic checks that the step size depends on the loss: the curvature of the logistic loss is at most a quarter
// of that of the squared loss.
func TestEtaLogistic(t *testing.T) {
	d := curved([]float64{1, 2, 8, 2}, true)
	d.Logistic = true
	r := anneals(t, d, anneal.Settings{K: 4, Iterations: 1})
	if got := r.Trace[0].Eta * 8 / 4; !(got > 1-1e-9 && got < 1.02) {
		t.Errorf("the step size is %g of the inverse of the largest curvature", got)
	}
}

// TestEtaMeasuredAgain checks that the step size grows once the variable with the largest curvature, which has no signal,
// was dropped: when half of the groups have been dropped, and in any case when only K are left.
func TestEtaMeasuredAgain(t *testing.T) {
	eigen := []float64{1, 2, 1, 1, 3, 1, 50, 2}
	for _, k := range []int{1, 5} {
		r := anneals(t, curved(eigen, false), anneal.Settings{K: k, Iterations: 40, Mu: 1})
		var top float64
		for _, j := range r.Groups {
			top = max(top, eigen[j])
		}
		first, last := r.Trace[0].Eta*50, r.Trace[39].Eta*top
		if math.Abs(first-1) > 0.02 || math.Abs(last-1) > 0.02 || top == 50 {
			t.Errorf("groups %v: the first step size is %g and the last %g, relative to the inverse curvature", r.Groups, first, last)
		}
		for i := range r.Trace[1:] {
			if r.Trace[i+1].Eta < r.Trace[i].Eta*(1-1e-4) {
				t.Errorf("epoch %d: the step shrinks from %g to %g", i+2, r.Trace[i].Eta, r.Trace[i+1].Eta)
			}
		}
	}
}

// TestEtaStable checks that the last step size, which most epochs use, is stable with momentum, even if groups are dropped
// so fast that little of the last measured direction is left. With q = 1−ηL, a step of Nesterov's method is
// β″ = (1+m)qβ′ − mqβ. A root of its characteristic polynomial leaves the unit circle at −1 if 1 + (1+2m)q = 0, so ηL
// must stay below 1 + 1/(1+2m).
func TestEtaStable(t *testing.T) {
	need.Long(t)
	const limit = 1 + 1/(1+2*anneal.DefaultMomentum)
	l := anneal.Uniform(300, 1, 0)
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 9))
		d := linear(seed, 60, l, spread(l, 0, 25, 100), 1)
		for _, x := range d.X { // correlated columns
			var common [20]float64
			for i := range common {
				common[i] = 1.5 * rng.NormFloat64()
			}
			for j := range x {
				x[j] += common[j%20]
			}
		}
		whole := d.X
		for _, mu := range []float64{10, 100, 1000} {
			again := *d
			r := anneals(t, &again, anneal.Settings{K: 10, Mu: mu, Iterations: 50})
			kept := make([][]float64, len(whole))
			for i, x := range whole {
				for _, j := range r.Groups {
					kept[i] = append(kept[i], x[j])
				}
			}
			if got := r.Trace[49].Eta * squaredNorm(kept) / 60; got > limit {
				t.Errorf("seed %d, mu %g: the last step size is %.3f of the inverse curvature, more than %.3f", seed, mu, got, limit)
			}
		}
	}
}

// TestEtaBatches checks that the batch with the largest curvature determines the step size.
func TestEtaBatches(t *testing.T) {
	for _, steep := range []int{0, 1, 2} {
		d := curved([]float64{1, 1, 1}, false)
		d.Parts = 3 // one row each, so that the curvature of a mean is three times as large
		d.X[steep][steep] *= 2
		r := anneals(t, d, anneal.Settings{K: 3, Iterations: 1})
		if got := r.Trace[0].Eta * 12; math.Abs(got-1) > 1e-9 {
			t.Errorf("batch %d has the largest curvature: the step size is %g of its inverse", steep, got)
		}
	}
}

func TestEtaGiven(t *testing.T) {
	l := anneal.Uniform(20, 1, 1)
	d := watched{Curved: linear(1, 50, l, spread(l, 4), 0.1), curvature: func(int) error {
		t.Error("curvature was measured")
		return nil
	}}
	for _, e := range anneals(t, d, anneal.Settings{K: 2, Eta: 0.0625, Iterations: 50}).Trace {
		if e.Eta != 0.0625 {
			t.Fatalf("epoch %d: the step is %g", e.Epoch, e.Eta)
		}
	}
}

func TestNoStep(t *testing.T) {
	l := anneal.Uniform(5, 1, 0)
	d := linear(1, 20, l, spread(l, 1), 0.1)
	if _, err := anneal.Run(t.Context(), flat{d}, anneal.Settings{K: 1}); !errors.Is(err, anneal.ErrNoStep) {
		t.Errorf("without Eta and without curvature: %v", err)
	}
	if r := anneals(t, flat{d}, anneal.Settings{K: 1, Eta: 0.1}); r.Groups[0] != 1 {
		t.Errorf("with Eta: group %d, want 1", r.Groups[0])
	}
}

// TestEtaEmptyBatches checks that the step size is measured on other batches if some have no weight or only zeros.
func TestEtaEmptyBatches(t *testing.T) {
	l := anneal.Uniform(8, 1, 0)
	for _, weighed := range []bool{false, true} {
		for empty := 1; empty < 6; empty++ {
			d := linear(1, 120, l, spread(l, 2, 5), 0.01)
			d.Parts = 6
			for i := range 20 * empty {
				clear(d.X[i])
				d.Y[i] = 0
			}
			if weighed {
				d.Weight = make([]float64, 120)
				for i := 20 * empty; i < 120; i++ {
					d.Weight[i] = 1
				}
			}
			r := anneals(t, d, anneal.Settings{K: 2, Momentum: -1})
			if got, want := coefficients(l, r.Groups, r.Beta), spread(l, 2, 5); !closeTo(got, want, 0.02) {
				t.Errorf("%d of 6 batches empty: beta %.3g, want %.3g", empty, got, want)
			}
		}
	}
}

// TestNothingToLearn checks that a gradient of zero is not an error.
func TestNothingToLearn(t *testing.T) {
	l := anneal.Uniform(8, 1, 1)
	d := linear(1, 20, l, spread(l, 2), 0)
	for i := range d.X {
		clear(d.X[i])
	}
	r := anneals(t, d, anneal.Settings{K: 3, Iterations: 10})
	if len(r.Groups) != 3 || anneal.Norm(r.Beta) != 0 {
		t.Errorf("groups %v with the coefficients %g", r.Groups, r.Beta)
	}
}

func TestDiverged(t *testing.T) {
	l := anneal.Uniform(20, 1, 1)
	for _, parts := range []int{1, 4} {
		for _, momentum := range []float64{0.9, -1} {
			for _, eta := range []float64{50, 1e10, 1e300} {
				d := linear(1, 60, l, spread(l, 4), 0.1)
				d.Parts = parts
				r, err := anneal.Run(t.Context(), d, anneal.Settings{K: 15, Eta: eta, Momentum: momentum})
				if !errors.Is(err, anneal.ErrDiverged) || r != nil {
					t.Errorf("step %g, %d batches, momentum %g: %+v with the error %v", eta, parts, momentum, r, err)
				}
			}
		}
	}
}

// TestDivergedAtOnce checks that a descent can diverge in its first step, by infinite coefficients or an infinite loss.
func TestDivergedAtOnce(t *testing.T) {
	l := anneal.Uniform(5, 1, 0)
	far := linear(1, 20, l, spread(l, 1), 0)
	steep := linear(1, 20, l, spread(l, 1), 0)
	for i := range steep.Y {
		steep.Y[i] *= 1e200 // whose square overflows
	}
	for name, c := range map[string]struct {
		obj anneal.Objective
		eta float64
	}{"coefficients": {far, math.MaxFloat64}, "loss": {steep, 1e-3}} {
		_, err := anneal.Run(t.Context(), c.obj, anneal.Settings{K: 5, Iterations: 1, Eta: c.eta, Momentum: 0.9})
		if !errors.Is(err, anneal.ErrDiverged) {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
}

// TestNotFinite checks that data for which no step size works is refused, and that the message does not blame an Eta that
// was not set.
func TestNotFinite(t *testing.T) {
	l := anneal.Uniform(3, 1, 0)
	for _, bad := range []float64{math.NaN(), math.Inf(1), 1e200} {
		d := linear(1, 10, l, spread(l, 1), 0)
		d.X[4][1] = bad
		r, err := anneal.Run(t.Context(), d, anneal.Settings{K: 1})
		if err == nil || errors.Is(err, anneal.ErrDiverged) || r != nil {
			t.Errorf("%g in the data: %+v with the error %v", bad, r, err)
		}
	}
}

// modest reports a curvature that is too small.
type modest struct{ *objectivetest.Dense }

func (m modest) Curvature(ctx context.Context, batch int, dst, v []float64) (float64, error) {
	weight, err := m.Dense.Curvature(ctx, batch, dst, v)
	for i := range dst {
		dst[i] /= 8 * 1000
	}
	return weight / 8, err // as if it were measured on an eighth of the rows
}

// TestEtaTooLong checks that a measured step size that is too large, as on a sample without the outliers, is detected and
// reduced.
func TestEtaTooLong(t *testing.T) {
	l := anneal.Uniform(8, 1, 1)
	for _, parts := range []int{1, 4} {
		d := linear(1, 120, l, spread(l, 2, 5), 0.01)
		d.Parts = parts
		r := anneals(t, modest{d}, anneal.Settings{K: 2})
		if got, want := coefficients(l, r.Groups, r.Beta), spread(l, 2, 5); !closeTo(got, want, 0.02) {
			t.Errorf("%d batches: beta %.3g, want %.3g", parts, got, want)
		}
	}
}

// kicked makes one gradient far too large.
type kicked struct {
	*objectivetest.Dense
	left *int // number of evaluations until then
}

func (k kicked) Eval(ctx context.Context, batch int, grad, beta []float64) (sum, weight float64, err error) {
	sum, weight, err = k.Dense.Eval(ctx, batch, grad, beta)
	if *k.left--; *k.left == 0 {
		for i := range grad {
			grad[i] = 1000 * weight
		}
	}
	return sum, weight, err
}

// TestLostStart checks that an epoch with a bad last step does not reduce the step size of all later epochs to almost
// zero: a smaller step cannot repair a bad start.
func TestLostStart(t *testing.T) {
	l := anneal.Uniform(8, 1, 1)
	d := linear(1, 120, l, spread(l, 2, 5), 0.01)
	d.Parts = 4
	left := 4 + 3*4 // the last batch of the third epoch, after the evaluation of the null loss
	r := anneals(t, kicked{d, &left}, anneal.Settings{K: 2, WarmUp: 20})
	if got, want := coefficients(l, r.Groups, r.Beta), spread(l, 2, 5); !closeTo(got, want, 0.02) {
		t.Errorf("beta %.3g, want %.3g; the last step was %g", got, want, r.Trace[len(r.Trace)-1].Eta)
	}
}

// If all columns have a common factor, warm-up steps precede the first drop; otherwise the first group is dropped after
// the first epoch.
func TestFactorWarmUp(t *testing.T) {
	l := anneal.Uniform(40, 1, 0)
	for _, c := range []struct {
		factor float64
		steps  int
		first  int // epoch after which the first group is dropped
	}{{0, 12, 1}, {2, 0, 1}, {2, 12, 12}} {
		d := linear(3, 200, l, spread(l, 2, 30), 0.1)
		for i, x := range d.X {
			shift := c.factor * float64(i%7-3)
			for j := range x {
				x[j] += shift
			}
		}
		r := anneals(t, d, anneal.Settings{K: 2, Iterations: 50, FactorWarmUp: c.steps})
		first := 0
		for _, e := range r.Trace {
			if e.Of != len(r.Trace) {
				t.Fatalf("epoch %d is one of %d, not of %d", e.Epoch, e.Of, len(r.Trace))
			}
			if first == 0 && e.Groups < 40 {
				first = e.Epoch
			}
		}
		if first != c.first {
			t.Errorf("%+v: the first group was dropped after epoch %d", c, first)
		}
	}
}

// Groups are compared by the mean over the steps of an epoch, so that a different last batch does not decide alone.
func TestLastBatchDoesNotDecide(t *testing.T) {
	const rows = 1000
	l := anneal.Uniform(20, 1, 0)
	wrong := 0
	for seed := range uint64(10) {
		d := linear(seed, rows, l, make([]float64, 20), 1)
		for i, x := range d.X {
			d.Y[i] += 0.15 * (x[3] + x[8])
		}
		d.Parts = 20
		for _, g := range anneals(t, d, anneal.Settings{K: 2, Iterations: 40}).Groups {
			if g != 3 && g != 8 {
				wrong++
			}
		}
	}
	if wrong > 1 {
		t.Errorf("%d of 20 selected groups have no effect", wrong)
	}
}

// The common factor of all columns is detected even if the first batch has no weight.
func TestFactorWarmUpAfterEmptyBatch(t *testing.T) {
	l := anneal.Uniform(40, 1, 0)
	d := linear(3, 200, l, spread(l, 2, 30), 0.1)
	d.Parts, d.Weight = 4, make([]float64, len(d.X))
	for i, x := range d.X {
		if i >= len(d.X)/d.Parts {
			d.Weight[i] = 1
		}
		for j := range x {
			x[j] += 2 * float64(i%7-3)
		}
	}
	r := anneals(t, d, anneal.Settings{K: 2, Iterations: 50, FactorWarmUp: 12})
	if e := r.Trace[1]; e.Groups < 40 {
		t.Errorf("after %d epochs of 4 steps %d groups are left, but the first is dropped after 12 steps", e.Epoch, e.Groups)
	}
}
