package describe

import (
	"math"

	"fsa/internal/kernel"
)

// projections is the number of random projections by which columns are compared. With eight, one of
// 10¹⁵ pairs of independent columns is mistaken for copies.
const projections = 8

// weightSD is the standard deviation of the weights of [stripe.set], which are bytes minus their
// mean.
const weightSD = 73.9

const (
	mostDistinct = 10_000 // largest number of different values that are counted
	leastRows    = 20     // with fewer rows, nothing is suspected
)

// stripeRows is the number of rows that are added to all traces at a time: with their weights they
// stay in the first-level cache.
const stripeRows = 256

// stripe holds the weights of neighbouring rows for the random projections, which all columns share.
type stripe struct {
	weights [stripeRows * projections]float64 // row after row
	sum     [projections]float64
}

// set computes the weights of n rows: the bytes of a hash of the row number (SplitMix64).
func (s *stripe) set(first, n int) {
	s.sum = [projections]float64{}
	for i := range n {
		h := uint64(first+i+1) * 0x9e3779b97f4a7c15
		h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
		h = (h ^ h>>27) * 0x94d049bb133111eb
		h ^= h >> 31
		row := s.weights[i*projections:][:projections]
		for k := range row {
			row[k] = float64(uint8(h>>(8*k))) - 127.5
			s.sum[k] += row[k]
		}
	}
}

// trace holds sums of a column, updated stripe after stripe, from which leaks, copies and ordered rows
// are found without a second pass over the cells.
type trace struct {
	text    bool // cells are indices of texts
	classes bool // responses are indices of texts

	rows, present int
	flags         int                  // numbers that are 0 or 1
	low           float64              // the smallest number
	first         float64              // first number; all sums are relative to it
	sum, squares  float64              // sums of the numbers and of their squares
	weights       [projections]float64 // sums over the rows with a number
	projected     [projections]float64 // sums of the numbers times the weights

	last         float64
	rises, falls int     // steps to the next row with a number
	products     float64 // sum of products of neighbours, if no number is missing

	kinds uint64 // classes of a hash of the numbers that occur

	hash  uint64   // hash of the texts, each identified by the order of its first row
	ranks []uint64 // by text: its place in the order of the first rows, counted from 1
	texts int      // number of different texts

	// Sums over rows with a known response.
	pairs, sx, sxx, sy, syy, sxy float64

	groups []sums            // responses by text, or numbers by class
	filled int               // number of groups with rows
	of     map[float64]*sums // rows by text and class

	gaps gaps // rows without a number and with a known response
}

// gaps holds sums of the responses of the rows in which a column is missing.
type gaps struct {
	n, sy, syy float64
	classes    map[float64]float64 // rows of each class
}

// sums holds the count and the sum over the rows of a text or a class.
type sums struct{ n, s float64 }

// add adds the cells of the next rows, at most stripeRows, and their responses; nil means that these
// are unknown. s holds the weights of the rows; nil means that the column is not compared with others.
func (t *trace) add(x, y []float64, s *stripe) {
	var from [stripeRows]float64 // distances from the first number, 0 where it is missing
	t.rows += len(x)
	if t.text {
		t.name(x)
	}
	t.measure(from[:len(x)], x, s)
	if s != nil {
		for k, w := range s.sum {
			t.weights[k] += w
		}
		kernel.MulTFloat64(t.projected[:], s.weights[:len(x)*projections], from[:len(x)])
	}
	for _, v := range x {
		if t.kinds == math.MaxUint64 {
			break
		}
		if v == v {
			t.kinds |= 1 << (mix(math.Float64bits(v+0)) >> 58)
		}
	}
	if y != nil {
		t.pair(x, y, from[:len(x)])
	}
}

// measure adds numbers to the sums that do not depend on the response. It has no branches that
// depend on random numbers.
func (t *trace) measure(from, x []float64, s *stripe) {
	present, flags, rises, falls := t.present, 0, 0, 0
	first, low, last, sum, squares, products := t.first, t.low, t.last, t.sum, t.squares, t.products
	for i, v := range x {
		if v != v {
			if s != nil {
				for k := range t.weights {
					t.weights[k] -= s.weights[i*projections+k]
				}
			}
			continue
		}
		if present == 0 {
			first, low, last = v, v, v
		}
		present++
		if v < low {
			low = v
		}
		flags += one(v == 0) + one(v == 1)
		rises += one(v > last)
		falls += one(v < last)
		d := v - first
		products += d * (last - first)
		sum += d
		squares += d * d
		from[i], last = d, v
	}
	t.present, t.flags, t.rises, t.falls = present, t.flags+flags, t.rises+rises, t.falls+falls
	t.first, t.low, t.last, t.sum, t.squares, t.products = first, low, last, sum, squares, products
}

