package fsa

import (
	"context"
	"errors"
	"fmt"
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
	most := o.Selection.Interactions.terms(d.Width())
	if o.K != Auto && o.K > most {
		return nil, optionError("k = %d, but %s has %d variables to select from", o.K, d.Name, d.Width())
	}
	if len(o.Selection.Sizes) > 0 && slices.Max(o.Selection.Sizes) > most {
		return nil, optionError("sizes up to %d are to be compared, but %s has only %d variables to select from", slices.Max(o.Selection.Sizes), d.Name, d.Width())
	}
	o = o.withDefaults()
	o.Run.Discard = o.Run.Discard && !o.readsAgain(d)
	if o.Run.Record == nil && !o.Run.Deadline.IsZero() {
		o.Run.Record = new(Record)
	}
	j := &Job{options: o, data: d}
	var err error
	if j.response, err = o.response(d); err != nil {
		return nil, err
	}
	if j.measurer, err = j.response.Measurer(o.Validation.Measure); err != nil {
		return nil, err
	}
	if err := o.Validation.checkClasses(j.response); err != nil {
		return nil, err
	}
	if j.sample, err = j.whole(ctx); err != nil {
		return nil, err
	}
	if err := j.checkDiscoverable(); err != nil {
		return nil, err
	}
	if err := o.Selection.Interactions.fits(d, j.sample); err != nil {
		return nil, err
	}
	facts := plan.NewFacts(j.sample, d, j.response.Name)
	facts.Bends = facts.Bends && o.Design.Storage == data.StorageFloat32
	j.plan = plan.New(o.request(), facts)
	if err := j.checkRivals(); err != nil {
		return nil, err
	}
	j.sample.Owned = o.Run.Discard && !j.plan.ReadsAgain()
	if j.sample.Device, err = o.Run.device(j.sample, j.plan); err != nil {
		return nil, err
	}
	return j, nil
}

// readsAgain reports whether a fit may read the whole table again after the descent, so that the
// descent must not overwrite it.
func (o *Options) readsAgain(d *data.Dataset) bool {
	return o.K == Auto || o.Selection.Interactions.Find || len(o.Objective.Constraints) > 0 || o.Validation.Stability > 0 || o.Validation.asked() || !o.Run.Deadline.IsZero() || !o.Quick && (d.Rows() < tuning.MinibatchRows || d.Rows()*d.Width() <= tuning.ContestCells)
}

// response returns the encoded target and the loss.
func (o *Options) response(d *data.Dataset) (*model.Response, error) {
	of := &o.Objective
	return model.NewResponse(d, model.ResponseOptions{
		Loss: o.Loss, Custom: of.Custom, Huber: of.Huber, Quantile: of.Quantile, Quantiles: of.Quantiles, Ties: of.Ties, ClassWeights: of.ClassWeights, Balanced: of.Balanced, Positive: of.Positive, Order: of.Order, Overwrite: o.Run.Discard,
	})
}

// request returns the options in the form of a request for a plan.
func (o *Options) request() plan.Request {
	rule := o.Selection.Choose
	if rule == "" {
		if rule = defaultRule; o.Quick {
			rule = quickRule
		}
	}
	d := &o.Descent
	return plan.Request{
		K: o.K, Sizes: o.Selection.Sizes, Rule: rule, FDR: o.Selection.FDR, Folds: o.Validation.Folds, Quick: o.Quick, Polish: o.Selection.Polish, Measure: o.Validation.asked(),
		Constrained: o.constrained(),
		Loss:        o.Objective.Custom != nil || o.Loss != "" && o.Loss != "auto", Lines: o.Bins == None, Interactions: o.Selection.Interactions.plain(), Ridge: o.Objective.Ridge, CurvePriors: len(o.Objective.CurvePriors) > 0,
		Batch: d.Batch, Iterations: d.Iterations, WarmUp: d.WarmUp, Mu: d.Mu, Eta: d.Eta, Momentum: d.Momentum, Tolerance: d.Tolerance, Schedule: d.Schedule,
	}
}

