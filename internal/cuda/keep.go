package cuda

import (
	"context"
	"errors"
)

// KeepStrongest implements [anneal.Resident].
func (o *Objective) KeepStrongest(_ context.Context, m int) error {
	o.d.Lock()
	defer o.d.Unlock()
	a := selectArgs{Beta: o.now.beta, Rank: o.now.rank, Strength: o.strength, List: o.list, First: o.spans, Groups: int32(o.groups), Kept: int32(m), Outputs: int32(o.outputs)}
	if o.taken > 1 {
		a.Beta = o.trail
	}
	if err := o.d.launch("vector", "strengths", shape{grid: [3]int{(o.groups + 255) / 256}, block: 256}, &a); err != nil {
		return err
	}
	if err := o.d.launch("vector", "strongest", shape{grid: [3]int{1}, block: 1024}, &a); err != nil {
		return err
	}
	kept := make([]int32, m)
	if err := o.d.download(bytesOf(kept), o.list); err != nil {
		return err
	}
	return o.keep(kept)
}

// Keep implements [anneal.Objective].
func (o *Objective) Keep(_ context.Context, groups []int) error {
	o.d.Lock()
	defer o.d.Unlock()
	return o.keepListed(groups)
}

func (o *Objective) keepListed(groups []int) error {
	kept := make([]int32, len(groups))
	for i, j := range groups {
		kept[i] = int32(j)
	}
	if err := o.d.upload(o.list, bytesOf(kept)); err != nil {
		return err
	}
	return o.keep(kept)
}

// keep drops all groups except those of the list, which is on the device, too.
func (o *Objective) keep(kept []int32) error {
	columns, first := kept, []int32(nil)
	if o.first != nil {
		columns, first = o.columnsOf(kept)
		if err := o.d.upload(o.list, bytesOf(columns)); err != nil {
			return err
		}
		if err := o.d.upload(o.spans, bytesOf(first)); err != nil {
			return err
		}
	}
	a := keepArgs{
		Beta: o.now.beta, Velocity: o.now.velocity, Scale: o.now.scale, Rank: o.now.rank, Column: o.now.column, List: o.list,
		ToBeta: o.next.beta, ToVelocity: o.next.velocity, ToScale: o.next.scale, ToOffset: o.next.offset, ToRank: o.next.rank, ToColumn: o.next.column,
		Groups: int32(len(o.column)), Kept: int32(len(columns)), Outputs: int32(o.outputs), Free: int32(o.free),
	}
	if o.offset {
		a.Offset = o.now.offset
	}
	if o.first != nil {
		a.Rank = 0 // groups have a rank, columns have none
	}
	n := len(columns)*o.outputs + o.free
	if err := o.d.launch("vector", "keep", shape{grid: [3]int{(n + 255) / 256}, block: 256}, &a); err != nil {
		return err
	}
	o.now, o.next = o.next, o.now
	alive := make([]int, len(kept))
	var ranks []float64
	for i, j := range kept {
		alive[i] = o.original(int(j))
		if o.ranks != nil {
			ranks = append(ranks, o.ranks[j])
		}
	}
	if d := o.power.Direction; d != nil {
		to := make([]float32, 0, n)
		for _, j := range kept {
			lo, hi := o.layout.Span(int(j))
			to = append(to, d[lo:hi]...)
		}
		o.power.Direction = append(to, d[len(d)-o.free:]...)
	}
	column := make([]int32, len(columns))
	for i, j := range columns {
		column[i] = o.column[j]
	}
	o.alive, o.groups, o.first, o.column, o.ranks = alive, len(kept), first, column, ranks
	o.vars = len(o.slots())
	o.layout = o.newLayout()
	if o.first != nil {
		if err := o.d.upload(o.now.rank, bytesOf(o.ranks)); err != nil {
			return err
		}
	}
	o.scaled = false
	if len(kept) <= o.final && len(o.batches) > 1 {
		o.join()
	}
	return o.d.zero(o.work.b, int64(o.outputs)*o.table.width()*4) // of dropped columns
}

// original returns the original number of active group j.
func (o *Objective) original(j int) int {
	if o.alive == nil {
		return j
	}
	return o.alive[j]
}

