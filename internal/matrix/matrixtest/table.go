package matrixtest

import (
	"fmt"
	"math"
)

const (
	storage   = 0x1p-23 // relative precision of a stored cell
	summation = 1e-12   // relative precision of a sum of float64
)

// table is what a matrix should be: its cells, and how its columns belong to
// variables.
type table struct {
	rows   [][]float64
	widths []int
}

func (t table) cols() int {
	n := 0
	for _, w := range t.widths {
		n += w
	}
	return n
}

// pick returns the table of the given rows and variables; nil means all.
func (t table) pick(rows, vars []int) table {
	var to table
	var columns []int
	at := make([]int, len(t.widths)+1)
	for v, w := range t.widths {
		at[v+1] = at[v] + w
	}
	for _, v := range orAll(vars, len(t.widths)) {
		to.widths = append(to.widths, t.widths[v])
		for c := at[v]; c < at[v+1]; c++ {
			columns = append(columns, c)
		}
	}
	for _, i := range orAll(rows, len(t.rows)) {
		row := make([]float64, len(columns))
		for p, c := range columns {
			row[p] = t.rows[i][c]
		}
		to.rows = append(to.rows, row)
	}
	return to
}

// mul returns rows lo to hi−1 times beta, and by how much a product of the
// stored cells may differ.
func (t table) mul(lo, hi int, beta []float64) (z, slack []float64) {
	z, slack = make([]float64, hi-lo), make([]float64, hi-lo)
	for i := range z {
		for j, x := range t.rows[lo+i] {
			z[i] += x * beta[j]
			slack[i] += storage * math.Abs(x*beta[j])
		}
	}
	return z, slack
}

// mulT returns g plus r times rows lo to hi−1, and by how much it may differ.
func (t table) mulT(lo, hi int, g, r []float64) (sum, slack []float64) {
	sum, slack = append([]float64(nil), g...), make([]float64, len(g))
	for j := range slack {
		slack[j] = summation * math.Abs(g[j])
	}
	for i := lo; i < hi; i++ {
		for j, x := range t.rows[i] {
			sum[j] += x * r[i-lo]
			slack[j] += storage * math.Abs(x*r[i-lo])
		}
	}
	return sum, slack
}

// same returns an error for the first number that is off by more than slack.
func same(what string, got, want, slack []float64) error {
	if len(got) != len(want) {
		return fmt.Errorf("%s: %d numbers, want %d", what, len(got), len(want))
	}
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= slack[i]) { // NaN is off, too
			return fmt.Errorf("%s: number %d is %v, want %v±%.2g", what, i, got[i], want[i], slack[i])
		}
	}
	return nil
}

// tight turns the slack of storage into that of a sum of the same cells.
func tight(slack []float64) []float64 {
	to := make([]float64, len(slack))
	for i, v := range slack {
		to[i] = v / storage * summation
	}
	return to
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
