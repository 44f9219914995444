package fit

import (
	"fmt"
	"maps"
	"slices"

	"fsa/internal/cuda"
	"fsa/internal/objective"
	"fsa/internal/plan"
	"fsa/internal/search"
	"fsa/internal/training"
	"fsa/internal/tuning"
)

// Values of Run.Device besides the names of devices.
const (
	DeviceCPU  = "cpu"
	DeviceAuto = "auto"
)

// devices is the table of devices that a descent can run on besides the CPU. A new one needs a
// package and a line here. Memory is the number of bytes that may be used on the device.
var devices = map[string]func(memory int64) (objective.Device, error){
	"cuda": func(memory int64) (objective.Device, error) { return cuda.OpenAll(memory) },
}

// DeviceNames lists the values of Run.Device.
func DeviceNames() []string {
	return append([]string{DeviceAuto, DeviceCPU}, slices.Sorted(maps.Keys(devices))...)
}

// explainer is a device that describes its decisions for epochs of a given number of steps:
// settings, values and reasons.
type explainer interface {
	Explain(steps int) [][3]string
}

// device opens the device that the options name. Auto takes the first available one if the table
// is large enough to gain from it.
func (r *Run) device(t *training.Set, p *plan.Plan) (*search.Device, error) {
	s := t.Whole
	if s.Kind.Several && (t.Spread() != nil || r.Device != "" && r.Device != DeviceCPU && r.Device != DeviceAuto) {
		return nil, optionError("several targets are fitted on the CPU of one machine: leave the device or the grid out, or fit each target alone")
	}
	if own := t.Spread(); own != nil {
		if s.Limits != nil {
			return nil, optionError("constraints do not work on a grid of processes: fit on one machine, or leave them out")
		}
		if r.Device != "" && r.Device != DeviceCPU {
			return nil, optionError("device %s: a grid computes on CPUs only: leave the device out", r.Device)
		}
		if e, ok := own.(explainer); ok {
			batch := p.Recipe.Select.Descent.Batch
			for _, d := range e.Explain((s.Rows() + batch - 1) / batch) {
				p.Say(d[0], d[1], d[2])
			}
		}
		return search.NewDevice(own, false), nil
	}
	cpu := search.NewDevice(nil, false)
	switch r.Device {
	case "", DeviceCPU:
		return cpu, nil
	case DeviceAuto:
		why := "no other device is available"
		switch {
		case s.Kind.Several:
			why = "other devices do not fit several targets"
		case s.Limits != nil:
			why = "other devices do not keep constraints"
		case s.Design.X.Cells() < tuning.WorkCells:
			why = "the table is small"
		default:
			for _, name := range slices.Sorted(maps.Keys(devices)) {
				if d, err := devices[name](r.DeviceMemory); err == nil {
					p.Say("device", name, "a GPU is available and the table is large; the CPU does what the GPU does not support")
					return search.NewDevice(d, true), nil
				}
			}
		}
		p.Say("device", DeviceCPU, why)
		return cpu, nil
	}
	d, err := devices[r.Device](r.DeviceMemory)
	if err != nil {
		return nil, fmt.Errorf("device %s: %w", r.Device, err)
	}
	p.Say("device", r.Device, "given")
	return search.NewDevice(d, false), nil
}
