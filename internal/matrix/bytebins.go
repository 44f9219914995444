package matrix

import "context"

// BinnedBytes is a matrix of piecewise-linear cells whose numbers are bytes. It
// shares the bytes with the [Bytes] that it was made from.
type BinnedBytes struct {
	byteTiles
	bins
	knots []*byteKnots // knots of each variable
}

var _ Matrix = (*BinnedBytes)(nil)

// byteKnots holds the positions of bytes among the knots of the bins of a range.
type byteKnots struct {
	alpha byteTable // position in the bin
	bins  []byteBin // the bins that contain bytes
}

// byteBin is a bin and the bytes in it.
type byteBin struct{ bin, from, to int }

// newByteKnots returns the knots of variable v.
func newByteKnots(of *Binning, v int) *byteKnots {
	k := &byteKnots{}
	for c := range k.alpha {
		bin, alpha := Knot(of.Position(v, float32(c)), of.Bins)
		k.alpha[c] = alpha
		if n := len(k.bins); n == 0 || k.bins[n-1].bin != bin {
			k.bins = append(k.bins, byteBin{bin, c, c})
		}
		k.bins[len(k.bins)-1].to = c + 1
	}
	return k
}

// Bin implements [Binner]: the bytes do not move.
func (b *Bytes) Bin(ctx context.Context, of *Binning, _ bool) (Matrix, []float64, error) {
	to := &BinnedBytes{byteTiles: b.byteTiles, bins: of.bins(), knots: make([]*byteKnots, len(of.Columns))}
	to.at = make([]int, len(of.Columns))
	knots := map[[2]float64]*byteKnots{} // most variables have the same range
	for v, column := range of.Columns {
		to.at[v] = b.at[column]
		ends := of.Range[v]
		if knots[ends] == nil {
			knots[ends] = newByteKnots(of, v)
		}
		to.knots[v] = knots[ends]
	}
	return to, nil, ctx.Err()
}

// addAll implements [summer].
func (b *BinnedBytes) addAll(ctx context.Context, g, r []float64) error {
	return b.histogramAll(ctx, r, func(v int, sums *byteTable) { b.fold(g, v, sums) })
}

// Dims implements [Matrix].
func (b *BinnedBytes) Dims() (rows, cols int) { return b.rows, b.offset[len(b.widths)] }

// Widths implements [Matrix].
func (b *BinnedBytes) Widths() []int { return b.widths }

// Slice implements [Matrix].
func (b *BinnedBytes) Slice(_ context.Context, lo, hi int) (Rows, error) {
	return byteRows{&b.byteTiles, b, lo, hi}, nil
}

// Select implements [Matrix].
func (b *BinnedBytes) Select(ctx context.Context, rows, vars []int) (Matrix, error) {
	t, err := b.byteTiles.pick(ctx, rows, vars)
	to := &BinnedBytes{t, b.bins.pick(vars), b.knots}
	if vars != nil {
		to.knots = make([]*byteKnots, len(vars))
		for k, v := range vars {
			to.knots[k] = b.knots[v]
		}
	}
	return to, err
}

// table implements [byteCells].
func (b *BinnedBytes) table(t *byteTable, v int, beta []float64) bool {
	beta = beta[b.offset[v]:b.offset[v+1]]
	if !anyNonzero(beta) {
		return false
	}
	r := b.knots[v]
	for _, s := range r.bins {
		left, right := beta[s.bin], beta[s.bin+1]
		alpha := r.alpha[s.from:s.to]
		to := t[s.from:s.to][:len(alpha)]
		for c, a := range alpha {
			to[c] = (1-a)*left + a*right
		}
	}
	return true
}

// fold implements [byteCells].
func (b *BinnedBytes) fold(g []float64, v int, sums *byteTable) {
	g = g[b.offset[v]:b.offset[v+1]]
	r := b.knots[v]
	for _, s := range r.bins {
		alpha := r.alpha[s.from:s.to]
		sums := sums[s.from:s.to][:len(alpha)]
		var left, right, left2, right2 float64 // two lanes, which a processor can do at once
		c := 0
		for ; c+2 <= len(alpha); c += 2 {
			left += (1 - alpha[c]) * sums[c]
			right += alpha[c] * sums[c]
			left2 += (1 - alpha[c+1]) * sums[c+1]
			right2 += alpha[c+1] * sums[c+1]
		}
		if c < len(alpha) {
			left += (1 - alpha[c]) * sums[c]
			right += alpha[c] * sums[c]
		}
		g[s.bin] += left + left2
		g[s.bin+1] += right + right2
	}
}

func anyNonzero(x []float64) bool {
	for _, v := range x {
		if v != 0 {
			return true
		}
	}
	return false
}
