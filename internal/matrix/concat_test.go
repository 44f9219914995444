package matrix_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"fsa/internal/matrix"
	"fsa/internal/matrix/matrixtest"
)

// hot returns random categories and their cells.
func hot(rng *rand.Rand, rows int, categories []int) (codes []uint32, cells [][]float64) {
	cells = make([][]float64, rows)
	for i := range cells {
		for _, n := range categories {
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
	for _, categories := range [][]int{{1}, {3}, {2, 5, 1, 4}} {
		for _, rows := range []int{1, 40} {
			codes, cells := hot(rng, rows, categories)
			matrixtest.Run(t, fmt.Sprintf("%d rows of %v", rows, categories), matrix.NewOneHot(categories, codes), cells)
		}
	}
}

func TestConcat(t *testing.T) {
	rng := newRand()
	const n = 25
	numbers, more := normal(rng, n, 4, 0), normal(rng, n, 3, 0.3)
	codes, cells := hot(rng, n, []int{3, 2})
	x, y, z := matrix.NewDense(n, 4, flat(numbers)), matrix.NewDense(n, 3, flat(more)), matrix.NewOneHot([]int{3, 2}, codes)
	for name, c := range map[string]struct {
		m     matrix.Matrix
		parts [][][]float64
	}{
		"one":          {matrix.Beside(x), [][][]float64{numbers}},
		"dense":        {matrix.Beside(x, y), [][][]float64{numbers, more}},
		"mixed":        {matrix.Beside(x, z, y), [][][]float64{numbers, cells, more}},
		"within other": {matrix.Beside(matrix.Beside(z, x), y), [][][]float64{cells, numbers, more}},
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

// Matrices side by side are best taken in order, and dropped from at once, where one of
// them is.
func TestConcatAbilities(t *testing.T) {
	numbers, bytes := matrix.NewDense(2, 1, []float32{1, 2}), matrix.NewBytes(1)
	bytes.Append([][]uint8{{3}, {4}})
	for name, c := range map[string]struct {
		m    matrix.Matrix
		want bool
	}{
		"dense": {numbers, false},
		"bytes": {bytes, true},
		"none":  {matrix.Beside(numbers, numbers), false},
		"one":   {matrix.Beside(numbers, matrix.Beside(numbers, bytes)), true},
	} {
		if matrix.Sequential(c.m) != c.want || matrix.FreeDrop(c.m) != c.want {
			t.Errorf("%s: sequential %v, drops freely %v, want %v", name, matrix.Sequential(c.m), matrix.FreeDrop(c.m), c.want)
		}
		if _, inFile := c.m.(matrix.Paged); inFile {
			t.Errorf("%s is taken for a table in a file", name)
		}
	}
}
