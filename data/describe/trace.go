package describe

import "math"

// projections is the number of random projections by which columns are compared. With eight, one of
// 10¹⁵ pairs of independent columns is mistaken for copies.
const projections = 8

// weightSD is the standard deviation of the weights of [trace.project], which are bytes minus their
// mean.
const weightSD = 73.9

const (
	mostDistinct = 10_000 // largest number of different values that are counted
	leastRows    = 20     // with fewer rows, nothing is suspected
)

// trace holds sums of a column, updated row after row, from which leaks, copies and ordered rows
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
	products     float64 // sum of products of neighbours; both sums are over all steps
	same         int     // steps without a change
	inARow       bool    // the previous row has a number

	kinds uint64 // classes of a hash of the numbers that occur

	hash  uint64 // hash of the texts, each identified by the order of its first row
	ranks map[float64]uint64

	// Sums over rows with a known response.
	pairs, sx, sxx, sy, syy, sxy float64
	of                           map[float64]*sums // by text, or by class

	gaps gaps // rows without a number and with a known response
}

// gaps holds sums of the responses of the rows in which a column is missing.
type gaps struct {
	n, sy, syy float64
	classes    map[float64]float64 // rows of each class
}

// sums holds the count and the sum over the rows of a text or a class.
type sums struct{ n, s float64 }

// add adds the cell of the next row, and its response.
func (t *trace) add(x, y float64) {
	row := t.rows
	t.rows++
	if t.text {
		t.name(x)
	}
	if x != x {
		t.inARow = false
		if y == y {
			t.gap(y)
		}
		return
	}
	if t.present == 0 {
		t.first, t.low, t.of = x, x, map[float64]*sums{}
	}
	if t.low = min(t.low, x); x == 0 || x == 1 {
		t.flags++
	}
	t.step(x)
	t.present++
	t.kinds |= 1 << (mix(math.Float64bits(x+0)) >> 58)
	t.project(row, x-t.first)
	if y == y {
		t.pair(x, y)
	}
}

// step compares a number with the last one.
func (t *trace) step(x float64) {
	if t.present > 0 {
		switch {
		case x > t.last:
			t.rises++
		case x < t.last:
			t.falls++
		}
		if t.inARow {
			t.products += (x - t.first) * (t.last - t.first)
			if x == t.last {
				t.same++
			}
		}
	}
	t.last, t.inARow = x, true
}

// project adds a number to the random projections. The weights of a row are the bytes of a hash of
// the row number (SplitMix64), so all columns have the same weights.
func (t *trace) project(row int, x float64) {
	t.sum += x
	t.squares += x * x
	h := uint64(row+1) * 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	h ^= h >> 31
	for k := range t.projected {
		w := float64(uint8(h>>(8*k))) - 127.5
		t.weights[k] += w
		t.projected[k] += w * x
	}
}

// direction returns the random projections of the column, centred and scaled to length 1, with
// missing numbers replaced by the mean. The mean squared difference of two columns is about 2 (1 −
// correlation). varies is false for a constant column.
func (t *trace) direction() (d [projections]float64, varies bool) {
	n := float64(t.present)
	mean := t.sum / n
	length := math.Sqrt(t.squares - t.sum*mean)
	if !(length > 1e-9*math.Sqrt(t.squares)) {
		return d, false
	}
	for k := range d {
		d[k] = (t.projected[k] - mean*t.weights[k]) / (length * weightSD)
	}
	if d[0] < 0 { // the sign of a column does not matter
		for k := range d {
			d[k] = -d[k]
		}
	}
	return d, true
}

// name adds a text to the checksum.
func (t *trace) name(x float64) {
	if t.ranks == nil {
		t.ranks = map[float64]uint64{}
	}
	rank := uint64(0) // 0 for missing texts
	if x == x {
		if rank = t.ranks[x]; rank == 0 {
			rank = uint64(len(t.ranks) + 1)
			t.ranks[x] = rank
		}
	}
	t.hash = (t.hash ^ rank) * 0x9e3779b97f4a7c15
	t.hash ^= t.hash >> 29
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
	r = (float64(t.same)/(n-1) - two) / (1 - two)
	return r, r * math.Sqrt(n) * (1 - two) / math.Sqrt(two-2*three+two*two)
}

func (t *trace) missing() int { return t.rows - t.present }

// pair adds a number or text and its response.
func (t *trace) pair(x, y float64) {
	t.pairs++
	by, value := x, y // for a text: responses by text
	if t.classes {
		by, value = y, x-t.first // for a number: numbers by class
		if t.text {
			by = x*65536 + y // for both: rows by text and class
		}
	}
	if t.text || t.classes {
		if t.of[by] == nil && len(t.of) < mostDistinct {
			t.of[by] = &sums{}
		}
		if s := t.of[by]; s != nil {
			s.n++
			s.s += value
		}
	}
	x -= t.first
	t.sx, t.sxx, t.sy, t.syy, t.sxy = t.sx+x, t.sxx+x*x, t.sy+y, t.syy+y*y, t.sxy+x*y
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
		y := key
		if t.text {
			y = math.Mod(key, 65536)
		}
		if both.of[65536+y] == nil {
			both.of[65536+y] = &sums{}
		}
		both.of[65536+y].n += s.n
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
	for _, s := range t.of {
		between += s.s * s.s / s.n
	}
	if t.text {
		return corrected((between-t.sy*t.sy/n)/(t.syy-t.sy*t.sy/n), n, float64(len(t.of)-1))
	}
	return corrected((between-t.sx*t.sx/n)/(t.sxx-t.sx*t.sx/n), n, float64(len(t.of)-1))
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
