// Package matrixtest checks that a [matrix.Matrix] satisfies the contract of the interface. The
// test of a new storage format is one call:
//
//	func TestMine(t *testing.T) { matrixtest.Run(t, "mine", mine(rows), rows) }
//
// Everything is compared with plain loops over the rows. Storage may round them to float32, so
// products are compared to that precision. Two ways to compute the same product of the matrix are
// compared to the precision of float64.
package matrixtest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"fsa/internal/matrix"
)

// Run checks m against dense, its cells row by row: at least one row and one variable. Run it with
// -race to check concurrent use.
func Run(t *testing.T, name string, m matrix.Matrix, dense [][]float64) {
	const seed = 11
	t.Run(name, func(t *testing.T) {
		for _, check := range checks {
			t.Run(check.name, func(t *testing.T) {
				if err := check.run(newSubject(m, dense, seed)); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
			})
		}
	})
}

// checks lists the properties. Each is a function that returns an error if the property does not
// hold.
var checks = []struct {
	name string
	run  func(*subject) error
}{
	{"shape", shape},
	{"products", products},
	{"adjoint", adjoint},
	{"slices", slicing},
	{"fused", fused},
	{"ranges", ranging},
	{"expand", expanding},
	{"select", selecting},
	{"copy", copying},
	{"keep", keeping},
	{"unchanged", unchanged},
	{"concurrent", concurrent},
}

// subject is a matrix under test.
type subject struct {
	m    matrix.Matrix
	want table
	rng  *rand.Rand
}

func newSubject(m matrix.Matrix, dense [][]float64, seed uint64) *subject {
	return &subject{m: m, want: table{dense, widths(m)}, rng: rand.New(rand.NewPCG(seed, 0))}
}

// vector returns n random numbers. Some are zero, like the coefficients of dropped variables.
func (s *subject) vector(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		if s.rng.IntN(5) > 0 {
			v[i] = s.rng.NormFloat64()
		}
	}
	return v
}

// mul returns rows lo to hi−1 of m times beta.
func mul(m matrix.Matrix, lo, hi int, beta []float64) ([]float64, error) {
	rows, err := m.Slice(context.Background(), lo, hi)
	if err != nil {
		return nil, fmt.Errorf("rows %d to %d: %w", lo, hi-1, err)
	}
	z := make([]float64, hi-lo)
	for i := range z {
		z[i] = garbage // which has to be overwritten
	}
	rows.Mul(z, beta)
	matrix.Release(rows)
	return z, nil
}

// garbage stands where nothing may be left.
const garbage = 1e99

// mulT adds r times rows lo to hi−1 of m to g.
func mulT(m matrix.Matrix, lo, hi int, g, r []float64) error {
	rows, err := m.Slice(context.Background(), lo, hi)
	if err != nil {
		return fmt.Errorf("rows %d to %d: %w", lo, hi-1, err)
	}
	rows.MulT(g, r)
	matrix.Release(rows)
	return nil
}

// widths returns the number of columns of each variable.
func widths(m matrix.Matrix) []int {
	if w := m.Widths(); w != nil {
		return w
	}
	_, cols := m.Dims()
	w := make([]int, cols)
	for j := range w {
		w[j] = 1
	}
	return w
}
