package cuda

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"unsafe"

	"fsa/internal/matrix"
	"fsa/internal/parallel"
)

// Foreign says where numbers are that another process has in the memory of a device.
type Foreign struct {
	Device [16]byte // UUID of the device
	Handle [64]byte // of the allocation, from cuIpcGetMemHandle
	Offset int64    // bytes before the numbers in the allocation
	Bytes  int64
}

// Borrowed is memory of a device that belongs to another process. It is only read.
type Borrowed struct {
	on   machine
	base pointer // of the allocation
	at   pointer
	host []byte // a copy
}

// Borrow opens memory of another process and copies it to the memory of the host. The other process
// must not free it before Close.
func Borrow(ctx context.Context, f Foreign) (*Borrowed, error) {
	all, err := list()
	if err != nil {
		return nil, err
	}
	number := slices.IndexFunc(all, func(i Info) bool { return i.uuid == f.Device })
	if number < 0 {
		return nil, fmt.Errorf("%w: none has the UUID %x", ErrNoDevice, f.Device)
	}
	m, err := openMachine(number)
	if err != nil {
		return nil, err
	}
	return borrow(ctx, m, f, windowBytes)
}

func borrow(ctx context.Context, m machine, f Foreign, most int) (*Borrowed, error) {
	b := &Borrowed{on: m}
	var err error
	if b.base, err = m.borrow(&f.Handle); err == nil {
		b.at = b.base + pointer(f.Offset)
		b.host = bytesOf(make([]uint64, (f.Bytes+7)/8))[:f.Bytes]
		err = b.copy(ctx, most)
	}
	if err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

// copy fills host: pieces of at most the given number of bytes are downloaded to pinned memory, from which
// all threads copy the previous one.
func (b *Borrowed) copy(ctx context.Context, most int) (err error) {
	step := min(most, len(b.host))
	var room [2][]byte
	for i := range room {
		if room[i], err = b.on.pin(int64(step)); err != nil {
			return err
		}
		defer b.on.unpin(room[i])
	}
	piece := func(n int) []byte { return b.host[min(n*step, len(b.host)):min((n+1)*step, len(b.host))] }
	fetch := func(n int) error { return b.on.fetch(n%2, room[n%2][:len(piece(n))], b.at+pointer(n*step)) }
	defer func() { err = errors.Join(err, b.on.sent(0), b.on.sent(1)) }() // before the pinned memory is freed
	if err = fetch(0); err != nil {
		return err
	}
	for n := 0; len(piece(n)) > 0; n++ {
		if err = b.on.sent(n % 2); err != nil {
			return err
		}
		if err = fetch(n + 1); err != nil {
			return err
		}
		to, from := piece(n), room[n%2]
		err = parallel.Do(ctx, 0, (len(to)+stripeBytes-1)/stripeBytes, func(_, s int) error {
			copy(to[s*stripeBytes:min((s+1)*stripeBytes, len(to))], from[s*stripeBytes:])
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Host returns the copy in the memory of the host, which must not be changed.
func (b *Borrowed) Host() []byte { return b.host }

// Close gives the memory back. Objectives must not use it any more.
func (b *Borrowed) Close() {
	if b.base != 0 {
		b.on.giveBack(b.base)
	}
	b.on.close()
}

type lentKey struct{}

// Lend returns a context in which the table of an objective is read where another process has it, if
// its cells are a host copy of that memory.
func Lend(ctx context.Context, all []*Borrowed) context.Context {
	return context.WithValue(ctx, lentKey{}, all)
}

// lent returns where the cells of a matrix of float32 numbers are on the device; 0 if they are not.
func (d *Device) lent(ctx context.Context, x matrix.Matrix) pointer {
	rows, cols := x.Dims()
	all, _ := ctx.Value(lentKey{}).([]*Borrowed)
	dense, ok := x.(*matrix.Dense)
	if len(all) == 0 || !ok || rows*cols == 0 {
		return 0
	}
	first, last := unsafe.SliceData(dense.Row(0)), unsafe.SliceData(dense.Row(rows-1))
	at, size := uintptr(unsafe.Pointer(first)), uintptr(4*cols)
	if uintptr(unsafe.Pointer(last)) != at+uintptr(rows-1)*size {
		return 0
	}
	for _, b := range all {
		base := uintptr(unsafe.Pointer(unsafe.SliceData(b.host)))
		if at >= base && at+uintptr(rows)*size <= base+uintptr(len(b.host)) && b.on.info().Number == d.info().Number {
			return b.at + pointer(at-base)
		}
	}
	return 0
}

// take makes the cells of a table those at an address of the device, without a copy if rows are
// stored there as the kernels read them.
func (d *Device) take(t *table, at pointer) (err error) {
	if packed := int64(t.cols) * t.size(); t.row() != packed || at%16 != 0 {
		if t.x, err = d.make(t.rows*t.row(), 1); err != nil {
			return err
		}
		err = errors.Join(d.zero(t.x, t.rows*t.row()), d.moveRows(t.x, t.row(), at, packed, t.rows))
		if err != nil {
			d.drop(t.x)
		}
		return err
	}
	t.x, t.lent = at, true
	return nil
}