// one is 1 if a condition holds. The compiler makes no branch of it.
func one(holds bool) int {
	n := 0
	if holds {
		n = 1
	}
	return n
}

// direction returns the random projections of the column of [trace.centred], scaled to length 1. The mean squared difference of two columns is about 2 (1 −
// correlation). varies is false for a constant column.
func (t *trace) direction() (d [projections]float64, varies bool) {
	d, length := t.centred()
	if length == 0 {
		return d, false
	}
	if d[0] < 0 { // the sign of a column does not matter
		length = -length
	}
	for k := range d {
		d[k] /= length
	}
	return d, true
}

// centred returns the random projections of the centred column, with missing numbers replaced by the mean, and the length of
// the column; 0 for a constant one.
func (t *trace) centred() (d [projections]float64, length float64) {
	mean := t.sum / float64(t.present)
	length = math.Sqrt(t.squares - t.sum*mean)
	if !(length > 1e-9*math.Sqrt(t.squares)) {
		return d, 0
	}
	for k := range d {
		d[k] = (t.projected[k] - mean*t.weights[k]) / weightSD
	}
	return d, length
}

// name adds texts to the checksum.
func (t *trace) name(x []float64) {
	for _, v := range x {
		rank := uint64(0) // 0 for missing texts
		if v == v {
			for int(v) >= len(t.ranks) {
				t.ranks = append(t.ranks, 0)
			}
			if t.ranks[int(v)] == 0 {
				t.texts++
				t.ranks[int(v)] = uint64(t.texts)
			}
			rank = t.ranks[int(v)]
		}
		t.hash = (t.hash ^ rank) * 0x9e3779b97f4a7c15
		t.hash ^= t.hash >> 29
	}
}

// sorted reports whether the numbers only rise or only fall, in at least the given number of steps.
func (t *trace) sorted(steps int) bool {
	return t.rises+t.falls >= steps && (t.rises == 0 || t.falls == 0)
}

// autocorrelation returns the correlation of the numbers with those of the next row and, in errors,
// how many standard errors it is above 0, assuming independent rows. For classes, it is the rate at
// which the next row has the same class, above chance.
func (t *trace) autocorrelation(counts map[float64]int) (r, errors float64) {
	n := float64(t.present)
	if t.missing() > 0 || n < leastRows {
		return 0, 0
	}
	if !t.text {
		mean := t.sum / n
		r = (t.products - (n+1)*mean*mean + mean*(t.last-t.first)) / (t.squares - n*mean*mean)
		return r, r * math.Sqrt(n)
	}
	var two, three float64 // Σp², Σp³
	for _, c := range counts {
		p := float64(c) / n
		two += p * p
		three += p * p * p
	}
	r = (float64(t.present-1-t.rises-t.falls)/(n-1) - two) / (1 - two)
	return r, r * math.Sqrt(n) * (1 - two) / math.Sqrt(two-2*three+two*two)
}

func (t *trace) missing() int { return t.rows - t.present }

// pair adds numbers or texts and their responses.
func (t *trace) pair(x, y, from []float64) {
	pairs, sx, sxx, sy, syy, sxy := t.pairs, t.sx, t.sxx, t.sy, t.syy, t.sxy
	for i, v := range x {
		r := y[i]
		if r != r {
			continue
		}
		if v != v {
			t.gap(r)
			continue
		}
		d := from[i]
		pairs++
		sx += d
		sxx += d * d
		sy += r
		syy += r * r
		sxy += d * r
		if t.text && t.classes {
			t.both(v*65536 + r)
		}
	}
	switch {
	case t.text && !t.classes:
		t.group(x, y, y)
	case t.classes && !t.text:
		t.group(y, x, from)
	}
	t.pairs, t.sx, t.sxx, t.sy, t.syy, t.sxy = pairs, sx, sxx, sy, syy, sxy
}

