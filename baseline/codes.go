package baseline

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"fsa/data"
	"fsa/internal/matrix"
	"fsa/model"
)

// coded are variables whose numbers have small codes, such as those of their bins.
type coded interface {
	// tally sums x, one number per row, by the code of variable v. total is the sum over all rows.
	tally(sums []float64, v int, x []float64, total float64)
	// tallyBoth is tally of x and of y.
	tallyBoth(sumsX, sumsY []float64, v int, x, y []float64, totalX, totalY float64)
	// spread adds to every row of dst the height of its code.
	spread(dst []float64, v int, heights []float64)
}

// codes are the codes of all numbers. For a sparse table, only nonzero cells are listed, and the
// code of zero is stored separately.
type codes struct {
	index [][]uint32 // rows of the listed cells of each variable; nil if all are
	code  [][]uint8
	zero  []uint8 // code of cells that are not listed
}

var _ coded = (*codes)(nil)

// newCodes assigns codes to the listed variables.
func newCodes(columns *matrix.Vectors, variables []int, code func(variable int, x float64) uint8) *codes {
	c := &codes{index: make([][]uint32, columns.Count), code: make([][]uint8, columns.Count), zero: make([]uint8, columns.Count)}
	for _, v := range variables {
		index, value := columns.Cells(v)
		c.index[v] = index
		c.zero[v] = code(v, 0)
		c.code[v] = make([]uint8, len(value))
		for p, x := range value {
			c.code[v][p] = code(v, x)
		}
	}
	return c
}

func (c *codes) tally(sums []float64, v int, x []float64, total float64) {
	clear(sums)
	index := c.index[v]
	if index == nil {
		x = x[:len(c.code[v])]
		for i, code := range c.code[v] {
			sums[code] += x[i]
		}
		return
	}
	for p, code := range c.code[v] {
		part := x[index[p]]
		sums[code] += part
		total -= part
	}
	sums[c.zero[v]] += total
}

func (c *codes) tallyBoth(sumsX, sumsY []float64, v int, x, y []float64, totalX, totalY float64) {
	c.tally(sumsX, v, x, totalX)
	c.tally(sumsY, v, y, totalY)
}

func (c *codes) spread(dst []float64, v int, heights []float64) {
	index := c.index[v]
	if index == nil {
		for i, code := range c.code[v] {
			dst[i] += heights[code]
		}
		return
	}
	base := heights[c.zero[v]]
	for i := range dst {
		dst[i] += base
	}
	for p, code := range c.code[v] {
		dst[index[p]] += heights[code] - base
	}
}

// maxBins is the maximal number of bins that fit into a code.
const maxBins = 256

// newBins divides the range of each usable variable of a task into bins of equal width. The numbers
// of the task must not be scaled: a number is then in the same bin here and in the model.
func newBins(ctx context.Context, t *task, bins int) (coded, error) {
	code := func(v int, x float64) uint8 {
		c := &t.Data.Columns[t.design.Variables[v]]
		bin, _ := data.Knot(data.Place(x, c.Min, c.Max), bins)
		return uint8(bin)
	}
	if x, ok := t.design.X.(*matrix.Bytes); ok {
		return newByteCodes(x, t, code), nil
	}
	columns, err := columnsOfDesign(ctx, t.design)
	if err != nil {
		return nil, t.refused(err)
	}
	return newCodes(columns, t.design.Usable, code), nil
}

// checkBins returns an error for an invalid number of bins.
func checkBins(bins int) error {
	if bins < 2 || bins > maxBins {
		return fmt.Errorf("%w: bins = %d: it must be between 2 and %d", model.ErrOptions, bins, maxBins)
	}
	return nil
}

// steps returns the model of step functions, given the heights for variables of the design.
// decision has their sum for every row.
func (t *task) steps(rounds int, parts map[int][]float64, decision []float64) (*model.Model, error) {
	if len(parts) == 0 {
		return nil, t.nothing()
	}
	out := model.Outcome{Method: t.method, K: t.K, Rounds: rounds, Decision: decision}
	for _, v := range slices.Sorted(maps.Keys(parts)) {
		out.Parts = append(out.Parts, model.Part{Variable: t.design.Variables[v], Heights: parts[v]})
	}
	return t.Model(out)
}

// nothing returns the error for a method that found no useful variable.
func (t *task) nothing() error {
	return &data.Error{File: t.Data.Name, Msg: "no variable predicts the target"}
}

// orLoss returns the name of a loss, or the given one if it is not specified.
func orLoss(name, otherwise string) string {
	if name == "" || name == "auto" {
		return otherwise
	}
	return name
}
