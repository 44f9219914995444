package matrix_test

import (
	"fmt"
	"slices"
	"testing"

	"fsa/internal/matrix"
	"fsa/internal/matrix/matrixtest"
)

// Cells are numbers in the units of their coding, rounded, and numbers far out become
// the outermost cells.
func TestRoundedCells(t *testing.T) {
	m := matrix.NewDense(4, 1, []float32{1, 1.26, 100, -100})
	codes := []matrix.Coding{{Zero: 1, PerUnit: 10}}
	x, err := m.Int8(background, codes, false)
	if err != nil {
		t.Fatal(err)
	}
	if got := cellsOf(t, x); got[0][0] != 0 || got[1][0] != 3 || got[2][0] != 127 || got[3][0] != -127 {
		t.Errorf("int8: %v", got)
	}
	codes[0].PerUnit = 1
	if x, err = m.BFloat16(background, codes, false); err != nil {
		t.Fatal(err)
	}
	if got := cellsOf(t, x); got[0][0] != 0 || got[1][0] < 0.259 || got[1][0] > 0.261 || got[2][0] != 2 || got[3][0] != -2 {
		t.Errorf("bfloat16: %v", got)
	}
}

// A rounded matrix is a matrix, and its products have the bits of those of a
// float32 matrix with the same cells.
func TestRoundedIsAMatrix(t *testing.T) {
	for s, round := range map[string]func(m *matrix.Dense, codes []matrix.Coding) (matrix.Matrix, error){
		"bfloat16": func(m *matrix.Dense, codes []matrix.Coding) (matrix.Matrix, error) {
			return m.BFloat16(background, codes, false)
		},
		"int8": func(m *matrix.Dense, codes []matrix.Coding) (matrix.Matrix, error) {
			return m.Int8(background, codes, false)
		},
	} {
		for _, size := range [][2]int{{2, 1}, {2, 9}, {5, 3}, {31, 17}, {64, 16}, {130, 40}} {
			name := fmt.Sprintf("%s %d×%d", s, size[0], size[1])
			for _, perChunk := range []int{1, 3, 7, 1000} {
				rows := normal(newRand(), size[0], size[1], 0)
				codes := make([]matrix.Coding, size[1])
				for j := range codes {
					codes[j] = matrix.Coding{Zero: float32(j) / 8, PerUnit: 0.5}
					if s == "int8" {
						codes[j].PerUnit = 30
					}
				}
				m, err := round(matrix.NewDenseChunks(rows, perChunk), codes)
				if err != nil {
					t.Fatal(err)
				}
				cells := cellsOf(t, m)
				matrixtest.Run(t, fmt.Sprintf("%s by %d", name, perChunk), m, cells)
				sameBits(t, name, m, matrix.NewDense(size[0], size[1], flat(cells)))
				some := []int{0}
				if size[1] > 2 {
					some = []int{0, size[1] - 2, size[1] - 1}
				}
				part, err := matrix.NewDense(size[0], size[1], flat(cells)).Select(background, nil, some)
				if err != nil {
					t.Fatal(err)
				}
				m.(matrix.Shrinker).Shrink(some)
				sameBits(t, name+" shrunk", m, part)
			}
		}
	}
}

func sameBits(t *testing.T, name string, a, b matrix.Matrix) {
	t.Helper()
	rows, cols := b.Dims()
	rng := newRand()
	beta, r := make([]float64, cols), make([]float64, rows)
	for j := range beta {
		beta[j] = rng.NormFloat64()
	}
	for i := range r {
		r[i] = rng.NormFloat64()
	}
	var z, g [2][]float64
	for k, m := range []matrix.Matrix{a, b} {
		x, err := m.Slice(background, 0, rows)
		if err != nil {
			t.Fatal(err)
		}
		z[k], g[k] = make([]float64, rows), make([]float64, cols)
		x.Mul(z[k], beta)
		x.MulT(g[k], r)
	}
	if !slices.Equal(z[0], z[1]) || !slices.Equal(g[0], g[1]) {
		t.Errorf("%s: the products differ from those of float32 (seed %d)", name, seed)
	}
}
