package cuda

import (
	"cmp"
	"fmt"

	"fsa/internal/objective"
	"fsa/loss"
)

// kindOf returns the number of a loss for the kernels, the width of its rounded corner and the upper bound on its second
// derivative.
func kindOf(l loss.Loss) (kind int32, huber, bend float64, err error) {
	d := make([]float64, 1)
	l.Curvature(d, loss.Target{Y: []float64{1}})
	switch l := l.(type) {
	case loss.Squared:
		return kindSquared, 0, d[0], nil
	case loss.Logistic:
		return kindLogistic, 0, d[0], nil
	case loss.Huber:
		return kindHuber, cmp.Or(l.Delta, 1), d[0], nil
	case loss.SVM:
		return kindSVM, 1 / (2 * d[0]), d[0], nil
	case loss.Lorenz:
		return kindLorenz, 0, d[0], nil
	case loss.Multinomial:
		return kindMultinomial, 0, d[0], nil
	default:
		return 0, 0, 0, fmt.Errorf("%w: the loss %T has no kernel", ErrUnsupported, l)
	}
}

// newObjective returns an objective without a table.
func (d *Device) newObjective(p *objective.Parts) (*Objective, error) {
	o := &Objective{d: d, final: p.Final, ridge: p.Ridge, free: p.Free, outputs: p.Loss.Outputs(), meter: p.Meter}
	var err error
	o.kind, o.huber, o.bend, err = kindOf(p.Loss)
	return o, err
}

// begun prepares an objective whose table is set.
func (o *Objective) begun(p *objective.Parts, places []int32) error {
	o.cells = float64(o.table.rows) * float64(o.table.cols)
	o.number(p, places)
	return o.place(p)
}

// place uploads the data of rows and columns.
func (o *Objective) place(p *objective.Parts) error {
	d := o.d
	order, err := o.deal(p), error(nil)
	if o.stream != nil {
		o.stream.order = order
	} else if s := o.table.sparse; s != nil {
		s.order = order
		if err := o.placeRows(p, order); err != nil {
			return err
		}
		if err := o.orderRows(); err != nil {
			return err
		}
	} else if err := o.placeRows(p, order); err != nil {
		return err
	}
	scale := make([]float64, len(o.column))
	var offset []float64
	if o.offset = p.Offset != nil; o.offset {
		offset = make([]float64, len(o.column))
	}
	for j, v := range p.Columns {
		scale[j] = p.Scale[v]
		if o.offset {
			offset[j] = p.Offset[v]
		}
	}
	for _, v := range []*vectors{&o.now, &o.next} {
		if err := v.make(o); err != nil {
			return err
		}
	}
	n := int64(o.layout.Len())
	for _, p := range []*pointer{&o.trail, &o.grad, &o.direction, &o.strength} {
		if *p, err = d.make(max(n, int64(o.groups)), 8); err != nil {
			return err
		}
	}
	if o.list, err = d.make(int64(max(o.groups, len(o.column))), 4); err != nil {
		return err
	}
	if o.first != nil {
		if o.spans, err = copied(d, o.first); err != nil {
			return err
		}
	}
	for to, from := range map[pointer][]byte{o.now.scale: bytesOf(scale), o.now.column: bytesOf(o.column), o.now.offset: bytesOf(offset)} {
		if err := d.upload(to, from); err != nil {
			return err
		}
	}
	return nil
}

// placeRows uploads the data of the rows of a table that is on the device.
func (o *Objective) placeRows(p *objective.Parts, order []int32) (err error) {
	if o.y == 0 {
		if o.y, err = copied(o.d, p.Y); err != nil {
			return err
		}
	}
	if p.Weight != nil {
		if o.w, err = copied(o.d, p.Weight); err != nil {
			return err
		}
	}
	if order != nil {
		o.order, err = copied(o.d, order)
	}
	return err
}

// orderRows brings the data of the rows into the order of the batches.
func (o *Objective) orderRows() error {
	if o.order == 0 {
		return nil
	}
	rows := o.table.rows
	for _, v := range []*pointer{&o.y, &o.w} {
		if *v == 0 {
			continue
		}
		p, err := o.d.make(rows, 8)
		if err != nil {
			return err
		}
		if err := o.d.launch("vector", "reorder", shape{grid: [3]int{int((rows + 255) / 256)}, block: 256}, &reorderArgs{From: *v, To: p, Order: o.order, Rows: rows}); err != nil {
			return err
		}
		o.d.drop(*v)
		*v = p
	}
	o.d.drop(o.order)
	o.order = 0
	return nil
}

func (v *vectors) make(o *Objective) error {
	n, m := int64(o.layout.Len()), int64(len(o.column))
	for _, p := range []struct {
		to    *pointer
		count int64
		size  int
	}{{&v.beta, n, 8}, {&v.velocity, n, 8}, {&v.scale, m, 8}, {&v.offset, m, 8}, {&v.rank, int64(o.groups), 8}, {&v.column, m, 4}} {
		var err error
		if *p.to, err = o.d.make(p.count, p.size); err != nil {
			return err
		}
	}
	return nil
}

// deal lists the rows of the batches, in order. It returns nil if the table already has that order.
func (o *Objective) deal(p *objective.Parts) []int32 {
	weightOf := func(i int) float64 {
		if p.Weight == nil {
			return 1
		}
		return p.Weight[i]
	}
	sorted, count := true, 0
	for _, runs := range p.Batches {
		b := batch{first: int64(count)}
		for _, run := range runs {
			sorted = sorted && run[0] == count
			count += run[1] - run[0]
			for i := run[0]; i < run[1]; i++ {
				b.weight += weightOf(i)
			}
		}
		b.rows = int64(count) - b.first
		b.sample = sample{every: 1, rows: b.rows, weight: b.weight}
		o.batches = append(o.batches, b)
	}
	if len(o.batches) == 1 && o.table.sparse == nil {
		o.batches[0].sample = o.sampled(o.batches[0], weightOf)
	}
	if sorted {
		return nil
	}
	order := make([]int32, 0, count)
	for _, runs := range p.Batches {
		for _, run := range runs {
			for i := run[0]; i < run[1]; i++ {
				order = append(order, int32(i))
			}
		}
	}
	return order
}

// The bound on the Hessian is measured on a sample if the table has more cells than this, and on at
// least one row in curvedShare.
const (
	curvedCells = 1 << 30
	curvedShare = 8
)

// sampled returns the sample of a batch of all rows.
func (o *Objective) sampled(b batch, weightOf func(i int) float64) sample {
	s := sample{every: min(max(int64(o.cells)/curvedCells, 1), curvedShare)}
	s.rows = (b.rows + s.every - 1) / s.every
	for i := int64(0); i < b.rows; i += s.every {
		s.weight += weightOf(int(b.first + i))
	}
	return s
}
