package fsa

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"fsa/anneal"
)

// A variable that was dropped early may be worth more than one that was kept:
// the others were not what they are now. Polishing asks for those that would
// help most beside what was chosen, lets them compete with it once more on equal
// terms, and keeps the outcome if the loss falls. Every round asks half as many:
// fewer were missed, and among few a variable that is worth little is told
// better from one that is worth nothing.
const (
	mostRivals  = 5    // brought back for each variable that was chosen,
	leastRivals = 1    // and in later rounds
	mostRounds  = 10   // of bringing back
	better      = 0.01 // share of the loss that it has to fall by
	slowMu      = 3    // there are few variables, so there is time,
	finer       = 8    // also for more steps, on smaller samples
)

// firstShare is what the search before polishing counts for in all work, about.
// Polishing goes on while that helps: every round counts for half of what is left.
const firstShare = 0.4

// polish improves a selection while that helps.
func (s *search) polish(ctx context.Context, f *fitted) (*fitted, error) {
	round := *s
	round.Schedule, round.Mu = nil, slowMu
	round.Batch = (s.Batch + finer - 1) / finer
	best, rivals := f, mostRivals
	for range mostRounds {
		candidates, err := s.rivals(ctx, best, rivals)
		if err != nil {
			return nil, err
		}
		round.groups, round.force = s.groups.pick(candidates), nil
		for _, j := range s.force {
			round.force = append(round.force, slices.Index(candidates, j))
		}
		round.epochs, round.visited = best.epochs, best.ob.visited
		round.from, round.to = round.to, (1+round.to)/2
		next, err := round.anneal(ctx)
		if errors.Is(err, anneal.ErrDiverged) { // a step that was given is too long for the others
			return best, nil
		}
		if err != nil {
			return nil, err
		}
		if next.loss, err = next.value(ctx); err != nil {
			return nil, err
		}
		next.among = candidates
		if best.loss-next.loss > better*math.Abs(best.loss) {
			best = next
		} else if best.epochs, best.ob.visited = next.epochs, next.ob.visited; rivals == leastRivals {
			break
		}
		rivals = max(rivals/2, leastRivals)
	}
	return best, nil
}

// value returns the mean loss at the result.
func (f *fitted) value(ctx context.Context) (float64, error) {
	sum, weight, err := f.ob.Eval(ctx, 0, make([]float64, len(f.res.Beta)), f.res.Beta)
	return sum / weight, err
}

// rivals lists the groups that were chosen, and so many for each of them of which
// the loss would fall fastest. It also finds the loss.
func (s *search) rivals(ctx context.Context, f *fitted, count int) ([]int, error) {
	outside, _, err := s.outside(ctx, f)
	if err != nil {
		return nil, err
	}
	list := f.chosen()
	list = append(list, outside[:min(count*len(list), len(outside))]...)
	slices.Sort(list)
	return list, nil
}

// chosen lists the groups of a selection.
func (f *fitted) chosen() []int {
	list := slices.Clone(f.res.Groups)
	if f.among != nil {
		for i, j := range list {
			list[i] = f.among[j]
		}
	}
	return list
}

// outside lists the groups that were not chosen, those first of which the loss would
// fall fastest, and how fast. It also finds the loss.
func (s *search) outside(ctx context.Context, f *fitted) (order []int, slope []float64, err error) {
	whole := *s
	whole.Batch = 0
	all, g := whole.objective(), s.groups
	beta, grad := make([]float64, all.layout.Len()), make([]float64, all.layout.Len())
	chosen := make([]bool, g.count())
	for i, j := range f.chosen() {
		chosen[j] = true
		copy(all.layout.Of(beta, j), f.res.Group(i))
	}
	copy(beta[len(beta)-all.layout.Free:], f.res.Free())
	sum, weight, err := all.Eval(ctx, 0, grad, beta)
	if err != nil {
		return nil, nil, err
	}
	f.loss = sum / weight
	f.ob.visited += all.visited

	slope = make([]float64, g.count())
	for j := range g.count() {
		if !chosen[j] {
			order = append(order, j)
			slope[j] = anneal.Norm(all.layout.Of(grad, j)) / weight / g.weight(s.design, j)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(slope[b], slope[a]), a-b) })
	return order, slope, nil
}
