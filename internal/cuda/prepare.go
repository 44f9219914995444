package cuda

// mostUpdates is the largest number of blocks of an update, per multiprocessor.
const mostUpdates = 2

// prepare plans the passes over the present table and allocates their buffers.
func (o *Objective) prepare() error {
	d, w := o.d, &o.work
	o.unprepare()
	*w = work{plans: map[int64]passPlan{}}
	w.updates = max(min((len(o.column)*o.outputs+31)/32, mostUpdates*d.info().Multiprocessors), 1)
	parts, slopes, chunk, margins := 1, 1, int64(1), int64(1)
	total := int64(0)
	for _, b := range o.batches {
		total += b.rows
		for _, rows := range []int64{b.rows, b.sample.rows} {
			if err := o.plan(rows, &parts, &slopes, &chunk, &margins); err != nil {
				return err
			}
		}
	}
	if err := o.plan(total, &parts, &slopes, &chunk, &margins); err != nil { // for the single batch at the end of a descent
		return err
	}
	w.losses = slopes
	width := o.table.width()
	for _, p := range []struct {
		to    *pointer
		count int64
		size  int
	}{
		{&w.b, int64(o.outputs) * width, 4}, {&w.constant, int64(w.updates * o.outputs), 8},
		{&w.g, int64(parts*o.outputs) * width, 4}, {&w.slope, int64(slopes * o.outputs), 8},
		{&w.loss, int64(w.losses + 3*w.updates), 8}, {&w.z, margins * int64(o.outputs), 4}, {&w.r, chunk * int64(o.outputs), 4}, {&w.pace, 1, 4},
	} {
		var err error
		if *p.to, err = d.make(p.count, p.size); err != nil {
			return err
		}
	}
	o.scaled = false
	if err := d.zero(w.b, int64(o.outputs)*width*4); err != nil {
		return err
	}
	return o.prepareShort()
}

// plan plans a pass over the given number of rows, and increases the sizes of buffers as needed.
func (o *Objective) plan(rows int64, parts, slopes *int, chunk, margins *int64) error {
	if o.stream != nil {
		rows = min(rows, o.stream.rows)
	}
	if _, ok := o.work.plans[rows]; ok {
		return nil
	}
	passPlan, err := o.d.planPass(o.table, o.outputs, rows)
	if err != nil {
		return err
	}
	o.work.plans[rows] = passPlan
	g, s := passPlan.parts()
	*parts, *slopes = max(*parts, g), max(*slopes, s)
	*chunk, *margins = max(*chunk, passPlan.chunk), max(*margins, passPlan.chunk*int64(passPlan.strips))
	return nil
}
