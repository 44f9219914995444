package fsa

import (
	"context"
	"errors"
	"math"
	"slices"

	"fsa/anneal"
)

// polish is a stage. A variable that was dropped early may be worth more than one that
// was kept: the others were not what they are now. Polishing asks for those that would
// help most beside what was chosen, lets them compete with it once more on equal
// terms, and keeps the outcome if the loss falls. Every round asks half as many:
// fewer were missed, and among few a variable that is worth little is told
// better from one that is worth nothing.
func polish(ctx context.Context, j *Job, best *selection) (*selection, error) {
	r := j.round(best.ridge)
	r.schedule = anneal.Inverse(polishMu)
	if r.batch < j.facts.rows {
		r.batch = (r.batch + polishFiner - 1) / polishFiner
	}
	for rivals, n := polishRivals, 0; n < polishRounds; n++ {
		outside, _, loss, err := j.outside(ctx, best)
		if err != nil {
			return nil, err
		}
		best.loss = loss
		r.among = append(slices.Clone(best.chosen), outside[:min(rivals*len(best.chosen), len(outside))]...)
		slices.Sort(r.among)
		j.meter.next(0.5)
		next, err := j.anneal(ctx, r)
		if errors.Is(err, anneal.ErrDiverged) { // a step that was given is too long for the others
			return best, nil
		}
		if err != nil {
			return nil, err
		}
		if next.loss, err = next.ob.Mean(ctx, next.res.Beta); err != nil {
			return nil, err
		}
		if best.loss-next.loss > polishGain*math.Abs(best.loss) {
			best = next
		} else if rivals == fewestRivals {
			break
		}
		rivals = max(rivals/2, fewestRivals)
	}
	if j.plan.Exact {
		return j.exactly(ctx, best.chosen, j.plan.Ridge, best)
	}
	return best, nil
}