// group adds values to the groups by, in rows that have both this and the other number.
func (t *trace) group(by, other, values []float64) {
	for i, k := range by {
		if k != k || other[i] != other[i] {
			continue
		}
		for int(k) >= len(t.groups) {
			t.groups = append(t.groups, sums{})
		}
		g := &t.groups[int(k)]
		if g.n == 0 {
			if t.filled == mostDistinct {
				continue
			}
			t.filled++
		}
		g.n++
		g.s += values[i]
	}
}

// both counts a row of a text and a class.
func (t *trace) both(key float64) {
	s := t.of[key]
	if s == nil {
		if len(t.of) == mostDistinct {
			return
		}
		if t.of == nil {
			t.of = map[float64]*sums{}
		}
		s = &sums{}
		t.of[key] = s
	}
	s.n++
}

// gap adds the response of a row without a number.
func (t *trace) gap(y float64) {
	g := &t.gaps
	if t.classes {
		if g.classes == nil {
			g.classes = map[float64]float64{}
		}
		g.classes[y]++
	}
	g.n, g.sy, g.syy = g.n+1, g.sy+y, g.syy+y*y
}

// byGaps returns the share of the response that is explained by whether the column is missing, or
// NaN if it cannot be computed.
func (t *trace) byGaps() float64 {
	g, n := &t.gaps, t.gaps.n+t.pairs
	if g.n == 0 || t.pairs == 0 {
		return math.NaN()
	}
	if !t.classes {
		mean := (g.sy + t.sy) / n
		return corrected((g.sy*g.sy/g.n+t.sy*t.sy/t.pairs-n*mean*mean)/(g.syy+t.syy-n*mean*mean), n, 1)
	}
	both := trace{pairs: n, of: map[float64]*sums{}} // treated as a table of two texts
	for y, count := range g.classes {
		both.of[y] = &sums{n: count}
	}
	for key, s := range t.of {
		y := math.Mod(key, 65536)
		if both.of[65536+y] == nil {
			both.of[65536+y] = &sums{}
		}
		both.of[65536+y].n += s.n
	}
	for y, s := range t.groups {
		if s.n > 0 {
			both.of[65536+float64(y)] = &sums{n: s.n}
		}
	}
	return both.table()
}

// alone returns the share of the response that the column explains on its own, or NaN if it cannot
// be computed. For texts and classes it is corrected for their number.
func (t *trace) alone() float64 {
	n := t.pairs
	if n < 3 || t.rises+t.falls == 0 {
		return math.NaN()
	}
	if !t.text && !t.classes {
		xx, yy, xy := t.sxx-t.sx*t.sx/n, t.syy-t.sy*t.sy/n, t.sxy-t.sx*t.sy/n
		return corrected(xy*xy/(xx*yy), n, 1)
	}
	if t.text && t.classes {
		return t.table()
	}
	var between float64 // sum of squares between groups
	for _, s := range t.groups {
		if s.n > 0 {
			between += s.s * s.s / s.n
		}
	}
	if t.text {
		return corrected((between-t.sy*t.sy/n)/(t.syy-t.sy*t.sy/n), n, float64(t.filled-1))
	}
	return corrected((between-t.sx*t.sx/n)/(t.sxx-t.sx*t.sx/n), n, float64(t.filled-1))
}

// table returns the square of Cramér's V of texts and classes.
func (t *trace) table() float64 {
	texts, classes := map[float64]float64{}, map[float64]float64{}
	for key, s := range t.of {
		texts[math.Floor(key/65536)] += s.n
		classes[math.Mod(key, 65536)] += s.n
	}
	if len(texts) < 2 || len(classes) < 2 {
		return math.NaN()
	}
	phi := -1.0 // χ²/n
	for key, s := range t.of {
		phi += s.n * s.n / (texts[math.Floor(key/65536)] * classes[math.Mod(key, 65536)])
	}
	r, k := float64(len(texts)), float64(len(classes))
	return min(max(0, phi-(r-1)*(k-1)/(t.pairs-1))/(min(r, k)-1), 1)
}

// corrected returns a share of variance, corrected for what the given degrees of freedom explain by
// chance.
func corrected(share, n, freedom float64) float64 {
	if n-freedom-1 < 1 || share-share != 0 {
		return math.NaN()
	}
	return min(max(0, 1-(1-share)*(n-1)/(n-freedom-1)), 1)
}
