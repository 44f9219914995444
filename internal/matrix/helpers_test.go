package matrix_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"fsa/internal/matrix"
)

var background = context.Background()

const seed = 42

func newRand() *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

// normal returns rows of standard normal numbers of which a share is zero.
func normal(rng *rand.Rand, rows, cols int, zeros float64) [][]float64 {
	x := make([][]float64, rows)
	for i := range x {
		x[i] = make([]float64, cols)
		for j := range x[i] {
			if rng.Float64() >= zeros {
				x[i][j] = rng.NormFloat64()
			}
		}
	}
	return x
}

func flat(rows [][]float64) []float32 {
	var x []float32
	for _, row := range rows {
		for _, v := range row {
			x = append(x, float32(v))
		}
	}
	return x
}

// sparse returns the matrix of the nonzero numbers of rows.
func sparse(rows [][]float64) *matrix.Sparse {
	m := matrix.NewSparse(len(rows[0]))
	for _, row := range rows {
		var index []uint32
		var value []float32
		for j, v := range row {
			if v != 0 {
				index, value = append(index, uint32(j)), append(value, float32(v))
			}
		}
		m.Add(index, value)
	}
	m.Trim()
	return m
}

// cellsOf returns the cells of a matrix, one product with a unit vector each.
func cellsOf(t testing.TB, m matrix.Matrix) [][]float64 {
	t.Helper()
	rows, cols := m.Dims()
	x := make([][]float64, rows)
	for i := range x {
		x[i] = make([]float64, cols)
	}
	all, err := m.Slice(background, 0, rows)
	if err != nil {
		t.Fatal(err)
	}
	z, unit := make([]float64, rows), make([]float64, cols)
	for j := range unit {
		unit[j] = 1
		all.Mul(z, unit)
		unit[j] = 0
		for i, v := range z {
			x[i][j] = v
		}
	}
	return x
}
