package loss

// Several is the sum of losses of one output each, for the same rows: margin c of a row belongs to loss c. A variable
// is selected or dropped for all of them.
type Several struct{ each []Loss }

var _ Loss = (*Several)(nil)

// NewSeveral returns the sum of some losses of one output, whose rows are independent.
func NewSeveral(each ...Loss) *Several { return &Several{each} }

// Outputs implements [Loss].
func (s *Several) Outputs() int { return len(s.each) }

// Eval implements [Loss]. The mean is over rows.
func (s *Several) Eval(r, z []float64, t Target) (sum, weight float64) {
	n := len(t.Y)
	for c, l := range s.each {
		var own float64
		own, weight = l.Eval(r[c*n:(c+1)*n], z[c*n:(c+1)*n], t)
		sum += own
	}
	return sum, weight
}

// Curvature implements [Loss]. It is the largest bound of each row.
func (s *Several) Curvature(d []float64, t Target) (weight float64) {
	weight = s.each[0].Curvature(d, t)
	own := make([]float64, len(d))
	for _, l := range s.each[1:] {
		l.Curvature(own, t)
		for i, v := range own {
			d[i] = max(d[i], v)
		}
	}
	return weight
}
