package matrix

import "context"

// OneHot is a matrix of categories: a variable has a column for each of its
// levels, and a row has a 1 in one of them. Only the level is stored.
type OneHot struct {
	rows   int
	levels []int    // of each variable
	offset []int    // first column of each variable, and the number of columns
	codes  []uint32 // level of each variable, row after row
}

var _ Matrix = (*OneHot)(nil)

// NewOneHot returns the matrix of variables with the given numbers of levels;
// codes holds the level of each variable, row after row.
func NewOneHot(levels []int, codes []uint32) *OneHot {
	o := &OneHot{rows: len(codes) / max(len(levels), 1), levels: levels, codes: codes, offset: make([]int, len(levels)+1)}
	for j, n := range levels {
		o.offset[j+1] = o.offset[j] + n
	}
	return o
}

// Dims implements [Matrix].
func (o *OneHot) Dims() (rows, cols int) { return o.rows, o.offset[len(o.levels)] }

// Cells implements [Matrix].
func (o *OneHot) Cells() int { return len(o.codes) }

// Widths implements [Matrix].
func (o *OneHot) Widths() []int { return o.levels }

// BlockRows implements [Matrix].
func (o *OneHot) BlockRows() int { return BlockRows(4 * len(o.levels)) }

// Slice implements [Matrix].
func (o *OneHot) Slice(_ context.Context, lo, hi int) (Rows, error) {
	m := len(o.levels)
	return oneHotRows{o, o.codes[lo*m : hi*m]}, nil
}

// Select implements [Matrix].
func (o *OneHot) Select(_ context.Context, rows, vars []int) (Matrix, error) {
	return o.Pick(rows, vars), nil
}

// Pick is Select, which cannot fail here.
func (o *OneHot) Pick(rows, vars []int) *OneHot {
	rows, vars = orAll(rows, o.rows), orAll(vars, len(o.levels))
	levels := make([]int, len(vars))
	for j, v := range vars {
		levels[j] = o.levels[v]
	}
	codes := make([]uint32, 0, len(rows)*len(vars))
	for _, i := range rows {
		for _, v := range vars {
			codes = append(codes, o.codes[i*len(o.levels)+v])
		}
	}
	to := NewOneHot(levels, codes)
	to.rows = len(rows) // which codes do not tell if there are no variables
	return to
}

// Shares returns for each column the share of the weight of all rows that have its
// level.
func (o *OneHot) Shares(weight func(row int) float64) []float64 {
	share := make([]float64, o.offset[len(o.levels)])
	var total float64
	for i := range o.rows {
		w := weight(i)
		total += w
		for j := range o.levels {
			share[o.offset[j]+int(o.codes[i*len(o.levels)+j])] += w
		}
	}
	for c := range share {
		share[c] /= total
	}
	return share
}

// Count returns in how many rows variable j has the given level.
func (o *OneHot) Count(j int, level uint32) (n uint32) {
	for i := j; i < len(o.codes); i += len(o.levels) {
		if o.codes[i] == level {
			n++
		}
	}
	return n
}

type oneHotRows struct {
	o     *OneHot
	codes []uint32
}

func (r oneHotRows) Mul(z, beta []float64) {
	m := len(r.o.levels)
	for i := range z {
		var s float64
		for j, code := range r.codes[i*m : (i+1)*m] {
			s += beta[r.o.offset[j]+int(code)]
		}
		z[i] = s
	}
}

func (r oneHotRows) MulT(g, res []float64) {
	m := len(r.o.levels)
	for i, ri := range res {
		for j, code := range r.codes[i*m : (i+1)*m] {
			g[r.o.offset[j]+int(code)] += ri
		}
	}
}

// orAll returns list, or 0 to n−1 if it is nil.
func orAll(list []int, n int) []int {
	if list != nil {
		return list
	}
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}
