package grid

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fsa/internal/collective"
	"fsa/internal/matrix"
	"fsa/internal/objective"
	"fsa/loss"
)

// kindRows and kindVars are the size of the tables of each kind.
const kindRows, kindVars = 230, 24

// kinds builds a table of each kind.
var kinds = map[string]func(t *testing.T, g *Grid) (*Matrix, error){
	"dense":       func(_ *testing.T, g *Grid) (*Matrix, error) { return kindNumbers(g, kindCut) },
	"sparse":      kindSparse,
	"bins":        kindBins(func(_ *testing.T, g *Grid) (*Matrix, error) { return kindNumbers(g, kindCut) }),
	"sparse bins": kindBins(kindSparse),
	"bfloat16": kindRounded(1.0/64, func(m *Matrix, t *testing.T, c []matrix.Coding) (matrix.Matrix, error) {
		return m.BFloat16(t.Context(), c, false)
	}),
	"int8": kindRounded(1, func(m *Matrix, t *testing.T, c []matrix.Coding) (matrix.Matrix, error) {
		return m.Int8(t.Context(), c, false)
	}),
	"texts": func(_ *testing.T, g *Grid) (*Matrix, error) { return kindTexts(g, kindCut) },
	"numbers, texts": func(_ *testing.T, g *Grid) (*Matrix, error) {
		first, others := kindCut.Apart(kindVars/2 + 1) // so that a slice has both
		m, err := kindNumbers(g, first)
		if err != nil {
			return nil, err
		}
		texts, err := kindTexts(g, others)
		if err != nil {
			return nil, err
		}
		return m.Beside(texts).(*Matrix), nil
	},
}

var kindCut = NewCut(kindRows, kindVars)

// kindCell returns a number from −100 to 100, which is often 0.
func kindCell(row, column int) float32 {
	if v := (row*7919 + column*104729 + row*column*31) % 401; v%3 > 0 {
		return float32(v-200) / 2
	}
	return 0
}

func kindNumbers(g *Grid, cut Cut) (*Matrix, error) {
	m, err := NewMatrix(g, cut)
	if err != nil {
		return nil, err
	}
	fromRow, toRow, from, to, err := g.Part(cut)
	for i := fromRow; i < toRow; i++ {
		var row []float32
		for j := from; j < to; j++ {
			row = append(row, kindCell(i, j))
		}
		m.Set(i, row)
	}
	return m, err
}

func kindSparse(_ *testing.T, g *Grid) (*Matrix, error) {
	m, err := NewSparse(g, kindCut, kindRows*kindVars/2)
	if err != nil {
		return nil, err
	}
	fromRow, toRow, from, to, err := g.Part(kindCut)
	for i := fromRow; i < toRow; i++ {
		var index []uint32
		var value []float32
		for j := from; j < to; j++ {
			if v := kindCell(i, j); v != 0 {
				index, value = append(index, uint32(j-from)), append(value, v)
			}
		}
		m.Add(i, index, value)
	}
	return m, err
}

func kindTexts(g *Grid, cut Cut) (*Matrix, error) {
	_, columns := cut.dims()
	_, _, from, to, err := g.Part(cut)
	if err != nil {
		return nil, err
	}
	return NewTexts(g, cut, slices.Repeat([]int{3}, columns), func(row int) (codes []uint32) {
		for j := from; j < to; j++ {
			codes = append(codes, uint32(row*7+j*row)%3)
		}
		return codes
	})
}

func kindBins(of func(t *testing.T, g *Grid) (*Matrix, error)) func(t *testing.T, g *Grid) (*Matrix, error) {
	return func(t *testing.T, g *Grid) (*Matrix, error) {
		m, err := of(t, g)
		if err != nil {
			return nil, err
		}
		b := &matrix.Binning{
			Bins: 3, Missing: make([]bool, kindVars), Range: slices.Repeat([][2]float64{{-100, 100}}, kindVars),
			Position:   func(_ int, x float32) float64 { return (float64(x) + 100) / 200 },
			Unexpected: func(int) error { return nil },
		}
		for v := range kindVars {
			b.Columns = append(b.Columns, v)
		}
		x, _, err := m.Bin(t.Context(), b, false)
		if err != nil {
			return nil, err
		}
		return x.(*Matrix), nil
	}
}

func kindRounded(perUnit float32, round func(m *Matrix, t *testing.T, codes []matrix.Coding) (matrix.Matrix, error)) func(t *testing.T, g *Grid) (*Matrix, error) {
	return func(t *testing.T, g *Grid) (*Matrix, error) {
		m, err := kindNumbers(g, kindCut)
		if err != nil {
			return nil, err
		}
		x, err := round(m, t, slices.Repeat([]matrix.Coding{{PerUnit: perUnit}}, kindVars))
		if err != nil {
			return nil, err
		}
		return x.(*Matrix), nil
	}
}

// kindParts returns an objective in which each variable is a group.
func kindParts(m *Matrix, owned bool, final int) *objective.Parts {
	rng := rand.New(rand.NewPCG(8, 2))
	p := &objective.Parts{X: m, Owned: owned, Loss: loss.Logistic{}, Ridge: 0.1, Free: 1, Final: final, Meter: &objective.Meter{}, First: []int{0}}
	for range m.rows {
		p.Y, p.Weight = append(p.Y, math.Copysign(1, rng.NormFloat64())), append(p.Weight, 0.5+rng.Float64())
	}
	for j := range m.cols {
		p.Columns = append(p.Columns, j)
		p.Scale, p.Offset, p.Penalty = append(p.Scale, 0.01+rng.Float64()/50), append(p.Offset, rng.NormFloat64()), append(p.Penalty, rng.Float64())
	}
	for v := range matrix.Variables(m) {
		p.First = append(p.First, m.column(v+1))
	}
	p.Batches = [][][2]int{{{0, 100}}, {{100, m.rows}}}
	return p
}

