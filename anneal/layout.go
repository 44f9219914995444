package anneal

// Layout maps coefficients to groups. The coefficients are stored group after group, followed by Free coefficients that
// belong to no group. It is immutable.
type Layout struct {
	// Free is the number of coefficients that belong to no group.
	Free int

	groups, width int   // number of groups and their width, if all are equally wide
	offsets       []int // otherwise: the offset of each group, and the end of the last one
}

// Uniform returns the layout of groups of equal width. It takes the same memory for any number
// of groups.
func Uniform(groups, width, free int) Layout {
	return Layout{Free: free, groups: groups, width: width}
}

// Grouped returns the layout of groups that begin at the given offsets. The last offset is the
// end of the last group.
func Grouped(offsets []int, free int) Layout {
	return Layout{Free: free, groups: len(offsets) - 1, offsets: offsets}
}

// Groups returns the number of groups.
func (l Layout) Groups() int { return l.groups }

// Len returns the number of coefficients, free ones included.
func (l Layout) Len() int {
	if l.groups == 0 {
		return l.Free
	}
	_, end := l.Span(l.groups - 1)
	return end + l.Free
}

// Span returns where the coefficients of group j begin and end.
func (l Layout) Span(j int) (lo, hi int) {
	if l.offsets == nil {
		return j * l.width, (j + 1) * l.width
	}
	return l.offsets[j], l.offsets[j+1]
}

// Of returns the coefficients of group j.
func (l Layout) Of(v []float64, j int) []float64 {
	lo, hi := l.Span(j)
	return v[lo:hi]
}

// Equal reports whether two layouts are the same.
func (l Layout) Equal(m Layout) bool {
	if l.groups != m.groups || l.Free != m.Free {
		return false
	}
	for j := range l.groups {
		lo, hi := l.Span(j)
		if from, to := m.Span(j); lo != from || hi != to {
			return false
		}
	}
	return true
}

// Keep returns the layout of the given groups only.
func (l Layout) Keep(groups []int) Layout {
	if l.offsets == nil {
		return Uniform(len(groups), l.width, l.Free)
	}
	offsets := make([]int, 1, len(groups)+1)
	for _, j := range groups {
		lo, hi := l.Span(j)
		offsets = append(offsets, offsets[len(offsets)-1]+hi-lo)
	}
	return Grouped(offsets, l.Free)
}

// compact moves the coefficients of the given groups and the free ones to the front of v, and returns that part.
func compact[T any](l Layout, v []T, groups []int) []T {
	n := 0
	for _, j := range groups {
		lo, hi := l.Span(j)
		n += copy(v[n:], v[lo:hi])
	}
	n += copy(v[n:], v[len(v)-l.Free:])
	return v[:n]
}
