package cuda

import (
	"context"
	"errors"
	"fmt"

	"fsa/internal/objective"
)

// Place copies an unused objective to the device. Close frees its memory there.
func (d *Device) Place(ctx context.Context, ob *objective.Objective) (objective.Placed, error) {
	o, err := d.objective(ctx, ob)
	if err != nil {
		return nil, err
	}
	return o, nil
}

func (d *Device) objective(ctx context.Context, ob *objective.Objective) (*Objective, error) {
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
	d.Lock()
	defer d.Unlock()
	if x, ok := p.X.(listed); ok {
		d.forget()
		return d.sparse(ctx, &p, x)
	}
	o, err := d.resident(ctx, &p)
	if errors.Is(err, ErrMemory) {
		d.forget()
		o, err = d.streamed(ctx, &p)
	}
	return o, err
}

// resident returns an objective whose table is on the device.
func (d *Device) resident(ctx context.Context, p *objective.Parts) (*Objective, error) {
	o, err := d.newObjective(p)
	if err != nil {
		return nil, err
	}
	if o.table, err = d.table(ctx, p.X); err != nil {
		return nil, err
	}
	o.table.users++
	if err = o.begun(p, o.table.places(p.X.Widths(), p.Columns)); err == nil {
		err = o.prepare()
	}
	if err != nil {
		o.close()
		return nil, err
	}
	return o, nil
}
