package cuda

import (
	"context"
	"errors"
	"fmt"

	"fsa/internal/objective"
)

// A table that is larger than the memory of the device, or than its permitted part, stays in the
// memory of the host or in its file. Windows of its rows, with the active columns only, are
// gathered in pinned memory and uploaded while the previous window is used, until the remaining
// table fits on the device and is kept there.

// streamed returns an objective whose table is not kept on the device, or not yet.
func (d *Device) streamed(ctx context.Context, p *objective.Parts) (*Objective, error) {
	x, err := newCells(p.X)
	if err != nil {
		return nil, err
	}
	o, err := d.newObjective(p)
	if err != nil {
		return nil, err
	}
	rows, _ := x.Dims()
	o.table, o.owned = newTable(x.cellFormat, int64(rows), x.vars), true
	o.stream = &stream{x: x, y: p.Y, w: p.Weight, total: int64(rows), of: make([]int, x.vars)}
	for v := range o.stream.of {
		o.stream.of[v] = v
	}
	if err = o.begun(p, x.places(x.Widths(), p.Columns)); err == nil {
		err = o.narrow(ctx)
	}
	if err != nil {
		o.close()
		return nil, err
	}
	return o, nil
}

// narrow reads only active columns from now on, and moves the table to the device if that has
// become possible.
func (o *Objective) narrow(ctx context.Context) error {
	s := o.stream
	s.stop(o.d)
	o.unprepare()
	if err := s.narrow(ctx, o.slots()); err != nil {
		return err
	}
	if err := o.renumber(o.slots()); err != nil {
		return err
	}
	o.table = newTable(o.table.cellFormat, s.total, len(s.of))
	s.from = newSource(s.x, s.of, s.order)
	err := o.settle(ctx)
	if errors.Is(err, ErrMemory) {
		err = o.start()
	}
	return err
}

// settle uploads the whole table to the device, in the order of the batches, if it fits.
func (o *Objective) settle(ctx context.Context) (err error) {
	d, s, t := o.d, o.stream, o.table
	o.stream = nil
	defer func() {
		if err != nil {
			d.drop(t.x, o.y, o.w)
			t.x, o.y, o.w, o.stream = 0, 0, 0, s
			o.unprepare()
		}
	}()
	if t.x, err = d.make(t.rows*t.row(), 1); err != nil {
		return err
	}
	if o.y, err = d.make(t.rows, 8); err != nil {
		return err
	}
	if s.w != nil {
		if o.w, err = d.make(t.rows, 8); err != nil {
			return err
		}
	}
	if err := o.prepare(); err != nil {
		return err
	}
	for to, v := range map[pointer][]float64{o.y: s.y, o.w: s.w} {
		if v == nil {
			continue
		}
		if err := d.upload(to, bytesOf(s.ordered(v, 0, s.total, 1))); err != nil {
			return err
		}
	}
	return d.feed(ctx, s.from, t.x, t.rows)
}

// start allocates windows: part of the remaining memory, up to a size that is large enough.
func (o *Objective) start() error {
	d, s := o.d, o.stream
	row := o.table.row() + 16
	const share = 4 // two windows, and what passes need besides
	s.rows = max(min(windowBytes/row, (d.limit-d.used)/share/row, s.total), 1)
	for {
		err := o.prepare()
		for i := range s.on {
			if err == nil {
				s.on[i], err = d.make(s.head()+s.rows*row, 1)
			}
		}
		if err == nil {
			s.room, s.done, err = d.buffers(s.head()+s.rows*row, s.total*row >= pinFrom)
			return err
		}
		d.drop(s.on[:]...)
		s.on = [2]pointer{}
		o.unprepare()
		if !errors.Is(err, ErrMemory) || s.rows == 1 {
			return fmt.Errorf("a table that does not fit, and not even some of its rows: %w", err)
		}
		s.rows /= 2
	}
}

// pass is a pass over rows that are uploaded as they are needed.
func (s *stream) pass(ctx context.Context, o *Objective, first, rows, every int64, kind int32) (*passPlan, error) {
	d, w := o.d, &o.work
	passPlan := w.plans[min(rows, s.rows)]
	parts, slopes := passPlan.parts()
	if err := d.zero(w.g, int64(parts*o.outputs)*o.table.width()*4); err != nil {
		return nil, err
	}
	if err := d.zero(w.slope, int64(slopes*o.outputs)*8); err != nil {
		return nil, err
	}
	for lo, end := first/every, first/every+rows; lo < end; {
		number := lo / s.rows
		slot, err := s.at(ctx, d, window{every, number})
		if err != nil {
			return nil, err
		}
		hi := min((number+1)*s.rows, end)
		a := o.passArgs(lo-number*s.rows, hi-lo, 1, kind)
		a.Y, a.X, a.More = s.on[slot], s.on[slot]+pointer(s.head()), 1
		if s.w != nil {
			a.W = a.Y + pointer(8*s.rows)
		}
		if err := d.pass(&passPlan, a); err != nil {
			return nil, err
		}
		if err := d.spent(slot); err != nil {
			return nil, err
		}
		lo = hi
	}
	return &passPlan, nil
}
