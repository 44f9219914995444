package objective

import (
	"context"
	"slices"

	"fsa/internal/matrix"
)

// compact drops dead variables from storage once as much was wasted on reading
// them as it costs to copy the others: then it cannot cost more than twice what
// the best choice of moments would. If most are dead that is soon, and now is
// better.
func (ob *Objective) compact(ctx context.Context) error {
	if err := ob.Laid(ctx); err != nil {
		return err
	}
	_, cols := ob.x.Dims()
	due := matrix.FreeDrop(ob.x) || 2*ob.alive <= cols || ob.wasted*float64(cols) >= float64(ob.alive)
	if _, whole := ob.x.(matrix.Whole); !whole && (!due || ob.alive == cols) { // whose rows are not here yet
		return nil
	}
	return ob.shrink(ctx, false)
}

// shrink drops dead variables from storage, and brings rows into the order of batches
// where that costs little or is wanted.
func (ob *Objective) shrink(ctx context.Context, order bool) error {
	_, cols := ob.x.Dims()
	ob.wasted, ob.work, ob.ranges, ob.compacted = 0, nil, nil, ob.number
	kept := ob.groups.vars
	if !slices.IsSorted(kept) {
		kept = slices.Clone(kept)
		slices.Sort(kept)
	}
	small := smallCopy*float64(ob.x.Cells())*float64(ob.alive) <= float64(ob.cells)*float64(cols)
	if x, ok := ob.x.(matrix.Shrinker); ok && ob.owned && !order && !(small && ob.rows.scattered()) {
		x.Shrink(kept)
	} else {
		x, err := ob.x.Select(ctx, ob.rows.order(), kept)
		if err != nil {
			return err
		}
		ob.x, ob.owned = x, true
	}
	ob.renumber(kept)
	ob.arrange()
	return nil
}

// renumber makes the kept variables of x, ascending, the only ones.
func (ob *Objective) renumber(kept []int) {
	scale := make([]float64, 0, ob.alive)
	var offset []float64
	numbers := 0
	var category []float64
	for _, v := range kept {
		if v < ob.numbers {
			numbers++
		} else if ob.category != nil {
			category = append(category, ob.category[v-ob.numbers])
		}
		lo, hi := ob.columns.of(v)
		scale = append(scale, ob.scale[lo:hi]...)
		if ob.offset != nil {
			offset = append(offset, ob.offset[lo:hi]...)
		}
	}
	for i, v := range ob.groups.vars { // which may be the list of those kept
		at := i
		if kept[i] != v { // groups are not in the order of the columns
			at, _ = slices.BinarySearch(kept, v)
		}
		ob.groups.vars[i] = at
	}
	ob.scale, ob.offset, ob.numbers, ob.category = scale, offset, numbers, category
}
