package describe

import (
	"maps"
	"math"
	"slices"
)

const (
	sampleSize = 4096 // number of values used for the shape of a distribution
	shapeBins  = 8
)

// counted holds the counts and sums of a column.
type counted struct {
	trace

	n, missing     int
	low, high      float64
	whole, repeats bool // all numbers are whole; some number occurs twice
	many           bool // there are more different values than are counted
	counts         map[float64]int
	summed         bool // its numbers count for copies of rows

	sample []float64 // every stride-th value
	stride int
}

// count adds the cell of the next row.
func (c *counted) count(x float64) {
	if x != x {
		c.missing++
		return
	}
	if c.n == 0 {
		c.low, c.high, c.whole, c.stride = x, x, true, 1
		c.counts = map[float64]int{}
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
}

// addZeros counts the cells that a sparse table does not list.
func (c *counted) addZeros(rows int) {
	if zeros := rows - c.n - c.missing; zeros > 0 && c.n > 0 {
		c.counts[0] += zeros
		c.low, c.high, c.repeats = min(c.low, 0), max(c.high, 0), true
		c.pairs = 0 // the responses of these rows are not known here
	}
}

func (c *counted) distinct() int { return len(c.counts) }

// most returns the most frequent value, the smallest of several, or −1 if there are no values.
func (c *counted) most() int {
	at, most := -1.0, 0
	for v, n := range c.counts {
		if n > most || n == most && v < at {
			at, most = v, n
		}
	}
	return int(at)
}

// shape returns the shares of rows in the bins, or of the most frequent texts.
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

// span returns the range of the numbers without the outermost one percent at each end.
func (c *counted) span() (low, high float64) {
	sorted := slices.Sorted(slices.Values(c.sample))
	cut := len(sorted) / 100
	return sorted[cut], sorted[len(sorted)-1-cut]
}
