package baseline

import "fsa/internal/matrix"

// byteCodes are the codes of a table of bytes, which is not copied: each byte has a code.
type byteCodes struct {
	*matrix.Bytes
	code []*[256]uint8 // codes of the bytes, per variable
}

var _ coded = (*byteCodes)(nil)

// newByteCodes assigns codes to the bytes of the usable variables.
func newByteCodes(x *matrix.Bytes, t *task, code func(v int, x float64) uint8) *byteCodes {
	c := &byteCodes{x, make([]*[256]uint8, len(t.design.Variables))}
	for _, v := range t.design.Usable {
		c.code[v] = new([256]uint8)
		for b := range c.code[v] {
			c.code[v][b] = code(v, float64(b))
		}
	}
	return c
}

func (c *byteCodes) tally(sums []float64, v int, x []float64, _ float64) {
	clear(sums)
	var byByte [256]float64
	for first, run := range c.Runs(v) {
		x := x[first : first+len(run)]
		for i, b := range run {
			byByte[b] += x[i]
		}
	}
	for b, code := range c.code[v] {
		sums[code] += byByte[b]
	}
}

// tallyBoth reads the bytes once.
func (c *byteCodes) tallyBoth(sumsX, sumsY []float64, v int, x, y []float64, _, _ float64) {
	clear(sumsX)
	clear(sumsY)
	// Even and odd rows have separate sums, because a processor must wait for a sum before it can
	// add to it again.
	var even, odd [256]struct{ x, y float64 }
	for first, run := range c.Runs(v) {
		x, y := x[first:first+len(run)], y[first:first+len(run)]
		i := 1
		for ; i < len(run); i += 2 {
			a, b := &even[run[i-1]], &odd[run[i]]
			a.x += x[i-1]
			a.y += y[i-1]
			b.x += x[i]
			b.y += y[i]
		}
		if i == len(run) {
			a := &even[run[i-1]]
			a.x += x[i-1]
			a.y += y[i-1]
		}
	}
	for b, code := range c.code[v] {
		sumsX[code] += even[b].x + odd[b].x
		sumsY[code] += even[b].y + odd[b].y
	}
}

func (c *byteCodes) spread(dst []float64, v int, heights []float64) {
	var ofByte [256]float64
	for b, code := range c.code[v] {
		ofByte[b] = heights[code]
	}
	for first, run := range c.Runs(v) {
		to := dst[first : first+len(run)]
		for i, b := range run {
			to[i] += ofByte[b]
		}
	}
}
