package cuda

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"gonum.org/v1/gonum/mat"

	"fsa/anneal"
	"fsa/internal/matrix"
	"fsa/internal/objective"
	"fsa/internal/solve"
	"fsa/loss"
)

// Several is the GPUs of a machine. A table that is too large for the first of them is divided by
// rows: each GPU has all columns of its own rows, and computes its part of losses and gradients,
// which are added in the order of the devices.
type Several struct {
	first  *Device
	count  int
	open   func(number int) (*Device, error)
	mu     sync.Mutex
	others []*Device              // opened when they are first needed
	large  map[matrix.Matrix]bool // tables that are divided
}

var _ objective.Device = (*Several)(nil)

// OpenAll opens the first device; the others are opened when they are needed. Memory is the number
// of bytes that may be used on each; 0 means nearly all that are free.
func OpenAll(memory int64) (*Several, error) {
	open := func(number int) (*Device, error) { return openDevice(number, memory) }
	first, err := open(0)
	if err != nil {
		return nil, err
	}
	all, err := list()
	if err != nil {
		first.Close()
		return nil, err
	}
	return newSeveral(first, len(all), open), nil
}

func newSeveral(first *Device, count int, open func(number int) (*Device, error)) *Several {
	return &Several{first: first, count: count, open: open, large: map[matrix.Matrix]bool{}}
}

// Close releases the devices.
func (d *Several) Close() {
	d.first.Close()
	for _, o := range d.others {
		o.Close()
	}
}

// Columns uploads columns to the first device; see [Device.Columns].
func (d *Several) Columns(x [][]float64, l loss.Loss, t loss.Target) (solve.Device, error) {
	return d.first.Columns(x, l, t)
}

// Place implements [objective.Device].
func (d *Several) Place(ctx context.Context, ob *objective.Objective) (objective.Placed, error) {
	p, err := ob.Parts()
	if err == nil {
		err = p.Ridged()
	}
	if err == nil {
		err = ob.Numbers()
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrUnsupported, err)
	}
	if _, sparse := p.X.(listed); d.count < 2 || sparse {
		return d.first.Place(ctx, ob)
	}
	if !d.isLarge(p.X) {
		d.first.Lock()
		o, err := d.first.resident(ctx, &p)
		d.first.Unlock()
		if err == nil {
			return o, nil
		}
		if !errors.Is(err, ErrMemory) {
			return nil, err
		}
	}
	s, err := d.spread(ctx, &p)
	if errors.Is(err, ErrMemory) {
		return d.first.Place(ctx, ob) // the first device streams the rows
	}
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.large[p.X] = true
	return s, nil
}

func (d *Several) isLarge(x matrix.Matrix) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.large[x]
}

// all returns all devices.
func (d *Several) all() ([]*Device, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for n := 1 + len(d.others); n < d.count; n++ {
		o, err := d.open(n)
		if err != nil {
			return nil, err
		}
		d.others = append(d.others, o)
	}
	return append([]*Device{d.first}, d.others...), nil
}

// spread divides the rows of an objective among all devices.
func (d *Several) spread(ctx context.Context, p *objective.Parts) (*spread, error) {
	all, err := d.all()
	if err != nil {
		return nil, err
	}
	rows, _ := p.X.Dims()
	s := &spread{meter: p.Meter}
	for i, one := range all {
		o, err := one.share(ctx, p, rows*i/len(all), rows*(i+1)/len(all))
		if err != nil {
			s.Close()
			return nil, err
		}
		s.parts = append(s.parts, o)
	}
	s.Resident = anneal.Local(sums{s})
	return s, nil
}

// share uploads some rows of an objective to the device.
func (d *Device) share(ctx context.Context, p *objective.Parts, lo, hi int) (*Objective, error) {
	part := *p
	part.X, part.Meter = newRows(p.X, lo, hi), new(objective.Meter)
	if part.Y = p.Y[lo:hi]; p.Weight != nil {
		part.Weight = p.Weight[lo:hi]
	}
	part.Batches = make([][][2]int, len(p.Batches))
	for b, runs := range p.Batches {
		for _, r := range runs {
			if from, to := max(r[0], lo), min(r[1], hi); from < to {
				part.Batches[b] = append(part.Batches[b], [2]int{from - lo, to - lo})
			}
		}
	}
	d.Lock()
	defer d.Unlock()
	return d.resident(ctx, &part)
}

// spread is an objective whose rows are on several devices. Coefficients are held by the host: they
// are uploaded for each pass, and gradients downloaded.
type spread struct {
	anneal.Resident
	parts []*Objective
	meter *objective.Meter
}

var (
	_ objective.Placed    = (*spread)(nil)
	_ objective.Refinable = (*spread)(nil)
)

// Close frees the memory of the objective.
func (s *spread) Close() {
	for _, o := range s.parts {
		o.Close()
	}
}

