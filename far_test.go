package fsa_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fsa"
	"fsa/data"
	"fsa/model"
)

// A target far from zero is fitted as well as one near zero, up to its rounding error, by every loss for numbers and with
// curves. Out-of-fold predictions are in the units of the target.
func TestFarResponses(t *testing.T) {
	const rows = 300
	table := func(offset, scale float64) *data.Dataset {
		return rowsOf(t, rows, func(rng *rand.Rand) []float64 {
			r := make([]float64, 7)
			for j := range 6 {
				r[j] = rng.NormFloat64()
			}
			r[6] = offset + scale*(r[1]-0.5*r[4]+0.05*rng.NormFloat64())
			return r
		})
	}
	for _, o := range []fsa.Options{{K: 2, Bins: fsa.None}, {K: 2, Loss: "huber", Bins: fsa.None}, {K: 2, Bins: 5}, {Bins: fsa.None}} {
		for _, c := range []struct{ offset, scale float64 }{{1e6, 1}, {1e10, 1e-3}, {-1e12, 1}, {1e307, 1e297}} {
			t.Run(fmt.Sprint(o.Loss, o.Bins, o.K, c), func(t *testing.T) {
				far, near := fit(t, table(c.offset, c.scale), o), fit(t, table(0, c.scale), o)
				if got, want := indices(far), indices(near); !slices.Equal(got, want) {
					t.Fatalf("selected %v, and %v near zero", got, want)
				}
				for _, m := range []map[string]float64{far.Training().Metrics, far.Validation().Metrics} {
					if m["r2"] < 0.98 || m["rmse"] > 0.1*c.scale {
						t.Errorf("R² %v, RMSE %v", m["r2"], m["rmse"])
					}
				}
				p, err := far.PredictDataset(t.Context(), table(c.offset, c.scale))
				if err != nil {
					t.Fatal(err)
				}
				for i, z := range p.Decision {
					if !(math.Abs(z-c.offset) < 6*c.scale) {
						t.Fatalf("row %d: %v is predicted", i, z)
					}
				}
			})
		}
	}
}

// A target whose differences are close to its rounding error is distinguished from one that is merely large.
func TestRounded(t *testing.T) {
	y := func(offset float64) *data.Target {
		rng := rand.New(rand.NewPCG(1, 1))
		t := &data.Target{}
		for range 100 {
			t.Y = append(t.Y, offset+rng.NormFloat64())
		}
		return t
	}
	for offset, want := range map[float64]bool{0: false, 1e9: false, 1e12: false, 1e14: true, -1e15: true} {
		if _, _, got := model.Rounded(y(offset)); got != want {
			t.Errorf("%v: rounded %v", offset, got)
		}
	}
	if _, _, got := model.Rounded(&data.Target{Y: []float64{1, 1, 1}}); got {
		t.Error("a constant is treated as rounded")
	}
}

// Neither a target of 1e10 plus thousandths nor a column whose offset is 1e12 times its deviation hides a variable,
// whatever is cross-validated.
func TestFarTables(t *testing.T) {
	table := rowsOf(t, 300, func(rng *rand.Rand) []float64 {
		r := make([]float64, 7)
		for j := range 6 {
			r[j] = rng.NormFloat64()
		}
		r[6] = 1e10 + 0.001*(r[0]-2*r[3])
		r[0] += 1e12
		return r
	})
	for _, o := range []fsa.Options{{K: 2, Quick: true}, {K: 2}, {K: 2, Bins: fsa.None, Loss: "squared"}, {}} {
		m := fit(t, table, o)
		if got := indices(m); !slices.Equal(got, []int{0, 3}) {
			t.Errorf("%+v: selected %v", o, got)
		}
		if r2 := m.Training().Metrics["r2"]; !(r2 > 0.9999) {
			t.Errorf("%+v: R² %v", o, r2)
		}
	}
}
