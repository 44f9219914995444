package objective

// steepness is the Hessian bound of all rows, for a loss that compares rows with each other.
type steepness struct {
	d          []float64
	sum, total float64 // of d, and the weight of all rows
}

// of returns the weight of some rows: its share of the bound of all rows.
func (s *steepness) of(b span) float64 {
	part := 0.0
	for _, v := range s.d[b.lo:b.hi] {
		part += v
	}
	if s.sum == 0 { // no row has a bound
		return s.total * float64(b.hi-b.lo) / float64(len(s.d))
	}
	return s.total * part / s.sum
}
