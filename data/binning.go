package data

import (
	"context"
	"math"

	"fsa/internal/parallel"
)

// binnedPart returns the matrix of the number variables in bins. The scale does not
// matter to it.
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
	of := &binning{d, numbers, b}
	switch m := d.numbers.(type) {
	case *Bytes:
		return m.binned(b, numbers, d.Columns), nil
	case *Dense:
		return of.dense(ctx, m, discard)
	}
	to, err := of.sparse(ctx, d.numbers.(*Sparse), discard)
	for k, code := range to.zero {
		b.spread(g.Offset, k, code, 1)
	}
	return to, err
}

// binning puts number variables into bins.
type binning struct {
	*Dataset
	numbers []int
	bins    bins
}

// code returns the position of a stored number of variable k in its range. The
// description of a file may not tell that some are missing.
func (b *binning) code(v float32, k int) (uint16, error) {
	c := &b.Columns[b.numbers[k]]
	switch {
	case v == v:
		return c.position(c.value(float64(v))), nil
	case c.Missing == 0:
		return 0, &Error{File: b.Name, Column: b.ColumnName(b.numbers[k]), Msg: "a number is missing where the file says that none is: it is damaged; convert the table again"}
	}
	return binMissing, nil
}

// position returns where x lies in the range of the column.
func (c *Column) position(x float64) uint16 {
	return uint16(math.Round(Place(x, c.Min, c.Max) * binTop))
}

func (b *binning) dense(ctx context.Context, m *Dense, discard bool) (*Binned, error) {
	g, err := converted(ctx, m, len(b.numbers), discard, func(to []uint16, from []float32) (err error) {
		for k, j := range b.numbers {
			if to[k], err = b.code(from[b.Columns[j].place], k); err != nil {
				return err
			}
		}
		return nil
	})
	return &Binned{g, b.bins}, err
}

func (b *binning) sparse(ctx context.Context, m *Sparse, discard bool) (*SparseBinned, error) {
	to := &SparseBinned{csr[uint16]{rows: m.rows, cols: len(b.numbers)}, b.bins, make([]uint16, len(b.numbers))}
	columns := make([]int, len(b.numbers))
	for k, j := range b.numbers {
		columns[k], to.zero[k] = int(b.Columns[j].place), b.Columns[j].position(0)
	}
	place := places(columns, m.cols)
	to.chunks = make([]csrChunk[uint16], len(m.chunks))
	err := parallel.Do(ctx, 0, len(m.chunks), func(_, c int) (err error) {
		to.chunks[c], err = b.chunk(&m.chunks[c], place)
		if discard {
			m.chunks[c] = csrChunk[float32]{}
		}
		return err
	})
	for c := range to.chunks {
		to.cells += len(to.chunks[c].index)
	}
	return to, err
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
