package fsa

import (
	"context"
	"fmt"
	"slices"

	"fsa/data"
	"fsa/model"
	"fsa/validate"
)

// Crossed is what a learner is worth on rows that it has not learned from.
type Crossed struct {
	// Metrics measures the predictions of all rows, each by the fold that did not learn
	// from it, and Folds those of each fold.
	Metrics map[string]float64
	Folds   []map[string]float64
	// Models are those that the folds have learned.
	Models []*model.Model
}

// CrossValidate lets a learner learn from each fold alone and measures what it predicts
// of the other rows. Whatever the learner chooses, it chooses inside the fold: with K left
// open this is nested cross-validation, which says how good the whole procedure is.
func CrossValidate(ctx context.Context, d *data.Dataset, l model.Learner, folds *validate.Folds) (*Crossed, error) {
	c := &Crossed{}
	outputs := 0
	var z []float64
	times := make([]float64, d.Rows())
	for i := range folds.Len() {
		s := folds.Split(i)
		m, err := learnFrom(ctx, d, l, s.Train, fmt.Sprintf("nested %d", i))
		if err != nil {
			return nil, fmt.Errorf("fold %d of %d: %w", i+1, folds.Len(), err)
		}
		p, err := m.PredictDataset(ctx, d)
		if err != nil {
			return nil, err
		}
		if z == nil {
			outputs = p.Outputs()
			z = make([]float64, d.Rows()*outputs)
		}
		if p.Outputs() != outputs {
			return nil, fmt.Errorf("fsa: fold %d has learned %d classes and the first one %d: ask for fewer folds, or leave out or join rare classes: %w", i+1, p.Outputs(), outputs, validate.ErrFolds)
		}
		for _, row := range s.Test {
			times[row]++
			for k := range outputs {
				z[row*outputs+k] += p.Decision[row*outputs+k]
			}
		}
		measures, err := measuresOf(m, d, p.Decision, s.Test)
		if err != nil {
			return nil, err
		}
		c.Models, c.Folds = append(c.Models, m), append(c.Folds, measures)
	}
	var tested []int
	for row, n := range times {
		if n > 0 {
			tested = append(tested, row)
			for k := range outputs {
				z[row*outputs+k] /= n
			}
		}
	}
	var err error
	c.Metrics, err = measuresOf(c.Models[0], d, z, tested)
	return c, err
}

// learnFrom learns from some rows alone, which a record knows as a part.
func learnFrom(ctx context.Context, d *data.Dataset, l model.Learner, rows []int, part string) (*model.Model, error) {
	var err error
	switch o := l.(type) {
	case Options:
		l, err = o.onSome(d, part)
	case Among:
		o = slices.Clone(o)
		for i := range o {
			if o[i], err = o[i].onSome(d, part); err != nil {
				break
			}
		}
		l = o
	}
	if err != nil {
		return nil, err
	}
	some, err := d.Only(ctx, rows)
	if err != nil {
		return nil, err
	}
	return l.Fit(ctx, some)
}

// onSome returns options for some of the rows of a dataset. Folds that are given are of all rows, and so is the look of the response by which a
// loss is chosen: some rows may have two values of many.
func (o Options) onSome(d *data.Dataset, part string) (Options, error) {
	o.FoldOf, o.part = nil, part
	whole := o
	whole.Discard = false
	r, err := whole.response(d)
	if err == nil && o.Loss == nil {
		o.LossName = r.Name
	}
	return o, err
}

// measuresOf measures decision values of some rows.
func measuresOf(m *model.Model, d *data.Dataset, z []float64, rows []int) (map[string]float64, error) {
	outputs := m.Outputs()
	some := make([]float64, 0, len(rows)*outputs)
	for _, row := range rows {
		some = append(some, z[row*outputs:(row+1)*outputs]...)
	}
	return m.Prediction(some).Measures(d.Target.Select(rows))
}

// Test measures a model on rows of a dataset that it was not learned from.
func Test(ctx context.Context, m *model.Model, d *data.Dataset, rows []int) (map[string]float64, error) {
	p, err := m.PredictDataset(ctx, d)
	if err != nil {
		return nil, err
	}
	return measuresOf(m, d, p.Decision, rows)
}
