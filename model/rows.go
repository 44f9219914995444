package model

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"fsa/data"
)

// PredictDataset predicts the rows of a dataset. It finds columns by name.
func (m *Model) PredictDataset(ctx context.Context, d *data.Dataset) (*Prediction, error) {
	names := m.columns()
	schema := &data.Schema{Width: len(names), Names: names, Categories: map[int][]string{}}
	cells := make([]float64, d.Rows()*schema.Width)
	var lacking []string
	for i, name := range names {
		j := d.Lookup(name)
		if j < 0 && d.Empty(name) {
			continue // missing in a sparse table: all cells are zero
		}
		if j < 0 {
			lacking = append(lacking, name)
			continue
		}
		if d.Columns[j].Text {
			schema.Categories[i] = d.Categories(j)
		}
		column, err := d.Numbers(ctx, j)
		if err != nil {
			return nil, err
		}
		for row, x := range column {
			cells[row*schema.Width+i] = x
		}
	}
	if lacking != nil {
		return nil, &data.Error{File: d.Name, Msg: "the table lacks what the model needs: " + strings.Join(lacking, ", ")}
	}
	if t := d.Target; m.spec.Training.Offset != "" {
		if t == nil || t.Offset == nil {
			return nil, &data.Error{File: d.Name, Msg: fmt.Sprintf("the rows have no %s, which the model needs: name its column %q when the table is read", m.offsetWord(), m.spec.Training.Offset)}
		}
		return m.score(schema, d.Rows(), cells, t.Offset)
	}
	return m.score(schema, d.Rows(), cells, nil)
}

// columns lists the columns that the variables use.
func (m *Model) columns() []string {
	names := []string{} // not nil, which would mean a table without names
	for i := range m.spec.Variables {
		if name := m.spec.Variables[i].Name; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for i := range m.spec.Interactions {
		for _, v := range m.spec.Interactions[i].Sides {
			if !slices.Contains(names, v.Name) {
				names = append(names, v.Name)
			}
		}
	}
	if of := m.OffsetModel(); of != nil {
		for _, name := range of.columns() {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// PredictRows predicts rows of numbers. cells holds them row after row, with NaN for missing
// values, and names has the names of the columns. Columns that the model does not use are ignored.
func (m *Model) PredictRows(names []string, cells []float64) (*Prediction, error) {
	width := len(names)
	if width == 0 || len(cells)%width != 0 {
		return nil, &data.Error{Msg: fmt.Sprintf("%d numbers cannot be divided into rows of %d columns", len(cells), width)}
	}
	return m.score(&data.Schema{Width: width, Names: names}, len(cells)/width, cells, nil)
}

// score predicts rows; offsets may be nil.
func (m *Model) score(s *data.Schema, rows int, cells, offsets []float64) (*Prediction, error) {
	sc, err := m.scorer(s, -1, offsets)
	if offsets == nil {
		sc, err = m.Scorer(s)
	}
	if err != nil {
		return nil, err
	}
	z, err := sc.Score(&data.Block{Rows: rows, Dense: cells})
	if err != nil {
		return nil, err
	}
	return m.Prediction(z), nil
}
