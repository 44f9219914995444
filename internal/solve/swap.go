package solve

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Table provides the columns that may replace selected ones. Each column belongs to a variable with one
// coefficient.
type Table interface {
	// Count returns the number of columns.
	Count() int
	// Products returns Xᵀr, a number for each column, for each r.
	Products(ctx context.Context, r [][]float64) ([][]float64, error)
	// Columns returns the numbers of some columns.
	Columns(ctx context.Context, js []int) ([][]float64, error)
	// Square returns the weighted mean square of a column.
	Square(j int) float64
}

// Swaps limits the search for swaps.
type Swaps struct {
	Most    int     // maximum number of swaps
	Gain    float64 // smallest relative decrease of the objective by a swap or a detour
	Try     int     // number of pairs to try before giving up
	Detours bool    // continue with detours when no swap lowers the objective
}

// Tried is the tolerance of the fit of a tried pair, as a share of the required gain.
const Tried = 0.05

const (
	collinear = 1e-6 // smallest share of the square of a column that the selected columns do not explain
	hopeless  = 0.5  // smallest predicted gain of a pair to try, as a share of the required gain; predictions are exact for quadratic losses only
)

// Swap replaces selected columns by others of the table, one pair at a time, and returns the new
// selection with its solution. It always takes the pair with the largest decrease of the objective, and
// ends when no pair lowers it. The columns of p are the selected ones in the order of chosen. Replacing
// the selected column i by the candidate j lowers the objective by
//
//	½(gⱼ − βᵢVᵢⱼ/Aᵢᵢ)²/(aⱼ − CⱼᵀACⱼ + Vᵢⱼ²/Aᵢᵢ) − ½βᵢ²/Aᵢᵢ
//
// where A is the inverse of the Hessian of the selected columns, C their products with all columns,
// V = AC, aⱼ the second derivative by the coefficient of j, and g the gradient. This is exact for
// quadratic losses. For others it is the gain of the quadratic approximation, and the pair is fitted to
// find the actual gain. must tells for each selected column whether it has to stay.
//
// With Detours, the search continues when no swap lowers the objective; see [swapper.detours].
func (p *Problem) Swap(ctx context.Context, t Table, chosen []int, must []bool, from *Solution, o Swaps) ([]int, *Solution, error) {
	if p.outputs() != 1 || len(chosen) == 0 {
		return chosen, from, nil
	}
	e := &swapper{p: p.copy(), t: t, chosen: slices.Clone(chosen), must: must, o: o}
	e.p.Tolerance = max(p.Tolerance, Tried*o.Gain*math.Abs(from.Objective))
	if err := e.start(ctx, from); err != nil {
		return nil, nil, err
	}
	best, err := e.swaps(ctx, from)
	if err == nil && o.Detours {
		best, err = e.detours(ctx, best)
	}
	if err != nil {
		return nil, nil, err
	}
	// The solution is in the order of e.chosen; return it in ascending order.
	order := all(len(chosen))
	slices.SortFunc(order, func(a, b int) int { return e.chosen[a] - e.chosen[b] })
	sorted, beta := make([]int, len(order)), make([]float64, len(order))
	for to, i := range order {
		sorted[to], beta[to] = e.chosen[i], best.Beta[0][i]
	}
	out := *best
	out.Beta = [][]float64{beta}
	return sorted, &out, nil
}

// copy returns a copy of the problem whose columns can be replaced.
func (p *Problem) copy() *Problem {
	to := *p
	to.X, to.slopes, to.gram = slices.Clone(p.X), slices.Clone(p.slopes), slices.Clone(p.gram)
	return &to
}

// swaps makes swaps as long as they lower the objective, and returns the last solution.
func (e *swapper) swaps(ctx context.Context, best *Solution) (*Solution, error) {
	for done := 0; done < e.o.Most; {
		pairs, err := e.rank(ctx, best)
		if err != nil {
			return nil, err
		}
		before := done
		out := map[int]bool{} // positions that have changed since the pairs were ranked
		for _, pair := range pairs {
			if pair.gain < hopeless*e.o.Gain*math.Abs(best.Objective) {
				break
			}
			if out[pair.out] {
				continue
			}
			next, column, err := e.try(ctx, best, pair)
			if err != nil {
				return nil, err
			}
			if next != nil && e.gains(best, next) {
				best, out[pair.out] = next, true
				if err := e.take(ctx, pair, column); err != nil {
					return nil, err
				}
				done++
			}
		}
		if done == before {
			break
		}
	}
	return best, nil
}

// gains reports whether the objective of next is lower than that of best by the required share.
func (e *swapper) gains(best, next *Solution) bool {
	return best.Objective-next.Objective > e.o.Gain*math.Abs(best.Objective)
}

// swapper is the state of the swaps.
type swapper struct {
	p        *Problem
	t        Table
	chosen   []int
	must     []bool
	o        Swaps
	d        []float64 // curvature of each row at the solution from which swaps or a detour began
	weight   float64   // weight of all rows
	size     int       // size of the Hessian: the selected columns and the intercept
	products []float64 // products of each column of the table with these, divided by the weight
	mean     float64   // mean of d
}

// start computes the curvature and the products on which the predicted gains depend.
func (e *swapper) start(ctx context.Context, s *Solution) error {
	d, weight := e.p.curvature(s.Z, e.p.Target)
	if slices.Equal(d, e.d) { // the curvature of a quadratic loss is constant
		return nil
	}
	e.d, e.weight = d, weight
	e.mean = total(e.d) / e.weight
	r := make([][]float64, 0, len(e.chosen)+1)
	for _, x := range e.p.X {
		r = append(r, e.weighted(x))
	}
	if e.p.Intercept {
		r = append(r, e.d)
	}
	e.size = len(r)
	e.products = make([]float64, e.t.Count()*e.size)
	products, err := e.t.Products(ctx, r)
	if err != nil {
		return err
	}
	for i, p := range products {
		e.set(i, p)
	}
	return nil
}

