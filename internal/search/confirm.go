package search

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"fsa/internal/gram"
	"fsa/internal/objective"
	"fsa/internal/tuning"
	"fsa/loss"
)

// Confirmation is a fit of candidates by least squares; see [Sample.Confirm].
type Confirmation struct {
	fits    []*Fit      // one per output
	weight  []float64   // of the rows
	x       [][]float64 // centred columns
	gram    *mat.SymDense
	inverse mat.SymDense // of the Gram matrix
	first   []int        // first column of each group, and the number of columns
}

// Confirm fits the given groups by least squares to the negative derivative of the loss at the null model, with one fit per
// output. For the squared loss this is least squares on the target, and for any other loss the first step of
// Newton's method with equal weights. Coefficients of irrelevant variables are then as often positive as negative, even if
// classes are separable, where the optimum of the loss itself depends on a ridge. Lines get no ridge for the same reason.
func (s *Sample) Confirm(ctx context.Context, groups []int) (*Confirmation, error) {
	slopes, weight := s.NullGradient(ctx)
	to := *s
	to.Kind, _ = loss.Named("squared")
	to.Loss, to.Task, to.Classes = to.Kind.New(loss.Params{}), to.Kind.Task, 0
	ridge := 0.0
	if s.Design.Bins > 0 { // the end bins have few rows
		ridge = tuning.FewRowsRidge / float64(s.Effective)
	}
	c := &Confirmation{weight: weight}
	for _, slope := range slopes {
		y := make([]float64, len(slope))
		for i, g := range slope {
			if weight[i] > 0 {
				y[i] = -g / weight[i]
			}
		}
		to.Target = objective.Target{Y: y, Weight: s.Target.Weight}
		f, err := to.Learn(ctx, groups, ridge, false, nil)
		if err != nil {
			return nil, err
		}
		c.fits = append(c.fits, f)
	}
	return c, c.setGram(ctx)
}

// setGram computes the Gram matrix of the centred columns and its inverse.
func (c *Confirmation) setGram(ctx context.Context) error {
	const jitter = 1e-9 // share of the diagonal, for columns that depend on others
	f := c.fits[0]
	c.first = f.problem.first
	for _, column := range f.columns {
		x := slices.Clone(f.problem.X[column])
		var sum, mean float64
		for i, w := range c.weight {
			sum, mean = sum+w, mean+w*x[i]
		}
		for i := range x {
			x[i] -= mean / sum
		}
		c.x = append(c.x, x)
	}
	n := len(c.x)
	products := make([]float64, n*n)
	if err := gram.Add(ctx, f.sample.Threads, products, c.weighted(), n); err != nil {
		return err
	}
	c.gram = mat.NewSymDense(max(n, 1), nil)
	for j := range n {
		for k := range j {
			c.gram.SetSym(j, k, products[j*n+k])
		}
		c.gram.SetSym(j, j, max((1+jitter)*products[j*n+j], jitter))
	}
	var factor mat.Cholesky
	if n == 0 || !factor.Factorize(c.gram) || factor.InverseTo(&c.inverse) != nil {
		c.inverse.CopySym(c.gram) // no variable can be told from others: statistics are those of single columns
		for j := range n {
			for k := j; k < n; k++ {
				c.inverse.SetSym(j, k, 0)
			}
			c.inverse.SetSym(j, j, 1/c.gram.At(j, j))
		}
	}
	return nil
}

// weighted returns the centred columns of the rows that have a weight, times its root, one after the other, as [gram.Add]
// takes them.
func (c *Confirmation) weighted() []float64 {
	var rows []int
	var root []float64
	for i, w := range c.weight {
		if w > 0 {
			rows, root = append(rows, i), append(root, math.Sqrt(w))
		}
	}
	length := gram.Padded(len(rows))
	to := make([]float64, len(c.x)*length)
	for j, x := range c.x {
		for k, i := range rows {
			to[j*length+k] = root[k] * x[i]
		}
	}
	return to
}

// product returns the weighted product of two columns.
func (c *Confirmation) product(a, b []float64) (sum float64) {
	for i, w := range c.weight {
		sum += w * a[i] * b[i]
	}
	return sum
}

// Columns returns the first column of the dataset of each group.
func (c *Confirmation) Columns() []int { return c.fits[0].Columns() }

// Mirror returns the mirror statistic of group i: the product of its effect in another fit, over all rows, output after
// output, with its effect here, after the part of both that other groups explain is taken away. So near copies of a
// variable, whose coefficients are large and cancel each other, have small statistics.
func (c *Confirmation) Mirror(i int, effect []float64) (sum float64) {
	lo, hi := c.first[i], c.first[i+1]
	var own, alone mat.Cholesky
	if !own.Factorize(c.gram.SliceSym(lo, hi)) || !alone.Factorize(c.inverse.SliceSym(lo, hi)) {
		return 0
	}
	rows := len(c.weight)
	for o, f := range c.fits {
		there, here := mat.NewVecDense(hi-lo, nil), mat.NewVecDense(hi-lo, slices.Clone(f.Solution.Beta[0][lo:hi]))
		for j := lo; j < hi; j++ {
			there.SetVec(j-lo, c.product(c.x[j], effect[o*rows:(o+1)*rows]))
		}
		if own.SolveVecTo(there, there) != nil || alone.SolveVecTo(here, here) != nil {
			return 0
		}
		sum += mat.Dot(there, here)
	}
	return sum
}

// Effect returns the contributions of selected group i to the decision values of all rows, output after output. The fit must
// come from the solver.
func (f *Fit) Effect(i int) []float64 {
	l, outputs, rows := f.objective().Layout(), f.sample.Loss.Outputs(), f.sample.Rows()
	first := 0
	for g := range i {
		lo, hi := l.Span(g)
		first += (hi - lo) / outputs
	}
	lo, hi := l.Span(i)
	effect := make([]float64, 0, outputs*rows)
	for c := range outputs {
		sum := make([]float64, rows)
		for j := first; j < first+(hi-lo)/outputs; j++ {
			for row, x := range f.problem.X[f.columns[j]] {
				sum[row] += f.Solution.Beta[c][j] * x
			}
		}
		effect = slices.Concat(effect, sum)
	}
	return effect
}
