package matrixtest

import (
	"context"
	"slices"
	"testing"

	"fsa/internal/matrix"
)

// plain is a matrix of rows as they are, whose faults can be switched on.
type plain struct {
	table
	fault string
}

func (p *plain) Dims() (rows, cols int) { return len(p.rows), p.cols() }
func (p *plain) Widths() []int          { return p.widths }
func (p *plain) Cells() int             { n, m := p.Dims(); return n * m }
func (p *plain) BlockRows() int         { return 4 }

func (p *plain) Slice(_ context.Context, lo, hi int) (matrix.Rows, error) {
	if p.fault == "slice" && lo > 0 {
		lo, hi = lo-1, hi-1
	}
	return plainRows{p, lo, hi}, nil
}

func (p *plain) Select(_ context.Context, rows, vars []int) (matrix.Matrix, error) {
	switch p.fault {
	case "select rows":
		rows = slices.Sorted(slices.Values(rows))
	case "select widths":
		to := p.pick(rows, vars)
		slices.Reverse(to.widths)
		return &plain{to, p.fault}, nil
	case "select here":
		to := p.pick(rows, vars)
		p.rows[0] = p.rows[len(p.rows)-1]
		return &plain{to, ""}, nil
	}
	return &plain{p.pick(rows, vars), p.fault}, nil
}

type plainRows struct {
	p      *plain
	lo, hi int
}

func (r plainRows) Mul(z, beta []float64) {
	got, _ := r.p.mul(r.lo, r.hi, beta)
	for i := range z {
		if r.p.fault == "Mul adds" {
			got[i] += z[i]
		}
		z[i] = got[i]
	}
}

func (r plainRows) MulT(g, v []float64) {
	if r.p.fault == "MulT sets" {
		clear(g)
	}
	sum, _ := r.p.mulT(r.lo, r.hi, g, v)
	if r.p.fault == "MulT" {
		sum[0] *= 1 + 1e-9
	}
	copy(g, sum)
	if r.p.fault == "residual" {
		v[0]++
	}
}

var cells = [][]float64{{1, 0, 2.5}, {0, -3, 1}, {4, 4, 0}, {-1, 0.5, 7}, {2, 2, -2}, {0, 0, 1}}

func TestPlain(t *testing.T) {
	Run(t, "plain", &plain{table: table{cells, []int{1, 2}}}, cells)
}

// Each fault is seen by the check that is there for it.
func TestFaultsAreSeen(t *testing.T) {
	for fault, by := range map[string]func(*subject) error{
		"slice":         slicing,
		"select rows":   selecting,
		"select widths": selecting,
		"select here":   unchanged,
		"Mul adds":      products,
		"MulT sets":     products,
		"MulT":          adjoint,
		"residual":      products,
	} {
		m := &plain{table{slices.Clone(cells), []int{1, 2}}, fault}
		if err := by(newSubject(m, cells, 1)); err == nil {
			t.Errorf("%s: the fault was not seen", fault)
		}
	}
}
