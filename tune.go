package fsa

import (
	"context"
	"errors"
	"math"

	"fsa/anneal"
	"fsa/internal/parallel"
	"fsa/loss"
	"fsa/validate"
)

// candidate is a way to fit that validation may choose.
type candidate struct {
	ridge float64
	swap  bool
}

// tuned is what validation says of a candidate.
type tuned struct {
	candidate
	losses []float64 // of each fold, on rows that were not learned from
}

// mean returns the mean loss over the folds.
func (t *tuned) mean() float64 {
	sum := 0.0
	for _, v := range t.losses {
		sum += v
	}
	return sum / float64(len(t.losses))
}

// ridges returns the strengths among which validation chooses, ascending.
func (j *Job) ridges() []float64 {
	unit := 1.0
	if j.response.Task == loss.Classification {
		unit = 0.25
	}
	list := []float64{j.plan.Ridge}
	for _, r := range tuneRidges {
		if r*unit > 2*j.plan.Ridge {
			list = append(list, r*unit)
		}
	}
	return list
}

// tune lets cross-validation choose the ridge, and whether swaps help. It returns the
// candidates that were tried, the best one first.
func (j *Job) tune(ctx context.Context) (*tuned, error) {
	folds, err := j.folds(tuneFolds)
	if err != nil {
		return nil, err
	}
	ridges := j.ridges()
	all := make([]tuned, 2*len(ridges))
	for i := range all {
		all[i] = tuned{candidate{ridges[i/2], i%2 == 1}, make([]float64, folds.Len())}
	}
	err = parallel.Do(ctx, j.options.Threads, folds.Len(), func(_, i int) error {
		f, err := j.fold(ctx, folds.Split(i))
		if err != nil {
			return err
		}
		for r, ridge := range ridges {
			plain, swapped, err := f.try(ctx, ridge)
			if err != nil {
				return err
			}
			all[2*r].losses[i], all[2*r+1].losses[i] = plain, swapped
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	best := &all[0]
	for i := range all {
		if all[i].mean() < best.mean() {
			best = &all[i]
		}
	}
	return best, nil
}

// try returns the losses of a fold, without swaps and with them, on rows that were not
// learned from.
func (f *fold) try(ctx context.Context, ridge float64) (plain, swapped float64, err error) {
	r := f.round(ridge)
	r.epochs = min(r.epochs, tuneEpochs)
	s, err := f.anneal(ctx, r)
	if errors.Is(err, anneal.ErrDiverged) {
		return math.Inf(1), math.Inf(1), nil
	}
	if err != nil {
		return 0, 0, err
	}
	plain = f.loss(s)
	if s, err = swapExactly(ctx, f.Job, s); err != nil {
		return 0, 0, err
	}
	return plain, f.loss(s), nil
}

// folds cuts the rows into so many folds: classes are spread evenly, queries stay whole.
func (j *Job) folds(n int) (*validate.Folds, error) {
	scheme := validate.Scheme{Folds: n, Seed: j.options.Seed, Weight: j.data.Target.Weight, Query: j.target.Query}
	if j.response.Task == loss.Classification {
		scheme.Class = j.target.Y
	}
	folds, err := scheme.Split(j.data.Rows())
	if errors.Is(err, validate.ErrFolds) && n > 2 { // a class may be rare
		scheme.Folds, scheme.Class = n, nil
		return scheme.Split(j.data.Rows())
	}
	return folds, err
}
