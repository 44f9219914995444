package data

import "maps"

// Categories with few rows carry little information each. Training merges them into one, which is
// also used for texts that do not occur in training.

// rareRows is the smallest number of rows of a category that is not merged.
const rareRows = 5

// rareName is the name of the category of rare texts.
const rareName = "(rare)"

// pool maps the categories of a text variable to those that training uses.
type pool struct {
	to     []uint32 // for each category of the input, and for missing values, the category in training
	levels []string // the categories in training; the last is for rare texts
}

// Separated returns the dataset with the rare categories of the given text variables on their own, not merged.
func (d *Dataset) Separated(texts []int) *Dataset {
	to := *d
	to.pools = maps.Clone(d.pools)
	for _, j := range texts {
		delete(to.pools, j)
	}
	return &to
}

// newPool merges the rare categories, if there are at least two rare ones and also others.
// Otherwise it returns nil.
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
