package objective

import (
	"context"
	"slices"

	"fsa/internal/matrix"
)

// compact removes dropped variables from storage once reading them has cost as much as copying the
// others. The total cost is then at most twice that of the best schedule of copies. If most variables
// are dropped, it copies at once.
func (ob *Objective) compact(ctx context.Context) error {
	if err := ob.Laid(ctx); err != nil {
		return err
	}
	_, cols := ob.x.Dims()
	due := matrix.FreeDrop(ob.x) || 2*ob.alive <= cols || ob.wasted*float64(cols) >= float64(ob.alive)
	if _, whole := ob.x.(matrix.Whole); !whole && (!due || ob.alive == cols) { // its rows are not in memory yet
		return nil
	}
	return ob.shrink(ctx, false)
}

// shrink removes dropped variables from storage. It also brings the rows into the order of the batches if
// order is set or if that costs little.
func (ob *Objective) shrink(ctx context.Context, order bool) error {
	ob.compacted = ob.number
	kept := ob.groups.vars
	if !slices.IsSorted(kept) {
		kept = slices.Clone(kept)
		slices.Sort(kept)
	}
	small := ob.smallRest(ob.cells, ob.alive)
	if x, ok := ob.x.(matrix.Shrinker); ok && ob.owned && !order && !(small && ob.rows.scattered()) {
		x.Shrink(kept)
	} else {
		x, err := ob.x.Select(ctx, ob.rows.order(), kept)
		if err != nil {
			return err
		}
		ob.x, ob.owned = x, true
	}
	ob.relay(kept)
	return nil
}

// smallRest reports whether the remaining columns have a small share of the cells of the table.
func (ob *Objective) smallRest(cells, alive int) bool {
	_, cols := ob.x.Dims()
	return smallCopy*float64(ob.x.Cells())*float64(alive) <= float64(cells)*float64(cols)
}

// relay updates the objective after storage was reduced to the kept variables, which ascend.
func (ob *Objective) relay(kept []int) {
	ob.wasted, ob.work, ob.apart, ob.ranges = 0, nil, nil, nil
	ob.renumber(kept)
	ob.arrange()
}

// renumber numbers the kept variables of x, which ascend, from 0.
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
	for i, v := range ob.groups.vars { // this may be the same slice as kept
		at := i
		if kept[i] != v { // groups are not in the order of the columns
			at, _ = slices.BinarySearch(kept, v)
		}
		ob.groups.vars[i] = at
	}
	ob.scale, ob.offset, ob.numbers, ob.category = scale, offset, numbers, category
}
