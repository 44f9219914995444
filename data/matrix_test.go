package data_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"fsa/data"
	"fsa/internal/matrix"
	"fsa/internal/matrix/matrixtest"
)

// A sparse table that came in pieces, some rows of it empty, is a sparse matrix.
func TestSparse(t *testing.T) {
	rows := normal(newRand(), 9000, 6, 0.7)
	for i := range 3 {
		rows[1000+i] = make([]float64, 6)
	}
	g, err := sparse(t, rows, nil, 1000, 1, 77).Design(background, data.DesignOptions{Scale: data.ScaleNone})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := g.X.(*matrix.Sparse); !ok {
		t.Fatalf("a sparse table became %T", g.X)
	}
	matrixtest.Run(t, "in pieces", g.X, rows)
}

// knots returns the cells of x, NaN if it is missing, among the knots: what the
// comment in binned.go says, position rounded as it is stored.
func knots(x float64, at data.Knots, missing bool) []float64 {
	bins := len(at) - 1
	cells := make([]float64, bins+1, bins+2)
	if missing {
		cells = append(cells, 0)
	}
	if x != x {
		cells[bins+1] = 1
		return cells
	}
	b := 0
	for b < bins-1 && x > at[b+1] {
		b++
	}
	steps := 1.0 // of a bin
	for 2*steps*float64(bins) < math.MaxUint16 {
		steps *= 2
	}
	alpha := min(max((x-at[b])/(at[b+1]-at[b]), 0), 1)
	alpha = math.Round((float64(b)+alpha)*steps)/steps - float64(b)
	cells[b] += 1 - alpha
	cells[b+1] += alpha
	return cells
}

// knotsOf returns the knots of a variable, also where they are of equal width.
func knotsOf(g *data.Design, v int, low, high float64) data.Knots {
	if k := g.Knots(v); k != nil {
		return k
	}
	return data.EvenKnots(low, high, g.Bins)
}

// binnedRows returns the cells of rows in the bins of a design, and what a row of
// zeros has.
func binnedRows(g *data.Design, rows [][]float64) (cells [][]float64, zero []float64) {
	cells = make([][]float64, len(rows))
	for j := range rows[0] {
		s := measured(rows, nil, j)
		// The range as it is stored.
		at := knotsOf(g, j, float64(float32(s.min)), float64(float32(s.max)))
		for i, row := range rows {
			cells[i] = append(cells[i], knots(float64(float32(row[j])), at, s.missing > 0)...)
		}
		zero = append(zero, knots(0, at, s.missing > 0)...)
	}
	return cells, zero
}

// gappy returns normal rows in which every third column misses values.
func gappy(rng *rand.Rand, rows, cols int, zeros float64) [][]float64 {
	x := normal(rng, rows, cols, zeros)
	for i := range x {
		for j := 0; j < cols; j += 3 {
			if rng.IntN(6) == 0 {
				x[i][j] = math.NaN()
			}
		}
	}
	return x
}

func TestBinned(t *testing.T) {
	rng := newRand()
	for _, bins := range []int{1, 2, 5, 10} {
		rows := gappy(rng, 60, 7, 0.2)
		g, err := dense(t, rows, nil).Design(background, data.DesignOptions{Bins: bins})
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := g.X.(*matrix.Binned); !ok {
			t.Fatalf("a dense table became %T", g.X)
		}
		cells, _ := binnedRows(g, rows)
		matrixtest.Run(t, fmt.Sprintf("%d bins", bins), g.X, cells)
	}
}

// What is stored is the cells of a number less those of a zero.
func TestSparseBinned(t *testing.T) {
	rng := newRand()
	for _, size := range []int{50, 9000} {
		const bins = 4
		rows := gappy(rng, size, 7, 0.75)
		g, err := sparse(t, rows, nil, 999).Design(background, data.DesignOptions{Bins: bins})
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := g.X.(*matrix.SparseBinned); !ok {
			t.Fatalf("a sparse table became %T", g.X)
		}
		cells, zero := binnedRows(g, rows)
		for _, row := range cells {
			for c := range row {
				row[c] -= zero[c]
			}
		}
		matrixtest.Run(t, fmt.Sprintf("%d rows", size), g.X, cells)
	}
}

// A design of numbers and texts is matrices side by side.
func TestConcatOfDesign(t *testing.T) {
	rows := [][]float64{{1, 0, 5}, {2, 1, 7}, {4, math.NaN(), 6}, {8, 0, 9}, {16, 1, 1}}
	s := &data.Schema{Width: 3, Categories: map[int][]string{1: {"a", "b"}}}
	g, err := build(t, s, data.Roles{}, cut(rows, denseBlock)).Design(background, data.DesignOptions{Scale: data.ScaleNone})
	if err != nil {
		t.Fatal(err)
	}
	want := [][]float64{{1, 5, 1, 0, 0}, {2, 7, 0, 1, 0}, {4, 6, 0, 0, 1}, {8, 9, 1, 0, 0}, {16, 1, 0, 1, 0}}
	matrixtest.Run(t, "design", g.X, want)
}

func TestSelectIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(background)
	cancel()
	rows := normal(newRand(), 20, 5, 0.7)
	for _, d := range []*data.Dataset{dense(t, rows, nil), sparse(t, rows, nil)} {
		if _, err := d.Select(ctx, []int{1, 2}); !errors.Is(err, context.Canceled) {
			t.Errorf("select after the end of the context: %v", err)
		}
	}
}
