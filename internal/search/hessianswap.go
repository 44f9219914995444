package search

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"fsa/anneal"
)

// hessianSwaps swaps selected variables for others, using the Hessian bound H. Annealing compares
// variables by their coefficients alone, so it may keep two collinear variables although one of them
// is redundant. The Hessian recognises this: if variable j is removed and the others are refitted,
// the loss rises by ½βⱼ²/(H⁻¹)ⱼⱼ. hessianSwaps replaces the variables with the smallest rise by those
// with the largest gradients, as long as the loss falls by more than selection noise explains.
func (s *Sample) hessianSwaps(ctx context.Context, d *Descent, f *Fit) (*Fit, error) {
	for range f.Groups {
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

// hessianSwap returns a better fit, or nil if it finds none. It tries to swap half of the variables,
// then a quarter, and so on down to one.
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
		if gain < cost {
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

// byWorth returns the selected groups in ascending order of their worth, the amount by which the loss
// rises without them. The worth of groups that must stay is infinite. It also returns the mean of the
// diagonal of the Hessian bound.
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

// worth returns an estimate of the amount by which the loss rises without a group, whose coefficients
// beta begin at index at. The estimate is the smaller of two: the one by the Hessian bound, and the
// rise if the coefficients are set to zero and the others stay. The bound overestimates the worth of a
// large coefficient where the loss is flat, such as that of a rare column that never occurs in one
// class.
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

// rise returns ½βᵀ((H⁻¹)ⱼⱼ)⁻¹β, the amount by which a quadratic loss rises if the coefficients beta,
// which begin at index at, become zero and the others are refitted.
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
