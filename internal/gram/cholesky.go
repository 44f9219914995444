package gram

import "math"

// panel is the number of columns of a factor that are computed together. The fast inner loop
// multiplies the numbers before them in their rows.
const panel = 16

// Cholesky holds the lower factor L of a positive definite matrix LLᵀ.
type Cholesky struct {
	n, stride int
	l         []float64
}

// Factorize returns the factor of the positive definite matrix of n rows whose lower half is at. It
// reports whether the matrix is positive definite.
func Factorize(n int, at func(i, j int) float64) (*Cholesky, bool) {
	c := &Cholesky{n: n, stride: Padded(n)}
	c.l = make([]float64, n*c.stride)
	for i := range n {
		row := c.Row(i)
		for j := range i + 1 {
			row[j] = at(i, j)
		}
	}
	for first := 0; first < n; first += panel {
		last := min(first+panel, n)
		for i := first; i < n; i += side {
			for j := first; j < last; j += side {
				addTile(c.l[i*c.stride+j:], c.stride, c.l[i*c.stride:], c.l[j*c.stride:], first, c.stride, min(side, n-i), min(side, last-j), -1)
			}
		}
		for i := first; i < n; i++ {
			if !c.eliminate(i, first, min(last, i+1)) {
				return nil, false
			}
		}
	}
	return c, true
}

// eliminate computes the numbers of row i from column first on. It reports whether the diagonal, if
// it is among them, is positive.
func (c *Cholesky) eliminate(i, first, last int) bool {
	row := c.Row(i)
	for j := first; j < last; j++ {
		v, other := row[j], c.Row(j)
		for k := first; k < j; k++ {
			v -= row[k] * other[k]
		}
		if j < i {
			row[j] = v / other[j]
			continue
		}
		if !(v > 0) || math.IsInf(v, 1) {
			return false
		}
		row[j] = math.Sqrt(v)
		clear(row[j+1:]) // what the products have left there
	}
	return true
}

// Row returns row i of L, followed by zeros.
func (c *Cholesky) Row(i int) []float64 { return c.l[i*c.stride : (i+1)*c.stride] }

// Solve returns the x for which LLᵀx = b.
func (c *Cholesky) Solve(b []float64) []float64 {
	x := c.Forward(b)
	for i := c.n - 1; i >= 0; i-- {
		row := c.Row(i)
		x[i] /= row[i]
		for k, v := range row[:i] {
			x[k] -= v * x[i]
		}
	}
	return x
}

// Forward returns the x for which Lx = b.
func (c *Cholesky) Forward(b []float64) []float64 {
	x := make([]float64, c.n, c.stride)
	copy(x, b)
	for i := range x {
		row := c.Row(i)
		whole := i / lanes * lanes
		v := x[i] - dotGo(row[:whole], x[:whole])
		for k := whole; k < i; k++ {
			v -= row[k] * x[k]
		}
		x[i] = v / row[i]
	}
	return x
}
