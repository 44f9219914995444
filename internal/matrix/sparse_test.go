package matrix_test

import (
	"fmt"
	"testing"

	"fsa/internal/matrix"
	"fsa/internal/matrix/matrixtest"
)

func TestSparse(t *testing.T) {
	rng := newRand()
	for _, size := range [][2]int{{4, 6}, {9, 30}, {100, 50}} {
		rows := normal(rng, size[0], size[1], 0.8)
		matrixtest.Run(t, fmt.Sprintf("%d×%d", size[0], size[1]), sparse(rows), rows)
	}
}

// Rows on both sides of the end of a chunk, some of them empty.
func TestSparseChunks(t *testing.T) {
	rng := newRand()
	rows := normal(rng, 2*matrix.ChunkRows+100, 6, 0.7)
	for i := range 3 {
		rows[matrix.ChunkRows-1+i] = make([]float64, 6)
	}
	matrixtest.Run(t, "chunks", sparse(rows), rows)
}

// A matrix whose columns are renamed holds the same cells, and a dense copy all of them.
func TestSparseRenumber(t *testing.T) {
	rows := normal(newRand(), 40, 5, 0.6)
	m := sparse(rows)
	m.Renumber([]uint32{0, 1, 2, 3, 4})
	matrixtest.Run(t, "same numbers", m, rows)
	matrixtest.Run(t, "dense", m.Dense(), rows)
	few := matrix.NewSparse(0)
	few.Add([]uint32{1, 0}, []float32{2, 3})
	few.Renumber([]uint32{1, 0})
	matrixtest.Run(t, "swapped", few, [][]float64{{2, 3}})
}
