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

// coded are variables of which every number has a small code, such as that of its
// bin.
type coded interface {
	// tally adds up x, one number a row, by the code of variable v. Total is the
	// sum over all rows.
	tally(sums []float64, v int, x []float64, total float64)
	// tallyBoth is tally of x and of y.
	tallyBoth(sumsX, sumsY []float64, v int, x, y []float64, totalX, totalY float64)
	// spread adds to every row of dst the height of its code.
	spread(dst []float64, v int, heights []float64)
}

// codes are the codes of all numbers. Those of a sparse table list only the cells
// that are not zero, whose code is known apart.
type codes struct {
	index [][]uint32 // rows of the listed cells of each variable; nil if all are
	code  [][]uint8
	zero  []uint8 // code of what is not listed
}

var _ coded = (*codes)(nil)

// newCodes gives the listed variables codes; variables that are not listed have
// none.
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

// maxBins is how many bins fit a code.
const maxBins = 256

// newBins gives the usable variables of a task the codes of bins of equal width
// over the range of each. The numbers of the task must not be scaled: then a
// number falls into the same bin here and in the model.
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

// checkBins refuses numbers of bins that make no sense or fit no code.
func checkBins(bins int) error {
	if bins < 2 || bins > maxBins {
		return fmt.Errorf("%w: bins = %d: it must lie between 2 and %d", model.ErrOptions, bins, maxBins)
	}
	return nil
}

// steps returns the model of step functions: the heights of variables of the
// design. Decision holds their sum for every row.
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

// nothing is the error of a method that found no variable worth using.
func (t *task) nothing() error {
	return &data.Error{File: t.Data.Name, Msg: "no variable predicts the target"}
}

// orLoss returns the name of a loss, or the given one where it is left open.
func orLoss(name, otherwise string) string {
	if name == "" || name == "auto" {
		return otherwise
	}
	return name
}
