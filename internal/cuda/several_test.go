package cuda

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"fsa/anneal"
	"fsa/internal/matrix"
	"fsa/internal/need"
	"fsa/internal/objective"
	"fsa/internal/objectivetest"
	"fsa/loss"
)

// eachPair runs a test with two devices that may use the given amount of memory each: fake ones,
// and a real one that is opened twice, if there is one.
func eachPair(t *testing.T, memory int64, f func(t *testing.T, d *Several)) {
	for name, open := range map[string]func(int) (*Device, error){
		"fake": func(int) (*Device, error) { return newDevice(newFake(9), memory) },
		"real": func(int) (*Device, error) { return Open(memory) },
	} {
		t.Run(name, func(t *testing.T) {
			first, err := open(0)
			need.Device(t, err)
			d := newSeveral(first, 2, open)
			defer d.Close()
			f(t, d)
		})
	}
}

// put places an objective, and reports whether it is on several devices.
func put(t *testing.T, d *Several, ob *objective.Objective) (objective.Placed, bool) {
	o, err := d.Place(t.Context(), ob)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(o.Close)
	_, several := o.(*spread)
	return o, several
}

// TestSeveral expects rows divided between two devices to give the sums of one processor, and the
// objective to keep the promises of the interface.
func TestSeveral(t *testing.T) {
	eachPair(t, 1_300_000, func(t *testing.T, d *Several) {
		for name, l := range losses {
			t.Run(name, func(t *testing.T) {
				s := newSample(matrix.Float32, 4000, 90, l)
				here := s.objective(1000, 0, 0.01)
				there, several := put(t, d, s.objective(1000, 0, 0.01))
				if !several {
					t.Fatal("the table is on one device")
				}
				defer there.Close()
				n := here.Layout().Len()
				beta, want, got := make([]float64, n), make([]float64, n), make([]float64, n)
				for i := range beta {
					beta[i] = math.Sin(float64(i)) / 5
				}
				for b := range here.Batches() {
					sum, weight, err := here.Eval(t.Context(), b, want, beta)
					if err != nil {
						t.Fatal(err)
					}
					sum2, weight2, err := there.Eval(t.Context(), b, got, beta)
					if err != nil {
						t.Fatal(err)
					}
					if math.Abs(sum-sum2) > 2e-5*math.Abs(sum) || math.Abs(weight-weight2) > 1e-9*weight || apart(got, want) > 2e-5 {
						t.Errorf("batch %d: sum %g, weight %g, want %g, %g; the gradient is off by %g", b, sum2, weight2, sum, weight, apart(got, want))
					}
				}
			})
		}
	})
	eachPair(t, 0, func(t *testing.T, d *Several) {
		s := newSample(matrix.Float32, 60, 9, loss.Logistic{})
		objectivetest.Run(t, func() anneal.Objective {
			p, err := s.objective(20, 0, 0.1).Parts()
			if err != nil {
				t.Fatal(err)
			}
			o, err := d.spread(t.Context(), &p)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(o.Close)
			return o
		})
	})
}

// TestSeveralSelect expects two devices to select what the processor selects, in all formats, and
// to give the same bits twice. A table that fits into one of them is there alone.
func TestSeveralSelect(t *testing.T) {
	for module, format := range formats {
		t.Run(module, func(t *testing.T) {
			need.LongCase(t, module, "bfloat16")
			s := newSample(format, 15000, 200, loss.Logistic{})
			eachPair(t, 15000*200*int64(sizeOf[format])*9/10, func(t *testing.T, d *Several) {
				set := anneal.Settings{K: 5, Iterations: 8, Mu: 30}
				want, err := anneal.Run(t.Context(), s.objective(2500, 5, 0.01), set)
				if err != nil {
					t.Fatal(err)
				}
				var results []*anneal.Result
				for range 2 {
					o, several := put(t, d, s.objective(2500, 5, 0.01))
					if !several {
						t.Error("the table is on one device")
					}
					r, err := anneal.Run(t.Context(), o, set)
					if err != nil {
						t.Fatal(err)
					}
					results = append(results, r)
					if h, ok, err := o.(objective.Refinable).Hessian(t.Context()); !ok || err != nil || h.SymmetricDim() != 6 {
						t.Errorf("the Hessian: %v, %v", ok, err)
					}
					o.Close()
				}
				if got := results[0]; !slices.Equal(got.Groups, want.Groups) || apart(got.Beta, want.Beta) > 1e-3 {
					t.Errorf("groups %v, want %v; β is off by %g", got.Groups, want.Groups, apart(got.Beta, want.Beta))
				}
				if !reflect.DeepEqual(results[0], results[1]) {
					t.Error("a second run gave other bits")
				}
				small := newSample(format, 200, 50, loss.Logistic{})
				if _, several := put(t, d, small.objective(100, 5, 0)); several {
					t.Error("a table that one device has room for is on two")
				}
			})
		})
	}
}

// TestSeveralStream expects a table that is too large for all devices to be streamed.
func TestSeveralStream(t *testing.T) {
	eachPair(t, 500_000, func(t *testing.T, d *Several) {
		s := newSample(matrix.Float32, 3000, 200, loss.Logistic{})
		o, several := put(t, d, s.objective(500, 5, 0.01))
		if several || o.(*Objective).stream == nil {
			t.Errorf("the table is on devices, on several: %v", several)
		}
	})
}
