package search

import (
	"gonum.org/v1/gonum/mat"
)

// grid has the cells of a surface, left knot by left knot, and then further columns.
type grid struct {
	left, right *side
	more        [][]float64
}

func (g *grid) cells() int { return g.left.count * g.right.count }

func (g *grid) size() int { return g.cells() + len(g.more) }

// entries lists the columns in which a row is not 0, and its cells there. It is empty if the row has a
// missing value.
func (g *grid) entries(row int, at []int, x []float64) ([]int, []float64) {
	at, x = at[:0], x[:0]
	if g.left.bin[row] < 0 || g.right.bin[row] < 0 {
		return at, x
	}
	g.left.at(row, func(a int, u float64) {
		g.right.at(row, func(b int, v float64) {
			at, x = append(at, a*g.right.count+b), append(x, u*v)
		})
	})
	for k, column := range g.more {
		at, x = append(at, g.cells()+k), append(x, column[row])
	}
	return at, x
}

// sums returns the scores of the columns, the products of columns weighted by the curvature of the loss,
// and the products of their scores.
func (g *grid) sums(slope, weight []float64) (score *mat.VecDense, heavy, squared *mat.SymDense) {
	n := g.size()
	s, h, q := make([]float64, n), make([]float64, n*n), make([]float64, n*n)
	var at []int
	var x []float64
	for row, r := range slope {
		at, x = g.entries(row, at, x)
		for i, a := range at {
			s[a] += r * x[i]
			w, r, h, q, x := weight[row]*x[i], r*r*x[i], h[a*n:(a+1)*n], q[a*n:(a+1)*n], x[i:]
			for k, b := range at[i:] { // ascending
				h[b] += w * x[k]
				q[b] += r * x[k]
			}
		}
	}
	return mat.NewVecDense(n, s), mat.NewSymDense(n, h), mat.NewSymDense(n, q)
}

// interaction returns the products of functions as combinations of columns, without what the functions of
// single variables and the further columns explain of them.
func (g *grid) interaction(heavy *mat.SymDense) *mat.Dense {
	n, q := g.size(), g.right.count
	left, a := g.left.functions()
	right, b := g.right.functions()
	mains := mat.NewDense(n, len(left)+len(right)+len(g.more), nil)
	for c := range g.cells() {
		for f, at := range left {
			mains.Set(c, f, at[c/q])
		}
		for f, at := range right {
			mains.Set(c, len(left)+f, at[c%q])
		}
	}
	for k := range g.more {
		mains.Set(g.cells()+k, len(left)+len(right)+k, 1)
	}
	products := mat.NewDense(n, len(a)*len(b), nil)
	for c := range g.cells() {
		for f := range a {
			for h := range b {
				products.Set(c, f*len(b)+h, a[f][c/q]*b[h][c%q])
			}
		}
	}
	var with, own, against mat.Dense
	with.Mul(heavy, mains)
	own.Mul(mains.T(), &with)
	against.Mul(with.T(), products)
	of := invert(&own)
	_, cols := products.Dims()
	for f := range cols {
		_, _, share := of.solve(against.ColView(f))
		var explained mat.VecDense
		explained.MulVec(mains, share)
		for c := range n {
			products.Set(c, f, products.At(c, f)-explained.AtVec(c))
		}
	}
	return products
}

// column returns a combination of the columns of a grid.
func (g *grid) column(of *mat.VecDense, rows int) []float64 {
	to := make([]float64, rows)
	var at []int
	var x []float64
	for row := range to {
		at, x = g.entries(row, at, x)
		for i, a := range at {
			to[row] += x[i] * of.AtVec(a)
		}
	}
	return to
}
