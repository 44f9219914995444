package panel

import (
	"math"
	"sort"
	"sync"

	"fsa/data"
)

// The footer says how the cells of a column are distributed, and whoever learns from
// the file believes that: columns are scaled by it before any cell was read. Checksums
// only say that nobody changed the file by accident. So cells are compared with their
// description when they are read for the first time, and a file that says something
// else about its cells than they are is refused.

// verifier compares the cells of columns with what the footer says of them.
type verifier struct {
	mu   [64]sync.Mutex // of columns, by their number
	seen []sums         // of each column of the footer
	once [][]uint64     // of each column of a dense table: a bit for each panel that was added up
	next int            // of a sparse table: the group that is to be added up
}

// start makes room: nothing was seen yet.
func (v *verifier) start(f *footer) {
	v.seen = make([]sums, len(f.columns))
	if !f.sparse {
		words := (len(f.groups) + 63) / 64
		bits := make([]uint64, words*len(f.columns))
		v.once = make([][]uint64, len(f.columns))
		for j := range v.once {
			v.once[j], bits = bits[:words:words], bits[words:]
		}
	}
}

// first reports whether panel g of column j is met for the first time.
func (v *verifier) first(j, g int) bool {
	word, bit := &v.once[j][g/64], uint64(1)<<(g%64)
	met := *word&bit != 0
	*word |= bit
	return !met
}

// sums are over the groups of a column so far. Sums are taken relative to the mean that
// the footer claims.
type sums struct {
	groups       int // that were added up
	missing      int
	listed       int // numbers
	sum, squares float64
	min, max     float64
}

// addUp returns the sums of a run of cells relative to a mean. Cells go by fours, each with
// sums of its own: an addition waits for the one before. Cells within the range so far, which
// nearly all soon are, take the short way.
func addUp[T float32 | float64](cells []T, mean float64) sums {
	s := sums{min: math.Inf(1), max: math.Inf(-1)}
	lo, hi := T(s.min), T(s.max)
	var s0, s1, s2, s3, q0, q1, q2, q3 float64
	for ; len(cells) >= 4; cells = cells[4:] {
		a, b, c, d := cells[0], cells[1], cells[2], cells[3]
		if !(a >= lo && a <= hi && b >= lo && b <= hi && c >= lo && c <= hi && d >= lo && d <= hi) {
			for _, x := range [4]T{a, b, c, d} {
				s.one(float64(x), mean)
			}
			lo, hi = T(s.min), T(s.max)
			continue
		}
		w, x, y, z := float64(a)-mean, float64(b)-mean, float64(c)-mean, float64(d)-mean
		s0, s1, s2, s3 = s0+w, s1+x, s2+y, s3+z
		q0, q1, q2, q3 = q0+w*w, q1+x*x, q2+y*y, q3+z*z
		s.listed += 4
	}
	for _, x := range cells {
		s.one(float64(x), mean)
	}
	s.sum += s0 + s1 + s2 + s3
	s.squares += q0 + q1 + q2 + q3
	return s
}

// one takes a single cell.
func (s *sums) one(v, mean float64) {
	if v != v {
		s.missing++
		return
	}
	s.listed++
	s.min, s.max = min(s.min, v), max(s.max, v)
	s.sum += v - mean
	s.squares += (v - mean) * (v - mean)
}

// possible says whether these can be cells of a column of a profile, whatever the
// others are.
func (s *sums) possible(p *data.Profile) bool {
	return s.missing <= p.Missing && (s.listed == 0 || within(s.min, p) && within(s.max, p))
}

// add takes more cells.
func (s *sums) add(more *sums) {
	if more.listed > 0 {
		if s.listed == 0 {
			s.min, s.max = more.min, more.max
		}
		s.min, s.max = min(s.min, more.min), max(s.max, more.max)
	}
	s.missing += more.missing
	s.listed += more.listed
	s.sum += more.sum
	s.squares += more.squares
}

// within says whether a number is in the range of a column. Cells of sparse tables may
// have been rounded to a float32 after they were measured.
func within(v float64, p *data.Profile) bool {
	return v >= p.Min && v <= p.Max || v >= float64(float32(p.Min)) && v <= float64(float32(p.Max)) && !math.IsInf(v, 0)
}

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
	for i := range b.Rows {
		at := 0 // in the columns of the footer
		for c := b.Start[i]; c < b.Start[i+1]; c++ {
			j := b.Index[c]
			at = t.seek(at, j)
			if at == len(t.foot.columns) || t.foot.columns[at].index != j {
				return t.untrue(int(j))
			}
			p := &t.foot.columns[at].Profile
			cell := addUp(b.Value[c:c+1], p.Mean)
			if !cell.possible(p) {
				return t.untrue(int(j))
			}
			if g == v.next {
				v.seen[at].add(&cell)
			}
		}
	}
	if g != v.next {
		return nil
	}
	if v.next++; v.next == len(t.foot.groups) {
		for at := range t.foot.columns {
			if c := &t.foot.columns[at]; !v.seen[at].agree(&c.Profile, t.foot) {
				return t.untrue(int(c.index))
			}
		}
	}
	return nil
}

// seek returns the first column of the footer from at on whose number is j or more.
func (t *Table) seek(at int, j uint32) int {
	step := 1
	for at+step < len(t.foot.columns) && t.foot.columns[at+step].index <= j {
		at += step
		step *= 2
	}
	end := min(at+step, len(t.foot.columns))
	return at + sort.Search(end-at, func(k int) bool { return t.foot.columns[at+k].index >= j })
}

// How far sums may be from what the footer says, as a share of the range of a column:
// both were rounded, on other ways. What a false description could do within that is
// bounded by plausible.
const loose = 1e-7

// agree says whether all cells of a column are as the footer says.
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
		return true // the column is measured where it is needed
	}
	digits := 0x1p-51 // of the mean, which is rounded however large the numbers are
	if f.sparse {     // whose cells were rounded after they were measured
		digits = 0x1p-23
	}
	slack := loose*span + digits*max(math.Abs(p.Min), math.Abs(p.Max))
	return math.Abs(mean) <= slack && math.Abs(variance-p.SD*p.SD) <= 1e-6*p.SD*p.SD+slack*(span+slack)
}

// plausible says whether numbers can be distributed so: n of them, of which one is the
// smallest and one the largest, are that far from their mean at least, and not farther
// than if all were one of the two.
func plausible(p *data.Profile, rows int) bool {
	span := p.Max - p.Min
	if p.SD < 0 || math.IsInf(span, 0) {
		return true
	}
	n := float64(max(rows-p.Missing, 1))
	return p.SD >= 0.9*span/math.Sqrt(2*n) && p.SD <= 0.51*span
}

// untrue refuses a file whose footer does not fit its cells.
func (t *Table) untrue(j int) error {
	return &data.Error{File: t.name, Column: t.foot.schema().Name(j), Msg: "the cells are not as the description of the column in the file says: this is no file that fsa wrote, or it is damaged; convert the table again"}
}
