package fsa

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"fsa/anneal"
)

// swap is a stage. Annealing compares variables by what they add, each on its own. Two
// collinear ones that say nearly the same, or of which one takes away what the other
// adds, are then both kept where one, or none, is worth its place. The Hessian tells: by
// its inverse the loss would rise by ½βⱼ²/(H⁻¹)ⱼⱼ if variable j went and the others made
// up for it. So those that are worth least are swapped for those of which the loss would
// fall fastest, while that lowers it by more than selection noise does.
func swap(ctx context.Context, j *Job, s *selection) (*selection, error) {
	for range mostSwaps {
		next, err := j.swapped(ctx, s)
		if errors.Is(err, anneal.ErrDiverged) || err == nil && next == nil {
			break
		}
		if err != nil {
			return nil, err
		}
		s = next
	}
	return s, nil
}

// swapped returns a selection that is better, or nil if there is none: it tries to swap
// half of the variables, then half as many, and so on.
func (j *Job) swapped(ctx context.Context, s *selection) (*selection, error) {
	outside, slope, loss, err := j.outside(ctx, s)
	if err != nil {
		return nil, err
	}
	s.loss = loss
	chosen, worth, curvature, err := j.byWorth(ctx, s)
	if err != nil {
		return nil, err
	}
	rows := float64(j.facts.mass)
	for n := min((len(chosen)+1)/2, len(outside)); n > 0; n /= 2 {
		var gain, cost float64
		for i := range n {
			gain += slope[outside[i]] * slope[outside[i]] / curvature / 2
			cost += worth[i]
		}
		if swapHope*gain < cost {
			continue
		}
		next, err := j.relearn(ctx, append(slices.Clone(outside[:n]), chosen[n:]...), s.ridge)
		if err != nil {
			return nil, err
		}
		if s.loss-next.loss > selectionNoise(n, j.groups.Count(), rows)*math.Abs(s.loss) {
			return next, nil
		}
	}
	return nil, nil
}

// selectionNoise returns the share of the loss that the best n of some groups without any
// meaning explain by chance.
func selectionNoise(n, groups int, rows float64) float64 {
	return -math.Expm1(-float64(n) * math.Log(float64(groups)) / rows)
}

// byWorth lists the chosen groups that need not stay, those first without which the
// loss would rise least, by how much, and behind them those that must. It also returns
// the mean of the diagonal of the Hessian bound.
func (j *Job) byWorth(ctx context.Context, s *selection) (chosen []int, worth []float64, curvature float64, err error) {
	h, ok := s.hessian, true
	if h == nil {
		if h, ok, err = s.ob.Hessian(ctx); err != nil {
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
	list := make([]group, len(s.chosen))
	at := 0
	for i, number := range s.chosen {
		beta := s.res.Group(i)
		list[i] = group{number, math.Inf(1)}
		if !slices.Contains(j.force, number) {
			if list[i].worth, err = j.worth(ctx, s, &inverse, at, beta); err != nil {
				return nil, nil, 0, err
			}
		}
		at += len(beta)
	}
	curvature = mat.Trace(&whole) / float64(len(s.res.Beta))
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
func (j *Job) worth(ctx context.Context, s *selection, inverse *mat.SymDense, at int, beta []float64) (float64, error) {
	least := rise(inverse, at, beta)
	if j.response.Kind.Quadratic {
		return least, nil
	}
	without := slices.Clone(s.res.Beta)
	clear(without[at : at+len(beta)])
	loss, err := s.ob.Mean(ctx, without)
	return min(least, loss-s.loss), err
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

// sortBy sorts groups by a number of each, the largest first, and equal ones by their
// own.
func sortBy(groups []int, of []float64) {
	slices.SortFunc(groups, func(a, b int) int { return cmp.Or(cmp.Compare(of[b], of[a]), a-b) })
}
