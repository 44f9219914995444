package fsa

import (
	"context"
	"errors"
	"slices"

	"fsa/data"
	"fsa/internal/checkpoint"
	"fsa/internal/matrix"
	"fsa/internal/objective"
	"fsa/internal/plan"
	"fsa/internal/search"
	"fsa/internal/tuning"
	"fsa/loss"
	"fsa/model"
	"fsa/prior"
)

// Prepare checks the options against the data and plans the fit.
func Prepare(ctx context.Context, d *data.Dataset, o Options) (*Job, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if o.K != Auto && o.K > d.Width() {
		return nil, optionError("k = %d, but %s has %d variables to select from", o.K, d.Name, d.Width())
	}
	if len(o.Sizes) > 0 && slices.Max(o.Sizes) > d.Width() {
		return nil, optionError("sizes up to %d are to be compared, but %s has %d variables to select from: end there", slices.Max(o.Sizes), d.Name, d.Width())
	}
	o = o.withDefaults()
	o.Discard = o.Discard && !o.readsAgain(d)
	if o.Record == nil && !o.Deadline.IsZero() {
		o.Record = new(Record)
	}
	j := &Job{options: o, data: d}
	var err error
	if j.response, err = o.response(d); err != nil {
		return nil, err
	}
	if j.measurer, err = j.response.Measurer(o.Measure); err != nil {
		return nil, err
	}
	if err := o.checkClasses(j.response); err != nil {
		return nil, err
	}
	if j.sample, err = j.whole(ctx); err != nil {
		return nil, err
	}
	facts := plan.NewFacts(j.sample, d, j.response.Name)
	facts.Bends = facts.Bends && o.Storage == data.StorageFloat32
	j.plan = plan.New(o.request(), facts)
	j.sample.Owned = o.Discard && !j.plan.ReadsAgain()
	if j.sample.Device, err = o.device(j.sample, j.plan); err != nil {
		return nil, err
	}
	return j, nil
}

// readsAgain reports whether a fit of a dataset may look at the whole table again after the
// descent, which must not have been overwritten then.
func (o *Options) readsAgain(d *data.Dataset) bool {
	return o.K == Auto || o.Stability > 0 || o.asksValidation() || !o.Deadline.IsZero() || !o.Quick && (d.Rows() < tuning.MinibatchRows || d.Rows()*d.Width() <= tuning.ContestCells)
}

// response returns what is to be predicted, and by which loss.
func (o *Options) response(d *data.Dataset) (*model.Response, error) {
	return model.NewResponse(d, model.ResponseOptions{
		Loss: o.LossName, Custom: o.Loss, Huber: o.Huber, ClassWeights: o.ClassWeights, Balanced: o.Balanced, Positive: o.Positive, Overwrite: o.Discard,
	})
}

// request returns what the options ask of a plan.
func (o *Options) request() plan.Request {
	rule := o.Choose
	if rule == "" {
		if rule = defaultRule; o.Quick {
			rule = quickRule
		}
	}
	return plan.Request{
		K: o.K, Sizes: o.Sizes, Rule: rule, Folds: o.Folds, Quick: o.Quick, Polish: o.Polish, Measure: o.asksValidation(),
		Loss: o.Loss != nil || o.LossName != "" && o.LossName != "auto", Batch: o.Batch, Iterations: o.Iterations, WarmUp: o.WarmUp,
		Mu: o.Mu, Eta: o.Eta, Momentum: o.Momentum, Tolerance: o.Tolerance, Ridge: o.Ridge, Schedule: o.Schedule, CurvePriors: len(o.CurvePriors) > 0, Lines: o.Bins == None,
	}
}

