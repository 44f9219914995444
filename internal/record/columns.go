package record

import (
	"context"
	"math"
	"slices"

	"fsa/data"
	"fsa/model"
)

// columns reads selected variables from their table.
type columns struct {
	table *data.Dataset
	at    map[source]int // variable of the table, by its source
}

// source is a column of the input, and the part of it that a variable is: a date has several.
type source struct {
	column int
	part   string
}

func newColumns(table *data.Dataset) *columns {
	c := &columns{table, make(map[source]int, len(table.Columns))}
	for v := range table.Columns {
		c.at[source{table.Columns[v].Index, table.Part(v)}] = v
	}
	return c
}

// adds returns the effect of a term on decision value c of every row with the given numbers, which
// are indices of texts for a category.
func adds(t *model.Term, response func(x []float64) []float64, texts []string, c int, x []float64) []float64 {
	if t.Kind != model.Category {
		out := response(x)
		for i, v := range x {
			if math.IsNaN(v) {
				out[i] = t.Missing[c]
			}
		}
		return out
	}
	value := make([]float64, len(texts)) // of each text of the table
	for i, text := range texts {
		if at := slices.Index(t.Categories, text); at >= 0 {
			value[i] = t.Coefficients[c][at]
		}
	}
	out := make([]float64, len(x))
	for i, v := range x {
		if math.IsNaN(v) {
			out[i] = t.Missing[c]
		} else {
			out[i] = value[int(v)]
		}
	}
	return out
}

// read returns the numbers of a selected variable, and its texts; nil if the table does not have
// it.
func (c *columns) read(ctx context.Context, s *model.Selected) ([]float64, []string, error) {
	v, ok := c.at[source{s.Index, s.Part}]
	if !ok {
		return nil, nil, nil
	}
	x, err := c.table.Numbers(ctx, v)
	if !c.table.Columns[v].Text {
		return x, nil, err
	}
	return x, c.table.Categories(v), err
}

// Chosen returns the variables of a table that a model has selected. One with several parts in the
// model occurs once: a descent keeps or drops them together.
func Chosen(m *model.Model, table *data.Dataset) []int {
	c := newColumns(table)
	var list []int
	for _, s := range m.Selected() {
		v, ok := c.at[source{column: s.Index}]
		if ok && !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	return list
}
