package baseline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fsa/data"
	"fsa/internal/matrix"
	"fsa/model"
)

// task is a problem for methods that read the variables one by one, on a common
// scale.
type task struct {
	*model.Problem
	Options
	method  string
	design  *data.Design
	columns *matrix.Vectors // a vector for each variable of the design; nil for methods that use bins
}

// newTask prepares a dataset for a method that supports the given losses.
func newTask(ctx context.Context, method string, d *data.Dataset, o Options, losses ...string) (*task, error) {
	t, err := newBinTask(ctx, method, d, o, losses...)
	if err != nil {
		return nil, err
	}
	if t.columns, err = columnsOfDesign(ctx, t.design); err != nil {
		return nil, t.refused(err)
	}
	return t, nil
}

// newBinTask is newTask for a method that looks at bins, not at columns.
func newBinTask(ctx context.Context, method string, d *data.Dataset, o Options, losses ...string) (*task, error) {
	if o.K < 1 || o.K > d.Width() {
		return nil, fmt.Errorf("%w: k = %d, but %s has %d variables to select from", model.ErrOptions, o.K, d.Name, d.Width())
	}
	p, err := model.NewProblem(d, o.LossName)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(losses, p.Loss()) {
		return nil, fmt.Errorf("%w: %s does not support the %s loss: it supports %s", model.ErrOptions, method, p.Loss(), strings.Join(losses, ", "))
	}
	scale := o.Scale
	if scale == data.ScaleAuto && d.Sparse() { // no method here compares what variables add
		scale = data.ScaleCommon
	}
	g, err := p.Data.Design(ctx, data.DesignOptions{Scale: scale, NumbersOnly: true})
	if err != nil {
		return nil, err
	}
	return &task{Problem: p, Options: o, method: method, design: g}, nil
}

// refused returns the reason why a design has no columns.
func (t *task) refused(err error) error {
	if errors.Is(err, errNoVectors) {
		return fmt.Errorf("%w: %s needs a numeric table in memory: drop text columns, and allow enough memory", model.ErrOptions, t.method)
	}
	return err
}

// weight returns the weight of row i.
func (t *task) weight(i int) float64 {
	if t.Weight == nil {
		return 1
	}
	return t.Weight[i]
}

// weights returns those of all rows.
func (t *task) weights() []float64 {
	w := make([]float64, len(t.Y))
	for i := range w {
		w[i] = t.weight(i)
	}
	return w
}

// margins returns intercept + Xβ of every row; beta has a number for each of
// the listed variables of the design.
func (t *task) margins(intercept float64, variables []int, beta []float64) []float64 {
	z := slices.Repeat([]float64{intercept}, len(t.Y))
	for at, v := range variables {
		t.columns.Add(z, v, beta[at])
	}
	return z
}

// linear returns the model of coefficients on the common scale.
func (t *task) linear(rounds int, intercept float64, variables []int, beta []float64) (*model.Model, error) {
	out := model.Outcome{Method: t.method, K: t.K, Rounds: rounds, Intercept: intercept, Decision: t.margins(intercept, variables, beta)}
	for at, v := range variables {
		j := t.design.Variables[v]
		unit, center := t.design.Units(v)
		out.Intercept += beta[at] * (t.Data.Columns[j].Mean - center) / unit
		out.Parts = append(out.Parts, model.Part{Variable: j, Slope: beta[at] / unit})
	}
	return t.Model(out)
}
