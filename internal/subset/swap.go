package subset

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Table is where columns come from that may take the place of chosen ones. Column j is
// what subset problems call a column, of a variable that has one.
type Table interface {
	// Count returns the number of columns.
	Count() int
	// Products returns Xᵀr, a number for each column, for each r.
	Products(ctx context.Context, r [][]float64) ([][]float64, error)
	// Column returns the numbers of a column.
	Column(ctx context.Context, j int) ([]float64, error)
	// Square returns the weighted mean square of a column.
	Square(j int) float64
}

// Swaps says how far to go.
type Swaps struct {
	Most int     // swaps, at most
	Gain float64 // share of the objective that a swap has to gain, at least
	Try  int     // pairs to try before giving up
}

const (
	collinear = 1e-6 // share of its square that a column has to have apart from the chosen ones
	hopeless  = 0.5  // of what a swap has to gain, what its prediction has to reach: it is not exact unless the loss is quadratic
)

// Swap replaces chosen columns by others of the table, one pair at a time, always the
// pair by which the objective falls most, while it falls. The chosen ones, whose columns
// are those of p in the same order, are judged with the candidate beside them: a
// candidate j for the place of i gains
//
//	½(gⱼ − βᵢVᵢⱼ/Aᵢᵢ)²/(aⱼ − CⱼᵀACⱼ + Vᵢⱼ²/Aᵢᵢ) − ½βᵢ²/Aᵢᵢ
//
// where A is the inverse of the Hessian of the chosen, C its products with all columns,
// V = AC and g the gradient. For quadratic losses that is exact; for others it is that
// of the quadratic at the solution, and the pair is tried. Must lists, by position, those that stay.
func (p *Problem) Swap(ctx context.Context, t Table, chosen []int, must []bool, from *Solution, o Swaps) ([]int, *Solution, error) {
	if p.outputs() != 1 || len(chosen) == 0 {
		return chosen, from, nil
	}
	chosen = slices.Clone(chosen)
	x := slices.Clone(p.X)
	work := Problem{X: x, Penalty: slices.Clone(p.Penalty), Loss: p.Loss, Target: p.Target, Intercept: p.Intercept}
	e := &exchange{p: &work, t: t, chosen: chosen, must: must}
	if err := e.start(ctx, from); err != nil {
		return nil, nil, err
	}
	best := from
	for range o.Most {
		pairs, err := e.rank(ctx, best, o.Try)
		if err != nil {
			return nil, nil, err
		}
		improved := false
		for _, pair := range pairs {
			if pair.gain < hopeless*o.Gain*math.Abs(best.Objective) {
				break
			}
			next, column, err := e.try(ctx, best, pair)
			if err != nil {
				return nil, nil, err
			}
			if next != nil && best.Objective-next.Objective > o.Gain*math.Abs(best.Objective) {
				best, improved = next, true
				if err := e.take(ctx, pair, column); err != nil {
					return nil, nil, err
				}
				break
			}
		}
		if !improved {
			break
		}
	}
	// The solution is in the order of e.chosen; callers want them ascending.
	order := make([]int, len(chosen))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return e.chosen[a] - e.chosen[b] })
	sorted, beta := make([]int, len(order)), make([]float64, len(order))
	for to, i := range order {
		sorted[to], beta[to] = e.chosen[i], best.Beta[0][i]
	}
	out := *best
	out.Beta = [][]float64{beta}
	return sorted, &out, nil
}

// exchange is the state of the swaps.
type exchange struct {
	p        *Problem
	t        Table
	chosen   []int
	must     []bool
	d        []float64   // curvature of each row, frozen at the first solution
	weight   float64     // of all rows
	products [][]float64 // by chosen column, and last the intercept: its products with all columns, over the weight
	mean     float64     // of d
}

// start measures what all swaps go by.
func (e *exchange) start(ctx context.Context, s *Solution) error {
	e.d, e.weight = e.p.curvature(s.Z)
	e.mean = total(e.d) / e.weight
	r := make([][]float64, 0, len(e.chosen)+1)
	for _, x := range e.p.X {
		r = append(r, e.weighted(x))
	}
	if e.p.Intercept {
		r = append(r, e.d)
	}
	var err error
	if e.products, err = e.t.Products(ctx, r); err != nil {
		return err
	}
	for _, c := range e.products {
		scale(c, 1/e.weight)
	}
	return nil
}

