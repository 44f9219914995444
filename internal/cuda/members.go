package cuda

import (
	"slices"

	"fsa/anneal"
	"fsa/internal/objective"
)

// A group may have several coefficients for each output: those of its columns. On the device, they
// are ordered by column, and for each column by output. In the usual order,
// all columns of a group come for the first output, then for the next one.

// number numbers all groups and their columns at the start.
func (o *Objective) number(p *objective.Parts, places []int32) {
	o.groups, o.column = p.Groups(), places
	if p.First != nil {
		o.first = make([]int32, len(p.First))
		for j, at := range p.First {
			o.first[j] = int32(at)
		}
	}
	o.vars = len(o.slots())
	o.layout = o.newLayout()
}

// newLayout returns the layout of the active groups.
func (o *Objective) newLayout() anneal.Layout {
	if o.first == nil {
		return anneal.Uniform(o.groups, o.outputs, o.free)
	}
	offsets := make([]int, len(o.first))
	for j, at := range o.first {
		offsets[j] = int(at) * o.outputs
	}
	return anneal.Grouped(offsets, o.free)
}

// slots returns the active variables of the table, ascending.
func (o *Objective) slots() []int32 {
	knots := int32(o.table.knots)
	list := make([]int32, 0, len(o.column))
	for _, at := range o.column {
		if v := at / knots; len(list) == 0 || list[len(list)-1] != v {
			list = append(list, v)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// renumber makes the given ascending variables of the table the only ones.
func (o *Objective) renumber(slots []int32) error {
	knots := int32(o.table.knots)
	for i, at := range o.column {
		v, _ := slices.BinarySearch(slots, at/knots)
		o.column[i] = int32(v)*knots + at%knots
	}
	return o.d.upload(o.now.column, bytesOf(o.column))
}

// columnsOf returns the columns of groups, and the index of the first column of each group in this list.
func (o *Objective) columnsOf(groups []int32) (list, first []int32) {
	first = append(make([]int32, 0, len(groups)+1), 0)
	for _, j := range groups {
		for c := o.first[j]; c < o.first[j+1]; c++ {
			list = append(list, c)
		}
		first = append(first, int32(len(list)))
	}
	return list, first
}

// swaps reports whether coefficients are in another order on the device.
func (o *Objective) swaps() bool { return o.first != nil && o.outputs > 1 }

// toDevice returns coefficients in the order of the device.
func (o *Objective) toDevice(v []float64) []float64 {
	if !o.swaps() {
		return v
	}
	to := slices.Clone(v)
	o.eachSwapped(func(here, there int) { to[there] = v[here] })
	return to
}

// fromDevice converts coefficients from the order of the device to the usual order.
func (o *Objective) fromDevice(v []float64) {
	if o.swaps() {
		from := slices.Clone(v)
		o.eachSwapped(func(here, there int) { v[here] = from[there] })
	}
}

func (o *Objective) eachSwapped(f func(here, there int)) {
	for j := range o.groups {
		lo, hi := int(o.first[j]), int(o.first[j+1])
		for c := range o.outputs {
			for k := lo; k < hi; k++ {
				f(lo*o.outputs+c*(hi-lo)+k-lo, k*o.outputs+c)
			}
		}
	}
}
