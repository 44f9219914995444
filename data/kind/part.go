package kind

// Part is something that a number of a kind is taken apart into, such as the month of a
// date: a category.
type Part struct {
	Name   string
	Levels []string
	level  func(x float64) int
}

// Level returns the position in Levels of the part of x, which is not missing.
func (p *Part) Level(x float64) int { return min(max(p.level(x), 0), len(p.Levels)-1) }

// Parts returns what numbers of a column are taken apart into; nil for most kinds.
func (c Column) Parts() []Part {
	if r := c.Kind.rule(); r != nil {
		return r.parts
	}
	return nil
}

// PartOf returns the part of a name, which some kind has; nil if none does.
func PartOf(kind Name, name string) *Part {
	r := kind.rule()
	if r == nil {
		return nil
	}
	for i := range r.parts {
		if r.parts[i].Name == name {
			return &r.parts[i]
		}
	}
	return nil
}
