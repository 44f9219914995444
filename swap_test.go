package fsa_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/combin"

	"fsa"
	"fsa/data"
	"fsa/internal/need"
)

// rowsOf returns a table of rows from a function; the last value of a row is the target.
func rowsOf(t *testing.T, rows int, row func(rng *rand.Rand) []float64) *data.Dataset {
	t.Helper()
	rng := rand.New(rand.NewPCG(5, uint64(rows)))
	var x, y []float64
	cols := 0
	for range rows {
		r := row(rng)
		cols = len(r) - 1
		x, y = append(x, r[:cols]...), append(y, r[cols])
	}
	d, err := data.FromRows(nil, cols, x, y)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// A rounded copy of a true variable in other units displaces no other variable.
func TestNearCopies(t *testing.T) {
	need.Long(t)
	for _, rows := range []int{80, 500, 5000} {
		for _, loss := range []string{"squared", "logistic", "lorenz"} {
			d := rowsOf(t, rows, func(rng *rand.Rand) []float64 {
				r := make([]float64, 31)
				for j := range r {
					r[j] = rng.NormFloat64()
				}
				r[29] = math.Round(r[0]/2.54*100) / 100
				if r[30] = 2*r[0] - r[1] + 0.7*r[2] + r[30]/10; loss != "squared" {
					r[30] = math.Copysign(1, r[30])
				}
				return r
			})
			got := indices(fit(t, d, fsa.Options{K: 3, Loss: loss, Bins: fsa.None}))
			if !slices.Equal(got, []int{0, 1, 2}) && !slices.Equal(got, []int{1, 2, 29}) {
				t.Errorf("%d rows, %s: variables %v", rows, loss, got)
			}
		}
	}
}

// Two columns that are informative only together are not selected if k has no room for both.
func TestColumnsThatCancel(t *testing.T) {
	d := rowsOf(t, 3000, func(rng *rand.Rand) []float64 {
		common, a, b, c := rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()
		left, right := common+a/4, common+b/4
		return []float64{left, right, c, rng.NormFloat64(), 4*(left-right) + c + rng.NormFloat64()/2}
	})
	for k, want := range map[int][]int{1: {2}, 2: {0, 1}, 3: {0, 1, 2}} {
		if got := indices(fit(t, d, fsa.Options{K: k})); !slices.Equal(got, want) {
			t.Errorf("k = %d: variables %v, not %v", k, got, want)
		}
	}
}

// With correlated columns, the best subset is found on most tables, and no residual is much larger than that of the best
// subset.
func TestBestSubset(t *testing.T) {
	const rows, cols, k, tables = 150, 10, 3, 20
	best := 0
	for table := range tables {
		mix := rand.New(rand.NewPCG(uint64(table), 77))
		loading := make([]float64, 3*cols)
		for i := range loading {
			loading[i] = mix.NormFloat64()
		}
		var x []float64
		y := mat.NewVecDense(rows, nil)
		i := 0
		d := rowsOf(t, rows, func(*rand.Rand) []float64 {
			r := make([]float64, cols+1)
			factor := []float64{mix.NormFloat64(), mix.NormFloat64(), mix.NormFloat64()}
			for j := range cols {
				r[j] = mix.NormFloat64() / 2
				for f, v := range factor {
					r[j] += v * loading[3*j+f]
				}
			}
			r[cols] = r[0] - r[1] + r[2]/2 + 0.4*r[3] + 2*mix.NormFloat64()
			x = append(append(x, 1), r[:cols]...)
			y.SetVec(i, r[cols])
			i++
			return r
		})
		squares := func(subset []int) float64 {
			part := mat.NewDense(rows, k+1, nil)
			for p, j := range append([]int{-1}, subset...) {
				for i := range rows {
					part.Set(i, p, x[i*(cols+1)+j+1])
				}
			}
			var b, r mat.VecDense
			if err := b.SolveVec(part, y); err != nil {
				t.Fatal(err)
			}
			r.MulVec(part, &b)
			r.SubVec(&r, y)
			return mat.Dot(&r, &r)
		}
		least := math.Inf(1)
		for _, subset := range combin.Combinations(cols, k) {
			least = min(least, squares(subset))
		}
		got := squares(indices(fit(t, d, fsa.Options{K: k, Objective: fsa.Objective{Ridge: fsa.None}})))
		if got <= least*(1+1e-9) {
			best++
		}
		if got > 1.1*least {
			t.Errorf("table %d: sum of squares %v, the minimum is %v", table, got, least)
		}
	}
	t.Logf("the best of all subsets on %d of %d tables", best, tables)
	if best < tables*3/4 {
		t.Errorf("the best of all subsets on %d of %d tables only", best, tables)
	}
}

// A constant column changes nothing, also with swaps.
func TestConstantColumn(t *testing.T) {
	const rows, cols = 150, 30
	tables := uint64(20)
	if testing.Short() {
		tables = 5
	}
	for table := range tables {
		var chosen [2][]int
		for constant := range chosen {
			mix := rand.New(rand.NewPCG(table, 78))
			loading := make([]float64, 3*cols)
			for i := range loading {
				loading[i] = mix.NormFloat64()
			}
			d := rowsOf(t, rows, func(*rand.Rand) []float64 {
				r := make([]float64, cols)
				factor := []float64{mix.NormFloat64(), mix.NormFloat64(), mix.NormFloat64()}
				for j := range r {
					r[j] = mix.NormFloat64() / 2
					for f, v := range factor {
						r[j] += v * loading[3*j+f]
					}
				}
				y := r[0] - r[1] + r[2]/2 + 0.4*r[3] + mix.NormFloat64()
				for range constant {
					r = append(r, 7)
				}
				return append(r, y)
			})
			chosen[constant] = indices(fit(t, d, fsa.Options{K: 4}))
		}
		if !slices.Equal(chosen[0], chosen[1]) {
			t.Errorf("table %d: variables %v, and %v with a constant column", table, chosen[0], chosen[1])
		}
	}
}

// With swaps, too, the model does not depend on whether the table may be overwritten or on the number of threads.
func TestSwapIsTheSame(t *testing.T) {
	table := func() *data.Dataset {
		return rowsOf(t, 600, func(rng *rand.Rand) []float64 {
			r := make([]float64, 41)
			common := rng.NormFloat64()
			for j := range 40 {
				r[j] = common + rng.NormFloat64()
				r[40] += r[j] * float64(j%3-1) / float64(1+j)
			}
			r[40] += rng.NormFloat64() / 2
			return r
		})
	}
	var want bytes.Buffer
	if _, err := fit(t, table(), fsa.Options{K: 6, Run: fsa.Run{Threads: 1}}).WriteTo(&want); err != nil {
		t.Fatal(err)
	}
	for _, o := range []fsa.Options{{Run: fsa.Run{Threads: 1, Discard: true}}, {Run: fsa.Run{Threads: 2}}, {Run: fsa.Run{Threads: 3, Discard: true}}} {
		o.K = 6
		var got bytes.Buffer
		if _, err := fit(t, table(), o).WriteTo(&got); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Errorf("%d threads, discard %v: another model", o.Run.Threads, o.Run.Discard)
		}
	}
}

