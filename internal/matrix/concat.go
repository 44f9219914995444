package matrix

import (
	"context"
	"slices"
)

// Concat joins matrices side by side.
type Concat struct {
	parts []Matrix
}

var _ Matrix = (*Concat)(nil)

// Besider is a Matrix that has a faster way than [Concat] to join another matrix.
type Besider interface {
	Matrix
	Beside(other Matrix) Matrix
}

// Beside joins the variables of several matrices with equal rows.
func Beside(parts ...Matrix) Matrix {
	if len(parts) == 1 {
		return parts[0]
	}
	if b, ok := parts[0].(Besider); ok && len(parts) == 2 {
		return b.Beside(parts[1])
	}
	return &Concat{parts}
}

// Sequential implements [Sequential] if one part does, because all parts are read together.
func (c *Concat) Sequential() bool { return slices.ContainsFunc(c.parts, Sequential) }

// FreeDrop implements [FreeDrop] if one part does, which is usually the largest.
func (c *Concat) FreeDrop() bool { return slices.ContainsFunc(c.parts, FreeDrop) }

// Dims implements [Matrix].
func (c *Concat) Dims() (rows, cols int) {
	for _, p := range c.parts {
		n, m := p.Dims()
		rows, cols = n, cols+m
	}
	return rows, cols
}

// Cells implements [Matrix].
func (c *Concat) Cells() int {
	n := 0
	for _, p := range c.parts {
		n += p.Cells()
	}
	return n
}

// Widths implements [Matrix].
func (c *Concat) Widths() []int {
	var widths []int
	for _, p := range c.parts {
		if w := p.Widths(); w != nil {
			widths = append(widths, w...)
			continue
		}
		for range Variables(p) {
			widths = append(widths, 1)
		}
	}
	return widths
}

// BlockRows implements [Matrix].
func (c *Concat) BlockRows() int {
	rows := c.parts[0].BlockRows()
	for _, p := range c.parts[1:] {
		rows = min(rows, p.BlockRows())
	}
	return rows
}

// Slice implements [Matrix].
func (c *Concat) Slice(ctx context.Context, lo, hi int) (Rows, error) {
	s := concatRows{rows: make([]Rows, len(c.parts)), cols: make([]int, len(c.parts))}
	for i, p := range c.parts {
		var err error
		if s.rows[i], err = p.Slice(ctx, lo, hi); err != nil {
			s.Release()
			return nil, err
		}
		_, s.cols[i] = p.Dims()
	}
	return s, nil
}

// Select implements [Matrix]. The variables must be ascending from part to part.
func (c *Concat) Select(ctx context.Context, rows, vars []int) (Matrix, error) {
	var parts []Matrix
	first := 0
	for _, p := range c.parts {
		n := Variables(p)
		var mine []int
		if vars != nil {
			mine = []int{}
			for len(vars) > 0 && vars[0] < first+n {
				mine = append(mine, vars[0]-first)
				vars = vars[1:]
			}
		}
		first += n
		if mine != nil && len(mine) == 0 && (len(parts) > 0 || len(vars) > 0) {
			continue
		}
		part, err := p.Select(ctx, rows, mine)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	return Beside(parts...), nil
}

// expanding is [Expanding] for the parts.
func (c *Concat) expanding() func(to []float64, row int) {
	parts, cols := make([]func(to []float64, row int), len(c.parts)), make([]int, len(c.parts))
	for i, p := range c.parts {
		if parts[i] = Expanding(p); parts[i] == nil {
			return nil
		}
		_, cols[i] = p.Dims()
	}
	return func(to []float64, row int) {
		for i, expand := range parts {
			expand(to[:cols[i]], row)
			to = to[cols[i]:]
		}
	}
}

var _ Releaser = concatRows{}

type concatRows struct {
	rows []Rows
	cols []int
}

func (s concatRows) Mul(z, beta []float64) {
	part := make([]float64, len(z))
	clear(z)
	for i, r := range s.rows {
		r.Mul(part, beta[:s.cols[i]])
		beta = beta[s.cols[i]:]
		for k, v := range part {
			z[k] += v
		}
	}
}

func (s concatRows) MulT(g, r []float64) {
	for i, rows := range s.rows {
		rows.MulT(g[:s.cols[i]], r)
		g = g[s.cols[i]:]
	}
}

// Release implements [Releaser].
func (s concatRows) Release() {
	for _, r := range s.rows {
		Release(r)
	}
}
