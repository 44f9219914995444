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
	at    map[int]int // variable of the table, by its column
}

func newColumns(table *data.Dataset) *columns {
	c := &columns{table, make(map[int]int, len(table.Columns))}
	for v := range table.Columns {
		c.at[table.Columns[v].Index] = v
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

// read returns the numbers of the variable in a column of the input, and its texts.
func (c *columns) read(ctx context.Context, column int) ([]float64, []string, error) {
	v, ok := c.at[column]
	if !ok {
		return nil, nil, nil
	}
	x, err := c.table.Numbers(ctx, v)
	if !c.table.Columns[v].Text {
		return x, nil, err
	}
	return x, c.table.Categories(v), err
}