// gradients holds the gradients before any variable is dropped, after some are, and after most are;
// each has the variables that stay to the end.
type gradients struct{ before, between, after []float64 }

// TestKinds expects tables of all kinds to have the same gradients on all grids, whether tiles are
// read once or twice, and whether columns are dropped in place or copied. Dropping columns does not
// change the gradients of the others, nor does merging all slices into one.
func TestKinds(t *testing.T) {
	some, last := []int{0, 1, 2, 5, 12, 13, 14, 18, 19, 20}, []int{1, 3, 4, 5} // the latter are a subset of the former
	var stay []int
	for _, j := range last {
		stay = append(stay, some[j])
	}
	for name, kind := range kinds {
		t.Run(name, func(t *testing.T) {
			var first *gradients
			for _, shape := range shapes {
				for _, way := range []struct{ owned, once bool }{{false, true}, {true, true}, {true, false}} {
					for p, got := range together(t, shape, func(c collective.Comm) (*gradients, error) {
						g, err := New(c, shape[0], shape[1])
						if err != nil {
							return nil, err
						}
						m, err := kind(t, g)
						if err != nil {
							return nil, err
						}
						return kindRun(t, m, way.owned, way.once, some, last, stay)
					}) {
						if got == nil {
							t.FailNow()
						}
						if first == nil {
							first = got
						}
						if !slices.Equal(got.before, first.before) || !slices.Equal(got.between, first.between) || !slices.Equal(got.after, first.after) {
							t.Fatalf("%v, process %d, %+v: other gradients", shape, p, way)
						}
					}
				}
			}
			for i, want := range first.before {
				if math.Abs(first.between[i]-want) > 1e-10 || math.Abs(first.after[i]-want) > 1e-10 {
					t.Fatalf("coefficient %d: gradients %g, %g, %g", i, want, first.between[i], first.after[i])
				}
			}
		})
	}
}

// kindRun returns the gradients of an objective that drops variables twice, and keeps those of last
// in the end.
func kindRun(t *testing.T, m *Matrix, owned, once bool, some, last, stay []int) (*gradients, error) {
	o := m.place(kindParts(m, owned, len(last)))
	beta := func(variable, column int) float64 { return 0.05 * float64(1+(variable*5+column)%7) }
	gradient := func(vars []int) ([]float64, error) {
		var at []float64 // zero for variables that are dropped
		var mine []bool
		for _, v := range vars {
			for j := range m.column(v+1) - m.column(v) {
				b := 0.0
				if slices.Contains(stay, v) {
					b = beta(v, j)
				}
				at, mine = append(at, b), append(mine, slices.Contains(stay, v))
			}
		}
		at, mine = append(at, 0.3), append(mine, true)
		o.once = o.grid.Columns == 1 && once
		var found []float64
		for batch := range o.Batches() {
			all := make([]float64, len(at))
			if _, _, err := o.Eval(t.Context(), batch, all, at); err != nil {
				return nil, err
			}
			k := 0
			for i, g := range all {
				if !mine[i] {
					continue
				}
				if batch == 0 {
					found = append(found, 0)
				}
				found[k] += g
				k++
			}
		}
		return found, nil
	}
	all := make([]int, kindVars)
	for v := range all {
		all[v] = v
	}
	var g gradients
	var err error
	if g.before, err = gradient(all); err != nil {
		return nil, err
	}
	whole, err := m.Select(t.Context(), nil, stay)
	if err != nil {
		return nil, err
	}
	if err := o.Keep(t.Context(), some); err != nil {
		return nil, err
	}
	if len(o.slices) == 1 && o.grid.Columns < 2 {
		t.Errorf("slices are merged when %d groups of %d are left", len(some), kindVars)
	}
	if g.between, err = gradient(some); err != nil {
		return nil, err
	}
	for c := range m.left { // a slice has lost at least a quarter
		if (m.left[c] != nil) != owned {
			t.Errorf("slice %d has %v left, and nobody needs them: %v", c, m.left[c], owned)
		}
		for s, tiles := range m.tiles {
			has := 0
			if tiles[c] != nil {
				has = matrix.Variables(tiles[c])
			}
			if has != len(m.tiled(c)) || tiles[c] == o.shards[s].tiles[c].x != owned {
				t.Errorf("a tile of slice %d has %d variables, want %d", c, has, len(m.tiled(c)))
			}
		}
	}
	if err := o.Keep(t.Context(), last); err != nil {
		return nil, err
	}
	if o.grid.Columns != 1 || len(o.slices) != 1 || o.grid.Rows != m.grid.Rows*m.grid.Columns || o.Batches() != 1 {
		t.Errorf("%d slices on a grid of %d×%d are left", len(o.slices), o.grid.Rows, o.grid.Columns)
	}
	if g.after, err = gradient(stay); err != nil {
		return nil, err
	}
	left, err := m.Select(t.Context(), nil, stay)
	if err != nil {
		return nil, err
	}
	_, cols := left.Dims()
	z, want := make([]float64, kindRows), make([]float64, kindRows)
	for j := range cols { // cell by cell
		unit := make([]float64, cols)
		unit[j] = 1
		for x, to := range map[matrix.Matrix][]float64{left: z, whole: want} {
			r, err := x.Slice(t.Context(), 0, kindRows)
			if err != nil {
				return nil, err
			}
			r.Mul(to, unit)
		}
		if !slices.Equal(z, want) {
			t.Errorf("column %d of those that stay has become another", j)
		}
	}
	return &g, nil
}
