package anneal_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"fsa/anneal"
)

func TestTolerance(t *testing.T) {
	l := anneal.Uniform(30, 1, 1)
	truth := spread(l, 3, 9)
	for _, momentum := range []float64{0, -1} {
		r := anneals(t, linear(1, 100, l, truth, 0), anneal.Settings{K: 2, Tolerance: 1e-6, Momentum: momentum})
		if r.Status != anneal.Settled || r.Status.String() != "settled" || len(r.Trace) >= 500 {
			t.Errorf("momentum %g: %v after %d epochs", momentum, r.Status, len(r.Trace))
		}
		if got := coefficients(l, r.Groups, r.Beta); !closeTo(got, truth, 1e-4) {
			t.Errorf("momentum %g: beta %g, want %g", momentum, got, truth)
		}
	}
}

// TestToleranceWaits checks that a descent does not settle before only K groups are left, nor directly after the last
// drop, because the remaining coefficients have to adapt.
func TestToleranceWaits(t *testing.T) {
	l := anneal.Uniform(3, 1, 0)
	d := linear(1, 200, l, []float64{2, 2, 1}, 0)
	for i, x := range d.X {
		x[2] = x[0] + 0.5*x[2] // correlated with column 0
		d.Y[i] = 2*x[0] + 2*x[1] + x[2]
	}
	whole := *d
	late := func(e, _, groups, k int) int {
		if e < 400 {
			return groups
		}
		return k
	}
	r := anneals(t, d, anneal.Settings{K: 2, Schedule: late, Tolerance: 1e-9, Iterations: 1000})
	if r.Status != anneal.Settled || len(r.Trace) < 400 || len(r.Trace) == 1000 || !slices.Equal(r.Groups, []int{0, 1}) {
		t.Fatalf("%v after %d epochs with groups %v", r.Status, len(r.Trace), r.Groups)
	}
	grad := make([]float64, l.Len())
	if _, _, err := whole.Eval(t.Context(), 0, grad, coefficients(l, r.Groups, r.Beta)); err != nil {
		t.Fatal(err)
	}
	if slope := anneal.Norm(grad[:2]) / 200; slope > 1e-6 {
		t.Errorf("settled at %g, where the gradient of the mean is still %g", r.Beta, slope)
	}
}

// TestCancel checks that a cancelled context ends the run immediately, at any point.
func TestCancel(t *testing.T) {
	l := anneal.Uniform(30, 1, 1)
	for _, last := range []int{0, 1, 5, 300} {
		ctx, cancel := context.WithCancel(t.Context())
		calls := 0
		d := watched{Curved: linear(1, 50, l, spread(l, 3), 0.1), eval: func(int) error {
			calls++
			return nil
		}}
		if last == 0 {
			cancel()
		}
		r, err := anneal.Run(ctx, d, anneal.Settings{K: 2, Eta: 0.1, Observe: func(e anneal.Epoch) {
			if e.Epoch == last {
				cancel()
			}
		}})
		if r != nil || !errors.Is(err, ctx.Err()) || err == nil {
			t.Errorf("cancelled after epoch %d: %v with the error %v", last, r, err)
		}
		if calls != last+1 {
			t.Errorf("cancelled after epoch %d: Eval was called %d times", last, calls)
		}
		cancel()
	}
}

// TestErrors checks that an error of the objective ends the run and is returned.
func TestErrors(t *testing.T) {
	l := anneal.Uniform(30, 1, 1)
	lost := errors.New("the disk is gone")
	fail := func(int) error { return lost }
	for name, d := range map[string]watched{
		"Eval":      {eval: fail},
		"Curvature": {curvature: fail},
		"Keep":      {keep: func([]int) error { return lost }},
	} {
		d.Curved = linear(1, 50, l, spread(l, 3), 0.1)
		if r, err := anneal.Run(t.Context(), d, anneal.Settings{K: 2}); r != nil || !errors.Is(err, lost) {
			t.Errorf("%s fails: %v with the error %v", name, r, err)
		}
	}
}

// If Stop returns true, the descent ends after the epoch with the K strongest groups.
func TestStop(t *testing.T) {
	epochs := 0
	s := anneal.Settings{K: 3, Iterations: 100, Stop: func() bool { epochs++; return epochs == 4 }}
	l := anneal.Uniform(30, 1, 1)
	res := anneals(t, linear(1, 100, l, spread(l, 3, 9), 0), s)
	if len(res.Trace) != 4 || len(res.Groups) != 3 || res.Status != anneal.Stopped || res.Trace[3].Groups != 3 {
		t.Errorf("%d epochs, %d groups, %v", len(res.Trace), len(res.Groups), res.Status)
	}
}
