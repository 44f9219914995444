package cuda

import (
	"context"
	"slices"

	"fsa/internal/matrix"
	"fsa/internal/parallel"
)

const (
	windowBytes = 64 << 20  // bytes that are uploaded at once: many compared with the cost of starting an upload
	pinFrom     = 512 << 20 // bytes of a table from which pinned memory is worth its cost
	stripeBytes = 256 << 10 // bytes that one thread gathers
)

// buffers returns two pieces of host memory, and a function that releases them. Pinned pieces are
// kept for the next call.
func (d *Device) buffers(bytes int64, pinned bool) (b [2][]byte, done func(), err error) {
	if !pinned {
		return [2][]byte{make([]byte, bytes), make([]byte, bytes)}, func() {}, nil
	}
	for i := range b {
		at := slices.IndexFunc(d.pins, func(p []byte) bool { return int64(len(p)) >= bytes })
		if at >= 0 {
			b[i] = d.pins[at]
			d.pins = slices.Delete(d.pins, at, at+1)
		} else if b[i], err = d.pin(bytes); err != nil {
			if i > 0 {
				d.pins = append(d.pins, b[0])
			}
			return b, nil, err
		}
	}
	return b, func() { d.pins = append(d.pins, b[0], b[1]) }, nil
}

// source is where rows are read from: memory or a file.
type source struct {
	copy       func(ctx context.Context, dst []byte, stride, lo, hi int) error
	order      []int32 // of the rows; nil for the order of the table
	sequential bool    // rows are best read in order, by one thread
	cols, size int
	stride     int64 // cells of a row on the device
}

// newSource returns the given ascending variables of a matrix (nil means all) in an order of the
// rows.
func newSource(x *cells, vars []int, order []int32) *source {
	s := &source{order: order, sequential: matrix.Sequential(x.Matrix), size: sizeOf[x.format], cols: x.vars}
	if vars != nil {
		s.cols = len(vars)
	}
	s.stride = strideOf(s.cols, s.size)
	s.copy = x.copy(vars)
	return s
}

// gather sets dst to n rows of the order, from row lo on: all of them, or one in every.
func (s *source) gather(ctx context.Context, dst []byte, lo, n, every int64) error {
	row := s.stride * int64(s.size)
	stripe, threads := max(stripeBytes/row, 1), 0
	if s.sequential {
		stripe, threads = n, 1
	}
	return parallel.Do(ctx, threads, int((n+stripe-1)/stripe), func(_, part int) error {
		for i, end := int64(part)*stripe, min(int64(part+1)*stripe, n); i < end; {
			first, run := s.row((lo+i)*every), int64(1)
			for i+run < end && s.row((lo+i+run)*every) == first+run {
				run++
			}
			if err := s.copy(ctx, dst[i*row:(i+run)*row], int(s.stride), int(first), int(first+run)); err != nil {
				return err
			}
			for used := int64(s.cols * s.size); run > 0; i, run = i+1, run-1 {
				clear(dst[i*row+used : (i+1)*row])
			}
		}
		return nil
	})
}

func (s *source) row(i int64) int64 {
	if s.order == nil {
		return i
	}
	return int64(s.order[i])
}

// feed uploads all rows: some are gathered while others are being uploaded.
func (d *Device) feed(ctx context.Context, s *source, to pointer, rows int64) error {
	row := s.stride * int64(s.size)
	step := max(min(windowBytes/max(row, 1), rows), 1)
	room, done, err := d.buffers(step*row, rows*row >= pinFrom)
	if err != nil {
		return err
	}
	defer done()
	for lo := int64(0); lo < rows; lo += step {
		slot, n := int(lo/step%2), min(step, rows-lo)
		if err := d.sent(slot); err != nil {
			return err
		}
		part := room[slot][:n*row]
		if err = s.gather(ctx, part, lo, n, 1); err != nil {
			break
		}
		if err := d.send(slot, to+pointer(lo*row), part); err != nil {
			return err
		}
	}
	for slot := range room { // other descents may use it now
		if err := d.sent(slot); err != nil {
			return err
		}
	}
	return err
}

// table returns a matrix on the device, where it stays for later objectives.
func (d *Device) table(ctx context.Context, x matrix.Matrix) (*table, error) {
	if t := d.tables[x]; t != nil {
		return t, nil
	}
	m, err := newCells(x)
	if err != nil {
		return nil, err
	}
	rows, _ := x.Dims()
	t := newTable(m.cellFormat, int64(rows), m.vars)
	d.forget()
	if at := d.lent(ctx, x); at != 0 {
		if err := d.take(t, at); err != nil {
			return nil, err
		}
		d.tables[x] = t
		return t, nil
	}
	if t.x, err = d.make(t.rows*t.row(), 1); err != nil {
		return nil, err
	}
	if err := d.feed(ctx, newSource(m, nil, nil), t.x, t.rows); err != nil {
		d.drop(t.x)
		return nil, err
	}
	d.tables[x] = t
	return t, nil
}
