package search

import (
	"context"
	"errors"
	"math"
	"slices"

	"fsa/anneal"
	"fsa/internal/tuning"
)

// polish lets dropped variables compete once more. One that was dropped early may be worth
// more than one that was kept, since the others were not then what they are now. Polishing
// asks for those that would help most beside the selected ones, lets them compete on equal
// terms, and keeps the outcome if the loss falls. Every round asks half as many: fewer were
// missed, and among few a variable of little effect is told better from one of none.
func (s *Sample) polish(ctx context.Context, d *Descent, best *Fit) (*Fit, error) {
	r := d.round(best.Ridge, len(best.Groups))
	r.schedule = anneal.Inverse(tuning.PolishMu)
	if r.batch < s.Rows() {
		r.batch = (r.batch + tuning.PolishFiner - 1) / tuning.PolishFiner
	}
	for rivals, n := tuning.PolishRivals, 0; n < tuning.PolishRounds; n++ {
		outside, _, loss, err := s.outside(ctx, best)
		if err != nil {
			return nil, err
		}
		best.loss = loss
		r.among = append(slices.Clone(best.Groups), outside[:min(rivals*len(best.Groups), len(outside))]...)
		slices.Sort(r.among)
		s.Meter.next(0.5)
		next, err := s.anneal(ctx, r)
		if errors.Is(err, anneal.ErrDiverged) { // a step that was given is too long for the others
			return best, nil
		}
		if err != nil {
			return nil, err
		}
		if next.loss, err = next.ob.Mean(ctx, next.res.Beta); err != nil {
			return nil, err
		}
		if best.loss-next.loss > tuning.PolishGain*math.Abs(best.loss) {
			best = next
		} else if rivals == 1 {
			break
		}
		rivals = max(rivals/2, 1)
	}
	return best, nil
}
