package validate

import (
	"cmp"
	"slices"
)

// Rival is a variable that tends to be selected instead of another.
type Rival struct {
	Variable int
	Without  float64 // inclusion frequency among the selections without the other variable
	With     float64 // inclusion frequency among the selections with the other variable; 0 if there are none
}

// Rivals returns the variables that are selected more often without the given variable than
// with it, the largest difference first. There are none if every selection contains the
// variable.
func Rivals(selections [][]int, variable int) []Rival {
	var without, with float64
	count := map[int]*Rival{}
	for _, s := range selections {
		has := slices.Contains(s, variable)
		if has {
			with++
		} else {
			without++
		}
		for _, j := range s {
			if j == variable {
				continue
			}
			r := count[j]
			if r == nil {
				r = &Rival{Variable: j}
				count[j] = r
			}
			if has {
				r.With++
			} else {
				r.Without++
			}
		}
	}
	var list []Rival
	for _, r := range count {
		r.With /= max(with, 1)
		r.Without /= max(without, 1)
		if r.Without > r.With {
			list = append(list, *r)
		}
	}
	slices.SortFunc(list, func(a, b Rival) int {
		return cmp.Or(cmp.Compare(b.Without-b.With, a.Without-a.With), cmp.Compare(a.Variable, b.Variable))
	})
	return list
}
