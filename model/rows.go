package model

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"fsa/data"
)

// PredictDataset predicts the rows of a dataset. Its columns are found by name.
func (m *Model) PredictDataset(ctx context.Context, d *data.Dataset) (*Prediction, error) {
	names := m.columns()
	schema := &data.Schema{Width: len(names), Names: names, Categories: map[int][]string{}}
	cells := make([]float64, d.Rows()*schema.Width)
	var lacking []string
	for i, name := range names {
		j := d.Lookup(name)
		if j < 0 && d.Empty(name) {
			continue // of a sparse table: all its cells are zero
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
	return m.score(schema, d.Rows(), cells)
}

// columns lists the columns of the variables.
func (m *Model) columns() []string {
	names := []string{} // not nil, which would be a table without names
	for i := range m.spec.Variables {
		if name := m.spec.Variables[i].Name; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// PredictRows predicts rows of numbers, row after row, NaN where one is missing, whose
// columns have the given names; others than those of the model are ignored.
func (m *Model) PredictRows(names []string, cells []float64) (*Prediction, error) {
	width := len(names)
	if width == 0 || len(cells)%width != 0 {
		return nil, &data.Error{Msg: fmt.Sprintf("%d numbers are no rows of %d columns", len(cells), width)}
	}
	return m.score(&data.Schema{Width: width, Names: names}, len(cells)/width, cells)
}

func (m *Model) score(s *data.Schema, rows int, cells []float64) (*Prediction, error) {
	sc, err := m.Scorer(s)
	if err != nil {
		return nil, err
	}
	z, err := sc.Score(&data.Block{Rows: rows, Dense: cells})
	if err != nil {
		return nil, err
	}
	return m.Prediction(z), nil
}
