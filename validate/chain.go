package validate

import (
	"cmp"
	"math"
	"slices"
)

// chain makes folds in the order of time. The rows are divided into one block more than there are
// folds, and each block except the first is tested with a model trained on all earlier blocks
// (forward chaining; Bergmeir and Benítez 2012).
func (s *Scheme) chain(d *deck) (*Folds, error) {
	folds := s.Folds
	if folds == 0 {
		folds = max(min(usual, len(d.moments(s.Time))-1), 1)
	}
	shares := make([]float64, folds+1)
	for i := range shares {
		shares[i] = 1 / float64(folds+1)
	}
	of, err := s.blocks(d, shares)
	if err != nil {
		return nil, err
	}
	return &Folds{parts: folds + 1, forward: true, of: [][]uint16{of}}, nil
}

// moment is a set of units whose times overlap.
type moment struct {
	units  []int
	weight float64
}

// moments returns the units with a weight in the order of time. Units whose times overlap form one moment.
func (d *deck) moments(time []float64) []moment {
	begin := slices.Repeat([]float64{math.Inf(1)}, len(d.units))
	end := slices.Repeat([]float64{math.Inf(-1)}, len(d.units))
	for i, u := range d.of {
		begin[u], end[u] = min(begin[u], time[i]), max(end[u], time[i])
	}
	var order []int
	for u := range d.units {
		if d.units[u].weight > 0 {
			order = append(order, u)
		}
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(begin[a], begin[b]), cmp.Compare(end[a], end[b]), cmp.Compare(d.units[a].weight, d.units[b].weight), cmp.Compare(a, b))
	})
	var list []moment
	latest := math.Inf(-1)
	for at, u := range order {
		if at == 0 || begin[u] > latest {
			list = append(list, moment{})
		}
		m := &list[len(list)-1]
		m.units = append(m.units, u)
		m.weight += d.units[u].weight
		latest = max(latest, end[u])
	}
	return list
}

// blocks divides the rows into consecutive blocks in time with about the given shares of the
// weight. It returns the block of each row.
func (s *Scheme) blocks(d *deck, shares []float64) ([]uint16, error) {
	list := d.moments(s.Time)
	if len(list) < len(shares) {
		what := "rows of different times"
		if s.Group != nil || s.Query != nil {
			what += " whose " + d.noun + " does not overlap with others"
		}
		return nil, foldError("there are %d %s, too few for %d consecutive parts: use fewer folds", len(list), what, len(shares))
	}
	left, due := 0.0, 1.0 // weight and share that have not been divided yet
	for _, m := range list {
		left += m.weight
	}
	part := slices.Repeat([]uint16{none}, len(d.units))
	at := 0
	for block, share := range shares {
		target, taken := left*share/due, 0.0
		last := len(list) - (len(shares) - 1 - block) // each of the remaining blocks needs a moment
		for first := at; at < last; at++ {
			// A moment belongs to the block that contains its middle.
			m := list[at]
			if at > first && taken+m.weight/2 > target && block < len(shares)-1 {
				break
			}
			for _, u := range m.units {
				part[u] = uint16(block)
			}
			taken += m.weight
		}
		left, due = left-taken, due-share
	}
	of := d.rows(part)
	for c, in := range d.parts(of) {
		if !in[0] {
			return nil, foldError("class %s does not occur in the first part of the rows: use fewer folds, or hold out less", s.name(d.classes[c]))
		}
	}
	return of, nil
}
