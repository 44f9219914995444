// Package training turns a dataset into the samples that a fit learns from: all of its rows, and some of them, such as those
// of a fold or of a half sample.
package training

import (
	"context"
	"fmt"

	"fsa/data"
	"fsa/internal/checkpoint"
	"fsa/internal/matrix"
	"fsa/internal/objective"
	"fsa/internal/search"
	"fsa/internal/tuning"
	"fsa/loss"
	"fsa/model"
	"fsa/prior"
)

// Options say how a dataset becomes numbers, and which effects its variables may have. See the options of the same names in
// package fsa.
type Options struct {
	Design      data.DesignOptions
	Extrapolate string
	Groups      [][]string
	Force       []string
	Constraints []model.Constraint
	CurvePriors map[string]float64
	Costs       []model.Cost
	Budgets     []float64
	Quotas      []model.Quota
	Among       [][]string
	// Unpooled means that the effects of rare categories are not shrunk.
	Unpooled bool
	Seed     uint64
	Threads  int
	// Record keeps the progress of the fit under the name Part; it may be nil. See [search.NewJournal].
	Record *checkpoint.Record
	Part   string
	// Observe and Stop are those of [search.Sample] for the fit of all rows.
	Observe func(search.Progress)
	Stop    func() bool
}

// Set is a dataset with its encoded target and the sample of all rows.
type Set struct {
	Data     *data.Dataset
	Response *model.Response
	Whole    *search.Sample

	options Options
}

// New returns the training data of a dataset, whose target is encoded in the response.
func New(ctx context.Context, d *data.Dataset, r *model.Response, o Options) (*Set, error) {
	s := &search.Sample{
		Loss: r.Learned, Kind: r.Kind, Task: r.Task, Classes: len(r.Classes), Target: targetOf(r.Target),
		Curves: prior.OnCurves(o.CurvePriors), Margin: model.MarginOf(o.Extrapolate), Seed: o.Seed, Threads: o.Threads,
		Journal: search.NewJournal(o.Record, o.Part), Observe: o.Observe, Stop: o.Stop,
	}
	var err error
	if s.Limits, err = o.limits(d, r); err != nil {
		return nil, err
	}
	if s.Spending, err = spending(o.Costs, o.Budgets, d); err != nil {
		return nil, err
	}
	if s.Quotas, err = quotas(o.Quotas, d); err != nil {
		return nil, err
	}
	if s.Among, err = among(o.Among, d); err != nil {
		return nil, err
	}
	if err := o.fill(ctx, s, d, nil); err != nil {
		return nil, err
	}
	return &Set{Data: d, Response: r, Whole: s, options: o}, nil
}

// Part returns the sample of some rows and its dataset. It is one of several samples that share the threads. Nothing is
// copied: all other rows have weight 0. Everything that depends on rows, including scales and knots, depends on these rows
// alone. The name and the number identify the part in records and messages.
func (t *Set) Part(ctx context.Context, rows []int, name string, number, of int) (*search.Sample, *data.Dataset, error) {
	n := t.Data.Rows()
	weight, measured := make([]float64, n), make([]float64, n)
	own := loss.Target{Weight: t.Whole.Target.Weight}  // with class weights
	plain := loss.Target{Weight: t.Data.Target.Weight} // without class weights
	for _, i := range rows {
		weight[i], measured[i] = own.WeightOf(i), plain.WeightOf(i)
	}
	d, err := t.Data.Weighted(ctx, measured)
	if err != nil {
		return nil, nil, err
	}
	o, s := t.options, *t.Whole
	o.Design.Discard = false
	s.Threads, s.Observe, s.Stop, s.Owned = max(1, o.Threads/min(of, t.Abreast())), nil, nil, false
	s.Target.Weight = weight
	s.Journal = t.Whole.Journal.Part(name, number)
	if err := o.fill(ctx, &s, d, nil); err != nil {
		return nil, nil, fmt.Errorf("%s %d of %d with %d training rows: %w", name, number+1, of, len(rows), err)
	}
	s.Tolerance = tuning.FoldTolerance * s.LossUnit(ctx)
	return &s, d, nil
}

// Abreast returns the number of parts that can be learned from in parallel. If the table is read from a
// file, each part may use all available memory, so they run one after another. They also do so if several processes share
// the table, because all processes have to do the same at the same time.
func (t *Set) Abreast() int {
	if t.Paged() || t.Spread() != nil {
		return 1
	}
	return t.options.Threads
}

// Paged reports whether the table is read from a file.
func (t *Set) Paged() bool {
	_, paged := t.Whole.Design.X.(matrix.Paged)
	return paged
}

// Spread returns the device of a table that is spread over several machines, and nil for a table in the
// memory or on a disk of this machine.
func (t *Set) Spread() objective.Device {
	d, _ := t.Whole.Design.X.(objective.Device)
	return d
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
