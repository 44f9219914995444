package training

import (
	"context"
	"errors"

	"fsa/data"
	"fsa/internal/matrix"
	"fsa/internal/search"
	"fsa/internal/tuning"
	"fsa/loss"
)

// fill sets the fields of a sample that come from a dataset. Pairs are interactions that are added to its variables.
func (o *Options) fill(ctx context.Context, s *search.Sample, d *data.Dataset, pairs []data.PairTerm) error {
	s.Data = d
	if err := o.design(ctx, s, d, pairs); err != nil {
		return err
	}
	if err := s.SetGroups(d, together(o.Groups, o.Costs, d), o.Force); err != nil {
		return optionError("%v", err)
	}
	s.Curved = func(ctx context.Context, bins int) (*search.Sample, error) {
		curved, to := *o, *s
		curved.Design.Bins, curved.Design.Discard = bins, false
		to.Owned = false
		err := curved.fill(ctx, &to, d, nil)
		to.Meter = s.Meter
		return &to, err
	}
	s.Rooted = nil
	if d.Roots() && !o.Design.Roots && o.Design.Bins == 0 {
		s.Rooted = func(ctx context.Context) (*search.Sample, error) {
			rooted, to := *o, *s
			rooted.Design.Roots, rooted.Design.Discard, to.Owned = true, false, false
			err := rooted.fill(ctx, &to, d, nil)
			to.Meter = s.Meter
			return &to, err
		}
	}
	s.WithInteractions = func(ctx context.Context, pairs []data.PairTerm) (*search.Sample, error) {
		with, to := *o, *s
		with.Design.Discard, to.Owned = false, false
		err := with.fill(ctx, &to, d, pairs)
		to.Meter = s.Meter
		return &to, err
	}
	return o.complete(ctx, s, d)
}

// design scales the variables of a dataset, or divides them into bins.
func (o *Options) design(ctx context.Context, s *search.Sample, d *data.Dataset, pairs []data.PairTerm) (err error) {
	by := o.Design
	by.Interactions = pairs
	s.Design, err = d.Design(ctx, by)
	if errors.Is(err, data.ErrStorage) {
		return optionError("storage %s needs a dense numeric table in memory, and %s is not one: leave it out", by.Storage, d.Name)
	}
	return err
}

// complete sets the fields of a sample that depend on its groups.
func (o *Options) complete(ctx context.Context, s *search.Sample, d *data.Dataset) error {
	x := s.Design.X
	rows := s.Rows()
	s.Effective, s.Counted = search.Effective(d.Target.Weight, rows), search.Counted(s.Target.Weight, rows)
	if s.Task == loss.Survival { // rows without an event contain little information
		s.Effective = min(s.Effective, events(d.Target))
	}
	s.InMemory = !matrix.Sequential(x) && !d.Sparse() && x.Cells() <= tuning.WorkCells
	s.Single = s.Loss.Outputs() == 1 && s.Task != loss.Ranking && singleColumns(s)
	s.Meter = search.NewMeter(x.Cells())
	if o.Unpooled {
		return nil
	}
	return s.SetCategories(ctx)
}

// events returns the number of rows with a weight that had the event.
func events(t *data.Target) int {
	n := 0
	for i, e := range t.Event {
		if e != 0 && (t.Weight == nil || t.Weight[i] > 0) {
			n++
		}
	}
	return max(n, 1)
}

// singleColumns reports whether every group is one column.
func singleColumns(s *search.Sample) bool {
	widths := s.Design.X.Widths()
	for g := range s.Groups.Count() {
		of := s.Groups.Of(g)
		if len(of) != 1 || widths != nil && widths[of[0]] != 1 {
			return false
		}
	}
	return true
}
