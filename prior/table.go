package prior

// Kind is a named prior on curves.
type Kind struct {
	Name string
	Help string // meaning of its strength, for help texts
	New  func(strength float64) Prior
}

// Curves lists the priors on curves. A new prior needs a file and a line here.
func Curves() []Kind {
	return []Kind{
		{"smooth", "strength of the second-order prior on curves", func(s float64) Prior { return Smooth{C: s} }},
		{"variation", "strength of the total-variation prior on curves", func(s float64) Prior { return Variation{Q: s} }},
	}
}

// OnCurves returns the sum of the named priors with the given strengths, in the order of
// [Curves].
func OnCurves(strengths map[string]float64) Sum {
	var sum Sum
	for _, k := range Curves() {
		if s := strengths[k.Name]; s > 0 {
			sum = append(sum, k.New(s))
		}
	}
	return sum
}