// whole returns the sample of all rows.
func (j *Job) whole(ctx context.Context) (*search.Sample, error) {
	o, r := &j.options, j.response
	s := &search.Sample{
		Loss: r.Learned, Kind: r.Kind, Task: r.Task, Classes: len(r.Classes), Target: targetOf(r.Target),
		Curves: prior.OnCurves(o.Objective.CurvePriors), Margin: model.MarginOf(o.Design.Extrapolate), Seed: o.Seed, Threads: o.Run.Threads,
		Journal: search.NewJournal((*checkpoint.Record)(o.Run.Record), o.Run.part), Stop: o.Run.Stop,
	}
	var err error
	if s.Limits, err = j.limits(); err != nil {
		return nil, err
	}
	if o.Run.Observe != nil {
		s.Observe = func(p search.Progress) {
			o.Run.Observe(Progress{Epoch: p.Epoch, Epochs: p.Epochs, Passes: p.Passes, Done: p.Done, Variable: p.Column})
		}
	}
	if err := o.fill(ctx, s, j.data, nil); err != nil {
		return nil, err
	}
	switch {
	case o.K != Auto && len(s.Force) > o.K:
		return nil, optionError("%d variables are forced, but k = %d", len(s.Force), o.K)
	case len(o.Selection.Groups) > 0 && o.K > s.Groups.Count():
		return nil, optionError("k = %d, but there are %d groups", o.K, s.Groups.Count())
	}
	return s, nil
}

// fill sets the fields of a sample that come from a dataset. Pairs are interactions that are added to its variables.
func (o *Options) fill(ctx context.Context, s *search.Sample, d *data.Dataset, pairs []data.Interaction) error {
	s.Data = d
	if err := o.design(ctx, s, d, pairs); err != nil {
		return err
	}
	if err := s.SetGroups(d, o.Selection.Groups, o.Selection.Force); err != nil {
		return optionError("%v", err)
	}
	s.Curved = func(ctx context.Context, bins int) (*search.Sample, error) {
		curved, to := *o, *s
		curved.Bins, curved.Run.Discard = bins, false
		to.Owned = false
		err := curved.fill(ctx, &to, d, nil)
		to.Meter = s.Meter
		return &to, err
	}
	s.WithInteractions = func(ctx context.Context, pairs []data.Interaction) (*search.Sample, error) {
		with, to := *o, *s
		with.Run.Discard, to.Owned = false, false
		err := with.fill(ctx, &to, d, pairs)
		to.Meter = s.Meter
		return &to, err
	}
	return o.complete(ctx, s, d)
}

// design scales the variables of a dataset, or divides them into bins.
func (o *Options) design(ctx context.Context, s *search.Sample, d *data.Dataset, pairs []data.Interaction) (err error) {
	s.Design, err = d.Design(ctx, data.DesignOptions{Bins: max(o.Bins, 0), Spacing: o.Design.Spacing, Scale: o.Design.Scale, Storage: o.Design.Storage, Interactions: pairs, Discard: o.Run.Discard})
	if errors.Is(err, data.ErrStorage) {
		return optionError("storage %s needs a dense numeric table in memory, and %s is not one: leave it out", o.Design.Storage, d.Name)
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
	s.InMemory = !matrix.Sequential(x) && !d.Sparse() && x.Cells() <= tuning.RereadCells
	s.Single = s.Loss.Outputs() == 1 && s.Task != loss.Ranking && singleColumns(s)
	s.Meter = search.NewMeter(x.Cells())
	if o.Objective.Ridge == None {
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

// part returns the sample of some rows and its dataset. Several such samples share the threads. Nothing is copied: all other
// rows have weight 0. Everything that depends on rows, including scales and knots, depends on these rows alone.
func (j *Job) part(ctx context.Context, rows []int, name string, number, of int) (*search.Sample, *data.Dataset, error) {
	n := j.data.Rows()
	weight, measured := make([]float64, n), make([]float64, n)
	own := loss.Target{Weight: j.sample.Target.Weight} // with class weights
	plain := loss.Target{Weight: j.data.Target.Weight} // without class weights
	for _, i := range rows {
		weight[i], measured[i] = own.WeightOf(i), plain.WeightOf(i)
	}
	d, err := j.data.Weighted(ctx, measured)
	if err != nil {
		return nil, nil, err
	}
	o, s := j.options, *j.sample
	o.Run.Discard = false
	s.Threads, s.Observe, s.Stop, s.Owned = max(1, j.options.Run.Threads/min(of, j.abreast())), nil, nil, false
	s.Target.Weight = weight
	s.Journal = j.sample.Journal.Part(name, number)
	if err := o.fill(ctx, &s, d, nil); err != nil {
		return nil, nil, fmt.Errorf("%s %d of %d with %d training rows: %w", name, number+1, of, len(rows), err)
	}
	s.Tolerance = tuning.FoldTolerance * s.LossUnit(ctx)
	return &s, d, nil
}

// targetOf returns the target for the loss.
func targetOf(t *data.Target) objective.Target {
	to := objective.Target{Y: t.Y, Weight: t.Weight, Offset: t.Offset, Query: t.Query}
	if t.Pairs != nil {
		to.Pairs = make([]loss.Pair, len(t.Pairs))
		for i, p := range t.Pairs {
			to.Pairs[i] = loss.Pair{I: p.I, J: p.J, R: p.R}
		}
	}
	return to
}
