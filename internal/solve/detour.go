package solve

import (
	"cmp"
	"context"
	"math"
	"slices"

	"fsa/internal/kernel"
)

const (
	detourPlaces = 10  // maximum number of selected columns that are replaced in turn, those with the smallest rise first
	detourPool   = 100 // maximum number of other columns that a detour may take, the most promising ones
)

// detours continues the search when no swap lowers the objective, and returns the best solution. It is
// iterated local search: replace one selected column although the objective rises, and swap from there
// among the most promising columns. The replacements with the smallest rise come first. If the swaps
// end at a lower objective, the search starts again from there.
func (e *swapper) detours(ctx context.Context, best *Solution) (*Solution, error) {
	for {
		next, err := e.detour(ctx, best)
		if err != nil || next == nil {
			return best, err
		}
		if best, err = e.swaps(ctx, next); err != nil {
			return nil, err
		}
	}
}

// detour returns a better solution, or nil if it finds none.
func (e *swapper) detour(ctx context.Context, best *Solution) (*Solution, error) {
	_, columns, err := e.promising(ctx, best)
	if err != nil {
		return nil, err
	}
	among, err := newPool(ctx, e.t, slices.Concat(e.chosen, columns))
	if err != nil {
		return nil, err
	}
	near, err := e.near(ctx, best, among)
	if err != nil {
		return nil, err
	}
	places, _, err := near.promising(ctx, near.at)
	if err != nil {
		return nil, err
	}
	for _, p := range places {
		first, err := near.perturb(ctx, p)
		if err != nil {
			return nil, err
		}
		if first == nil {
			continue
		}
		last := first
		if near.gains(near.at, first.at) {
			if last, err = first.proceed(ctx); err != nil {
				return nil, err
			}
		}
		for _, v := range slices.Compact([]*localOptimum{last, first}) {
			if next, err := e.move(ctx, best, v, among.of); next != nil || err != nil {
				return next, err
			}
		}
	}
	return nil, nil
}

// localOptimum is a local optimum of the swaps.
type localOptimum struct {
	*swapper
	at *Solution
}

// perturb returns the local optimum that swaps reach after the replacement p; nil if they lead back.
func (v *localOptimum) perturb(ctx context.Context, p pair) (*localOptimum, error) {
	to := v.copy()
	next, column, err := to.try(ctx, v.at, p)
	if err != nil || next == nil {
		return nil, err
	}
	if err = to.enter(ctx, p, column, next); err != nil {
		return nil, err
	}
	if next, err = to.swaps(ctx, next); err != nil || slices.Equal(to.chosen, v.chosen) {
		return nil, err
	}
	return &localOptimum{to, next}, nil
}

// enter makes the replacement p and sets the curvature of the loss at the new solution.
func (e *swapper) enter(ctx context.Context, p pair, column []float64, s *Solution) error {
	if e.p.Quadratic {
		return e.take(ctx, p, column)
	}
	e.chosen[p.out] = p.in
	e.p.replace(p.out, column)
	return e.start(ctx, s)
}

// proceed returns the local optimum that further replacements reach, as long as they cost little.
func (v *localOptimum) proceed(ctx context.Context) (*localOptimum, error) {
	if !v.p.Quadratic {
		return v, nil
	}
	places, _, err := v.promising(ctx, v.at)
	if err != nil {
		return nil, err
	}
	for _, p := range places {
		if next, err := v.perturb(ctx, p); err != nil {
			return nil, err
		} else if next != nil && v.gains(v.at, next.at) {
			return next.proceed(ctx)
		}
	}
	return v, nil
}

// move fits the selection of the detour to with the loss itself, and moves there if the objective is lower; otherwise it
// returns nil. of are the columns of the table from which the detour selected.
func (e *swapper) move(ctx context.Context, best *Solution, to *localOptimum, of []int) (*Solution, error) {
	p := e.p.copy()
	for i, x := range to.p.X {
		if to.chosen[i] != i {
			p.replace(i, x)
		}
	}
	next, err := p.Solve(ctx, all(len(e.chosen)), to.at)
	if err == ErrSingular || err == nil && !e.gains(best, next) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for i, j := range to.chosen {
		e.chosen[i] = of[j]
	}
	e.p, e.d = p, nil
	return next, e.start(ctx, next)
}

// near returns a solution as a local optimum among the columns of a pool, of which the selected ones come first.
func (e *swapper) near(ctx context.Context, s *Solution, among *pool) (*localOptimum, error) {
	v := &localOptimum{&swapper{p: e.p.copy(), t: among, chosen: all(len(e.chosen)), must: e.must, o: e.o}, s}
	return v, v.start(ctx, v.at)
}

// copy returns an independent copy of the state.
func (e *swapper) copy() *swapper {
	to := *e
	to.p, to.chosen, to.products = e.p.copy(), slices.Clone(e.chosen), slices.Clone(e.products)
	return &to
}

// promising returns the best replacement of each selected column, in ascending order of the rise of the
// objective, and the most promising columns for any place.
func (e *swapper) promising(ctx context.Context, s *Solution) (places []pair, columns []int, err error) {
	places = make([]pair, len(e.chosen))
	for i := range places {
		places[i].gain = math.Inf(-1)
	}
	var best []pair
	err = e.each(ctx, s, func(p pair) {
		if p.gain > places[p.out].gain {
			places[p.out] = p
		}
		if n := len(best); n > 0 && best[n-1].in == p.in {
			best[n-1].gain = max(best[n-1].gain, p.gain)
		} else {
			best = append(best, p)
		}
	})
	places = slices.DeleteFunc(places, func(p pair) bool { return math.IsInf(p.gain, -1) })
	byGain := func(a, b pair) int { return cmp.Or(cmp.Compare(b.gain, a.gain), a.in-b.in) }
	slices.SortFunc(places, byGain)
	slices.SortFunc(best, byGain)
	for _, p := range best[:min(len(best), detourPool)] {
		columns = append(columns, p.in)
	}
	return places[:min(len(places), detourPlaces)], columns, err
}

// pool is a [Table] of a few columns of another table.
type pool struct {
	of     []int // numbers of the columns in the table
	x      []float64
	rows   int
	square []float64
}

var _ Table = (*pool)(nil)

func newPool(ctx context.Context, t Table, columns []int) (*pool, error) {
	x, err := t.Columns(ctx, columns)
	if err != nil {
		return nil, err
	}
	p := &pool{of: columns, x: slices.Concat(x...), rows: len(x[0])}
	for _, j := range columns {
		p.square = append(p.square, t.Square(j))
	}
	return p, nil
}

func (p *pool) Count() int { return len(p.of) }

func (p *pool) Products(_ context.Context, r [][]float64) ([][]float64, error) {
	products := make([][]float64, len(r))
	for i := range r {
		products[i] = make([]float64, len(p.of))
		kernel.MulFloat64(products[i], p.x, r[i])
	}
	return products, nil
}

func (p *pool) Columns(_ context.Context, columns []int) ([][]float64, error) {
	x := make([][]float64, len(columns))
	for i, j := range columns {
		x[i] = p.x[j*p.rows : (j+1)*p.rows]
	}
	return x, nil
}

func (p *pool) Square(j int) float64 { return p.square[j] }
