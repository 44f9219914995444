package search

import (
	"cmp"
	"fmt"
	"slices"

	"fsa/data"
)

// Quota is the largest and the smallest number of some columns that a selection may have.
type Quota struct {
	Name        string       // for messages
	Columns     map[int]bool // by their index in the table
	Most, Least int
}

// setQuotas sets the quota of each group. A group may have one column of a quota, and quotas have no column in common.
func (s *Sample) setQuotas(d *data.Dataset) error {
	if s.quotaOf = nil; s.Quotas == nil {
		return nil
	}
	s.quotaOf = make([]int, s.Groups.Count())
	for g := range s.quotaOf {
		s.quotaOf[g] = -1
		first := -1 // column of the group with a quota
		for _, v := range s.Groups.Of(g) {
			j := s.Design.Variables[v]
			for q := range s.Quotas {
				switch index := d.Columns[j].Index; {
				case !s.Quotas[q].Columns[index] || first >= 0 && d.Columns[first].Index == index:
				case first >= 0:
					return fmt.Errorf("the columns %q and %q of a group have a quota: leave one of them out of the quotas, or out of the group", d.ColumnName(first), d.ColumnName(j))
				default:
					s.quotaOf[g], first = q, j
				}
			}
		}
	}
	forced := make([]int, len(s.Quotas))
	for _, g := range s.Force {
		if q := s.quotaOf[g]; q >= 0 {
			if forced[q]++; forced[q] > s.Quotas[q].Most {
				return fmt.Errorf("%d or more columns of the quota %s are forced: force fewer, or raise the quota", forced[q], s.Quotas[q].Name)
			}
		}
	}
	return nil
}

// Needed returns the number of groups that must be selected: the forced ones, and those that the quotas need besides. names
// are the quotas that need some.
func (s *Sample) Needed() (n int, names []string) {
	forced := make([]int, len(s.Quotas))
	for _, g := range s.Force {
		if s.quotaOf != nil && s.quotaOf[g] >= 0 {
			forced[s.quotaOf[g]]++
		}
	}
	n = len(s.Force)
	for q := range s.Quotas {
		if more := s.Quotas[q].Least - forced[q]; more > 0 {
			n, names = n+more, append(names, s.Quotas[q].Name)
		}
	}
	return n, names
}

// Capacity returns the largest number of groups that the quotas allow.
func (s *Sample) Capacity() int {
	room, n := make([]int, len(s.Quotas)), s.Groups.Count()
	for _, q := range s.quotaOf {
		if q >= 0 {
			if room[q]++; room[q] > s.Quotas[q].Most {
				n--
			}
		}
	}
	return n
}

// ration returns the function that replaces the strengths of the groups by ranks, so that the strongest groups keep the
// quotas, however many stay. Up to most groups keep them exactly. Of more groups, those with a quota may have the same
// share as of most, so that they compete until the end. The strongest groups that the quotas need come first.
func (s *Sample) ration(most int) func(strength []float64, groups []int) {
	return func(strength []float64, groups []int) {
		order := all(len(groups))
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(strength[b], strength[a]) })
		waiting, taken := make([][]int, len(s.Quotas)), make([]int, len(s.Quotas)) // positions in order, by quota
		order = s.neededFirst(order, groups)
		rank, next := len(order), 0
		take := func(at, q int) {
			if strength[order[at]] = float64(rank); q >= 0 {
				taken[q]++
			}
			rank--
		}
		for n := 1; rank > 0; n++ {
			free := func(q int) bool { return q < 0 || taken[q] < max(s.Quotas[q].Most, s.Quotas[q].Most*n/most) }
			best := -1 // quota of the strongest group that waits and may be taken
			for q, list := range waiting {
				if len(list) > 0 && free(q) && (best < 0 || list[0] < waiting[best][0]) {
					best = q
				}
			}
			for best < 0 && next < len(order) && !free(s.quotaOf[groups[order[next]]]) {
				q := s.quotaOf[groups[order[next]]]
				waiting[q] = append(waiting[q], next)
				next++
			}
			switch {
			case best >= 0:
				take(waiting[best][0], best)
				waiting[best] = waiting[best][1:]
			case next < len(order):
				take(next, s.quotaOf[groups[order[next]]])
				next++
			default: // only groups beyond their quotas are left
				for q, list := range waiting {
					for _, at := range list {
						take(at, q)
					}
					waiting[q] = nil
				}
			}
		}
	}
}

// neededFirst moves, in an order of positions of groups, the first groups to the front that each quota needs.
func (s *Sample) neededFirst(order, groups []int) []int {
	taken := make([]int, len(s.Quotas))
	var first, rest []int
	for _, at := range order {
		if q := s.quotaOf[groups[at]]; q >= 0 && taken[q] < s.Quotas[q].Least {
			taken[q]++
			first = append(first, at)
			continue
		}
		rest = append(rest, at)
	}
	return append(first, rest...)
}