// set sets the products of all columns with the i-th column of the Hessian.
func (e *swapper) set(i int, products []float64) {
	for j, v := range products {
		e.products[j*e.size+i] = v / e.weight
	}
}

// weighted returns d∘x.
func (e *swapper) weighted(x []float64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = v * e.d[i]
	}
	return out
}

// pair is a swap of the selected column at a position for a column of the table.
type pair struct {
	out, in int
	gain    float64 // predicted decrease of the objective
}

// rank returns the pairs with the largest predicted gains, one pair for each column of the table.
func (e *swapper) rank(ctx context.Context, s *Solution) ([]pair, error) {
	var best []pair
	top := pair{in: -1}
	err := e.each(ctx, s, func(p pair) {
		if p.in != top.in {
			best, top = insert(best, top, e.o.Try), pair{in: p.in}
		}
		if p.gain > top.gain {
			top = p
		}
	})
	return insert(best, top, e.o.Try), err
}

// each calls f for every pair, column by column of the table.
func (e *swapper) each(ctx context.Context, s *Solution, f func(pair)) error {
	k := len(e.chosen)
	a := e.inverse()
	if a == nil {
		return nil
	}
	r := make([]float64, len(s.Z))
	e.p.Loss.Eval(r, s.Z, e.p.Target)
	grads, err := e.t.Products(ctx, [][]float64{r})
	if err != nil {
		return err
	}
	isChosen := make(map[int]bool, k)
	for _, j := range e.chosen {
		isChosen[j] = true
	}
	penalty := 2 * (e.p.Ridge + e.p.Penalty[0])
	c, v := make([]float64, e.size), make([]float64, e.size)
	for j := range e.t.Count() {
		if isChosen[j] {
			continue
		}
		inside := 0.0
		copy(c, e.products[j*e.size:])
		for i := range v {
			v[i] = dot(a[i*e.size:(i+1)*e.size], c)
			inside += v[i] * c[i]
		}
		square := e.mean*e.t.Square(j) + penalty
		g := grads[0][j] / e.weight
		for i, beta := range s.Beta[0] {
			if e.must != nil && e.must[i] {
				continue
			}
			aii := a[i*e.size+i]
			apart := square - inside + v[i]*v[i]/aii
			if apart > collinear*square {
				slope := g - beta*v[i]/aii
				f(pair{i, j, (slope*slope/apart - beta*beta/aii) / 2})
			}
		}
	}
	return nil
}

// insert adds a pair with a positive predicted gain to a sorted list, which keeps the best pairs.
func insert(list []pair, p pair, most int) []pair {
	if p.gain <= 0 || len(list) == most && p.gain <= list[most-1].gain {
		return list
	}
	at, _ := slices.BinarySearchFunc(list, p, func(a, b pair) int {
		switch {
		case a.gain > b.gain:
			return -1
		case a.gain < b.gain:
			return 1
		}
		return a.in - b.in
	})
	list = slices.Insert(list, at, p)
	return list[:min(len(list), most)]
}

// inverse returns the inverse of the Hessian of the selected columns and the intercept, row after row;
// nil if it is singular.
func (e *swapper) inverse() []float64 {
	h := mat.NewSymDense(e.size, nil)
	for i := range e.size {
		for l := range i + 1 {
			v := e.mean // product of the intercept with itself
			if l < len(e.chosen) {
				v = e.products[e.chosen[l]*e.size+i]
			}
			if i == l && i < len(e.chosen) {
				v += 2 * (e.p.Ridge + e.p.Penalty[i])
			}
			h.SetSym(l, i, v)
		}
	}
	jitter(h)
	var c mat.Cholesky
	var inverse mat.SymDense
	if !c.Factorize(h) || c.InverseTo(&inverse) != nil {
		return nil
	}
	a := make([]float64, e.size*e.size)
	for i := range e.size {
		for l := range e.size {
			a[i*e.size+l] = inverse.At(i, l)
		}
	}
	return a
}

// jitter adds a small number to the diagonal, so that the matrix of collinear columns is positive definite.
func jitter(h *mat.SymDense) {
	const share = 1e-10 // share of the largest element
	n := h.SymmetricDim()
	largest := 0.0
	for i := range n {
		largest = max(largest, h.At(i, i))
	}
	for i := range n {
		h.SetSym(i, i, h.At(i, i)+share*largest)
	}
}

// try fits the selection with a pair swapped, and returns the solution and the new column. The solution
// is nil if there is no optimum.
func (e *swapper) try(ctx context.Context, s *Solution, q pair) (*Solution, []float64, error) {
	columns, err := e.t.Columns(ctx, []int{q.in})
	if err != nil {
		return nil, nil, err
	}
	column := columns[0]
	old := e.p.X[q.out]
	e.p.replace(q.out, column)
	defer e.p.replace(q.out, old)
	from := *s
	from.Beta = [][]float64{slices.Clone(s.Beta[0])}
	from.Beta[0][q.out] = 0
	next, err := e.p.Solve(ctx, all(len(e.chosen)), &from)
	if err == ErrSingular {
		return nil, nil, nil
	}
	return next, column, err
}

// take accepts a swap.
func (e *swapper) take(ctx context.Context, q pair, column []float64) error {
	e.chosen[q.out] = q.in
	e.p.replace(q.out, column)
	products, err := e.t.Products(ctx, [][]float64{e.weighted(column)})
	if err != nil {
		return err
	}
	e.set(q.out, products[0])
	return nil
}
