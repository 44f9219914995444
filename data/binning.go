package data

import (
	"context"
	"fmt"
)

// binnedPart returns the matrix of the number variables in bins.
func (d *Dataset) binnedPart(ctx context.Context, g *Design, numbers []int, discard bool) (Matrix, error) {
	widths := make([]int, len(numbers))
	for k, j := range numbers {
		widths[k] = g.Bins + 1
		if d.Columns[j].Missing > 0 {
			widths[k]++
		}
	}
	b := newBins(g.Bins, widths)
	cols := b.offset[len(numbers)]
	g.Scale, g.Offset = make([]float64, cols), make([]float64, cols)
	for p := range g.Scale {
		g.Scale[p] = 1
	}
	return d.numbers.bin(ctx, &binning{d, numbers, b, g}, discard)
}

// binning puts number variables into bins.
type binning struct {
	*Dataset
	numbers []int
	bins    bins
	design  *Design // that they are for
}

// tooLarge refuses a table that is not in memory.
func (b *binning) tooLarge() error {
	return fmt.Errorf("data: piecewise-linear responses need the table in memory, and %s does not fit", b.Name)
}

// code returns what is stored in bins for a stored number of variable k. The
// description of a file may not tell that some are missing.
func (b *binning) code(v float32, k int) (uint16, error) {
	c := &b.Columns[b.numbers[k]]
	switch {
	case v == v:
		x := c.value(float64(v))
		if knots := b.design.Knots(k); knots != nil {
			bin, alpha := knots.Locate(x)
			return b.bins.code((float64(bin) + alpha) / float64(b.bins.count)), nil
		}
		return b.bins.code(Place(x, c.Min, c.Max)), nil
	case c.Missing == 0:
		return 0, &Error{File: b.Name, Column: b.ColumnName(b.numbers[k]), Msg: "a number is missing where the file says that none is: it is damaged; convert the table again"}
	}
	return binMissing, nil
}

// chunk returns a chunk with the cells of variables that have a place.
func (b *binning) chunk(from *csrChunk[float32], place []int32) (csrChunk[uint16], error) {
	n := 0
	for _, j := range from.index {
		if place[j] >= 0 {
			n++
		}
	}
	to := csrChunk[uint16]{start: make([]int, len(from.start)), index: make([]uint32, 0, n), value: make([]uint16, 0, n)}
	for i := range len(from.start) - 1 {
		for p := from.start[i]; p < from.start[i+1]; p++ {
			k := place[from.index[p]]
			if k < 0 {
				continue
			}
			code, err := b.code(from.value[p], int(k))
			if err != nil {
				return to, err
			}
			to.index, to.value = append(to.index, uint32(k)), append(to.value, code)
		}
		to.start[i+1] = len(to.index)
	}
	return to, nil
}
