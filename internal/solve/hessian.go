package solve

import (
	"context"
	"math"
	"slices"

	"fsa/internal/gram"
	"fsa/loss"
)

const (
	flattest      = 1e-3 // smallest curvature of a row, as a share of its upper bound: a loss need not be convex
	differenceOfZ = 1e-4 // step of the central differences in the margins
)

// factor returns the Cholesky factor of the Hessian of the null model for some rows of the Gram matrix. If collinear
// columns make the Hessian singular, a jitter is added to its diagonal.
func (p *Problem) factor(places []int) (*triangle, error) {
	if len(places) == 0 {
		return nil, nil
	}
	return factorOf(len(places), func(i, j int) float64 { return p.hessian(places[i], places[j]) })
}

// factorOf returns the Cholesky factor of the matrix of n rows whose lower half is at(i, j), with a
// jitter if it is singular.
func factorOf(n int, at func(i, j int) float64) (*triangle, error) {
	largest := 0.0
	for i := range n {
		largest = max(largest, at(i, i))
	}
	more := 0.0
	for jitter := 1e-12; jitter < 1; jitter *= 100 {
		more += jitter * largest
		t, ok := newTriangle(n, func(i, j int) float64 {
			v := at(i, j)
			if i == j {
				v += more
			}
			return v
		})
		if ok {
			return t, nil
		}
	}
	return nil, ErrSingular
}

// places returns the indices of some columns and of the intercept in the Gram matrix.
func (p *Problem) places(cols []int) []int {
	places := append(make([]int, 0, len(cols)+1), cols...)
	if p.Intercept {
		places = append(places, len(p.X))
	}
	return places
}

// hessian returns element (a, b) of the Hessian of the objective at the null model.
func (p *Problem) hessian(a, b int) float64 {
	v := p.product(a, b)
	if a == b && a < len(p.X) {
		v += 2 * (p.Ridge + p.Penalty[a])
	}
	return v
}

// Known are the columns that a problem has in common with another one of the same rows and loss. Their products are not
// computed again.
type Known struct {
	Of *Problem
	At []int // for each column, its place among those of Of, or −1
}

// setGram computes the Gram matrix of all columns, unless it is known.
func (p *Problem) setGram(ctx context.Context) (err error) {
	if p.gram != nil {
		return nil
	}
	known := p.Known.Of
	p.Known.Of = nil
	if known != nil && known.gram != nil {
		p.null, p.nullWeight = known.null, known.nullWeight
	} else {
		p.null, p.nullWeight = p.nullCurvature()
		known = nil
	}
	n := len(p.X)
	if p.Device != nil {
		if p.gram, err = p.Device.Products(p.null); err == nil {
			scale(p.gram, 1/p.nullWeight)
		}
		return err
	}
	p.gram = make([]float64, (n+1)*(n+1))
	var fresh, old []int
	for j := range n {
		if known != nil && p.Known.At[j] >= 0 {
			old = append(old, j)
		} else {
			fresh = append(fresh, j)
		}
	}
	for at, j := range old {
		for _, l := range old[:at+1] {
			p.setProduct(l, j, known.product(p.Known.At[l], p.Known.At[j]))
		}
		p.setProduct(j, n, known.product(p.Known.At[j], len(known.X)))
	}
	if err := p.setAllProducts(ctx, fresh, old); err != nil {
		return err
	}
	p.setProduct(n, n, total(p.null)/p.nullWeight)
	return nil
}

// setAllProducts sets the products of the fresh columns with each other, with the old columns and with the intercept.
func (p *Problem) setAllProducts(ctx context.Context, fresh, old []int) error {
	if p.cache == nil {
		p.cache = p.newCache()
	}
	m, n, rows := len(fresh), len(p.X), len(p.cache.target.Y)
	products, across, sums := make([]float64, m*m), make([]float64, m*len(old)), make([]float64, m)
	part, null, room := make([]float64, len(across)), make([]float64, chunk), make([]float64, n*chunk)
	for from := 0; from < rows && m > 0; from += chunk {
		size := min(chunk, rows-from)
		padded := gram.Padded(size)
		p.cache.pick(null[:size], p.null, from)
		for at, j := range slices.Concat(fresh, old) {
			to := room[at*padded : (at+1)*padded]
			p.cache.pick(to[:size], p.X[j], from)
			if clear(to[size:]); at < m {
				sums[at] += dot(to[:size], null)
			}
		}
		for i, d := range null[:size] {
			null[i] = math.Sqrt(d)
		}
		for j := range n {
			to := room[j*padded:]
			for i, r := range null[:size] {
				to[i] *= r
			}
		}
		if err := gram.Add(ctx, max(p.Threads, 1), products, room[:m*padded], m); err != nil {
			return err
		}
		gram.Cross(part, room[:m*padded], room[m*padded:n*padded], m, len(old))
		axpy(across, 1, part)
	}
	for at, j := range fresh {
		for before, l := range fresh[:at+1] {
			p.setProduct(l, j, products[at*m+before]/p.nullWeight)
		}
		for i, l := range old {
			p.setProduct(l, j, across[at*len(old)+i]/p.nullWeight)
		}
		p.setProduct(j, n, sums[at]/p.nullWeight)
	}
	return nil
}

