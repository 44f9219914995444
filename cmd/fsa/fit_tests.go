package main

import (
	"context"
	"fmt"
	"slices"

	"fsa"
	"fsa/data"
	"fsa/data/open"
	"fsa/model"
)

// hold splits off the rows to hold out. It returns the training table, the numbers of its rows in
// the whole table, and the held-out rows; the last two are nil if there are none.
func (t *fitTask) hold(ctx context.Context, table *data.Dataset) (learn *data.Dataset, rows, kept []int, err error) {
	if t.tests.holdout == 0 {
		return table, nil, nil, nil
	}
	o := t.options
	o.Validation.FoldOf = nil
	job, err := fsa.Prepare(ctx, table, o)
	if err != nil {
		return nil, nil, nil, err
	}
	split, err := job.Holdout(ctx, t.tests.holdout)
	if err != nil {
		return nil, nil, nil, err
	}
	if given := t.options.Validation.FoldOf; len(given) == table.Rows() {
		t.options.Validation.FoldOf = nil
		for _, row := range split.Train {
			t.options.Validation.FoldOf = append(t.options.Validation.FoldOf, given[row])
		}
	}
	learn, err = table.Only(ctx, split.Train)
	return learn, split.Train, split.Test, err
}

// checkTest returns an error for a test file that cannot be right, before any work is done.
func (t *fitTask) checkTest(ctx context.Context, table *data.Dataset) error {
	if t.tests.file == "" {
		return nil
	}
	r, err := open.Reader(ctx, t.tests.file, t.in.Options)
	if err != nil {
		return err
	}
	defer r.Close()
	s := r.Schema()
	if s.Sparse || s.Names == nil {
		return nil
	}
	for j := range table.Columns {
		if name := table.ColumnName(j); !slices.Contains(s.Names, name) {
			return &data.Error{File: t.tests.file, Column: name, Msg: fmt.Sprintf("the test rows lack this column of %s: give them the same columns, or --drop it", table.Name)}
		}
	}
	return nil
}

// measure computes the metrics of a model on held-out rows, in all requested ways.
func (t *fitTask) measure(ctx context.Context, m *model.Model, table *data.Dataset, kept []int) (*model.Model, error) {
	if kept != nil {
		metrics, err := fsa.Test(ctx, m, table, kept)
		if err != nil {
			return nil, err
		}
		m = m.WithTest(model.Test{Name: "holdout", Rows: len(kept), Metrics: metrics})
	}
	if t.tests.file != "" {
		tested, err := t.testFile(ctx, m)
		if err != nil {
			return nil, err
		}
		m = m.WithTest(tested)
	}
	return m, nil
}

// testFile computes the metrics of a model on the rows of a file.
func (t *fitTask) testFile(ctx context.Context, m *model.Model) (model.Test, error) {
	in := t.in
	in.Target, in.Group = t.tests.target, ""
	in.Skip, in.Drop, in.More = in.Drop, nil, nil // dropped columns may be missing
	in.lookAt(m, nil)
	p, err := score(ctx, m, t.tests.file, in, predictOutput{}, nil)
	if err != nil {
		return model.Test{}, err
	}
	if p.bad == nil && (p.target == nil || p.target.Y == nil) {
		p.bad = &data.Error{File: t.tests.file, Msg: "the test rows have no target: add its column to the file, or give --test-target FILE"}
	}
	if p.bad != nil {
		return model.Test{}, p.bad
	}
	metrics, err := p.Measures(p.target)
	return model.Test{Name: "test", From: t.tests.file, Rows: p.rows, Metrics: metrics}, inFile(err, p.from)
}

// nest cross-validates the whole procedure.
func (t *fitTask) nest(ctx context.Context, table *data.Dataset) (*model.Test, error) {
	if !t.tests.nested {
		return nil, nil
	}
	o := t.options
	o.Run.Observe, o.Run.Discard = nil, false
	job, err := fsa.Prepare(ctx, table, o)
	if err != nil {
		return nil, err
	}
	folds, err := job.Folds(ctx)
	if err != nil {
		return nil, err
	}
	var learner model.Learner = o
	if t.variants.several() {
		learner = fsa.Among(t.variants.of(o))
	}
	return fsa.Nested(ctx, table, learner, folds)
}
