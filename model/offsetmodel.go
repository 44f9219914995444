package model

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"fsa/data"
)

// own returns the model without its offset. A model that starts from it has the same offset, and adds it once.
func (m *Model) own() *Model {
	to := *m
	to.spec.Training.Offset, to.spec.Training.Exposure = "", false
	if of := m.OffsetModel(); of != nil {
		to.spec.OffsetModel = &of.own().spec
	}
	return &to
}

// inTable returns the model without its offset, and with the positions that its columns have in a dataset.
func (m *Model) inTable(d *data.Dataset) *Model {
	to := m.own()
	s := &to.spec
	s.Width = d.NamelessWidth()
	s.Training.Columns = max(s.Training.Columns, d.Width())
	move := func(index *int, name string) {
		if j := d.Lookup(name); j >= 0 {
			*index = d.Columns[j].Index
		}
	}
	s.Variables, s.Interactions = slices.Clone(s.Variables), slices.Clone(s.Interactions)
	for i := range s.Variables {
		move(&s.Variables[i].Index, s.Variables[i].Name)
	}
	for i := range s.Interactions {
		for k := range s.Interactions[i].Sides {
			move(&s.Interactions[i].Sides[k].Index, s.Interactions[i].Sides[k].Name)
		}
	}
	if of := to.OffsetModel(); of != nil {
		s.OffsetModel = &of.inTable(d).spec
	}
	return to
}

// checkStart returns an error unless the decision values of the model can be the offsets of a response.
func (m *Model) checkStart(r *Response, t *data.Target) error {
	s := &m.spec
	of := func(t Task, loss string) string { return fmt.Sprintf("a %s with the %s loss", t, loss) }
	switch {
	case s.Outputs != 1 || s.Settings.Cuts != nil:
		return optionError("the offset model has several decision values or thresholds per row: an offset model must have one decision value per row")
	case r.Targets != nil || r.Loss.Outputs() != 1:
		return optionError("the fit has several decision values per row (%s), and an offset model has one: leave the offset model out", r.Name)
	case s.Task == Ranking || r.Task == Ranking:
		return optionError("rankings do not support an offset model: leave it out")
	case s.Task != r.Task:
		return optionError("the offset model is %s, and the fit is %s: give an offset model of the same task", of(s.Task, s.Loss), of(r.Task, r.Name))
	case s.link() != r.link:
		return optionError("the decision values of the offset model (%s) are on another scale than those of the fit (%s): give both the same loss", of(s.Task, s.Loss), of(r.Task, r.Name))
	case !slices.Equal(s.Classes, r.Classes):
		return optionError("the classes of the offset model are %q, and those of the fit are %q, whose last is positive: fit both with the same classes", s.Classes, r.Classes)
	case s.Training.Offset == "":
		return nil
	case t.Offset == nil:
		return optionError("the offset model adds an %s, the column %q: give it as the %[1]s of the fit, too", m.offsetWord(), s.Training.Offset)
	case t.Exposure != s.Training.Exposure:
		return optionError("the offset model was fitted with an %s, the column %q: give its column as an %[1]s", m.offsetWord(), s.Training.Offset)
	}
	return nil
}

// Start returns the dataset with the decision values of an offset model added to the offsets of its rows, which are those
// of its target. It returns an error if the model does not fit the response or the columns.
func (m *Model) Start(ctx context.Context, d *data.Dataset, r *Response) (*data.Dataset, error) {
	if err := m.checkStart(r, d.Target); err != nil {
		return nil, err
	}
	if w := m.spec.Width; w > 0 && w != d.NamelessWidth() {
		return nil, &data.Error{File: d.Name, Msg: fmt.Sprintf("the offset model was fitted to %d columns without names, and this table is another one: give a table with the same columns", w)}
	}
	kinds := m.Kinds()
	for _, name := range m.columns() {
		if j := d.Lookup(name); j >= 0 && !kinds[name].Text() && d.Kind(j).Kind != kinds[name].Kind {
			return nil, &data.Error{File: d.Name, Column: name, Msg: fmt.Sprintf("it holds a %s, but held a %s when the offset model was fitted: give the column as it was", d.Kind(j).Kind, kinds[name].Kind)}
		}
	}
	p, err := m.own().PredictDataset(ctx, d)
	if err != nil {
		var bad *data.Error
		if errors.As(err, &bad) {
			to := *bad
			to.Msg = "the offset model: " + to.Msg
			return nil, &to
		}
		return nil, err
	}
	to, t := *d, *d.Target
	t.Offset = slices.Clone(p.Decision)
	for i, o := range d.Target.Offset {
		t.Offset[i] += o
	}
	to.Target = &t
	return &to, nil
}
