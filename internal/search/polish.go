package search

import (
	"context"
	"errors"
	"slices"

	"fsa/anneal"
	"fsa/internal/tuning"
)

// polish lets dropped variables compete again. A variable that was dropped early may be better than one
// that was kept, because the coefficients of the others have changed since. In each round, polish
// anneals the selected variables together with the dropped ones that have the largest gradients, and
// keeps the new selection if its loss is lower. Every round takes half as many dropped variables as
// the last one, down to one for each selected variable: among fewer competitors, weak variables are
// easier to tell from noise. It ends when a round with one for each selected variable changes nothing
// or does not lower the loss.
func (s *Sample) polish(ctx context.Context, d *Descent, best *Fit) (*Fit, error) {
	r := d.round(best.Ridge, len(best.Groups))
	r.schedule = anneal.Inverse(tuning.PolishMu)
	for rivals := tuning.PolishRivals; ; rivals = max(rivals/2, 1) {
		outside, _, loss, err := s.outside(ctx, best)
		if err != nil {
			return nil, err
		}
		r.among = append(slices.Clone(best.Groups), outside[:min(rivals*len(best.Groups), len(outside))]...)
		slices.Sort(r.among)
		s.Meter.next(0.5)
		next, err := s.anneal(ctx, r)
		if errors.Is(err, anneal.ErrDiverged) { // a given step size is too large for the other variables
			return best, nil
		}
		if err != nil {
			return nil, err
		}
		if next.loss, err = next.ob.Mean(ctx, next.result().Beta); err != nil {
			return nil, err
		}
		better := next.loss < loss
		same := slices.Equal(next.Groups, best.Groups)
		if better {
			best = next
		}
		if rivals == 1 && (same || !better) {
			return best, nil
		}
	}
}
