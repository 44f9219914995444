package kind

// Part is a category derived from a value, such as the month of a date.
type Part struct {
	Name   string
	Levels []string
	level  func(x float64) int
}

// Level returns the index in Levels of the part of x, which must not be missing.
func (p *Part) Level(x float64) int { return min(max(p.level(x), 0), len(p.Levels)-1) }
