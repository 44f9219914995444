package matrix

import (
	"math"
	"testing"
)

// Norms are those of the cells, however they are stored.
func TestNorms(t *testing.T) {
	d := NewDense(3, 3, []float32{3, 0, 4, 0, 0, 0, 1, -12, 0})
	s := NewSparse(3)
	s.Add([]uint32{0, 2}, []float32{3, 4})
	s.Add(nil, nil)
	s.Add([]uint32{0, 1}, []float32{1, -12})
	plain := []Coding{{PerUnit: 1}, {PerUnit: 1}, {PerUnit: 1}}
	small, err := d.Int8(t.Context(), plain, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []Normed{d, s, small.(Normed), small.(*rounded[int8]).Dense()} {
		if row, column := x.Norms(); row != math.Sqrt(145) || column != 12 {
			t.Errorf("%T: the norms are %g and %g", x, row, column)
		}
	}
}

// Norms of bins are those of their cells, and codes can be had with zeros and without.
func TestNormsOfBins(t *testing.T) {
	nan := float32(math.NaN())
	s := NewSparse(2)
	s.Add([]uint32{1}, []float32{0.25})
	s.Add([]uint32{0, 1}, []float32{1, 0.5})
	s.Add([]uint32{0, 1}, []float32{nan, 0.75})
	binning := &Binning{
		Bins: 2, Columns: []int{0, 1}, Missing: []bool{true, false}, Range: make([][2]float64, 2),
		Position: func(_ int, x float32) float64 { return float64(x) },
	}
	for _, from := range []Binner{NewDense(3, 2, []float32{0, 0.25, 1, 0.5, nan, 0.75}), s} {
		x, _, err := from.Bin(t.Context(), binning, false)
		if err != nil {
			t.Fatal(err)
		}
		row, column := normsOf(t, x)
		if r, c := x.(Normed).Norms(); math.Abs(r-row) > 1e-12 || math.Abs(c-column) > 1e-12 {
			t.Errorf("%T: the norms are %g and %g, want %g and %g", x, r, c, row, column)
		}
		if b, ok := x.(*SparseBinned); ok {
			d := b.Dense()
			var codes []uint16
			for i := range 3 {
				codes = append(codes, d.Row(i)...)
			}
			zero, _ := binning.Zeros()
			again := NewSparseBinned(2, b.Widths(), zero, 3, codes)
			if r, c := normsOf(t, again); r != row || c != column {
				t.Errorf("with zeros and without them the norms are %g and %g, want %g and %g", r, c, row, column)
			}
		}
	}
}

// normsOf returns the greatest norms by products with unit vectors.
func normsOf(t *testing.T, x Matrix) (row, column float64) {
	rows, cols := x.Dims()
	for j := range cols {
		unit, z := make([]float64, cols), make([]float64, rows)
		unit[j] = 1
		r, err := x.Slice(t.Context(), 0, rows)
		if err != nil {
			t.Fatal(err)
		}
		r.Mul(z, unit)
		column = max(column, length(z))
	}
	for i := range rows {
		r, err := x.Slice(t.Context(), i, i+1)
		if err != nil {
			t.Fatal(err)
		}
		g := make([]float64, cols)
		r.MulT(g, []float64{1})
		row = max(row, length(g))
	}
	return row, column
}

func length(v []float64) float64 {
	var sum float64
	for _, x := range v {
		sum += x * x
	}
	return math.Sqrt(sum)
}
