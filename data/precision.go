package data

import (
	"math"
	"slices"

	"fsa/internal/kernel"
	"fsa/internal/matrix"
)

// The shift and the unit of a stored column are chosen from its first numbers, by the rules of
// [matrix.FarFromZero] and [matrix.UnitExponent]. Units grow later if necessary.

// sampleRows is the number of rows whose median represents a column.
const sampleRows = 15

// fitShifts chooses the shifts of columns whose first numbers are in a block.
func (b *Builder) fitShifts(block *Block) {
	room := make([]float64, 0, sampleRows)
	for k := range b.columns {
		if c := &b.columns[k]; !c.Text && !c.shifted {
			sample := sampleColumn(room, block, b.schema.Width, c.Index)
			c.shift, c.shifted = typical(sample), len(sample) > 0
		}
	}
}

// fitUnits increases the units of number columns, if necessary, for the largest numbers of a block.
// It converts the rows before the block if a unit has changed.
func (b *Builder) fitUnits(before int, numbers []*Column, largest []float64) {
	var factor []float32
	for p, c := range numbers {
		if f := c.widen(largest[p]); f != 1 {
			if factor == nil {
				factor = slices.Repeat([]float32{1}, len(numbers))
			}
			factor[p] = f
		}
	}
	if factor != nil {
		b.dense.ScaleColumns(before, factor)
	}
}

// storeAll stores cells of the column and increases its unit if necessary. It calls rescale with
// the factor by which the numbers stored so far must be multiplied. It returns the index of an
// infinite cell, or −1.
func (c *Column) storeAll(dst []float32, cells []float64, rescale func(factor float32)) (bad int) {
	if !c.shifted {
		sample := sampleColumn(make([]float64, 0, sampleRows), &Block{Rows: len(cells), Dense: cells}, 1, 0)
		c.shift, c.shifted = typical(sample), len(sample) > 0
	}
	largest := kernel.ColumnToFloat32(dst, cells, c.shift)
	if infinite(largest) {
		return slices.IndexFunc(cells, infinite)
	}
	if f := c.widen(largest); f != 1 {
		rescale(f)
	}
	if c.power.exponent() != 0 {
		for i, v := range cells {
			dst[i] = c.store(v)
		}
	}
	return -1
}

// fitSparse chooses the exponents of the columns for a block. It returns, for each cell, the index
// of its column in found, and whether all exponents are 0. There is no shift, because zeros must
// remain zeros.
func (b *Builder) fitSparse(block *Block) (at []uint32, plain bool) {
	var factor map[uint32]float32
	at, plain = make([]uint32, len(block.Index)), true
	for p, v := range block.Value {
		number := b.occurring(block.Index[p])
		j := *number&^ordinary - 1
		at[p] = j
		if *number&ordinary != 0 && math.Abs(v) < 1<<matrix.WideExponent {
			continue
		}
		power := &b.powers[j]
		f := power.widen(math.Abs(v))
		if power.exponent() != 0 {
			*number &^= ordinary
			plain = false
		} else if power.chosen() {
			*number |= ordinary
		}
		if f != 1 {
			if factor == nil {
				factor = map[uint32]float32{}
			}
			if old, ok := factor[j]; ok {
				f *= old
			}
			factor[j] = f
		}
	}
	if factor != nil {
		b.sparse.ScaleColumns(factor)
	}
	return at, plain
}

// sampleColumn appends to sample the cells of column j of a dense block in rows spread over the
// block. It skips missing values if there are others.
func sampleColumn(sample []float64, block *Block, width, j int) []float64 {
	step := (block.Rows + sampleRows - 1) / sampleRows
	for first := range step {
		for i := first; i < block.Rows; i += step {
			v := block.Dense[i*width+j]
			if v != v {
				continue
			}
			if sample = append(sample, v); len(sample) == sampleRows {
				return sample
			}
		}
	}
	return sample
}

// typical returns the median of a sample if it is far from zero, and 0 otherwise.
func typical(sample []float64) float64 {
	if len(sample) == 0 {
		return 0
	}
	slices.Sort(sample)
	median := sample[len(sample)/2]
	if matrix.FarFromZero(median, sample[0], sample[len(sample)-1]) {
		return median
	}
	return 0
}