// weighted returns d∘x.
func (e *exchange) weighted(x []float64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = v * e.d[i]
	}
	return out
}

// pair is a swap: the chosen column at a position for another of the table.
type pair struct {
	out, in int
	gain    float64 // that is promised
}

// rank returns the pairs that promise most.
func (e *exchange) rank(ctx context.Context, s *Solution, most int) ([]pair, error) {
	k := len(e.chosen)
	a, err := e.inverse(k)
	if err != nil || a == nil {
		return nil, err
	}
	w := newWork(e.p, all(k))
	w.eval(s)
	grads, err := e.t.Products(ctx, [][]float64{w.r})
	if err != nil {
		return nil, err
	}
	isChosen := make(map[int]bool, k)
	for _, j := range e.chosen {
		isChosen[j] = true
	}
	size := len(e.products)
	var best []pair
	c, v := make([]float64, size), make([]float64, size)
	for j := range e.t.Count() {
		if isChosen[j] {
			continue
		}
		for i := range size {
			c[i] = e.products[i][j]
		}
		inside := 0.0
		for i := range size {
			v[i] = 0
			for l := range size {
				v[i] += a.At(i, l) * c[l]
			}
			inside += v[i] * c[i]
		}
		penalty := 0.0
		if k > 0 {
			penalty = 2 * e.p.Penalty[0]
		}
		square := e.mean*e.t.Square(j) + penalty
		g := grads[0][j] / e.weight
		top := pair{gain: math.Inf(-1)}
		for i := range k {
			if e.must != nil && e.must[i] {
				continue
			}
			aii := a.At(i, i)
			apart := square - inside + v[i]*v[i]/aii
			if !(apart > collinear*square) {
				continue
			}
			slope := g - s.Beta[0][i]*v[i]/aii
			gain := slope*slope/apart/2 - s.Beta[0][i]*s.Beta[0][i]/aii/2
			if gain > top.gain {
				top = pair{i, j, gain}
			}
		}
		if top.gain > 0 {
			best = insert(best, top, most)
		}
	}
	return best, nil
}

// insert keeps the best of a sorted list.
func insert(list []pair, p pair, most int) []pair {
	if len(list) == most && p.gain <= list[most-1].gain {
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

// inverse returns that of the Hessian of the chosen columns and the intercept; nil if
// there is none.
func (e *exchange) inverse(k int) (*mat.SymDense, error) {
	size := len(e.products)
	h := mat.NewSymDense(size, nil)
	largest := 0.0
	for i := range size {
		for l := 0; l <= i; l++ {
			var v float64
			switch {
			case i < k:
				v = e.products[i][e.chosen[l]]
			case l < k:
				v = e.products[i][e.chosen[l]]
			default:
				v = e.mean
			}
			if i == l && i < k {
				v += 2 * e.p.Penalty[i]
			}
			h.SetSym(l, i, v)
		}
		largest = math.Max(largest, h.At(i, i))
	}
	for i := range size {
		h.SetSym(i, i, h.At(i, i)+1e-10*largest)
	}
	var c mat.Cholesky
	if !c.Factorize(h) {
		return nil, nil
	}
	var inverse mat.SymDense
	if c.InverseTo(&inverse) != nil {
		return nil, nil
	}
	return &inverse, nil
}

// try learns with a pair swapped. It returns nil where that has no optimum.
func (e *exchange) try(ctx context.Context, s *Solution, q pair) (*Solution, []float64, error) {
	column, err := e.t.Column(ctx, q.in)
	if err != nil {
		return nil, nil, err
	}
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

// take makes a swap final.
func (e *exchange) take(ctx context.Context, q pair, column []float64) error {
	e.chosen[q.out] = q.in
	e.p.replace(q.out, column)
	products, err := e.t.Products(ctx, [][]float64{e.weighted(column)})
	if err != nil {
		return err
	}
	scale(products[0], 1/e.weight)
	e.products[q.out] = products[0]
	return nil
}
