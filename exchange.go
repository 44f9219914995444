package fsa

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"fsa/anneal"
	"fsa/internal/matrix"
)

// Annealing compares variables by what they add, each on its own. Two that say nearly
// the same, or of which one takes away what the other adds, are then both kept where
// one, or none, is worth its place. The curvature tells: by the inverse of H the loss
// would rise by ½βⱼ²/(H⁻¹)ⱼⱼ if variable j went and the others made up for it. So those
// that are worth least change places with those of which the loss would fall fastest,
// while that lowers it by more than chance does.
const (
	againCells    = 1 << 25 // of a table that is read again, at most: meanwhile it must not be compacted in place
	mostExchanges = 20
	hopeful       = 4 // times what they promise others are given, as the chosen ones will make room for them
)

// rereadable reports whether the table can be read again once variables were chosen. A
// table of bytes in memory could be, too; but like one in a file it is taken in order and
// dropped from at once, and its models are those that were found without.
func (s *search) rereadable() bool {
	return !matrix.Sequential(s.design.X) && !s.data.Sparse() && s.cells <= againCells
}

// exchanges reports whether variables are to be exchanged in the end. With fewer rows
// for a coefficient the least loss is not the best model. Rows of a query do not count
// each for itself.
func (s *search) exchanges() bool {
	rows, n := float64(s.data.Rows()), s.coefficients()
	return s.rereadable() && s.resp.task != Ranking && rows >= refineRows*float64(n) && s.refines(n)
}

// exchange improves a selection while that helps.
func (s *search) exchange(ctx context.Context, f *fitted) (*fitted, error) {
	for range mostExchanges {
		next, err := s.exchanged(ctx, f)
		if errors.Is(err, anneal.ErrDiverged) || err == nil && next == nil {
			break
		}
		if err != nil {
			return nil, err
		}
		f = next
	}
	return f, nil
}

// exchanged returns a selection that is better, or nil if there is none: it tries to
// exchange half of the variables, then half as many, and so on.
func (s *search) exchanged(ctx context.Context, f *fitted) (*fitted, error) {
	outside, slope, err := s.outside(ctx, f)
	if err != nil {
		return nil, err
	}
	chosen, worth, curved, err := s.byWorth(ctx, f)
	if err != nil {
		return nil, err
	}
	rows, groups := float64(s.data.Rows()), float64(s.groups.count())
	for n := min((len(chosen)+1)/2, len(outside)); n > 0; n /= 2 {
		var gain, cost float64
		for i := range n {
			gain += slope[outside[i]] * slope[outside[i]] / curved / 2
			cost += worth[i]
		}
		if hopeful*gain < cost {
			continue
		}
		next, err := s.relearn(ctx, f, append(slices.Clone(outside[:n]), chosen[n:]...))
		if err != nil {
			return nil, err
		}
		chance := -math.Expm1(-float64(n) * math.Log(groups) / rows) // is the best of so many without any meaning
		if f.loss-next.loss > chance*math.Abs(f.loss) {
			return next, nil
		}
		f.ob.visited = next.ob.visited
	}
	return nil, nil
}

// relearn learns from scratch with some groups.
func (s *search) relearn(ctx context.Context, f *fitted, some []int) (*fitted, error) {
	slices.Sort(some)
	round := *s
	round.groups, round.force = s.groups.pick(some), nil
	round.Batch, round.WarmUp, round.Iterations, round.Observe = 0, 0, briefEpochs, nil
	round.visited = f.ob.visited
	next, err := round.anneal(ctx)
	if err != nil {
		return nil, err
	}
	next.among, next.epochs = some, f.epochs
	next.loss, err = next.value(ctx)
	return next, err
}

// byWorth lists the chosen groups that need not stay, those first without which the
// loss would rise least, by how much, and behind them those that must. It also returns
// how curved the loss is along a usual coefficient.
func (s *search) byWorth(ctx context.Context, f *fitted) (chosen []int, worth []float64, curved float64, err error) {
	n := len(f.res.Beta)
	h, ok := f.curved, true
	if h == nil {
		if h, ok, err = f.ob.hessian(ctx, n); err != nil {
			return nil, nil, 0, err
		}
	}
	var inverse, whole mat.SymDense
	if !ok || h.InverseTo(&inverse) != nil {
		return nil, nil, 0, nil
	}
	h.ToSym(&whole)
	type group struct {
		number int
		worth  float64
	}
	list := make([]group, len(f.res.Groups))
	at := 0
	for i, number := range f.chosen() {
		beta := f.res.Group(i)
		list[i] = group{number, math.Inf(1)}
		if !slices.Contains(s.force, number) {
			if list[i].worth, err = s.worth(ctx, f, &inverse, at, beta); err != nil {
				return nil, nil, 0, err
			}
		}
		at += len(beta)
	}
	curved = mat.Trace(&whole) / float64(n)
	slices.SortStableFunc(list, func(a, b group) int { return cmp.Compare(a.worth, b.worth) })
	for _, g := range list {
		chosen, worth = append(chosen, g.number), append(worth, g.worth)
	}
	return chosen, worth, curved, nil
}

// worth returns by how much the loss rises, at least, without the coefficients of a
// group, which begin at some place: by the curvature, or if they are zero and the others
// stay. H bounds the curvature everywhere and says too much of a coefficient that has
// grown to where the loss is flat, such as that of a rare column that one class never has.
func (s *search) worth(ctx context.Context, f *fitted, inverse *mat.SymDense, at int, beta []float64) (float64, error) {
	least := rise(inverse, at, beta)
	if losses[s.resp.name].exact {
		return least, nil
	}
	without := slices.Clone(f.res.Beta)
	clear(without[at : at+len(beta)])
	sum, weight, err := f.ob.Eval(ctx, 0, make([]float64, len(without)), without)
	return min(least, sum/weight-f.loss), err
}

// rise returns by how much the loss rises without some coefficients, which begin at a
// place of the inverse of its curvature: ½βᵀ((H⁻¹)ⱼⱼ)⁻¹β.
func rise(inverse *mat.SymDense, at int, beta []float64) float64 {
	n := len(beta)
	block, b, solved := mat.NewSymDense(n, nil), mat.NewVecDense(n, beta), mat.NewVecDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			block.SetSym(i, j, inverse.At(at+i, at+j))
		}
	}
	var c mat.Cholesky
	if !c.Factorize(block) || c.SolveVecTo(solved, b) != nil {
		return 0
	}
	return mat.Dot(b, solved) / 2
}
