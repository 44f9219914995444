package fsa

import (
	"context"
	"fmt"
	"slices"

	"fsa/data"
	"fsa/internal/fit"
	"fsa/model"
	"fsa/validate"
)

// Crossed is the result of cross-validating a learner.
type Crossed struct {
	// Metrics measures the out-of-fold predictions of all rows, and Folds those of each fold.
	Metrics map[string]float64
	Folds   []map[string]float64
	// Models are the models of the folds.
	Models []*model.Model
}

// Nested cross-validates a whole procedure and returns its metrics as a test of a model.
func Nested(ctx context.Context, d *data.Dataset, l model.Learner, folds *validate.Folds) (*model.Test, error) {
	c, err := CrossValidate(ctx, d, l, folds)
	if err != nil {
		return nil, err
	}
	test := &model.Test{Name: "nested", Rows: d.Rows(), Metrics: c.Metrics}
	for _, m := range c.Models {
		test.Sizes = append(test.Sizes, len(m.Selected())+len(m.Interactions()))
	}
	return test, nil
}

// CrossValidate trains a learner on the training rows of each fold and measures its predictions of
// the held-out rows. All choices of the learner are made inside the fold. If K is Auto, this is
// nested cross-validation, which measures the whole procedure.
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
			return nil, fmt.Errorf("fsa: fold %d was trained on %d classes and the first fold on %d: use fewer folds, or drop or merge rare classes: %w", i+1, p.Outputs(), outputs, validate.ErrFolds)
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

// learnFrom fits a learner to some rows. The record stores this fit as a part.
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

// onSome returns options for some of the rows of a dataset. It removes given folds, because they are for all rows. The
// loss is chosen by the target of all rows, because some rows may have only two of many values.
func (o Options) onSome(d *data.Dataset, part string) (Options, error) {
	v := fit.Validation(o.Validation)
	o.Validation.Always = v.Asked()
	o.Validation.FoldOf, o.Validation.Reference, o.Validation.Losses, o.Run.part = nil, "", false, part
	r, err := model.NewResponse(d, o.response())
	if o.Objective.Number = err == nil && r.Name == "squared"; err == nil && o.Objective.Custom == nil && !o.Objective.Number {
		o.Loss = r.Name
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

// Test measures a model on held-out rows of a dataset.
func Test(ctx context.Context, m *model.Model, d *data.Dataset, rows []int) (map[string]float64, error) {
	p, err := m.PredictDataset(ctx, d)
	if err != nil {
		return nil, err
	}
	return measuresOf(m, d, p.Decision, rows)
}
