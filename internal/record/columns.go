package record

import (
	"context"
	"math"
	"slices"

	"fsa/data"
	"fsa/model"
)

// columns reads chosen variables of the table that they were chosen from.
type columns struct {
	table *data.Dataset
	at    map[source]int // variable of the table, by where it comes from
}

// source is a column of the input, and what of it a variable is: a date has several.
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

// adds returns what a term adds to decision value c of every row with the given numbers,
// which are positions of texts where it is a category.
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

// read returns the numbers of a chosen variable, and its texts; nil if the table has it not.
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

// Chosen returns the variables of a table that a model has chosen. One that has several
// parts in the model is there once: a descent keeps or drops them together.
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
