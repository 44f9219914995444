package model

import (
	"context"

	"fsa/data"
)

// Target encoding. Methods other than annealing need numbers, so each text is replaced by the mean
// response of its rows, shrunk to the overall mean if these rows are few. The encoding is out of
// fold: the number of a row is computed from other rows, so that its own response does not enter.

const (
	codingFolds = 5
	codingRows  = 10.0 // number of rows for which the overall mean counts
)

// coding maps the texts of a variable to numbers.
type coding struct {
	levels []string // "" stands for a missing text
	values []float64
}

// coded describes a table in which texts are replaced by numbers, and where its variables come
// from.
type coded struct {
	from    *data.Dataset
	columns []int          // for each variable of the table, the variable of from
	codings map[int]coding // by variable of the table
}

// numeric returns a table in which texts are replaced by numbers, for the response y.
func numeric(ctx context.Context, d *data.Dataset, y []float64) (*data.Dataset, *coded, error) {
	texts := false
	for j := range d.Columns {
		texts = texts || d.Columns[j].Text && d.Varies(j) && d.Part(j) == ""
	}
	if !texts || d.Sparse() {
		return d, nil, nil
	}
	c := &coded{from: d, codings: map[int]coding{}}
	var names []string
	var columns [][]float64
	for j := range d.Columns {
		if !d.Varies(j) || d.Part(j) != "" {
			continue
		}
		x, err := d.Numbers(ctx, j)
		if err != nil {
			return nil, nil, err
		}
		if d.Columns[j].Text {
			levels, coding := encodeTexts(d.Categories(j), x, y)
			c.codings[len(columns)], x = coding, levels
		}
		names, columns, c.columns = append(names, d.ColumnName(j)), append(columns, x), append(c.columns, j)
	}
	cells := make([]float64, 0, d.Rows()*len(columns))
	for i := range d.Rows() {
		for _, x := range columns {
			cells = append(cells, x[i])
		}
	}
	b := data.NewBuilder(d.Name, &data.Schema{Width: len(columns), Names: names}, data.Roles{Use: names})
	if err := b.Add(&data.Block{Rows: d.Rows(), Dense: cells}); err != nil {
		return nil, nil, err
	}
	to, err := b.Dataset(ctx)
	if err != nil {
		return nil, nil, err
	}
	to.Target = d.Target
	return to, c, nil
}

// encodeTexts returns the number of each row, and the mapping of texts to numbers.
func encodeTexts(texts []string, x, y []float64) ([]float64, coding) {
	n := len(texts) + 1 // the last is for missing texts
	var sum, count [codingFolds + 1][]float64
	for f := range sum {
		sum[f], count[f] = make([]float64, n), make([]float64, n)
	}
	level := func(v float64) int {
		if v != v {
			return len(texts)
		}
		return int(v)
	}
	mean := 0.0
	for i, v := range x {
		l := level(v)
		for _, f := range []int{i % codingFolds, codingFolds} {
			sum[f][l] += y[i]
			count[f][l]++
		}
		mean += y[i] / float64(len(y))
	}
	rows := make([]float64, len(x))
	for i, v := range x {
		l, f := level(v), i%codingFolds
		rows[i] = (sum[codingFolds][l] - sum[f][l] + codingRows*mean) / (count[codingFolds][l] - count[f][l] + codingRows)
	}
	c := coding{levels: append(append([]string{}, texts...), "")}
	for l := range n {
		c.values = append(c.values, (sum[codingFolds][l]+codingRows*mean)/(count[codingFolds][l]+codingRows))
	}
	if count[codingFolds][n-1] == 0 {
		c.levels, c.values = c.levels[:n-1], c.values[:n-1]
	}
	return rows, c
}

// restore turns an encoded variable back into a variable with texts.
func (c *coded) restore(at int, v *variable, s *spec) {
	j := c.columns[at]
	v.Index = c.from.Columns[j].Index
	coding, ok := c.codings[at]
	if !ok {
		return
	}
	var effects []float64
	for _, x := range coding.values {
		effects = append(effects, v.part(x, 0, s)+0) // turns −0 into 0
	}
	*v = variable{Index: v.Index, Name: v.Name, Kind: categorical, Norm: v.Norm, Coefficients: effects, Levels: coding.levels}
}
