// Package cuda computes on a GPU: z = Xβ, the derivative of the loss and Xᵀr in one pass that reads
// X once, the steps of annealing, and the choice of the columns to keep. Coefficients are held on
// the device; see [anneal.Resident].
//
// The driver is loaded when a device is opened, and the kernels, whose sources are in the folder
// kernels, are embedded. The build therefore needs no CUDA, and the same program runs on machines
// without a GPU. Sums are taken in a fixed order: devices of the same model give the same bits each
// time.
package cuda

import (
	"errors"
	"fmt"
	"sync"

	"fsa/internal/matrix"
)

// Devices lists the GPUs of the machine.
func Devices() ([]Info, error) { return list() }

// Device is a GPU that is in use. It computes one objective at a time.
type Device struct {
	sync.Mutex
	machine
	limit  int64 // bytes that may be used
	used   int64
	peak   int64 // largest value of used since Peak was last called
	sizes  map[pointer]int64
	tables map[matrix.Matrix]*table
	most   map[string]int // clusters that can run at the same time, by kernel and shape
	pins   [][]byte       // pinned memory of the host that is not in use
	spares spares
}

// Open opens the first device. Memory is the number of bytes that may be used there; 0 means nearly
// all that are free.
func Open(memory int64) (*Device, error) {
	return openDevice(0, memory)
}

// openDevice opens a device by its number.
func openDevice(number int, memory int64) (*Device, error) {
	m, err := openMachine(number)
	if err != nil {
		return nil, err
	}
	d, err := newDevice(m, memory)
	if err != nil {
		return nil, err
	}
	d.spares.most = d.limit / sparePart
	return d, nil
}

// spare is the share of free memory that is left to the driver and to other programs.
const spare = 0.03

func newDevice(m machine, memory int64) (*Device, error) {
	free, err := m.free()
	if err != nil {
		return nil, err
	}
	limit := free - int64(spare*float64(free))
	if memory > 0 {
		limit = min(limit, memory)
	}
	return &Device{machine: m, limit: limit, sizes: map[pointer]int64{}, tables: map[matrix.Matrix]*table{}, most: map[string]int{}}, nil
}

// Info describes the device.
func (d *Device) Info() Info { return d.info() }

// Peak returns the largest number of bytes in use at once since the last call.
func (d *Device) Peak() int64 {
	d.Lock()
	defer d.Unlock()
	peak := d.peak
	d.peak = d.used
	return peak
}

// Close releases the device. Objectives on it must not be used afterwards.
func (d *Device) Close() {
	d.Lock()
	defer d.Unlock()
	for p := range d.sizes {
		d.release(p)
	}
	clear(d.sizes)
	clear(d.tables)
	d.releaseSpares()
	for _, p := range d.pins {
		d.unpin(p)
	}
	d.pins = nil
	d.close()
}

// make allocates memory for count values of a size, or returns an error that says how much is
// missing.
func (d *Device) make(count int64, size int) (pointer, error) {
	bytes := max(count, 1) * int64(size)
	if d.used+bytes > d.limit {
		return 0, fmt.Errorf("%w: %s more are needed, and %s of %s are in use", ErrMemory, gigabytes(bytes), gigabytes(d.used), gigabytes(d.limit))
	}
	p, err := d.spares.take(bytes), error(nil)
	if p == 0 {
		p, err = d.alloc(d.spares.room(bytes))
	}
	if errors.Is(err, ErrMemory) {
		d.releaseSpares()
		p, err = d.alloc(d.spares.room(bytes))
	}
	if err != nil {
		return 0, fmt.Errorf("%s of memory: %w", gigabytes(bytes), err)
	}
	d.sizes[p] = bytes
	d.used += bytes
	d.peak = max(d.peak, d.used)
	return p, nil
}

// drop frees memory.
func (d *Device) drop(all ...pointer) {
	for _, p := range all {
		if p != 0 {
			bytes := d.sizes[p]
			d.used -= bytes
			delete(d.sizes, p)
			if !d.spares.keep(p, bytes) {
				d.release(p)
			}
		}
	}
}

// releaseSpares frees memory that is not in use.
func (d *Device) releaseSpares() {
	for c, list := range d.spares.pieces {
		for _, p := range list {
			d.release(p)
		}
		d.spares.pieces[c] = nil
	}
	d.spares.held = 0
}

// copied returns a copy of numbers on the device.
func copied[T any](d *Device, v []T) (pointer, error) {
	b := bytesOf(v)
	p, err := d.make(int64(len(b)), 1)
	if err != nil {
		return 0, err
	}
	return p, d.upload(p, b)
}

func gigabytes(n int64) string {
	if n < 1<<27 {
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(n)/1e9)
}

// forget drops tables that are not in use: there is usually room for only one.
func (d *Device) forget() {
	for x, t := range d.tables {
		if t.users == 0 {
			if !t.lent {
				d.drop(t.x)
			}
			delete(d.tables, x)
		}
	}
}
