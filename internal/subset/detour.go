package subset

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
	places, columns, err := e.promising(ctx, best)
	if err != nil || len(places) == 0 {
		return nil, err
	}
	among, err := newPool(ctx, e.t, slices.Concat(e.chosen, columns))
	if err != nil {
		return nil, err
	}
	for _, p := range places {
		in := slices.Index(among.of, p.in)
		if in < 0 {
			continue
		}
		f := &exchange{p: e.p.copy(), t: among, chosen: all(len(e.chosen)), must: e.must, o: e.o}
		next, column, err := f.try(ctx, best, pair{out: p.out, in: in})
		if err != nil {
			return nil, err
		}
		if next == nil {
			continue
		}
		f.chosen[p.out] = in
		f.p.replace(p.out, column)
		if err = f.start(ctx, next); err != nil {
			return nil, err
		}
		if next, err = f.swaps(ctx, next); err != nil {
			return nil, err
		}
		if e.gains(best, next) {
			for i, j := range f.chosen {
				e.chosen[i] = among.of[j]
			}
			e.p, e.d = f.p, nil
			return next, e.start(ctx, next)
		}
	}
	return nil, nil
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
