package baseline

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"fsa"
	"fsa/data"
)

// codes are the variables of a table with every number replaced by a small
// code, such as that of its bin. Those of a sparse table list only the cells
// that are not zero, whose code is known apart. A table of bytes stays as it is,
// and has a code for each byte.
type codes struct {
	index [][]uint32 // rows of the listed cells of each variable; nil if all are
	code  [][]uint8
	zero  []uint8 // code of what is not listed

	bytes  *data.Bytes   // in place of the above
	ofByte []*[256]uint8 // code of each byte of a variable
}

// newCodes gives the listed variables codes; variables that are not listed have
// none.
func newCodes(columns *data.Vectors, variables []int, code func(variable int, x float64) uint8) *codes {
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

// tally adds up x, one number a row, by the code of variable v. Total is the
// sum over all rows.
func (c *codes) tally(sums []float64, v int, x []float64, total float64) {
	clear(sums)
	if c.bytes != nil {
		var byByte [256]float64
		for first, run := range c.bytes.Runs(v) {
			x := x[first : first+len(run)]
			for i, b := range run {
				byByte[b] += x[i]
			}
		}
		for b, code := range c.ofByte[v] {
			sums[code] += byByte[b]
		}
		return
	}
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

// tallyBoth is tally of x and of y, which bytes are read once for.
func (c *codes) tallyBoth(sumsX, sumsY []float64, v int, x, y []float64, totalX, totalY float64) {
	if c.bytes == nil {
		c.tally(sumsX, v, x, totalX)
		c.tally(sumsY, v, y, totalY)
		return
	}
	clear(sumsX)
	clear(sumsY)
	// Rows take turns, because a processor waits for a sum before it adds to it
	// again.
	var even, odd [256]struct{ x, y float64 }
	for first, run := range c.bytes.Runs(v) {
		x, y := x[first:first+len(run)], y[first:first+len(run)]
		i := 1
		for ; i < len(run); i += 2 {
			a, b := &even[run[i-1]], &odd[run[i]]
			a.x += x[i-1]
			a.y += y[i-1]
			b.x += x[i]
			b.y += y[i]
		}
		if i == len(run) {
			a := &even[run[i-1]]
			a.x += x[i-1]
			a.y += y[i-1]
		}
	}
	for b, code := range c.ofByte[v] {
		sumsX[code] += even[b].x + odd[b].x
		sumsY[code] += even[b].y + odd[b].y
	}
}

// spread adds to every row of dst the height of its code.
func (c *codes) spread(dst []float64, v int, heights []float64) {
	if c.bytes != nil {
		var ofByte [256]float64
		for b, code := range c.ofByte[v] {
			ofByte[b] = heights[code]
		}
		for first, run := range c.bytes.Runs(v) {
			to := dst[first : first+len(run)]
			for i, b := range run {
				to[i] += ofByte[b]
			}
		}
		return
	}
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
func newBins(ctx context.Context, t *task, bins int) (*codes, error) {
	code := func(v int, x float64) uint8 {
		c := &t.Data.Columns[t.design.Variables[v]]
		bin, _ := data.Knot(data.Place(x, c.Min, c.Max), bins)
		return uint8(bin)
	}
	if x, ok := t.design.X.(*data.Bytes); ok {
		return byteCodes(x, t, code), nil
	}
	columns, err := t.design.ByColumn(ctx)
	if err != nil {
		return nil, t.refused(err)
	}
	return newCodes(columns, t.design.Usable, code), nil
}

// byteCodes gives the bytes of the usable variables codes.
func byteCodes(x *data.Bytes, t *task, code func(v int, x float64) uint8) *codes {
	c := &codes{bytes: x, ofByte: make([]*[256]uint8, len(t.design.Variables))}
	for _, v := range t.design.Usable {
		c.ofByte[v] = new([256]uint8)
		for b := range c.ofByte[v] {
			c.ofByte[v][b] = code(v, float64(b))
		}
	}
	return c
}

// checkBins refuses numbers of bins that make no sense or fit no code.
func checkBins(bins int) error {
	if bins < 2 || bins > maxBins {
		return fmt.Errorf("%w: bins = %d: it must lie between 2 and %d", fsa.ErrOptions, bins, maxBins)
	}
	return nil
}

// steps returns the model of step functions: the heights of variables of the
// design. Decision holds their sum for every row.
func (t *task) steps(rounds int, parts map[int][]float64, decision []float64) (*fsa.Model, error) {
	if len(parts) == 0 {
		return nil, t.nothing()
	}
	out := fsa.Outcome{Method: t.method, K: t.K, Rounds: rounds, Decision: decision}
	for _, v := range slices.Sorted(maps.Keys(parts)) {
		out.Parts = append(out.Parts, fsa.Part{Variable: t.design.Variables[v], Heights: parts[v]})
	}
	return t.Model(out)
}

// nothing is the error of a method that found no variable worth using.
func (t *task) nothing() error {
	return &data.Error{File: t.Data.Name, Msg: "no variable says anything about the response: at least one has to"}
}

// orLoss returns the name of a loss, or the given one where it is left open.
func orLoss(name, otherwise string) string {
	if name == "" || name == "auto" {
		return otherwise
	}
	return name
}
