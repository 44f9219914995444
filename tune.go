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

// tune lets cross-validation choose the ridge, and then whether swaps help. The error
// of prediction falls and rises again with the ridge, so that strengths are tried from
// the middle on, while they get better.
func (j *Job) tune(ctx context.Context) (*tuned, error) {
	folds, err := j.folds(tuneFolds)
	if err != nil {
		return nil, err
	}
	t := &tuner{job: j, folds: make([]*fold, folds.Len()), tried: map[int]*trial{}}
	err = parallel.Do(ctx, j.options.Threads, folds.Len(), func(_, i int) (err error) {
		t.folds[i], err = j.fold(ctx, folds.Split(i))
		return err
	})
	if err != nil {
		return nil, err
	}
	t.ridges = j.ridges()
	best := len(t.ridges) / 2
	for _, direction := range []int{-1, 1} {
		for {
			better, err := t.better(ctx, best+direction, best)
			if err != nil {
				return nil, err
			}
			if !better {
				break
			}
			best += direction
		}
	}
	return t.swap(ctx, best)
}

// tuner tries strengths of the ridge on folds.
type tuner struct {
	job    *Job
	folds  []*fold
	ridges []float64
	tried  map[int]*trial
}

// trial is a ridge that was tried: what each fold selected, and its loss on rows that
// were not learned from.
type trial struct {
	tuned
	selections []*selection
}

// better reports whether the ridge at one place is better than that at another.
func (t *tuner) better(ctx context.Context, at, than int) (bool, error) {
	if at < 0 || at >= len(t.ridges) {
		return false, nil
	}
	for _, i := range []int{than, at} {
		if t.tried[i] == nil {
			tr, err := t.try(ctx, t.ridges[i])
			if err != nil {
				return false, err
			}
			t.tried[i] = tr
		}
	}
	return t.tried[at].mean() < t.tried[than].mean(), nil
}

// try learns all folds with a ridge.
func (t *tuner) try(ctx context.Context, ridge float64) (*trial, error) {
	tr := &trial{tuned{candidate{ridge, false}, make([]float64, len(t.folds))}, make([]*selection, len(t.folds))}
	err := parallel.Do(ctx, t.job.options.Threads, len(t.folds), func(_, i int) error {
		f := t.folds[i]
		r := f.round(ridge)
		r.epochs = min(r.epochs, tuneEpochs)
		s, err := f.anneal(ctx, r)
		if errors.Is(err, anneal.ErrDiverged) {
			tr.losses[i] = math.Inf(1)
			return nil
		}
		if err != nil {
			return err
		}
		tr.selections[i], tr.losses[i] = s, f.loss(s)
		return nil
	})
	return tr, err
}

// swap asks whether what was selected with a ridge gets better by swaps.
func (t *tuner) swap(ctx context.Context, at int) (*tuned, error) {
	plain := t.tried[at]
	swapped := &tuned{candidate{plain.ridge, true}, make([]float64, len(t.folds))}
	err := parallel.Do(ctx, t.job.options.Threads, len(t.folds), func(_, i int) error {
		if swapped.losses[i] = plain.losses[i]; plain.selections[i] == nil {
			return nil
		}
		s, err := swapExactly(ctx, t.folds[i].Job, plain.selections[i])
		if err == nil {
			swapped.losses[i] = t.folds[i].loss(s)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if swapped.mean() < plain.mean() {
		return swapped, nil
	}
	return &plain.tuned, nil
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