// originals returns the original numbers of all active groups.
func (o *Objective) originals() []int {
	if o.alive == nil {
		o.alive = make([]int, o.groups)
		for j := range o.alive {
			o.alive[j] = j
		}
	}
	return o.alive
}

// compact removes dropped columns once reading them has taken as long as copying the others, or once most are dropped. The
// first copy needs additional memory, because the table stays for other objectives. So it is made only when it is a small
// part of the table, or when many passes were wasted.
func (o *Objective) compact(ctx context.Context) error {
	t := o.table
	switch {
	case o.stream != nil && o.vars < t.cols:
		return o.narrow(ctx)
	case t.sparse != nil && o.stale():
		return o.gather(ctx)
	case t.sparse != nil:
		return nil
	}
	due := 2*o.vars <= t.cols || o.wasted*float64(t.cols) >= float64(o.vars)
	if !o.owned {
		due = copyShare*o.vars <= t.cols || o.wasted >= copyShare
	}
	if !due || o.vars == t.cols {
		return nil
	}
	slots := o.slots()
	if err := o.d.upload(o.list, bytesOf(slots)); err != nil {
		return err
	}
	to := newTable(t.cellFormat, t.rows, o.vars)
	var err error
	room := !o.owned // for a copy
	if room {
		if to.x, err = o.d.make(to.rows*to.row(), 1); errors.Is(err, ErrMemory) {
			room, err = false, nil
		}
	}
	switch {
	case err != nil:
	case room:
		err = o.compactInto(to)
	case !o.owned && (t.users > 1 || t.lent): // others need the columns
		return nil
	default:
		err = o.compactInPlace(to)
	}
	if err != nil {
		return err
	}
	o.table, o.owned, o.wasted = to, true, 0
	if err := o.renumber(slots); err != nil {
		return err
	}
	return o.prepare()
}

// copyColumns starts the copy of the listed active variables of some rows.
func (o *Objective) copyColumns(to *table, at, order pointer, first, rows int64) error {
	const blocks = 16 // per multiprocessor
	return o.d.launch("vector", "compact", shape{grid: [3]int{blocks * o.d.info().Multiprocessors}, block: 256}, &compactArgs{
		X: o.table.x, To: at, Order: order, Column: o.list, First: first, Rows: rows, Stride: o.table.stride, ToStride: to.stride,
		Columns: int32(to.cols), Size: int32(to.size()),
	})
}

// compactInto copies the active columns to new memory, with the rows in the order of the batches.
func (o *Objective) compactInto(to *table) error {
	if err := o.copyColumns(to, to.x, o.order, 0, to.rows); err != nil {
		return err
	}
	if err := o.orderRows(); err != nil {
		return err
	}
	o.leave()
	return nil
}

// compactInPlace moves the active columns together if there is no room for a copy, some rows at a
// time: rows are only overwritten after they were read.
func (o *Objective) compactInPlace(to *table) error {
	step := max(min(roomInPlace/to.row(), to.rows), 1)
	room, err := o.d.make(step*to.row(), 1)
	for ; errors.Is(err, ErrMemory) && step > 1; room, err = o.d.make(step*to.row(), 1) {
		step /= 2
	}
	if err != nil {
		return err
	}
	defer o.d.drop(room)
	for lo := int64(0); lo < to.rows; lo += step {
		n := min(step, to.rows-lo)
		if err := o.copyColumns(to, room, 0, lo, n); err != nil {
			return err
		}
		if err := o.d.move(o.table.x+pointer(lo*to.row()), room, n*to.row()); err != nil {
			return err
		}
	}
	to.x = o.table.x
	for x, t := range o.d.tables {
		if t == o.table {
			delete(o.d.tables, x)
		}
	}
	return o.d.wait()
}

// One in copyShare columns is left when a table is first copied, unless passes were wasted: a pass
// over all columns costs little more than a copy of half of them, and the memory of a device is
// scarce.
const copyShare = 8

// roomInPlace is the number of bytes that are copied at once through a buffer, which stays in the
// cache.
const roomInPlace = 16 << 20
