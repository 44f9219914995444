package panel

import (
	"math"
	"sync"

	"fsa/data"
	"fsa/internal/matrix/paged"
)

// verifier compares the cells of columns with the footer.
type verifier struct {
	mu      [64]sync.Mutex // of columns, by their number
	seen    []sums         // of each column of a dense table
	once    [][]uint64     // of each of them: a bit for each panel that was summed
	next    int            // of a sparse table: the next group to be summed,
	tallies []tally        // the sums of each column of the footer,
	at      paged.Finder   // and where to find a column in the footer
}

// start allocates memory for an empty verifier.
func (v *verifier) start(f *footer) {
	if f.sparse {
		return // the first group that is read begins the tallies
	}
	v.seen = make([]sums, len(f.columns))
	words := (len(f.groups) + 63) / 64
	bits := make([]uint64, words*len(f.columns))
	v.once = make([][]uint64, len(f.columns))
	for j := range v.once {
		v.once[j], bits = bits[:words:words], bits[words:]
	}
}

// first reports whether panel g of column j was not summed yet.
func (v *verifier) first(j, g int) bool {
	word, bit := &v.once[j][g/64], uint64(1)<<(g%64)
	met := *word&bit != 0
	*word |= bit
	return !met
}

// sums are over the groups of a column so far, relative to the mean that the footer claims.
type sums struct {
	groups       int // cells so far
	missing      int
	listed       int // numbers
	sum, squares float64
	min, max     float64
}

// addUp returns the sums of a run of cells relative to a mean. Four cells are processed at a time,
// each with its own sums, because an addition waits for the one before. Cells within the range so
// far, which nearly all soon are, take the short way.
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

// one processes a single cell.
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

// possible reports whether these can be sums of some of the cells of a column with this profile.
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

// within reports whether a number is in the range of a column. Cells of sparse tables may have been
// rounded to a float32 after they were measured.
func within(v float64, p *data.Profile) bool {
	return v >= p.Min && v <= p.Max || v >= float64(float32(p.Min)) && v <= float64(float32(p.Max)) && !math.IsInf(v, 0)
}
