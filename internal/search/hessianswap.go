package search

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"fsa/anneal"
	"fsa/internal/tuning"
)

// hessianSwaps exchanges selected variables by the Hessian bound. Annealing compares
// variables by what they add, each on its own. Two collinear ones that say nearly the same,
// or of which one takes away what the other adds, are then both kept where one, or none, is
// worth its place. The Hessian tells: by its inverse the loss would rise by ½βⱼ²/(H⁻¹)ⱼⱼ if
// variable j went and the others made up for it. So those that are worth least are swapped
// for those by which the loss would fall fastest, while that lowers it by more than
// selection noise does.
func (s *Sample) hessianSwaps(ctx context.Context, d *Descent, f *Fit) (*Fit, error) {
	for range tuning.MostSwaps {
		next, err := s.hessianSwap(ctx, d, f)
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

// hessianSwap returns a selection that is better, or nil if there is none: it tries to swap
// half of the variables, then half as many, and so on.
func (s *Sample) hessianSwap(ctx context.Context, d *Descent, f *Fit) (*Fit, error) {
	outside, slope, loss, err := s.outside(ctx, f)
	if err != nil {
		return nil, err
	}
	f.loss = loss
	chosen, worth, curvature, err := s.byWorth(ctx, f)
	if err != nil {
		return nil, err
	}
	for n := min((len(chosen)+1)/2, len(outside)); n > 0; n /= 2 {
		var gain, cost float64
		for i := range n {
			gain += slope[outside[i]] * slope[outside[i]] / curvature / 2
			cost += worth[i]
		}
		if tuning.SwapHope*gain < cost {
			continue
		}
		next, err := s.relearn(ctx, d, append(slices.Clone(outside[:n]), chosen[n:]...), f.Ridge)
		if err != nil {
			return nil, err
		}
		if f.loss-next.loss > s.SelectionNoise(n)*math.Abs(f.loss) {
			return next, nil
		}
	}
	return nil, nil
}

// byWorth lists the chosen groups that need not stay, those first without which the
// loss would rise least, by how much, and behind them those that must. It also returns
// the mean of the diagonal of the Hessian bound.
func (s *Sample) byWorth(ctx context.Context, f *Fit) (chosen []int, worth []float64, curvature float64, err error) {
	h, ok := f.hessian, true
	if h == nil {
		if h, ok, err = f.ob.Hessian(ctx); err != nil {
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
	list := make([]group, len(f.Groups))
	at := 0
	for i, number := range f.Groups {
		beta := f.res.Group(i)
		list[i] = group{number, math.Inf(1)}
		if !slices.Contains(s.Force, number) {
			if list[i].worth, err = s.worth(ctx, f, &inverse, at, beta); err != nil {
				return nil, nil, 0, err
			}
		}
		at += len(beta)
	}
	curvature = mat.Trace(&whole) / float64(len(f.res.Beta))
	slices.SortStableFunc(list, func(a, b group) int { return cmp.Compare(a.worth, b.worth) })
	for _, g := range list {
		chosen, worth = append(chosen, g.number), append(worth, g.worth)
	}
	return chosen, worth, curvature, nil
}

// worth returns by how much the loss rises, at least, without the coefficients of a
// group, which begin at some place: by the Hessian, or if they are zero and the others
// stay. The bound on the Hessian says too much of a coefficient that has grown to where
// the loss is flat, such as that of a rare column that one class never has.
func (s *Sample) worth(ctx context.Context, f *Fit, inverse *mat.SymDense, at int, beta []float64) (float64, error) {
	least := rise(inverse, at, beta)
	if s.Kind.Quadratic {
		return least, nil
	}
	without := slices.Clone(f.res.Beta)
	clear(without[at : at+len(beta)])
	loss, err := f.ob.Mean(ctx, without)
	return min(least, loss-f.loss), err
}

// rise returns by how much the loss rises without some coefficients, which begin at a
// place of the inverse of its Hessian: ½βᵀ((H⁻¹)ⱼⱼ)⁻¹β.
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
