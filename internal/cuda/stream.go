package cuda

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"fsa/internal/matrix"
	"fsa/internal/objective"
)

// A table that is larger than the memory of the device, or than what may be used of it, stays in
// the memory of this machine or in its file. Windows of its rows, of the living columns alone, are
// gathered in pinned memory and uploaded while the window before is used, until what is left of
// the table fits and stays.

// stream is such a table. Rows are counted in the order of the batches.
type stream struct {
	x     *cells
	of    []int   // variable of x of each variable of the table
	order []int32 // of the rows; nil if they stand so
	y, w  []float64

	from  *source
	rows  int64 // of a window
	total int64
	room  [2][]byte  // of this machine
	on    [2]pointer // on the device
	holds [2]window  // what is there
	ahead *fill      // what is gathered for the next
	done  func()
}

// window is a run of rows, or of every so many: an Every of 0 means none.
type window struct{ every, number int64 }

// fill is a window that is being gathered.
type fill struct {
	window
	slot   int
	cancel context.CancelFunc
	end    chan error
}

// streamed returns an objective whose table does not stay on the device, or not yet.
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

// narrow reads living columns only from now on, and lets the table stay on the device if that
// has become possible.
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

// narrow leaves the given variables of the table, ascending. From a file, dead ones are not read any
// more; in the memory of this machine, the others are copied once they are few, as there may be no
// room for more.
func (s *stream) narrow(ctx context.Context, living []int32) error {
	of := make([]int, len(living))
	for i, v := range living {
		of[i] = s.of[v]
	}
	s.of = of
	const few = 4 // a quarter
	if len(of) == s.x.vars || !matrix.FreeDrop(s.x.Matrix) && few*len(of) > s.x.vars {
		return nil
	}
	x, err := s.x.Select(ctx, nil, of)
	if err != nil {
		return err
	}
	if s.x, err = newCells(x); err != nil {
		return err
	}
	s.of = make([]int, len(of))
	for v := range s.of {
		s.of[v] = v
	}
	return nil
}

// settle brings the whole table to the device, in the order of the batches, if it fits.
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

// ordered returns numbers of rows in their order.
func (s *stream) ordered(v []float64, lo, n, every int64) []float64 {
	to := make([]float64, n)
	for i := range to {
		to[i] = v[s.from.row((lo+int64(i))*every)]
	}
	return to
}

// head is how many bytes of a window belong to y and w, before the cells.
func (s *stream) head() int64 {
	vectors := int64(1)
	if s.w != nil {
		vectors = 2
	}
	return (8*vectors*s.rows + 127) &^ 127
}

// start makes room for windows: what is left of the memory, up to a size that is large enough.
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

// stop waits for what is under way and gives the memory of the windows back.
func (s *stream) stop(d *Device) {
	if s.ahead != nil {
		s.ahead.cancel()
		<-s.ahead.end
		s.ahead = nil
	}
	if s.done != nil {
		for slot := range s.room {
			_ = d.sent(slot)
		}
		s.done()
	}
	d.drop(s.on[:]...)
	s.on, s.holds, s.room, s.done = [2]pointer{}, [2]window{}, [2][]byte{}, nil
}

// pass is a pass over rows that come as they are needed.
func (s *stream) pass(ctx context.Context, o *Objective, first, rows, every int64, kind int32) (*way, error) {
	d, w := o.d, &o.work
	way := w.ways[min(rows, s.rows)]
	parts, slopes := way.parts()
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
		if err := d.pass(&way, a); err != nil {
			return nil, err
		}
		if err := d.spent(slot); err != nil {
			return nil, err
		}
		lo = hi
	}
	return &way, nil
}

// at returns the slot of a window that is on the device, or on its way. The window after it is
// gathered meanwhile.
func (s *stream) at(ctx context.Context, d *Device, w window) (int, error) {
	if slot := slices.Index(s.holds[:], w); slot >= 0 {
		return slot, nil
	}
	if f := s.ahead; f != nil {
		if f.window != w {
			f.cancel()
		}
		err := <-f.end
		f.cancel()
		s.ahead = nil
		if f.window == w {
			if err == nil {
				err = s.send(d, f.slot, w)
			}
			if err == nil {
				err = s.gatherAhead(ctx, d, w, 1-f.slot)
			}
			return f.slot, err
		}
	}
	const slot = 0
	if err := d.sent(slot); err != nil {
		return slot, err
	}
	s.holds[slot] = window{}
	if err := s.gather(ctx, slot, w); err != nil {
		return slot, err
	}
	if err := s.send(d, slot, w); err != nil {
		return slot, err
	}
	return slot, s.gatherAhead(ctx, d, w, 1-slot)
}

// send starts the upload of a window that was gathered.
func (s *stream) send(d *Device, slot int, w window) error {
	s.holds[slot] = w
	n := s.size(w)
	return d.send(slot, s.on[slot], s.room[slot][:s.head()+n*s.from.stride*int64(s.from.size)])
}

// gatherAhead begins to gather the window after one, unless it is there.
func (s *stream) gatherAhead(ctx context.Context, d *Device, w window, slot int) error {
	w.number++
	if s.size(w) <= 0 {
		w.number = 0
	}
	if slices.Contains(s.holds[:], w) {
		return nil
	}
	if err := d.sent(slot); err != nil {
		return err
	}
	s.holds[slot] = window{}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	f := &fill{w, slot, cancel, make(chan error, 1)}
	s.ahead = f
	go func() { f.end <- s.gather(ctx, slot, w) }()
	return nil
}

// size returns how many rows a window has; none if it is behind the last.
func (s *stream) size(w window) int64 {
	return min(s.rows, (s.total+w.every-1)/w.every-w.number*s.rows)
}

// gather sets the memory of a slot to a window.
func (s *stream) gather(ctx context.Context, slot int, w window) error {
	lo, n := w.number*s.rows, s.size(w)
	to := s.room[slot]
	copy(to, bytesOf(s.ordered(s.y, lo, n, w.every)))
	if s.w != nil {
		copy(to[8*s.rows:], bytesOf(s.ordered(s.w, lo, n, w.every)))
	}
	return s.from.gather(ctx, to[s.head():], lo, n, w.every)
}
