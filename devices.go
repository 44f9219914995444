package fsa

import (
	"fmt"
	"maps"
	"slices"

	"fsa/internal/cuda"
	"fsa/internal/matrix"
	"fsa/internal/objective"
	"fsa/internal/plan"
	"fsa/internal/search"
	"fsa/internal/tuning"
)

// Names of Options.Device besides those of devices.
const (
	DeviceCPU  = "cpu"
	DeviceAuto = "auto"
)

// devices is the table of machines that a descent can run on besides the processor: a new
// one is a package and a line here. Memory is how many bytes may be used there.
var devices = map[string]func(memory int64) (objective.Device, error){
	"cuda": func(memory int64) (objective.Device, error) { return cuda.OpenAll(memory) },
}

// DeviceNames lists what Options.Device may be.
func DeviceNames() []string {
	return append([]string{DeviceAuto, DeviceCPU}, slices.Sorted(maps.Keys(devices))...)
}

// home returns where a table is that is not in the memory or on a disk of this machine alone; nil for
// one that is. Such a table brings its own device.
func home(x matrix.Matrix) objective.Device {
	d, _ := x.(objective.Device)
	return d
}

// explainer is a device that says what it does in epochs of so many steps: settings, their
// values and reasons.
type explainer interface {
	Explain(steps int) [][3]string
}

// device opens the device that the options name. Auto takes the first that there is if the table
// is large enough to be worth it.
func (o *Options) device(s *search.Sample, p *plan.Plan) (*search.Device, error) {
	if own := home(s.Design.X); own != nil {
		if o.Device != "" && o.Device != DeviceCPU {
			return nil, optionError("device %s: on several machines the processors compute: leave the device out", o.Device)
		}
		if e, ok := own.(explainer); ok {
			batch := p.Recipe.Select.Descent.Batch
			for _, d := range e.Explain((s.Rows() + batch - 1) / batch) {
				p.Say(d[0], d[1], d[2])
			}
		}
		return search.NewDevice(own, false), nil
	}
	switch o.Device {
	case "", DeviceCPU:
		return search.NewDevice(nil, false), nil
	case DeviceAuto:
		if s.Design.X.Cells() < tuning.DeviceCells {
			p.Say("device", DeviceCPU, "the table is small")
			return search.NewDevice(nil, false), nil
		}
		for _, name := range slices.Sorted(maps.Keys(devices)) {
			if d, err := devices[name](o.DeviceMemory); err == nil {
				p.Say("device", name, "one is available and the table is large; the CPU does what it does not support")
				return search.NewDevice(d, true), nil
			}
		}
		p.Say("device", DeviceCPU, "no other device is available")
		return search.NewDevice(nil, false), nil
	}
	d, err := devices[o.Device](o.DeviceMemory)
	if err != nil {
		return nil, fmt.Errorf("device %s: %w", o.Device, err)
	}
	p.Say("device", o.Device, "given")
	return search.NewDevice(d, false), nil
}
