package motion

// Labels has the motion of each point, counted from 0.
type Labels []int

// Misclassified returns the number of points that are labelled differently, under the naming of
// motions that makes it smallest: names of motions have no meaning.
func Misclassified(a, b Labels) int {
	name := match(a, b)
	n := 0
	for i, l := range a {
		if name[l] != b[i] {
			n++
		}
	}
	return n
}

// Error returns the share of misclassified points.
func Error(a, b Labels) float64 { return float64(Misclassified(a, b)) / float64(len(a)) }

// match returns the label of b that stands for each label of a, so that as many points as possible
// agree.
func match(a, b Labels) []int {
	motions := 0
	for i := range a {
		motions = max(motions, a[i]+1, b[i]+1)
	}
	m := matching{n: motions, count: make([]int, motions*motions), name: make([]int, motions), best: make([]int, motions), most: -1}
	for i := range a {
		m.count[a[i]*motions+b[i]]++
	}
	m.search(0, 0, 0)
	return m.best
}

// matching tries all assignments of names; there are few motions.
type matching struct {
	n     int
	count []int // number of points for each pair of labels
	name  []int // names of the rows so far
	best  []int
	most  int
}

// search assigns names to the given row and the rows after it. used is the set of names that are
// taken, as bits.
func (m *matching) search(row, agree int, used uint64) {
	if row == m.n {
		if agree > m.most {
			m.most = agree
			copy(m.best, m.name)
		}
		return
	}
	for c := range m.n {
		if used&(1<<c) == 0 {
			m.name[row] = c
			m.search(row+1, agree+m.count[row*m.n+c], used|1<<c)
		}
	}
}

// canonical renames the motions in the order in which they first appear, so
// that equal segmentations have equal labels.
func (l Labels) canonical() Labels {
	name := map[int]int{}
	out := make(Labels, len(l))
	for i, v := range l {
		if _, known := name[v]; !known {
			name[v] = len(name)
		}
		out[i] = name[v]
	}
	return out
}

// sizes returns the number of points of each of the given number of motions.
func (l Labels) sizes(motions int) []int {
	n := make([]int, motions)
	for _, v := range l {
		n[v]++
	}
	return n
}
