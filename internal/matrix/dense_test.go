package matrix_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"fsa/internal/matrix"
	"fsa/internal/matrix/matrixtest"
)

func TestDense(t *testing.T) {
	rng := newRand()
	for _, size := range [][2]int{{1, 1}, {1, 9}, {3, 2}, {4, 1}, {5, 3}, {8, 8}, {31, 17}, {130, 40}, {40, 200}} {
		rows := normal(rng, size[0], size[1], 0.1)
		m := matrix.NewDense(size[0], size[1], flat(rows))
		matrixtest.Run(t, fmt.Sprintf("%d×%d", size[0], size[1]), m, rows)
	}
}

func TestDenseChunks(t *testing.T) {
	rows := normal(newRand(), 30, 7, 0)
	for _, perChunk := range []int{1, 2, 3, 4, 5, 7, 29, 30, 31} {
		matrixtest.Run(t, fmt.Sprintf("chunks of %d", perChunk), matrix.NewDenseChunks(rows, perChunk), rows)
	}
}

// A matrix that grew over the true size of a chunk, row by row.
func TestDenseLarge(t *testing.T) {
	const cols = matrix.ChunkCells/3 + 1 // two rows fit into a chunk
	rows := normal(newRand(), 5, cols, 0)
	m := matrix.GrowDense(cols)
	for _, row := range rows {
		copy(m.Grow(), flat([][]float64{row}))
	}
	for lo := range rows {
		for hi := lo + 1; hi <= len(rows); hi++ {
			x, err := m.Slice(background, lo, hi)
			if err != nil {
				t.Fatal(err)
			}
			z, beta := make([]float64, hi-lo), make([]float64, cols)
			beta[0], beta[cols/2], beta[cols-1] = 1, 10, 100
			x.Mul(z, beta)
			for i, got := range z {
				var want float64
				for j, b := range beta {
					want += b * rows[lo+i][j]
				}
				if math.Abs(got-want) > 1e-4 {
					t.Errorf("row %d of rows %d to %d: %v, want %v", lo+i, lo, hi-1, got, want)
				}
			}
		}
	}
}

// Dropping variables in place is selecting them.
func TestShrink(t *testing.T) {
	rows := normal(newRand(), 9000, 12, 0)
	for i, row := range rows {
		for j := range row {
			if (i+j)%3 != 0 {
				row[j] = 0
			}
		}
	}
	beta := []float64{1, -2, 0.5}
	for _, m := range []matrix.Matrix{matrix.NewDenseChunks(rows, 100), sparse(rows)} {
		for _, vars := range [][]int{{0, 2, 3, 7, 8, 11}, {1, 3, 5}} {
			want, err := m.Select(background, nil, vars)
			if err != nil {
				t.Fatal(err)
			}
			m.(matrix.Shrinker).Shrink(vars)
			if n, k := m.Dims(); n != 9000 || k != len(vars) || m.Cells() != want.Cells() {
				t.Fatalf("%T: %d×%d with %d cells, want %d", m, n, k, m.Cells(), want.Cells())
			}
		}
		var got [2][]float64
		ref, err := m.Select(background, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range []matrix.Matrix{m, ref} {
			r, err := x.Slice(background, 0, 9000)
			if err != nil {
				t.Fatal(err)
			}
			got[i] = make([]float64, 9000)
			r.Mul(got[i], beta)
		}
		if !slices.Equal(got[0], got[1]) {
			t.Errorf("%T: products differ after shrinking", m)
		}
		for i, row := range rows {
			if want := row[2] - 2*row[7] + 0.5*row[11]; math.Abs(got[0][i]-want) > 1e-5 {
				t.Fatalf("%T, row %d: %v, want %v", m, i, got[0][i], want)
			}
		}
	}
}