// Hessian implements [objective.Refinable].
func (s *spread) Hessian(ctx context.Context) (*mat.Cholesky, bool, error) {
	return objective.Hessian(ctx, sums{s}, mostJitter)
}

// sums adds up the results of the devices.
type sums struct{ *spread }

var _ anneal.Curved = sums{}

// Layout implements [anneal.Objective].
func (s sums) Layout() anneal.Layout { return s.parts[0].Layout() }

// Batches implements [anneal.Objective].
func (s sums) Batches() int { return s.parts[0].Batches() }

// Keep implements [anneal.Objective].
func (s sums) Keep(ctx context.Context, groups []int) error {
	return s.each(func(o *Objective) error { return o.Keep(ctx, groups) })
}

// each calls f for the parts, in parallel.
func (s sums) each(f func(o *Objective) error) error {
	errs := make([]error, len(s.parts))
	var wait sync.WaitGroup
	for i, o := range s.parts {
		wait.Go(func() { errs[i] = f(o) })
	}
	wait.Wait()
	for _, o := range s.parts {
		s.meter.Cells += o.meter.Cells
		o.meter.Cells = 0
	}
	return errors.Join(errs...)
}

// add sets to to the sum of the results that f writes for each part that has rows of a batch.
func (s sums) add(batch int, to []float64, f func(o *Objective, to []float64) (sum, weight float64, err error)) (sum, weight float64, err error) {
	type found struct {
		to          []float64
		sum, weight float64
	}
	all := make(map[*Objective]*found, len(s.parts))
	for _, o := range s.parts {
		all[o] = &found{to: make([]float64, len(to))}
	}
	err = s.each(func(o *Objective) (err error) {
		if o.batches[batch].rows > 0 {
			p := all[o]
			p.sum, p.weight, err = f(o, p.to)
		}
		return err
	})
	clear(to)
	for _, o := range s.parts {
		p := all[o]
		for i, v := range p.to {
			to[i] += v
		}
		sum, weight = sum+p.sum, weight+p.weight
	}
	return sum, weight, err
}

// Eval implements [anneal.Objective].
func (s sums) Eval(ctx context.Context, batch int, grad, beta []float64) (float64, float64, error) {
	return s.add(batch, grad, func(o *Objective, to []float64) (float64, float64, error) { return o.Eval(ctx, batch, to, beta) })
}

// Curvature implements [anneal.Curved].
func (s sums) Curvature(ctx context.Context, batch int, dst, v []float64) (float64, error) {
	_, weight, err := s.add(batch, dst, func(o *Objective, to []float64) (float64, float64, error) {
		w, err := o.Curvature(ctx, batch, to, v)
		return 0, w, err
	})
	return weight, err
}

// rowsOf is rows lo to hi−1 of a matrix. Two values with the same rows are equal.
type rowsOf struct {
	matrix.Matrix
	lo, hi int
}

// newRows returns some rows of a matrix; they can be uploaded if those of the matrix can.
func newRows(x matrix.Matrix, lo, hi int) matrix.Matrix {
	switch x.(type) {
	case matrix.Plain:
		return plainRows{rowsOf{x, lo, hi}}
	case matrix.Coded:
		return codedRows{rowsOf{x, lo, hi}}
	}
	return x
}

// Dims implements [matrix.Matrix].
func (r rowsOf) Dims() (rows, cols int) {
	_, cols = r.Matrix.Dims()
	return r.hi - r.lo, cols
}

// Sequential reports whether rows are best read in order; see [matrix.Sequential].
func (r rowsOf) Sequential() bool { return matrix.Sequential(r.Matrix) }

// shifted returns a function that copies rows, which it counts from lo.
func (r rowsOf) shifted(copy func(ctx context.Context, dst []byte, stride, lo, hi int) error) func(ctx context.Context, dst []byte, stride, lo, hi int) error {
	return func(ctx context.Context, dst []byte, stride, lo, hi int) error {
		return copy(ctx, dst, stride, r.lo+lo, r.lo+hi)
	}
}

type plainRows struct{ rowsOf }

// Format implements [matrix.Plain].
func (r plainRows) Format() matrix.Format { return r.Matrix.(matrix.Plain).Format() }

// Copy implements [matrix.Plain].
func (r plainRows) Copy(vars []int) func(ctx context.Context, dst []byte, stride, lo, hi int) error {
	return r.shifted(r.Matrix.(matrix.Plain).Copy(vars))
}

type codedRows struct{ rowsOf }

// Codes implements [matrix.Coded].
func (r codedRows) Codes() (bins, digits int) { return r.Matrix.(matrix.Coded).Codes() }

// CopyCodes implements [matrix.Coded].
func (r codedRows) CopyCodes(vars []int) func(ctx context.Context, dst []byte, stride, lo, hi int) error {
	return r.shifted(r.Matrix.(matrix.Coded).CopyCodes(vars))
}
