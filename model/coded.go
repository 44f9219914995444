package model

import (
	"context"

	"fsa/data"
)

// Methods other than annealing know numbers only. A text becomes one for them: the mean
// response of its rows, drawn to that of all rows where they are few. What a row gets is
// made of other rows, so that its own response is not in it.

const (
	codingFolds = 5
	codingRows  = 10.0 // that the mean of all rows counts for
)

// coding says what the texts of a variable became.
type coding struct {
	levels []string // "" stands for a missing one
	values []float64
}

// coded is a table of numbers in which texts are coded, and where its variables come from.
type coded struct {
	from    *data.Dataset
	columns []int          // variable of from for each of the table
	codings map[int]coding // of variables of the table
}

// numeric returns a table without texts, for the response y.
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

// encodeTexts returns the number of each row, and of each text.
func encodeTexts(texts []string, x, y []float64) ([]float64, coding) {
	n := len(texts) + 1 // the last is a missing text
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

// restore makes a variable of a coded text one of its texts again.
func (c *coded) restore(at int, v *variable, s *spec) {
	j := c.columns[at]
	v.Index = c.from.Columns[j].Index
	coding, ok := c.codings[at]
	if !ok {
		return
	}
	var effects []float64
	for _, x := range coding.values {
		effects = append(effects, v.part(x, 0, s)+0) // −0 is 0
	}
	*v = variable{Index: v.Index, Name: v.Name, Kind: categorical, Norm: v.Norm, Coefficients: effects, Levels: coding.levels}
}
