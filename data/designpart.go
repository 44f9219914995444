package data

import "fsa/internal/matrix"

// part is a part of a design: some of its variables.
type part struct {
	x      matrix.Matrix
	scale  []float64 // per column
	offset []float64 // per column; nil if all are zero
	knots  []Knots   // per variable; nil if their bins have equal width
}

// beside joins parts. Only the first may have numbers and knots.
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