// product returns the product of two columns; the intercept comes last.
func (p *Problem) product(a, b int) float64 { return p.gram[a*(len(p.X)+1)+b] }

// setProducts sets the products of column j with all columns and the intercept.
func (p *Problem) setProducts(j int) {
	weighted := make([]float64, p.rows())
	for i, v := range p.X[j] {
		weighted[i] = v * p.null[i]
	}
	for l := range p.X {
		p.setProduct(l, j, dot(weighted, p.X[l])/p.nullWeight)
	}
	p.setProduct(j, len(p.X), total(weighted)/p.nullWeight)
}

func (p *Problem) setProduct(a, b int, v float64) {
	side := len(p.X) + 1
	p.gram[a*side+b], p.gram[b*side+a] = v, v
}

// replace replaces column j.
func (p *Problem) replace(j int, x []float64) {
	if p.X[j] = x; p.gram == nil {
		return
	}
	p.setProducts(j)
	if p.slopes != nil {
		p.slopes[j] = dot(x, p.residual) / p.nullWeight
	}
}

// nullCurvature returns the second derivative of each row's loss at margins of zero, times its weight, and the total
// weight. For losses of several outputs and losses of pairs of rows, it returns half the upper bound instead.
func (p *Problem) nullCurvature() (d []float64, weight float64) {
	n := p.rows()
	if !p.dependent() {
		return p.curvature(make([]float64, n), p.Target)
	}
	d = make([]float64, n)
	weight = p.Loss.Curvature(d, p.Target)
	scale(d, 0.5)
	return d, weight
}

// sampledRows is the minimum number of rows that [evaluator.scaleOfInverse] samples.
const sampledRows = 1 << 13

// scaleOfInverse returns the mean curvature of the loss at the null model divided by its mean curvature at the given
// margins, estimated from a sample of the rows; 0 if it cannot be computed.
func (w *evaluator) scaleOfInverse(z []float64) float64 {
	p := w.p
	if p.dependent() {
		return 0
	}
	sum, weight := 0.0, 0.0
	for _, b := range every(max(1, w.n/sampledRows), w.blocks) {
		d, heavy := p.curvature(z[b.lo:b.hi], b.target)
		sum, weight = sum+total(d), weight+heavy
	}
	return total(p.null) / p.nullWeight * weight / sum
}

// every returns list[0], list[n], list[2n] and so on.
func every[T any](n int, list []T) (some []T) {
	for i := 0; i < len(list); i += n {
		some = append(some, list[i])
	}
	return some
}

// dependent reports whether the loss of a row depends on several margins.
func (p *Problem) dependent() bool {
	return p.outputs() > 1 || p.Target.Query != nil || p.Target.Pairs != nil
}

// curvature returns the second derivative of each row's loss at the given margins, times its weight, and the total
// weight. It computes them by central differences of the first derivative.
func (p *Problem) curvature(z []float64, t loss.Target) (d []float64, weight float64) {
	n := len(t.Y)
	bound := make([]float64, n)
	weight = p.Loss.Curvature(bound, t)
	if p.Quadratic {
		return bound, weight
	}
	up, down, moved := make([]float64, n), make([]float64, n), make([]float64, n)
	for i, v := range z {
		moved[i] = v + differenceOfZ
	}
	p.Loss.Eval(up, moved, t)
	for i, v := range z {
		moved[i] = v - differenceOfZ
	}
	p.Loss.Eval(down, moved, t)
	for i := range bound {
		bound[i] = min(max((up[i]-down[i])/(2*differenceOfZ), flattest*bound[i]), bound[i])
	}
	return bound, weight
}
