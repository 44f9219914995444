package data_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"fsa/data"
	"fsa/data/matrixtest"
)

func flat(rows [][]float64) []float32 {
	var x []float32
	for _, row := range rows {
		for _, v := range row {
			x = append(x, float32(v))
		}
	}
	return x
}

func TestDense(t *testing.T) {
	rng := newRand()
	for _, size := range [][2]int{{1, 1}, {1, 9}, {3, 2}, {4, 1}, {5, 3}, {8, 8}, {31, 17}, {130, 40}, {40, 200}} {
		rows := normal(rng, size[0], size[1], 0.1)
		m := data.NewDense(size[0], size[1], flat(rows))
		matrixtest.Run(t, fmt.Sprintf("%d×%d", size[0], size[1]), m, rows)
	}
}

func TestDenseChunks(t *testing.T) {
	rows := normal(newRand(), 30, 7, 0)
	for _, perChunk := range []int{1, 2, 3, 4, 5, 7, 29, 30, 31} {
		matrixtest.Run(t, fmt.Sprintf("chunks of %d", perChunk), data.NewDenseChunks(rows, perChunk), rows)
	}
}

// A matrix that grew over the true size of a chunk, from blocks of rows.
func TestDenseLarge(t *testing.T) {
	const cols = data.ChunkCells/3 + 1 // two rows fit into a chunk
	rows := normal(newRand(), 5, cols, 0)
	g, err := dense(t, rows, nil, 3).Design(background, data.DesignOptions{Scale: data.ScaleNone})
	if err != nil {
		t.Fatal(err)
	}
	for lo := range rows {
		for hi := lo + 1; hi <= len(rows); hi++ {
			x, err := g.X.Slice(background, lo, hi)
			if err != nil {
				t.Fatal(err)
			}
			z, beta := make([]float64, hi-lo), make([]float64, cols)
			beta[0], beta[cols/2], beta[cols-1] = 1, 10, 100
			x.Mul(z, beta)
			for i, got := range z {
				var want float64
				for j, b := range beta {
					want += b * (rows[lo+i][j] - g.Offset[j])
				}
				if !near(got, want, 1e-5) {
					t.Errorf("row %d of rows %d to %d: %v, want %v", lo+i, lo, hi-1, got, want)
				}
			}
		}
	}
}

func TestSparse(t *testing.T) {
	rng := newRand()
	for _, size := range [][2]int{{4, 6}, {9, 30}, {100, 50}} {
		rows := normal(rng, size[0], size[1], 0.8)
		for j := range size[1] {
			rows[0][j] = 0
			rows[1+j%(size[0]-1)][j] = 1 + rng.Float64() // so that every column varies
		}
		matrixtest.Run(t, fmt.Sprintf("%d×%d", size[0], size[1]), sparseMatrix(t, rows), rows)
	}
}

// Rows on both sides of the end of a chunk, some of them empty.
func TestSparseChunks(t *testing.T) {
	rng := newRand()
	rows := normal(rng, 2*data.ChunkRows+100, 6, 0.7)
	for i := range 3 {
		rows[data.ChunkRows-1+i] = make([]float64, 6)
	}
	matrixtest.Run(t, "chunks", sparseMatrix(t, rows), rows)
}

func sparseMatrix(t *testing.T, rows [][]float64) data.Matrix {
	t.Helper()
	g, err := sparse(t, rows, nil, 1000, 1, 77).Design(background, data.DesignOptions{Scale: data.ScaleNone})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := g.X.(*data.Sparse); !ok {
		t.Fatalf("a sparse table became %T", g.X)
	}
	return g.X
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
		if _, ok := g.X.(*data.Binned); !ok {
			t.Fatalf("a dense table became %T", g.X)
		}
		cells, _ := binnedRows(g, rows)
		matrixtest.Run(t, fmt.Sprintf("%d bins", bins), g.X, cells)
	}
}

// What is stored is the cells of a number less those of a zero.
func TestSparseBinned(t *testing.T) {
	rng := newRand()
	for _, size := range []int{50, data.ChunkRows + 30} {
		const bins = 4
		rows := gappy(rng, size, 7, 0.75)
		g, err := sparse(t, rows, nil, 999).Design(background, data.DesignOptions{Bins: bins})
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := g.X.(*data.SparseBinned); !ok {
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

// hot returns random levels and their cells.
func hot(rng *rand.Rand, rows int, levels []int) (codes []uint32, cells [][]float64) {
	cells = make([][]float64, rows)
	for i := range cells {
		for _, n := range levels {
			code := rng.IntN(n)
			codes = append(codes, uint32(code))
			one := make([]float64, n)
			one[code] = 1
			cells[i] = append(cells[i], one...)
		}
	}
	return codes, cells
}

func TestOneHot(t *testing.T) {
	rng := newRand()
	for _, levels := range [][]int{{1}, {3}, {2, 5, 1, 4}} {
		for _, rows := range []int{1, 40} {
			codes, cells := hot(rng, rows, levels)
			matrixtest.Run(t, fmt.Sprintf("%d rows of %v", rows, levels), data.NewOneHot(levels, codes), cells)
		}
	}
}

func TestConcat(t *testing.T) {
	rng := newRand()
	const n = 25
	numbers, more := normal(rng, n, 4, 0), normal(rng, n, 3, 0.3)
	codes, cells := hot(rng, n, []int{3, 2})
	x, y, z := data.NewDense(n, 4, flat(numbers)), data.NewDense(n, 3, flat(more)), data.NewOneHot([]int{3, 2}, codes)
	for name, c := range map[string]struct {
		m     data.Matrix
		parts [][][]float64
	}{
		"one":          {data.Beside(x), [][][]float64{numbers}},
		"dense":        {data.Beside(x, y), [][][]float64{numbers, more}},
		"mixed":        {data.Beside(x, z, y), [][][]float64{numbers, cells, more}},
		"within other": {data.Beside(data.Beside(z, x), y), [][][]float64{cells, numbers, more}},
	} {
		rows := make([][]float64, n)
		for _, part := range c.parts {
			for i := range rows {
				rows[i] = append(rows[i], part[i]...)
			}
		}
		matrixtest.Run(t, name, c.m, rows)
	}
}

// A design of numbers and texts is matrices side by side.
func TestConcatOfDesign(t *testing.T) {
	rows := [][]float64{{1, 0, 5}, {2, 1, 7}, {4, math.NaN(), 6}, {8, 0, 9}, {16, 1, 1}}
	s := &data.Schema{Width: 3, Levels: map[int][]string{1: {"a", "b"}}}
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
