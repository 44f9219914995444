package fsa

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"fsa/anneal"
	"fsa/data"
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
	better      = 0.99 // what the loss has to fall to
	slowMu      = 3    // there are few variables, so there is time,
	finer       = 8    // also for more steps, on smaller samples
)

// fitted is a selection and the loss it has.
type fitted struct {
	groups groups
	among  []int // where they come from others: their numbers there
	ob     *objective
	res    *anneal.Result
	loss   float64
}

// annealed selects among groups and learns what was chosen.
func annealed(ctx context.Context, design *data.Design, g groups, resp *response, o *Options, force []int) (*fitted, error) {
	f := &fitted{groups: g, ob: newObjective(design, g, resp.loss, resp.target, o, resp.task != Ranking)}
	var err error
	if f.res, err = anneal.Run(ctx, f.ob, o.settings(ctx, f.ob, g, force)); err != nil {
		return nil, err
	}
	if o.refine && f.res.Status != anneal.Settled {
		err = f.refine(ctx)
	}
	return f, err
}

// polished improves a selection while that helps.
func (f *fitted) polished(ctx context.Context, design *data.Design, g groups, resp *response, o *Options, force []int) (*fitted, error) {
	quiet := *o
	quiet.Observe, quiet.Schedule, quiet.Mu = nil, nil, slowMu
	quiet.Batch = (o.Batch + finer - 1) / finer
	best, rivals := f, mostRivals
	for range mostRounds {
		candidates, err := best.rivals(ctx, design, g, resp, &quiet, rivals)
		if err != nil {
			return nil, err
		}
		var must []int
		for _, j := range force {
			must = append(must, slices.Index(candidates, j))
		}
		next, err := annealed(ctx, design, g.pick(candidates), resp, &quiet, must)
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
		next.ob.visited += best.ob.visited
		if next.loss < better*best.loss {
			best = next
		} else if best.ob.visited = next.ob.visited; rivals == leastRivals {
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
func (f *fitted) rivals(ctx context.Context, design *data.Design, g groups, resp *response, o *Options, count int) ([]int, error) {
	whole := *o
	whole.Batch, whole.Discard = 0, false
	all := newObjective(design, g, resp.loss, resp.target, &whole, resp.task != Ranking)
	beta, grad := make([]float64, all.layout.Len()), make([]float64, all.layout.Len())
	chosen := make([]bool, g.count())
	for i, j := range f.res.Groups {
		if f.among != nil {
			j = f.among[j]
		}
		chosen[j] = true
		copy(all.layout.Of(beta, j), f.res.Group(i))
	}
	copy(beta[len(beta)-all.layout.Free:], f.res.Free())
	sum, weight, err := all.Eval(ctx, 0, grad, beta)
	if err != nil {
		return nil, err
	}
	f.loss = sum / weight
	f.ob.visited += all.visited

	order := make([]int, 0, g.count())
	slope := make([]float64, g.count())
	for j := range g.count() {
		if !chosen[j] {
			order = append(order, j)
			slope[j] = anneal.Norm(all.layout.Of(grad, j)) / g.weight(design, j)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(slope[b], slope[a]), a-b) })
	for _, j := range order[:min(count*len(f.res.Groups), len(order))] {
		chosen[j] = true
	}
	var list []int
	for j, stays := range chosen {
		if stays {
			list = append(list, j)
		}
	}
	return list, nil
}
