package validate

import (
	"cmp"
	"math"
	"slices"
)

// Each purpose has its own stream of random numbers.
const (
	forFolds = iota
	forPairs
	forHoldout
)

// stream returns the seed of one dealing.
func stream(seed uint64, purpose, repeat int) uint64 {
	return mix(mix(mix(seed)^uint64(purpose)) ^ uint64(repeat))
}

// deal assigns each unit to one of several parts, so that the parts have about the given shares of
// every class and of all units. It returns the part of each row.
//
// Large units are assigned first, so that small ones can balance them. Units of about equal size
// are assigned class by class, in random order within a class. A unit goes to the part where the
// sum over parts and classes of weight²/share grows least, which is where its classes are most
// needed.
func (d *deck) deal(shares []float64, seed uint64) []uint16 {
	var largest float64
	for i := range d.units {
		largest = max(largest, d.units[i].weight)
	}
	type card struct {
		unit, size, class int
		place             uint64
	}
	var cards []card
	part := slices.Repeat([]uint16{none}, len(d.units))
	for i := range d.units {
		if u := &d.units[i]; u.weight > 0 {
			cards = append(cards, card{i, math.Ilogb(u.weight / largest), u.main(), mix(seed ^ mix(u.key))})
		}
	}
	slices.SortFunc(cards, func(a, b card) int {
		if c := cmp.Or(b.size-a.size, a.class-b.class); c != 0 {
			return c
		}
		return cmp.Or(cmp.Compare(a.place, b.place), a.unit-b.unit)
	})
	if len(cards) == len(shares) { // leave-one-out
		for at, c := range cards {
			part[c.unit] = uint16(at)
		}
		return d.rows(part)
	}

	all := make([]float64, len(shares))  // weight of each part
	of := make([][]float64, len(shares)) // weight of each part in each class
	for p := range of {
		of[p] = make([]float64, len(d.total))
	}
	for _, c := range cards {
		u := &d.units[c.unit]
		best, least, lightest := 0, math.Inf(1), math.Inf(1)
		for p, share := range shares {
			var growth float64
			for _, s := range u.class {
				total := d.total[s.class]
				growth += s.weight / total * ((of[p][s.class] + s.weight/2) / total) / share
			}
			weight := (all[p] + u.weight/2) / share
			if growth < least || growth == least && weight < lightest {
				best, least, lightest = p, growth, weight
			}
		}
		part[c.unit] = uint16(best)
		all[best] += u.weight
		for _, s := range u.class {
			of[best][s.class] += s.weight
		}
	}
	return d.rows(part)
}

// rows turns the parts of units into the parts of rows.
func (d *deck) rows(part []uint16) []uint16 {
	of := make([]uint16, len(d.of))
	for row, u := range d.of {
		of[row] = part[u]
	}
	return of
}
