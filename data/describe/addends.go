package describe

import (
	"cmp"
	"fmt"
	"slices"
)

// addends lists two numbers whose sum or difference is the target, for each first number that has a second one. Like copies,
// they are found in the space of random projections, which are linear: one that is missing is looked up among all others. If
// one of them hardly matters, the other is suspected on its own.
func (s *search) addends() (list []Problem) {
	if s.target.text || s.target.missing() > 0 {
		return nil
	}
	y, scale := s.target.centred()
	type part struct {
		column int
		minus  bool
		at     [projections]float64
	}
	var parts []part
	for i := range s.columns {
		c := &s.columns[i]
		if at, length := c.centred(); length*length > (1-leak)*scale*scale && !c.text && c.missing() == 0 {
			opposite := at
			for k := range opposite {
				opposite[k] = -at[k]
			}
			parts = append(parts, part{i, false, at}, part{i, true, opposite})
		}
	}
	slices.SortFunc(parts, func(a, b part) int {
		return cmp.Or(slices.Compare(a.at[:], b.at[:]), cmp.Compare(a.column, b.column))
	})
	most := 2 * projections * copied * scale * scale // largest squared distance from the target
	for i := range parts {
		if parts[i].minus {
			continue
		}
		var rest [projections]float64
		for k := range rest {
			rest[k] = y[k] - parts[i].at[k]
		}
		first, _ := slices.BinarySearchFunc(parts, rest[0], func(p part, v float64) int { return cmp.Compare(p.at[0], v) })
		for _, step := range []int{-1, 1} {
			for j := first + min(step, 0); j >= 0 && j < len(parts) && max(j-first, first-j) <= neighbours; j += step {
				apart := 0.0
				for k := range rest {
					apart += (parts[j].at[k] - rest[k]) * (parts[j].at[k] - rest[k])
				}
				if d := parts[j].at[0] - rest[0]; d*d > most {
					break
				}
				if apart > most || parts[j].column == parts[i].column || !parts[j].minus && parts[j].column < parts[i].column {
					continue
				}
				a, b, sign := s.columns[parts[i].column].name, s.columns[parts[j].column].name, "+"
				if parts[j].minus {
					sign = "−"
				}
				list = append(list, Problem{Column: a, What: fmt.Sprintf("the target is %s %s %s: possible leakage", a, sign, b), Cure: Dropping(a) + " " + Dropping(b) + " if they are not known in advance", Leak: true, weight: 100})
			}
		}
	}
	return list
}
