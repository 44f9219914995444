package objectivetest

import (
	"context"
	"math"

	"fsa/anneal"
)

// Dense is a linear model in the simplest code: for tests of annealing, and as a reference for
// faster objectives. Coefficient j multiplies column j of X, so a column of ones makes a free
// coefficient an intercept.
type Dense struct {
	X        [][]float64 // by row
	Y        []float64   // −1 or +1 if Logistic
	Weight   []float64   // of each row; nil means 1
	Columns  anneal.Layout
	Parts    int  // number of batches; 0 means 1
	Logistic bool // the loss ln(1+exp(−yz)), instead of ½(z−y)²
}

var _ anneal.Curved = (*Dense)(nil)

// Layout implements [anneal.Objective].
func (d *Dense) Layout() anneal.Layout { return d.Columns }

// Batches implements [anneal.Objective].
func (d *Dense) Batches() int { return max(d.Parts, 1) }

// Eval implements [anneal.Objective].
func (d *Dense) Eval(ctx context.Context, batch int, grad, beta []float64) (sum, weight float64, err error) {
	clear(grad)
	weight, err = d.each(ctx, batch, func(x []float64, y, w float64) {
		z := dot(x, beta)
		value, slope := (z-y)*(z-y)/2, z-y
		if d.Logistic {
			value, slope = softplus(-y*z), -y/(1+math.Exp(y*z))
		}
		sum += w * value
		add(grad, w*slope, x)
	})
	return sum, weight, err
}

// Curvature implements [anneal.Curved].
func (d *Dense) Curvature(ctx context.Context, batch int, dst, v []float64) (weight float64, err error) {
	clear(dst)
	bound := 1.0
	if d.Logistic {
		bound = 0.25
	}
	return d.each(ctx, batch, func(x []float64, _, w float64) {
		add(dst, w*bound*dot(x, v), x)
	})
}

// each calls f for the rows of a batch and returns their weight.
func (d *Dense) each(ctx context.Context, batch int, f func(x []float64, y, w float64)) (weight float64, err error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	lo, hi := batch*len(d.X)/d.Batches(), (batch+1)*len(d.X)/d.Batches()
	for i := lo; i < hi; i++ {
		w := 1.0
		if d.Weight != nil {
			w = d.Weight[i]
		}
		f(d.X[i], d.Y[i], w)
		weight += w
	}
	return weight, nil
}

// Keep implements [anneal.Objective].
func (d *Dense) Keep(_ context.Context, groups []int) error {
	x := make([][]float64, len(d.X))
	for i, row := range d.X {
		x[i] = restrict(d.Columns, groups, row)
	}
	d.X, d.Columns = x, d.Columns.Keep(groups)
	return nil
}

// softplus returns ln(1+exp(x)).
func softplus(x float64) float64 { return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }

func dot(x, y []float64) float64 {
	var sum float64
	for i, v := range x {
		sum += v * y[i]
	}
	return sum
}

// add sets dst to dst + c·x.
func add(dst []float64, c float64, x []float64) {
	for i, v := range x {
		dst[i] += c * v
	}
}

// restrict returns the coefficients of the given groups, and the free ones.
func restrict(l anneal.Layout, groups []int, v []float64) []float64 {
	var out []float64
	for _, j := range groups {
		out = append(out, l.Of(v, j)...)
	}
	return append(out, v[len(v)-l.Free:]...)
}
