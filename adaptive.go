package fsa

import "context"

// orAdaptive returns a choice, or the same variables learned with an adaptive ridge, or those that the lasso takes, if that
// is better by more than the standard error. Where more variables are asked for than there are to find, those that add
// little have to be shrunk more than others.
func (t *tuner) orAdaptive(ctx context.Context, best choice) (choice, error) {
	if best.size == 0 || !t.job.plan.Exact || !t.job.singleColumns() {
		return best, nil
	}
	ways := []way{best.way}
	if d := (descent{lassoPath, 1}); t.paths[d] != nil && t.compared == nil && best.descent != d {
		ways = append(ways, way{descent: d})
	}
	for _, w := range ways {
		w.adaptive = true
		other := choice{way: best.way}
		if err := t.over(ctx, &other, w, []int{best.size}); err != nil {
			return best, err
		}
		if better(other.losses, best.losses) {
			best = other
		}
	}
	return best, nil
}

// adapt is a stage: what is chosen is learned with an adaptive ridge in the end.
func adapt(ctx context.Context, j *Job, s *selection) (*selection, error) {
	next := *s
	next.adaptive = true
	p := *s.problem
	p.Adaptive = true
	next.problem = &p
	var err error
	if next.solution, err = p.Solve(ctx, p.columns(), s.solution); err != nil {
		return nil, err
	}
	next.keep(s)
	return &next, nil
}