// A forced variable is selected, even if it is uninformative.
func TestSwapKeepsTheForced(t *testing.T) {
	d := rowsOf(t, 500, func(rng *rand.Rand) []float64 {
		r := make([]float64, 11)
		for j := range r {
			r[j] = rng.NormFloat64()
		}
		r[10] = 3*r[0] + 2*r[1] + r[2] + r[10]/10
		return r
	})
	if got := indices(fit(t, d, fsa.Options{K: 3, Selection: fsa.Selection{Force: []string{"x7", "x9"}}})); !slices.Equal(got, []int{0, 7, 9}) {
		t.Errorf("variables %v", got)
	}
}

// Coefficients of rare columns that never occur in one class grow without bound. They do not
// displace columns that matter.
func TestColumnsThatOneClassNeverHas(t *testing.T) {
	const columns, strong = 200, 6
	d := rowsOf(t, 3000, func(rng *rand.Rand) []float64 {
		r := make([]float64, columns+1)
		z := -3.5
		for j := range columns {
			if rng.Float64() < 0.008 {
				r[j] = 1
				if j < strong {
					z += 4
				}
			}
		}
		r[columns] = -1
		if rng.Float64() < 1/(1+math.Exp(-z)) {
			r[columns] = 1
		}
		return r
	})
	got := indices(fit(t, d, fsa.Options{K: strong}))
	if !slices.Equal(got, []int{0, 1, 2, 3, 4, 5}) {
		t.Errorf("variables %v, want the first %d", got, strong)
	}
}

// Curves of columns with a common factor are fitted, too: the direction of the largest curvature changes when most columns
// have been dropped.
func TestCurvesWithACommonPart(t *testing.T) {
	d := rowsOf(t, 1000, func(rng *rand.Rand) []float64 {
		r := make([]float64, 101)
		common := rng.NormFloat64()
		for j := range r {
			r[j] = (common + rng.NormFloat64()) / math.Sqrt2
		}
		r[100] = math.Sin(2*r[0]) + r[1]*r[1] + math.Abs(r[2]) + math.Tanh(3*r[3]) + rng.NormFloat64()/2
		return r
	})
	got := indices(fit(t, d, fsa.Options{K: 4, Bins: 10}))
	if !slices.Equal(got, []int{0, 1, 2, 3}) {
		t.Errorf("variables %v, want the first four", got)
	}
}

// The recipe that validation chose may read the table again, which must not have been overwritten before. Here, groups
// are selected for ranking on noise.
func TestValidatedFitsOfTablesThatMayBeOverwritten(t *testing.T) {
	seeds := uint64(6)
	if testing.Short() {
		seeds = 2
	}
	for seed := range seeds {
		c := weak(seed, 56, 10, 2, 0)
		for i := range c.y {
			c.y[i] = float64(i % 4)
		}
		o := fsa.Options{K: fsa.Auto, Quick: true, Loss: "rank", Selection: fsa.Selection{Sizes: []int{1, 2}}}
		want := fit(t, c.table(t), o)
		o.Run.Discard = true
		sameModel(t, fmt.Sprintf("seed %d", seed), fit(t, c.table(t), o), want)
	}
}
