package data

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fsa/internal/matrix"
)

// holed returns a dataset with missing numbers and a constant column.
func holed(t *testing.T, sparse bool) *Dataset {
	t.Helper()
	const rows, cols = 9000, 6
	rng := rand.New(rand.NewPCG(3, 1))
	s := &Schema{Width: cols, Sparse: sparse}
	if sparse {
		s.Width = 3 * cols // so that it stays sparse
	}
	b := &Block{Rows: rows, Start: []int{0}}
	var cells [][]float64
	for range rows {
		row := make([]float64, cols)
		for j := range row {
			switch {
			case j == 2:
				row[j] = 5
			case rng.IntN(3) == 0:
				row[j] = rng.NormFloat64()
			case j%2 == 0 && rng.IntN(9) == 0:
				row[j] = math.NaN()
			}
			if row[j] != 0 {
				b.Index, b.Value = append(b.Index, uint32(j)), append(b.Value, row[j])
			}
		}
		b.Start = append(b.Start, len(b.Index))
		cells = append(cells, row)
	}
	if !sparse {
		b = &Block{Rows: rows, Dense: slices.Concat(cells...)}
	}
	builder := NewBuilder("table", s, Roles{})
	if err := builder.Add(b); err != nil {
		t.Fatal(err)
	}
	d, err := builder.Dataset(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// cells returns the numbers that a dataset in memory holds.
func (d *Dataset) cells() []float32 {
	var all []float32
	for i := range d.rows {
		switch m := d.numbers.(type) {
		case *matrix.Dense:
			all = append(all, m.Row(i)...)
		case *matrix.Sparse:
			_, value := m.Row(i)
			all = append(all, value...)
		}
	}
	return all
}

// productsOf returns X times something, and Xᵀ times something.
func productsOf(t *testing.T, m matrix.Matrix) (z, g []float64) {
	t.Helper()
	rows, cols := m.Dims()
	z, g = make([]float64, rows), make([]float64, cols)
	beta, r := make([]float64, cols), make([]float64, rows)
	for j := range beta {
		beta[j] = float64(j%7) - 2.5
	}
	for i := range r {
		r[i] = float64(i%5) - 1.5
	}
	x, err := m.Slice(t.Context(), 0, rows)
	if err != nil {
		t.Fatal(err)
	}
	x.Mul(z, beta)
	x.MulT(g, r)
	return z, g
}

// A design of a dataset that may be discarded is the same, and does not stand
// beside the numbers of the dataset. Otherwise these stay as they were.
func TestDesignDiscarding(t *testing.T) {
	for _, sparse := range []bool{false, true} {
		for _, bins := range []int{0, 4} {
			name := fmt.Sprintf("sparse %v, %d bins", sparse, bins)
			d := holed(t, sparse)
			want, err := d.Design(t.Context(), DesignOptions{Bins: bins})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(d.cells(), func(v float32) bool { return v != v }) {
				t.Errorf("%s: the missing numbers of the dataset were filled in", name)
			}
			z, g := productsOf(t, want.X)
			if slices.ContainsFunc(z, func(v float64) bool { return v != v }) {
				t.Fatalf("%s: a number is missing", name)
			}
			got, err := d.Design(t.Context(), DesignOptions{Bins: bins, Discard: true}) // of what is still there
			if err != nil {
				t.Fatal(err)
			}
			if z2, g2 := productsOf(t, got.X); !slices.Equal(z, z2) || !slices.Equal(g, g2) || !slices.Equal(want.Scale, got.Scale) || !slices.Equal(want.Offset, got.Offset) {
				t.Errorf("%s: another design", name)
			}
			if bins == 0 && got.X != d.numbers {
				t.Errorf("%s: the cells of the dataset were kept beside those of the design", name)
			}
		}
	}
}

func TestDesignIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, sparse := range []bool{false, true} {
		for _, bins := range []int{0, 4} {
			for _, discard := range []bool{false, true} {
				if _, err := holed(t, sparse).Design(ctx, DesignOptions{Bins: bins, Discard: discard}); !errors.Is(err, context.Canceled) {
					t.Errorf("sparse %v, %d bins, discard %v: %v", sparse, bins, discard, err)
				}
			}
		}
	}
}
