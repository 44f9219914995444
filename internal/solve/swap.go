package solve

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
	// Columns returns the numbers of some columns.
	Columns(ctx context.Context, js []int) ([][]float64, error)
	// Square returns the weighted mean square of a column.
	Square(j int) float64
}

// Swaps says how far to go.
type Swaps struct {
	Most    int     // swaps in a row, at most
	Gain    float64 // share of the objective that a swap or a detour has to gain, at least
	Try     int     // pairs to try before giving up
	Detours bool    // go on where no swap gains; see [Problem.Swap]
}

const (
	tried     = 0.05 // of what a swap has to gain, what another step of learning has to promise while it is tried
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
//
// Where no swap gains, detours do: see [exchange.detours].
func (p *Problem) Swap(ctx context.Context, t Table, chosen []int, must []bool, from *Solution, o Swaps) ([]int, *Solution, error) {
	if p.outputs() != 1 || len(chosen) == 0 {
		return chosen, from, nil
	}
	e := &exchange{p: p.copy(), t: t, chosen: slices.Clone(chosen), must: must, o: o}
	e.p.Tolerance = max(p.Tolerance, tried*o.Gain*math.Abs(from.Objective))
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
	// The solution is in the order of e.chosen; callers want them ascending.
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

// copy returns a problem of the same columns, which may be replaced by others.
func (p *Problem) copy() *Problem {
	to := *p
	to.X, to.slopes, to.gram = slices.Clone(p.X), slices.Clone(p.slopes), slices.Clone(p.gram)
	return &to
}

// swaps makes swaps while they gain.
func (e *exchange) swaps(ctx context.Context, best *Solution) (*Solution, error) {
	for done := 0; done < e.o.Most; {
		pairs, err := e.rank(ctx, best)
		if err != nil {
			return nil, err
		}
		before := done
		out := map[int]bool{} // which positions have changed since pairs were ranked
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

// gains reports whether a solution is better than another by as much as it has to be.
func (e *exchange) gains(best, next *Solution) bool {
	return best.Objective-next.Objective > e.o.Gain*math.Abs(best.Objective)
}

// exchange is the state of the swaps.
type exchange struct {
	p        *Problem
	t        Table
	chosen   []int
	must     []bool
	o        Swaps
	d        []float64 // curvature of each row, where swaps or a detour began
	weight   float64   // of all rows
	size     int       // of the Hessian: the chosen columns and the intercept
	products []float64 // of each column of the table with these, over the weight
	mean     float64   // of d
}

// start measures what all swaps go by.
func (e *exchange) start(ctx context.Context, s *Solution) error {
	d, weight := e.p.curvature(s.Z)
	if slices.Equal(d, e.d) { // that of a quadratic loss is everywhere the same
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

// set sets the products of all columns with the i-th of those that count.
func (e *exchange) set(i int, products []float64) {
	for j, v := range products {
		e.products[j*e.size+i] = v / e.weight
	}
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

// rank returns the pairs that promise most, of each column for the place that it is best at.
func (e *exchange) rank(ctx context.Context, s *Solution) ([]pair, error) {
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
func (e *exchange) each(ctx context.Context, s *Solution, f func(pair)) error {
	k := len(e.chosen)
	a := e.inverse()
	if a == nil {
		return nil
	}
	w := newWork(e.p, all(k))
	w.eval(s)
	grads, err := e.t.Products(ctx, [][]float64{w.r})
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

// insert keeps the best of a sorted list, if they promise anything.
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

// inverse returns that of the Hessian of the chosen columns and the intercept, row after
// row; nil if there is none.
func (e *exchange) inverse() []float64 {
	h := mat.NewSymDense(e.size, nil)
	for i := range e.size {
		for l := range i + 1 {
			v := e.mean // of the intercept with itself
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

// jitter makes a matrix of collinear columns positive definite.
func jitter(h *mat.SymDense) {
	const share = 1e-10 // of the largest
	n := h.SymmetricDim()
	largest := 0.0
	for i := range n {
		largest = max(largest, h.At(i, i))
	}
	for i := range n {
		h.SetSym(i, i, h.At(i, i)+share*largest)
	}
}

// try learns with a pair swapped. It returns nil where that has no optimum.
func (e *exchange) try(ctx context.Context, s *Solution, q pair) (*Solution, []float64, error) {
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

// take makes a swap final.
func (e *exchange) take(ctx context.Context, q pair, column []float64) error {
	e.chosen[q.out] = q.in
	e.p.replace(q.out, column)
	products, err := e.t.Products(ctx, [][]float64{e.weighted(column)})
	if err != nil {
		return err
	}
	e.set(q.out, products[0])
	return nil
}
