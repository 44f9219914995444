package baseline

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"fsa"
	"fsa/data"
	"fsa/internal/matrix"
	"fsa/internal/need"
)

// byteSamples returns the same two classes as bytes and as numbers.
func byteSamples(t testing.TB, rows, columns int) (asBytes, asNumbers *data.Dataset) {
	t.Helper()
	const seed = 5
	rng := rand.New(rand.NewPCG(seed, 0))
	var x []float64
	codes := make([][]uint8, rows)
	y, weight := make([]float64, rows), make([]float64, rows)
	for i := range codes {
		codes[i] = make([]uint8, columns)
		for j := range codes[i] {
			codes[i][j] = uint8(min(max(128+40*rng.NormFloat64(), 0), 255))
			x = append(x, float64(codes[i][j]))
		}
		y[i], weight[i] = -1, 1
		if float64(codes[i][0])+2*float64(codes[i][columns-1])+50*rng.NormFloat64() > 400 {
			y[i] = 1
		}
	}
	b := matrix.NewBytes(columns)
	b.Append(codes)
	asBytes, err := data.FromMatrix(context.Background(), "bytes", nil, b, data.Roles{TargetVector: &data.Vector{Values: y}, WeightVector: &data.Vector{Values: weight}})
	if err != nil {
		t.Fatal(err)
	}
	if asNumbers, err = data.FromRows(nil, columns, x, y); err != nil {
		t.Fatal(err)
	}
	return asBytes, asNumbers
}

// Whether a table holds bytes or numbers makes no difference, but for the bins of a
// curve: those of numbers hold as many values each, those of bytes are of equal width.
func TestBytes(t *testing.T) {
	need.Long(t)
	asBytes, asNumbers := byteSamples(t, 1500, 12)
	for name, m := range map[string]Fitter{
		"stairs": LogitBoost{Options: Options{K: 5, Iterations: 12}, Bins: 10},
		"random": LogitBoost{Options: Options{K: 5, Seed: 3}, Bins: 10, Share: 0.5},
		"lines":  LogitBoost{Options: Options{K: 5}},
		"ridge":  Ridge{Options: Options{K: 5, LossName: "squared"}},
		"fsa":    fsa.Options{K: 5, Loss: "lorenz", Bins: fsa.None},
	} {
		got, want := mustFit(t, m, asBytes), mustFit(t, m, asNumbers)
		if !slices.Equal(chosen(got), chosen(want)) {
			t.Errorf("%s: variables %v of bytes, %v of numbers", name, chosen(got), chosen(want))
			continue
		}
		for i, v := range got.Selected() {
			near(t, name, v.Coefficients, want.Selected()[i].Coefficients, 1e-3)
		}
	}
	for _, d := range []*data.Dataset{asBytes, asNumbers} {
		if got := chosen(mustFit(t, fsa.Options{K: 2, Bins: 10, Loss: "lorenz", Quick: true}, d)); !slices.Equal(got, []int{0, 11}) {
			t.Errorf("curves: variables %v of %s", got, d.Name)
		}
	}
}

func TestBytesOnThreads(t *testing.T) {
	d, _ := byteSamples(t, 3000, 40)
	for name, m := range map[string]func(threads int) Fitter{
		"logitboost": func(n int) Fitter { return LogitBoost{Options: Options{K: 5, Threads: n}, Bins: 10} },
		"all rows": func(n int) Fitter {
			return fsa.Options{K: 5, Bins: 10, Quick: true, Descent: fsa.Descent{Batch: fsa.AllRows, Iterations: 40}, Run: fsa.Run{Threads: n}}
		},
		"samples": func(n int) Fitter {
			return fsa.Options{K: 5, Bins: 10, Quick: true, Descent: fsa.Descent{Batch: 1100, Iterations: 40}, Run: fsa.Run{Threads: n}}
		},
	} {
		one := mustFit(t, m(1), d)
		for threads := 2; threads < 4; threads++ {
			more := mustFit(t, m(threads), d)
			for i, v := range one.Selected() {
				if got := more.Selected()[i]; got.Index != v.Index || !slices.Equal(got.Coefficients, v.Coefficients) {
					t.Errorf("%s: %d threads learn %v, one %v", name, threads, got, v)
				}
			}
		}
	}
}

// What it takes to fit a learner of every variable, in nanoseconds a cell.
func BenchmarkStairsOfBytes(b *testing.B) {
	const rows, columns = 8192, 1000
	d, _ := byteSamples(b, rows, columns)
	m := LogitBoost{Options: Options{K: 1, Scale: data.ScaleNone}, Bins: 10}
	t, learner, err := m.prepare(context.Background(), d)
	if err != nil {
		b.Fatal(err)
	}
	state := newLogitBoosting(t)
	state.derive()
	coef := make([]float64, m.Bins)
	for b.Loop() {
		for v := range columns {
			learner.fit(coef, state, v)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows/columns, "ns/cell")
}
