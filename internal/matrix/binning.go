package matrix

import "context"

// Binner is Numbers that can be divided into the bins of curves.
type Binner interface {
	Numbers
	// Bin returns some of the variables in bins, and an offset that must be added to the cells of
	// every row, or nil. With discard, the numbers are released while they are divided into bins.
	Bin(ctx context.Context, b *Binning, discard bool) (x Matrix, offset []float64, err error)
}

// Binning describes how numbers are converted to bins.
type Binning struct {
	// Bins is the number of bins of each variable.
	Bins int
	// Columns lists the stored column of each variable, ascending.
	Columns []int
	// Missing says for each variable whether it has a column for missing numbers.
	Missing []bool
	// Position returns the position, from 0 to 1, of the stored number x among the bins of variable
	// v.
	Position func(v int, x float32) float64
	// Range holds the ends of the range of each variable. If numbers are stored without conversion,
	// equal ends mean equal positions.
	Range [][2]float64
	// Unexpected returns the error for a missing number of a variable v that has no column for
	// missing numbers.
	Unexpected func(v int) error
}

// bins returns how codes are converted to cells.
func (b *Binning) bins() bins {
	widths := make([]int, len(b.Columns))
	for v := range widths {
		widths[v] = b.Bins + 1
		if b.Missing[v] {
			widths[v]++
		}
	}
	return newBins(b.Bins, widths)
}

// code returns the code of a stored number of variable v.
func (b *Binning) code(to *bins, v int, x float32) (uint16, error) {
	switch {
	case x == x:
		return to.code(b.Position(v, x)), nil
	case !b.Missing[v]:
		return 0, b.Unexpected(v)
	}
	return binMissing, nil
}

// Zeros returns the code of a zero of each variable, and the cells of a row of zeros.
func (b *Binning) Zeros() (codes []uint16, cells []float64) {
	bins := b.bins()
	codes, cells = make([]uint16, len(b.Columns)), make([]float64, bins.offset[len(b.Columns)])
	for v := range codes {
		codes[v] = bins.code(b.Position(v, 0))
		bins.spread(cells, v, codes[v], 1)
	}
	return codes, cells
}

// chunk returns a chunk with the cells of the variables that have an index in place.
func (b *Binning) chunk(bins *bins, from *csrChunk[float32], place []int32) (csrChunk[uint16], error) {
	n := 0
	for _, j := range from.index {
		if place[j] >= 0 {
			n++
		}
	}
	to := csrChunk[uint16]{start: make([]int, len(from.start)), index: make([]uint32, 0, n), value: make([]uint16, 0, n)}
	for i := range len(from.start) - 1 {
		for p := from.start[i]; p < from.start[i+1]; p++ {
			v := place[from.index[p]]
			if v < 0 {
				continue
			}
			code, err := b.code(bins, int(v), from.value[p])
			if err != nil {
				return to, err
			}
			to.index, to.value = append(to.index, uint32(v)), append(to.value, code)
		}
		to.start[i+1] = len(to.index)
	}
	return to, nil
}
