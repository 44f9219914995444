package fsa_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"fsa"
	"fsa/data"
	"fsa/model"
)

// targetsTable returns rows of normal variables x0, x1 and so on, and targets a, b and c of the first three of them, each
// in its own unit. Labels are the signs of the targets.
func targetsTable(rows, cols int, labels bool, seed uint64) (x []float64, each []*data.Vector) {
	rng := rand.New(rand.NewPCG(seed, 0))
	x = make([]float64, rows*cols)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	effects := [][]float64{{1, -1, 0.5}, {0.5, 1, 1}, {-1, 0.5, 1}}
	for c, b := range effects {
		v := &data.Vector{Name: string(rune('a' + c))}
		for i := range rows {
			y := rng.NormFloat64()
			for j, b := range b {
				y += b * x[i*cols+j]
			}
			if y = math.Pow(100, float64(c))*y + 3; labels {
				v.Categories = []string{"no", "yes"}
				y = map[bool]float64{true: 1}[y > 3]
			}
			v.Values = append(v.Values, y)
		}
		each = append(each, v)
	}
	return x, each
}

func targetsData(t *testing.T, cols int, x []float64, each ...*data.Vector) *data.Dataset {
	t.Helper()
	b := data.NewBuilder("rows", &data.Schema{Width: cols}, data.Roles{TargetVectors: each})
	if err := b.Add(&data.Block{Rows: len(x) / cols, Dense: x}); err != nil {
		t.Fatal(err)
	}
	d, err := b.Dataset(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func targetsFit(t *testing.T, d *data.Dataset, o fsa.Options) *model.Model {
	t.Helper()
	m, err := fsa.Fit(t.Context(), d, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// agrees reports whether two numbers agree to a relative error.
func agrees(a, b, error float64) bool { return math.Abs(a-b) <= error*max(1, math.Abs(b)) }

// TestTargetsApart checks that without a ridge and a selection, several numbers have the least squares of each.
func TestTargetsApart(t *testing.T) {
	const rows, cols = 200, 4
	x, each := targetsTable(rows, cols, false, 1)
	m := targetsFit(t, targetsData(t, cols, x, each...), fsa.Options{K: cols, Bins: fsa.None, Quick: true, Objective: fsa.Objective{Ridge: fsa.None}})
	if m.Task() != model.Regression || m.Loss() != "multitarget" || m.Outputs() != 3 {
		t.Fatalf("a %s with the %s loss and %d outputs", m.Task(), m.Loss(), m.Outputs())
	}
	a := mat.NewDense(rows, cols+1, nil)
	for i := range rows {
		a.Set(i, 0, 1)
		for j := range cols {
			a.Set(i, j+1, x[i*cols+j])
		}
	}
	for c, y := range each {
		var want mat.VecDense
		if err := want.SolveVec(a, mat.NewVecDense(rows, y.Values)); err != nil {
			t.Fatal(err)
		}
		scale := math.Pow(100, float64(c))
		if !agrees(m.Intercept()[c]/scale, want.AtVec(0)/scale, 1e-5) {
			t.Errorf("%s: intercept %v, want %v", y.Name, m.Intercept()[c], want.AtVec(0))
		}
		for _, v := range m.Selected() {
			if got, want := v.Coefficients[c], want.AtVec(v.Index+1); !agrees(got/scale, want/scale, 1e-5) {
				t.Errorf("%s of %s: %v, want %v", v.Name, y.Name, got, want)
			}
		}
	}
}
