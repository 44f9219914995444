package matrix

import (
	"context"
	"slices"
)

// OneHot is a matrix of categorical variables: a variable has a column for each of its categories,
// and a row has a 1 in one of them. Only the category is stored.
type OneHot struct {
	rows       int
	categories []int    // number of categories of each variable
	offset     []int    // first column of each variable, followed by the number of columns
	codes      []uint32 // category of each variable, row after row
}

var _ Expander = (*OneHot)(nil)

// NewOneHot returns the matrix of variables with the given numbers of categories;
// codes holds the category of each variable, row after row.
func NewOneHot(categories []int, codes []uint32) *OneHot {
	o := &OneHot{rows: len(codes) / max(len(categories), 1), categories: categories, codes: codes, offset: make([]int, len(categories)+1)}
	for j, n := range categories {
		o.offset[j+1] = o.offset[j] + n
	}
	return o
}

// Dims implements [Matrix].
func (o *OneHot) Dims() (rows, cols int) { return o.rows, o.offset[len(o.categories)] }

// Cells implements [Matrix].
func (o *OneHot) Cells() int { return len(o.codes) }

// Widths implements [Matrix].
func (o *OneHot) Widths() []int { return o.categories }

// BlockRows implements [Matrix].
func (o *OneHot) BlockRows() int { return BlockRows(4 * len(o.categories)) }

// Slice implements [Matrix].
func (o *OneHot) Slice(_ context.Context, lo, hi int) (Rows, error) {
	m := len(o.categories)
	return oneHotRows{o, o.codes[lo*m : hi*m]}, nil
}

// Select implements [Matrix].
func (o *OneHot) Select(_ context.Context, rows, vars []int) (Matrix, error) {
	return o.Pick(rows, vars), nil
}

// Pick is Select without a context or an error.
func (o *OneHot) Pick(rows, vars []int) *OneHot {
	rows, vars = orAll(rows, o.rows), orAll(vars, len(o.categories))
	categories := make([]int, len(vars))
	for j, v := range vars {
		categories[j] = o.categories[v]
	}
	codes := make([]uint32, 0, len(rows)*len(vars))
	for _, i := range rows {
		for _, v := range vars {
			codes = append(codes, o.codes[i*len(o.categories)+v])
		}
	}
	to := NewOneHot(categories, codes)
	to.rows = len(rows) // codes do not determine it if there are no variables
	return to
}

// Recode renumbers the categories of a variable; categories is their new number. The last entry of
// to is for missing values, if there are any. The receiver must not be used afterwards.
func (o *OneHot) Recode(variable int, to []uint32, categories int) *OneHot {
	if o.categories[variable] == len(to) {
		categories++
	}
	m := len(o.categories)
	for i := variable; i < len(o.codes); i += m {
		o.codes[i] = to[o.codes[i]]
	}
	o.categories[variable] = categories
	return NewOneHot(o.categories, o.codes)
}

// With returns the matrix with additional variables, each with the same number of categories; codes
// holds the categories of each.
func (o *OneHot) With(categories int, codes [][]uint32) *OneHot {
	m, rows := len(o.categories), len(codes[0])
	all := slices.Clone(o.categories)
	for range codes {
		all = append(all, categories)
	}
	joined := make([]uint32, 0, rows*len(all))
	for i := range rows {
		joined = append(joined, o.codes[i*m:(i+1)*m]...)
		for _, list := range codes {
			joined = append(joined, list[i])
		}
	}
	return NewOneHot(all, joined)
}

// Row returns the categories of row i, which must not be changed.
func (o *OneHot) Row(i int) []uint32 {
	return o.codes[i*len(o.categories) : (i+1)*len(o.categories)]
}

// Expand implements [Expander].
func (o *OneHot) Expand(to []float64, row int) {
	clear(to)
	for j, code := range o.Row(row) {
		to[o.offset[j]+int(code)] = 1
	}
}

type oneHotRows struct {
	o     *OneHot
	codes []uint32
}

func (r oneHotRows) Mul(z, beta []float64) {
	m := len(r.o.categories)
	for i := range z {
		var s float64
		for j, code := range r.codes[i*m : (i+1)*m] {
			s += beta[r.o.offset[j]+int(code)]
		}
		z[i] = s
	}
}

func (r oneHotRows) MulT(g, res []float64) {
	m := len(r.o.categories)
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
