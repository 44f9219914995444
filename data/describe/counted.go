package describe

import (
	"maps"
	"math"
	"slices"
)

const (
	mostDistinct = 10_000 // different values that are counted
	sampleSize   = 4096   // values that a shape is drawn from
	shapeBins    = 8
)

// counted is what is added up of a column.
type counted struct {
	text    bool // cells are numbers of texts
	classes bool // responses are numbers of texts

	n, missing     int
	low, high      float64
	whole, repeats bool // all are whole; some number is there twice
	many           bool // there are more different ones than are counted
	counts         map[float64]int
	hash           uint64 // of all cells in order

	sample []float64 // every stride-th value
	stride int

	// Sums over rows in which the response is known; numbers relative to the first one.
	first, pairs, sx, sxx, sy, syy, sxy float64
	of                                  map[float64]*sums // by text, or by class
}

// sums are those of the rows of a text or a class.
type sums struct{ n, s float64 }

func (c *counted) add(x, y float64) {
	bits := math.Float64bits(x)
	c.hash = (c.hash ^ bits) * 0x9e3779b97f4a7c15
	c.hash ^= c.hash >> 29
	if x != x {
		c.missing++
		return
	}
	if c.n == 0 {
		c.low, c.high, c.first, c.whole, c.stride = x, x, x, true, 1
		c.counts, c.of = map[float64]int{}, map[float64]*sums{}
	}
	if c.n%c.stride == 0 {
		if c.sample = append(c.sample, x); len(c.sample) == sampleSize {
			for i := range sampleSize / 2 {
				c.sample[i] = c.sample[2*i]
			}
			c.sample, c.stride = c.sample[:sampleSize/2], 2*c.stride
		}
	}
	c.n++
	c.low, c.high = min(c.low, x), max(c.high, x)
	c.whole = c.whole && x == math.Trunc(x)
	if n, known := c.counts[x]; known {
		c.counts[x], c.repeats = n+1, true
	} else if len(c.counts) < mostDistinct {
		c.counts[x] = 1
	} else {
		c.many = true
	}
	if y == y {
		c.pair(x, y)
	}
}

// pair adds a number or text and its response.
func (c *counted) pair(x, y float64) {
	c.pairs++
	by, value := x, y // of a text, responses by text
	if c.classes {
		by, value = y, x-c.first // of a number, numbers by class
		if c.text {
			by = x*65536 + y // of both, rows by text and class
		}
	}
	if c.text || c.classes {
		if c.of[by] == nil && len(c.of) < mostDistinct {
			c.of[by] = &sums{}
		}
		if s := c.of[by]; s != nil {
			s.n++
			s.s += value
		}
	}
	x -= c.first
	c.sx, c.sxx, c.sy, c.syy, c.sxy = c.sx+x, c.sxx+x*x, c.sy+y, c.syy+y*y, c.sxy+x*y
}

// addZeros counts the cells that a sparse table does not list.
func (c *counted) addZeros(rows int) {
	if zeros := rows - c.n - c.missing; zeros > 0 && c.n > 0 {
		c.counts[0] += zeros
		c.low, c.high, c.repeats = min(c.low, 0), max(c.high, 0), true
		c.pairs = 0 // responses of these rows are not known here
	}
}

func (c *counted) distinct() int { return len(c.counts) }

// most returns the most frequent value, the least of several; −1 without any.
func (c *counted) most() int {
	at, most := -1.0, 0
	for v, n := range c.counts {
		if n > most || n == most && v < at {
			at, most = v, n
		}
	}
	return int(at)
}

// shape returns the shares of bins, or of the most frequent texts.
func (c *counted) shape() []float64 {
	if c.n == 0 {
		return nil
	}
	out := make([]float64, shapeBins)
	if c.text {
		list := slices.Sorted(maps.Values(c.counts))
		slices.Reverse(list)
		for i, n := range list[:min(len(list), shapeBins)] {
			out[i] = float64(n) / float64(c.n)
		}
		return out[:min(len(list), shapeBins)]
	}
	low, high := c.span()
	for _, x := range c.sample {
		bin := 0
		if high > low {
			bin = int(shapeBins * (x/2 - low/2) / (high/2 - low/2))
		}
		out[min(max(bin, 0), shapeBins-1)] += 1 / float64(len(c.sample))
	}
	return out
}

// span returns what all but the outermost hundredths of the numbers lie between.
func (c *counted) span() (low, high float64) {
	sorted := slices.Sorted(slices.Values(c.sample))
	cut := len(sorted) / 100
	return sorted[cut], sorted[len(sorted)-1-cut]
}

// alone returns how much of the response the column explains by itself, NaN if that
// cannot be said. What texts and classes explain is corrected for their number.
func (c *counted) alone() float64 {
	n := c.pairs
	if n < 3 || len(c.counts) < 2 {
		return math.NaN()
	}
	if !c.text && !c.classes {
		xx, yy, xy := c.sxx-c.sx*c.sx/n, c.syy-c.sy*c.sy/n, c.sxy-c.sx*c.sy/n
		return corrected(xy*xy/(xx*yy), n, 1)
	}
	if c.text && c.classes {
		return c.table()
	}
	var between float64 // sum of squares between groups
	for _, s := range c.of {
		between += s.s * s.s / s.n
	}
	if c.text {
		return corrected((between-c.sy*c.sy/n)/(c.syy-c.sy*c.sy/n), n, float64(len(c.of)-1))
	}
	return corrected((between-c.sx*c.sx/n)/(c.sxx-c.sx*c.sx/n), n, float64(len(c.of)-1))
}

// table returns the square of Cramér's V of texts and classes.
func (c *counted) table() float64 {
	texts, classes := map[float64]float64{}, map[float64]float64{}
	for key, s := range c.of {
		texts[math.Floor(key/65536)] += s.n
		classes[math.Mod(key, 65536)] += s.n
	}
	if len(texts) < 2 || len(classes) < 2 {
		return math.NaN()
	}
	phi := -1.0 // χ²/n
	for key, s := range c.of {
		phi += s.n * s.n / (texts[math.Floor(key/65536)] * classes[math.Mod(key, 65536)])
	}
	r, k := float64(len(texts)), float64(len(classes))
	return min(max(0, phi-(r-1)*(k-1)/(c.pairs-1))/(min(r, k)-1), 1)
}

// corrected returns a share of variance without what so many degrees of freedom explain
// by chance.
func corrected(share, n, freedom float64) float64 {
	if n-freedom-1 < 1 || share-share != 0 {
		return math.NaN()
	}
	return min(max(0, 1-(1-share)*(n-1)/(n-freedom-1)), 1)
}
