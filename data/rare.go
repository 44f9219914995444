package data

// Categories of a few rows say little, each for itself. To learning they are one, which
// also stands for texts that come later and were not there to learn from.

// rareRows is how many rows a category has at least that stands for itself.
const rareRows = 5

// rareName is what the category of rare texts is called.
const rareName = "(rare)"

// pool says what learning makes of the categories of a text variable.
type pool struct {
	to     []uint32 // category of learning for each of the input's, and for missing ones
	levels []string // those of learning; the last stands for rare ones
}

// newPool makes one category of rare ones, if there are at least two, and others; else it
// returns nil.
func newPool(levels []string, count []int) *pool {
	few := 0
	for _, n := range count {
		if n < rareRows {
			few++
		}
	}
	if few < 2 || few == len(levels) {
		return nil
	}
	p := &pool{to: make([]uint32, len(levels)+1)}
	name := rareName
	for c, n := range count {
		if levels[c] == name {
			name += "'"
		}
		if n >= rareRows {
			p.to[c] = uint32(len(p.levels))
			p.levels = append(p.levels, levels[c])
		}
	}
	for c, n := range count {
		if n < rareRows {
			p.to[c] = uint32(len(p.levels))
		}
	}
	p.levels = append(p.levels, name)
	p.to[len(levels)] = uint32(len(p.levels))
	return p
}
