package cuda

import (
	"context"
	"slices"

	"fsa/anneal"
)

// CopyRate returns how many bytes per second the device copies within its memory, read and written:
// the yardstick of all passes.
func (d *Device) CopyRate(bytes int64) (float64, error) {
	d.Lock()
	defer d.Unlock()
	var p [2]pointer
	for i := range p {
		var err error
		if p[i], err = d.make(bytes, 1); err != nil {
			return 0, err
		}
		defer d.drop(p[i])
		if err := d.zero(p[i], bytes); err != nil {
			return 0, err
		}
	}
	ms, err := d.median(func() error { return d.move(p[1], p[0], bytes) })
	return 2 * float64(bytes) / ms * 1000, err
}

// median returns the median time of several calls after a few others, in milliseconds.
func (d *Device) median(f func() error) (float64, error) {
	var times []float64
	for n := range 13 {
		ms, err := d.elapsed(f)
		if err != nil {
			return 0, err
		}
		if n >= 3 {
			times = append(times, ms)
		}
	}
	slices.Sort(times)
	return times[len(times)/2], nil
}

// PassRate returns how many bytes of X, each counted once, a pass over the first batch reads per
// second, including the sums over its parts.
func (o *Objective) PassRate(ctx context.Context) (float64, error) {
	o.d.Lock()
	defer o.d.Unlock()
	if err := o.scale(); err != nil {
		return 0, err
	}
	b := o.batches[0]
	ms, err := o.d.median(func() error {
		passPlan, err := o.run(ctx, b.first, b.rows, 1, o.kind)
		if err != nil {
			return err
		}
		return o.update(updateArgs{Beta: o.now.beta, Flags: updateSave}, b.weight, passPlan)
	})
	return float64(b.rows) * float64(o.table.cols) * float64(sizeOf[o.table.format]) / ms * 1000, err
}

// StepTime returns the seconds that a step of an epoch takes.
func (o *Objective) StepTime(ctx context.Context) (float64, error) {
	o.d.Lock()
	defer o.d.Unlock()
	if err := o.scale(); err != nil {
		return 0, err
	}
	ms, err := o.d.median(func() error {
		_, err := o.steps(ctx, anneal.Walk{}, updateStep)
		return err
	})
	return ms / 1000 / float64(len(o.batches)), err
}
