package data

import "fsa/internal/matrix"

// part is some variables of a design.
type part struct {
	x      matrix.Matrix
	scale  []float64 // of each column
	offset []float64 // of each column; nil if all are zero
	knots  []Knots   // of each variable; nil if they are of equal width
}

// beside returns parts as one. The first may be one of numbers, and has the knots.
func beside(parts []part) part {
	if len(parts) == 1 {
		return parts[0]
	}
	to := part{knots: parts[0].knots}
	var x []matrix.Matrix
	for _, p := range parts {
		if p.offset == nil {
			p.offset = make([]float64, len(p.scale))
		}
		x, to.scale, to.offset = append(x, p.x), append(to.scale, p.scale...), append(to.offset, p.offset...)
	}
	to.x = matrix.Beside(x...)
	return to
}
