package panel

import (
	"math"

	"fsa/data"
	"fsa/internal/matrix/paged"
)

// The footer describes the distributions of the columns, and a fit relies on them: columns are
// scaled by them before any cell is read. Checksums only show that the file was not changed by
// accident. So cells are compared with their description when they are read for the first time, and
// a file with a false description is refused.

// verifyRun compares the cells of a column in a panel with the footer.
func (t *Table) verifyRun(g, j int, r *run) error {
	v, p := &t.verifier, &t.foot.columns[j].Profile
	lock := &v.mu[j%len(v.mu)]
	lock.Lock()
	defer lock.Unlock()
	if !v.first(j, g) {
		return nil
	}
	var cells sums
	if r.wide != nil {
		cells = addUp(r.wide, p.Mean)
	} else {
		cells = addUp(r.narrow, p.Mean)
	}
	if !cells.possible(p) {
		return t.untrue(j)
	}
	s := &v.seen[j]
	s.add(&cells)
	if s.groups++; s.groups == len(t.foot.groups) && !s.agree(p, t.foot) {
		return t.untrue(j)
	}
	return nil
}

// verifyGroup compares the cells of a group of sparse rows with the footer.
func (t *Table) verifyGroup(g int, b *data.Block) error {
	v := &t.verifier
	v.mu[0].Lock()
	defer v.mu[0].Unlock()
	if v.next == len(t.foot.groups) {
		return nil
	}
	if v.tallies == nil {
		v.tallies, v.at = make([]tally, len(t.foot.columns)), paged.NewFinder(t.Occurring())
		for at := range v.tallies {
			v.tallies[at] = newTally(&t.foot.columns[at].Profile)
		}
	}
	for c, j := range b.Index {
		at := v.at.Find(j)
		if at < 0 {
			return t.untrue(int(j))
		}
		s, p := &v.tallies[at], &t.foot.columns[at].Profile
		if g == v.next {
			s.add(b.Value[c])
		}
		if !s.allows(b.Value[c], p) {
			return t.untrue(int(j))
		}
	}
	if g != v.next {
		return nil
	}
	if v.next++; v.next < len(t.foot.groups) {
		return nil
	}
	for at := range t.foot.columns {
		s := v.tallies[at].sums()
		if c := &t.foot.columns[at]; !s.agree(&c.Profile, t.foot) {
			return t.untrue(int(c.index))
		}
	}
	v.tallies, v.at = nil, nil
	return nil
}

// Tolerance of sums, as a share of the range of a column: both sums were rounded, in different
// ways. plausible limits the effect of a false description within that tolerance.
const loose = 1e-7

// agree reports whether the cells of a column match the footer.
func (s *sums) agree(p *data.Profile, f *footer) bool {
	if s.missing != p.Missing || s.missing+s.listed != p.Cells {
		return false
	}
	zeros := f.rows - p.Cells // cells that are not listed
	if zeros > 0 {
		if s.listed == 0 {
			s.min, s.max = 0, 0
		}
		s.min, s.max = min(s.min, 0), max(s.max, 0)
		s.sum -= float64(zeros) * p.Mean
		s.squares += float64(zeros) * p.Mean * p.Mean
	}
	n := float64(f.rows - s.missing)
	if n == 0 {
		return true
	}
	if float32(s.min) != float32(p.Min) || float32(s.max) != float32(p.Max) {
		return false
	}
	span, mean := p.Max-p.Min, s.sum/n
	variance := s.squares/n - mean*mean
	if math.IsInf(span, 0) || math.IsInf(s.squares, 0) || p.SD < 0 {
		return true // the column is measured when it is needed
	}
	digits := 0x1p-51 // of the mean, which is rounded however large the numbers are
	if f.sparse {     // whose cells were rounded after they were measured
		digits = 0x1p-23
	}
	slack := loose*span + digits*max(math.Abs(p.Min), math.Abs(p.Max))
	return math.Abs(mean) <= slack && math.Abs(variance-p.SD*p.SD) <= 1e-6*p.SD*p.SD+slack*(span+slack)
}

// untrue refuses a file whose footer does not match its cells.
func (t *Table) untrue(j int) error {
	return &data.Error{File: t.name, Column: t.foot.schema().Name(j), Msg: "the cells do not match the description of the column in the file: fsa did not write this file, or it is damaged; convert the table again"}
}
