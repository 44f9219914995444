package solve

import (
	"context"
	"math"

	"fsa/internal/gram"
)

const (
	flattest      = 1e-3 // of the bound on the curvature, what a row is taken to have at least: a loss need not be convex
	differenceOfZ = 1e-4 // by which margins are moved to measure curvature
)

// factor returns the Cholesky factor of the Hessian of the null model on some places of
// the Gram matrix. Collinear columns make it singular, and get a jitter.
func (p *Problem) factor(places []int) (*triangle, error) {
	if len(places) == 0 {
		return nil, nil
	}
	largest := 0.0
	for _, a := range places {
		largest = max(largest, p.hessian(a, a))
	}
	more := 0.0
	for jitter := 1e-12; jitter < 1; jitter *= 100 {
		more += jitter * largest
		t, ok := newTriangle(len(places), func(i, j int) float64 {
			v := p.hessian(places[i], places[j])
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

// places returns those of some columns and of the intercept in the Gram matrix.
func (p *Problem) places(cols []int) []int {
	places := append(make([]int, 0, len(cols)+1), cols...)
	if p.Intercept {
		places = append(places, len(p.X))
	}
	return places
}

// hessian returns a number of the Hessian of the objective at the null model, by places.
func (p *Problem) hessian(a, b int) float64 {
	v := p.gram[a*(len(p.X)+1)+b]
	if a == b && a < len(p.X) {
		v += 2 * (p.Ridge + p.Penalty[a])
	}
	return v
}

// setGram finds the Hessian of the null model, in all columns, unless it is known.
func (p *Problem) setGram(ctx context.Context) (err error) {
	if p.gram != nil {
		return nil
	}
	p.null, p.nullWeight = p.nullCurvature()
	n := len(p.X)
	if p.There != nil {
		if p.gram, err = p.There.Products(p.null); err == nil {
			scale(p.gram, 1/p.nullWeight)
		}
		return err
	}
	p.gram = make([]float64, (n+1)*(n+1))
	if err := p.setAllProducts(ctx); err != nil {
		return err
	}
	p.setProduct(n, n, total(p.null)/p.nullWeight)
	return nil
}

// chunk is the number of rows whose products are added while the columns of a hundred variables stay in the cache.
const chunk = 512

// setAllProducts sets the products of all columns with each other and the intercept.
func (p *Problem) setAllProducts(ctx context.Context) error {
	n, rows := len(p.X), p.rows()
	products, sums := make([]float64, n*n), make([]float64, n)
	room, roots := make([]float64, n*chunk), make([]float64, chunk)
	for from := 0; from < rows; from += chunk {
		null := p.null[from:min(from+chunk, rows)]
		for i, d := range null {
			roots[i] = math.Sqrt(d)
		}
		padded := gram.Padded(len(null))
		for j, x := range p.X {
			x, to := x[from:from+len(null)], room[j*padded:(j+1)*padded]
			for i, r := range roots[:len(null)] {
				to[i] = x[i] * r
			}
			clear(to[len(null):])
			sums[j] += dot(x, null)
		}
		if err := gram.Add(ctx, 1, products, room[:n*padded], n); err != nil {
			return err
		}
	}
	for j := range n {
		for l := range j + 1 {
			p.setProduct(l, j, products[j*n+l]/p.nullWeight)
		}
		p.setProduct(j, n, sums[j]/p.nullWeight)
	}
	return nil
}

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

// replace puts other numbers into column j.
func (p *Problem) replace(j int, x []float64) {
	if p.X[j] = x; p.gram == nil {
		return
	}
	p.setProducts(j)
	if p.slopes != nil {
		p.slopes[j] = dot(x, p.residual) / p.nullWeight
	}
}

// nullCurvature returns the second derivative of each row's loss where all margins are
// zero, times its weight, and the weight of all rows. Of losses of several outputs, and
// where rows depend on each other, it is half the bound.
func (p *Problem) nullCurvature() (d []float64, weight float64) {
	n := p.rows()
	if !p.dependent() {
		return p.curvature(make([]float64, n))
	}
	d = make([]float64, n)
	weight = p.Loss.Curvature(d, p.Target)
	scale(d, 0.5)
	return d, weight
}

// flatter returns how many times as flat rows are in the mean at some margins as at the
// null model; 0 where that is not known.
func (p *Problem) flatter(z []float64) float64 {
	if p.dependent() {
		return 0
	}
	d, _ := p.curvature(z)
	return total(p.null) / total(d)
}

// dependent reports whether the loss of a row is not a matter of one margin.
func (p *Problem) dependent() bool {
	return p.outputs() > 1 || p.Target.Query != nil || p.Target.Pairs != nil
}

// curvature returns the second derivative of each row's loss at some margins, times its
// weight, by central differences of the first, and the weight of all rows.
func (p *Problem) curvature(z []float64) (d []float64, weight float64) {
	n := p.rows()
	bound := make([]float64, n)
	weight = p.Loss.Curvature(bound, p.Target)
	if p.Quadratic {
		return bound, weight
	}
	up, down, moved := make([]float64, n), make([]float64, n), make([]float64, n)
	for i, v := range z {
		moved[i] = v + differenceOfZ
	}
	p.Loss.Eval(up, moved, p.Target)
	for i, v := range z {
		moved[i] = v - differenceOfZ
	}
	p.Loss.Eval(down, moved, p.Target)
	for i := range bound {
		bound[i] = min(max((up[i]-down[i])/(2*differenceOfZ), flattest*bound[i]), bound[i])
	}
	return bound, weight
}
