package solve

import (
	"context"
	"slices"
)

// Model is the optimum of a quadratic objective with one output on some columns. A column can be dropped without
// solving again: the inverse of the Hessian gives the new optimum of the others (Hassibi and Stork 1993).
type Model struct {
	Columns []int     // remaining columns
	Beta    []float64 // their coefficients

	at      []int     // index of each remaining column, and of the intercept, in value and inverse
	value   []float64 // all coefficients and, last, the intercept
	inverse []float64 // inverse of the Hessian, row after row
}

// Model returns the model of a quadratic loss on some columns.
func (p *Problem) Model(ctx context.Context, cols []int) (*Model, error) {
	s, err := p.Optimum(ctx, cols, nil)
	if err != nil {
		return nil, err
	}
	places := p.places(cols)
	factor, err := p.factor(places)
	if err != nil {
		return nil, err
	}
	n := len(places)
	m := &Model{Columns: slices.Clone(cols), Beta: slices.Clone(s.Beta[0]), at: all(n), value: slices.Clone(s.Beta[0]), inverse: make([]float64, n*n)}
	if p.Intercept {
		m.value = append(m.value, s.Intercept[0])
	}
	for i := range n {
		row := m.inverse[i*n : (i+1)*n]
		row[i] = 1
		factor.solve(row)
	}
	return m, nil
}

// Drop drops the i-th remaining column.
func (m *Model) Drop(i int) {
	n, out := len(m.value), m.at[i]
	gone := m.inverse[out*n : (out+1)*n]
	m.at, m.Columns, m.Beta = slices.Delete(m.at, i, i+1), slices.Delete(m.Columns, i, i+1), m.Beta[:len(m.Beta)-1]
	share := m.value[out] / gone[out]
	for _, a := range m.at {
		m.value[a] -= share * gone[a]
		axpy(m.inverse[a*n:(a+1)*n], -gone[a]/gone[out], gone)
	}
	for j := range m.Beta {
		m.Beta[j] = m.value[m.at[j]]
	}
}
