package cuda

import (
	"context"
	"slices"

	"fsa/internal/matrix"
)

// stream is a table that is not on the device. Rows are numbered in the order of the batches.
type stream struct {
	x     *cells
	of    []int   // variable of x of each variable of the table
	order []int32 // order of the rows; nil means the order of the table
	y, w  []float64

	from  *source
	rows  int64 // number of rows of a window
	total int64
	room  [2][]byte  // on the host
	on    [2]pointer // on the device
	holds [2]window  // windows on the device
	ahead *fill      // the next window, while it is gathered
	done  func()
}

// window is a run of consecutive rows, or of one row in every; an every of 0 means no window.
type window struct{ every, number int64 }

// fill is a window that is being gathered.
type fill struct {
	window
	slot   int
	cancel context.CancelFunc
	end    chan error
}

// narrow keeps the given ascending variables of the table. Dropped variables are no longer read from a
// file; in the memory of the host, the others are copied once they are few, because there may be no
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

// ordered returns the numbers of the rows, in the order of the windows.
func (s *stream) ordered(v []float64, lo, n, every int64) []float64 {
	to := make([]float64, n)
	for i := range to {
		to[i] = v[s.from.row((lo+int64(i))*every)]
	}
	return to
}

// head is the number of bytes of a window for y and w, before the cells.
func (s *stream) head() int64 {
	vectors := int64(1)
	if s.w != nil {
		vectors = 2
	}
	return (8*vectors*s.rows + 127) &^ 127
}

// stop waits for pending work and frees the memory of the windows.
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

// at returns the slot of a window that is on the device or being uploaded. The next window is
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

// gatherAhead begins to gather the window after w, unless a slot holds it.
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

// size returns the number of rows of a window; none if it is behind the last row.
func (s *stream) size(w window) int64 {
	return min(s.rows, (s.total+w.every-1)/w.every-w.number*s.rows)
}

// gather writes a window to the memory of a slot.
func (s *stream) gather(ctx context.Context, slot int, w window) error {
	lo, n := w.number*s.rows, s.size(w)
	to := s.room[slot]
	copy(to, bytesOf(s.ordered(s.y, lo, n, w.every)))
	if s.w != nil {
		copy(to[8*s.rows:], bytesOf(s.ordered(s.w, lo, n, w.every)))
	}
	return s.from.gather(ctx, to[s.head():], lo, n, w.every)
}
