package prior

// Kind is a prior on the curve of a variable that has a name.
type Kind struct {
	Name string
	Help string // what its strength is, for users
	New  func(strength float64) Prior
}

// Curves is the table of the priors on curves: a new one is a file and a line here.
func Curves() []Kind {
	return []Kind{
		{"smooth", "strength of the second-order prior on piecewise-linear responses", func(s float64) Prior { return Smooth{C: s} }},
		{"variation", "strength of the total-variation prior on piecewise-linear responses", func(s float64) Prior { return Variation{Q: s} }},
	}
}

// OnCurves returns the priors of the given strengths, by name, in the order of the
// table.
func OnCurves(strengths map[string]float64) Sum {
	var sum Sum
	for _, k := range Curves() {
		if s := strengths[k.Name]; s > 0 {
			sum = append(sum, k.New(s))
		}
	}
	return sum
}