// whole returns the sample of all rows.
func (j *Job) whole(ctx context.Context) (*search.Sample, error) {
	o, r := &j.options, j.response
	s := &search.Sample{
		Loss: r.Loss, Kind: r.Kind, Task: r.Task, Classes: len(r.Classes), Target: targetOf(r.Target),
		Curves: prior.OnCurves(o.CurvePriors), Margin: model.Margin, Seed: o.Seed, Threads: o.Threads,
		Journal: search.NewJournal((*checkpoint.Record)(o.Record), o.part), Stop: o.Stop,
	}
	if o.Observe != nil {
		s.Observe = func(p search.Progress) {
			o.Observe(Progress{Epoch: p.Epoch, Epochs: p.Epochs, Passes: p.Passes, Done: p.Done, Variable: p.Column})
		}
	}
	if err := o.fill(ctx, s, j.data); err != nil {
		return nil, err
	}
	switch {
	case o.K != Auto && len(s.Force) > o.K:
		return nil, optionError("%d variables are forced, but k = %d", len(s.Force), o.K)
	case len(o.Groups) > 0 && o.K > s.Groups.Count():
		return nil, optionError("k = %d, but there are %d groups", o.K, s.Groups.Count())
	}
	return s, nil
}

// fill sets what a sample has of a dataset.
func (o *Options) fill(ctx context.Context, s *search.Sample, d *data.Dataset) error {
	if err := o.design(ctx, s, d); err != nil {
		return err
	}
	if err := s.SetGroups(d, o.Groups, o.Force); err != nil {
		return optionError("%v", err)
	}
	s.Curved = func(ctx context.Context, bins int) (*search.Sample, error) {
		curved, to := *o, *s
		curved.Bins, curved.Discard = bins, false
		to.Owned = false
		err := curved.fill(ctx, &to, d)
		to.Meter = s.Meter
		return &to, err
	}
	return o.complete(ctx, s, d)
}

// design brings the variables of a dataset to scale, or into bins.
func (o *Options) design(ctx context.Context, s *search.Sample, d *data.Dataset) (err error) {
	s.Design, err = d.Design(ctx, data.DesignOptions{Bins: max(o.Bins, 0), Spacing: o.Spacing, Scale: o.Scale, Storage: o.Storage, Discard: o.Discard})
	if errors.Is(err, data.ErrStorage) {
		return optionError("storage %s is for the numbers of a dense table in memory, which %s is not: leave it out", o.Storage, d.Name)
	}
	return err
}

// complete sets what a sample has of a dataset once its groups are known.
func (o *Options) complete(ctx context.Context, s *search.Sample, d *data.Dataset) error {
	x := s.Design.X
	rows := s.Rows()
	s.Effective, s.Counted = search.Effective(d.Target.Weight, rows), search.Counted(s.Target.Weight, rows)
	s.InMemory = !matrix.Sequential(x) && !d.Sparse() && x.Cells() <= tuning.RereadCells
	s.Single = s.Loss.Outputs() == 1 && s.Task != loss.Ranking && singleColumns(s)
	s.Meter = search.NewMeter(x.Cells())
	if o.Ridge == None {
		return nil
	}
	return s.SetCategories(ctx)
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

// part returns the sample of some rows, and the dataset that it is of. Nothing is copied: other
// rows have no weight. Whatever is learned from rows, scales and knots too, is learned from
// these alone.
func (j *Job) part(ctx context.Context, rows []int, name string, number int) (*search.Sample, *data.Dataset, error) {
	n := j.data.Rows()
	weight, measured := make([]float64, n), make([]float64, n)
	own := loss.Target{Weight: j.sample.Target.Weight} // with those of classes
	plain := loss.Target{Weight: j.data.Target.Weight} // without
	for _, i := range rows {
		weight[i], measured[i] = own.WeightOf(i), plain.WeightOf(i)
	}
	d, err := j.data.Weighted(ctx, measured)
	if err != nil {
		return nil, nil, err
	}
	o, s := j.options, *j.sample
	o.Discard = false
	s.Threads, s.Observe, s.Stop, s.Owned = 1, nil, nil, false
	s.Target.Weight = weight
	s.Journal = j.sample.Journal.Part(name, number)
	if err := o.fill(ctx, &s, d); err != nil {
		return nil, nil, err
	}
	s.Tolerance = tuning.FoldTolerance * s.LossUnit(ctx)
	return &s, d, nil
}

// targetOf returns what the loss may know of the rows.
func targetOf(t *data.Target) objective.Target {
	to := objective.Target{Y: t.Y, Weight: t.Weight, Query: t.Query}
	if t.Pairs != nil {
		to.Pairs = make([]loss.Pair, len(t.Pairs))
		for i, p := range t.Pairs {
			to.Pairs[i] = loss.Pair{I: p.I, J: p.J, R: p.R}
		}
	}
	return to
}
