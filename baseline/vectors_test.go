package baseline

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"fsa/data"
)

// TestVectors checks that rows and columns hold the cells of the design, in
// both kinds of storage.
func TestVectors(t *testing.T) {
	const rows, cols = 70, 41
	rng := rand.New(rand.NewPCG(3, 0))
	dense := &data.Block{Rows: rows, Dense: make([]float64, rows*cols)}
	sparse := &data.Block{Rows: rows, Start: []int{0}}
	y := make([]float64, rows)
	for i := range rows {
		y[i] = rng.NormFloat64()
		for j := range cols {
			if rng.IntN(3) == 0 {
				v := float64(rng.IntN(9) + 1)
				dense.Dense[i*cols+j] = v
				sparse.Index = append(sparse.Index, uint32(j))
				sparse.Value = append(sparse.Value, v)
			}
		}
		sparse.Start = append(sparse.Start, len(sparse.Index))
	}
	for name, block := range map[string]*data.Block{"dense": dense, "sparse": sparse} {
		b := data.NewBuilder(name, &data.Schema{Width: cols, Sparse: name == "sparse"}, data.Roles{TargetVector: &data.Vector{Values: y}})
		if err := b.Add(block); err != nil {
			t.Fatal(err)
		}
		d, err := b.Dataset(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		g, err := d.Design(context.Background(), data.DesignOptions{Scale: data.ScaleColumn})
		if err != nil {
			t.Fatal(err)
		}
		rowwise, err := rowsOfDesign(context.Background(), g)
		if err != nil {
			t.Fatal(err)
		}
		columnwise, err := columnsOfDesign(context.Background(), g)
		if err != nil {
			t.Fatal(err)
		}
		if rowwise.Count != rows || rowwise.Length != cols || columnwise.Count != cols || columnwise.Length != rows {
			t.Fatalf("%s: %d rows of %d and %d columns of %d", name, rowwise.Count, rowwise.Length, columnwise.Count, columnwise.Length)
		}
		for j := range cols {
			column := make([]float64, rows)
			columnwise.Add(column, j, 1)
			for i := range rows {
				unit, center := g.Units(j)
				want := (dense.Dense[i*cols+j] - center) / unit
				one := make([]float64, cols)
				one[j] = 1
				if got := rowwise.Dot(i, one); math.Abs(got-want) > 1e-6 || column[i] != got {
					t.Fatalf("%s: row %d, column %d: %g by row and %g by column, want %g", name, i, j, got, column[i], want)
				}
			}
			if got, want := columnwise.Dot(j, y), sum(column, y); math.Abs(got-want) > 1e-9 {
				t.Errorf("%s: column %d times y is %g, want %g", name, j, got, want)
			}
		}
	}
}

func sum(a, b []float64) (s float64) {
	for i, v := range a {
		s += v * b[i]
	}
	return s
}
