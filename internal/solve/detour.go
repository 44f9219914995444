package solve

import (
	"cmp"
	"context"
	"math"
	"slices"

	"fsa/internal/kernel"
)

const (
	detourPlaces = 10  // that are left in turn, at most: those by which the objective rises least
	detourPool   = 100 // columns outside of the chosen ones that a detour may take, at most: those that promise most
)

// detours looks further where no swap gains. Each chosen column in turn gives its place to
// the one that is best there although the objective rises by it, those first by which it
// rises least, and swaps go on from that, among the columns that promise most. Where
// they end lower, all begins again from there. It is iterated local search: a step over
// the rim of the valley that swaps end in.
func (e *exchange) detours(ctx context.Context, best *Solution) (*Solution, error) {
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

// detour returns a better solution, or nil if none was found.
func (e *exchange) detour(ctx context.Context, best *Solution) (*Solution, error) {
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
		first, err := near.aside(ctx, p)
		if err != nil {
			return nil, err
		}
		if first == nil {
			continue
		}
		last := first
		if near.gains(near.at, first.at) {
			if last, err = first.onward(ctx); err != nil {
				return nil, err
			}
		}
		for _, v := range slices.Compact([]*valley{last, first}) {
			if next, err := e.move(ctx, best, v, among.of); next != nil || err != nil {
				return next, err
			}
		}
	}
	return nil, nil
}

// valley is where swaps end.
type valley struct {
	*exchange
	at *Solution
}

// aside returns where swaps end after a step aside; nil if they lead back.
func (v *valley) aside(ctx context.Context, p pair) (*valley, error) {
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
	return &valley{to, next}, nil
}

// enter makes a step aside to a solution, where losses may be curved otherwise.
func (e *exchange) enter(ctx context.Context, p pair, column []float64, s *Solution) error {
	if e.p.Quadratic {
		return e.take(ctx, p, column)
	}
	e.chosen[p.out] = p.in
	e.p.replace(p.out, column)
	return e.start(ctx, s)
}

// onward returns where further steps aside end, as far as these cost little.
func (v *valley) onward(ctx context.Context) (*valley, error) {
	if !v.p.Quadratic {
		return v, nil
	}
	places, _, err := v.promising(ctx, v.at)
	if err != nil {
		return nil, err
	}
	for _, p := range places {
		if next, err := v.aside(ctx, p); err != nil {
			return nil, err
		} else if next != nil && v.gains(v.at, next.at) {
			return next.onward(ctx)
		}
	}
	return v, nil
}

// move learns with the loss itself where a detour has ended, and goes there if that is better; else it returns nil. Of are the columns of the table
// that the detour went among.
func (e *exchange) move(ctx context.Context, best *Solution, to *valley, of []int) (*Solution, error) {
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

// near returns a solution among some columns, of which the chosen ones come first.
func (e *exchange) near(ctx context.Context, s *Solution, among *pool) (*valley, error) {
	v := &valley{&exchange{p: e.p.copy(), t: among, chosen: all(len(e.chosen)), must: e.must, o: e.o}, s}
	return v, v.start(ctx, v.at)
}

// copy returns swaps that go their own way from here.
func (e *exchange) copy() *exchange {
	to := *e
	to.p, to.chosen, to.products = e.p.copy(), slices.Clone(e.chosen), slices.Clone(e.products)
	return &to
}

// promising returns the best pair of each place, those first by which the objective rises
// least, and the columns that are best anywhere.
func (e *exchange) promising(ctx context.Context, s *Solution) (places []pair, columns []int, err error) {
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

// pool is a few columns of a table.
type pool struct {
	of     []int // the table
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
