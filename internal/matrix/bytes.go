package matrix

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"fsa/internal/parallel"
)

// Bytes is a matrix of integers from 0 to 255. It uses one byte per cell and grows by
// [Bytes.Append].
//
// Rows are stored in tiles. Within a tile the bytes of a variable are contiguous. A product
// therefore computes one table of 256 contributions, or 256 sums, for a variable and many rows. A
// dropped variable is skipped; the others do not move.
type Bytes struct{ byteTiles }

var (
	_ Numbers = (*Bytes)(nil)
	_ Binner  = (*Bytes)(nil)
	_ ByRow   = (*Bytes)(nil)
)

// NewBytes returns an empty matrix.
func NewBytes(cols int) *Bytes {
	return &Bytes{byteTiles{stride: cols, at: orAll(nil, cols)}}
}

// Append adds rows, which must have a byte for every column. They are copied.
// Earlier selections do not contain them.
func (b *Bytes) Append(rows [][]uint8) {
	for _, row := range rows {
		if len(row) != b.stride {
			panic(fmt.Sprintf("matrix: a row of %d bytes for %d columns", len(row), b.stride))
		}
	}
	b.tiles = slices.Clone(b.tiles)
	for len(rows) > 0 {
		have := b.rows % tileRows
		n := min(tileRows-have, len(rows))
		var old []uint8 // the last tile, if it is not full
		if have > 0 {
			old = b.tiles[len(b.tiles)-1]
			b.tiles = b.tiles[:len(b.tiles)-1]
		}
		b.tiles = append(b.tiles, extended(old, have, b.stride, rows[:n]))
		b.rows += n
		rows = rows[n:]
	}
}

// extended returns a tile of the rows of old and further rows.
func extended(old []uint8, have, cols int, rows [][]uint8) []uint8 {
	height := have + len(rows)
	tile := make([]uint8, height*cols)
	const side = 64 // a cache line in both
	parallel.Each((cols+side-1)/side, func(s int) {
		lo, hi := s*side, min((s+1)*side, cols)
		for j := lo; j < hi; j++ {
			copy(tile[j*height:], old[j*have:(j+1)*have])
		}
		for top := 0; top < len(rows); top += side {
			for i, row := range rows[top:min(top+side, len(rows))] {
				at := lo*height + have + top + i
				for _, c := range row[lo:hi] {
					tile[at] = c
					at += height
				}
			}
		}
	})
	return tile
}

// Snapshot returns the current rows. They are not copied.
func (b *Bytes) Snapshot() *Bytes { return &Bytes{b.byteTiles} }

// Permute moves row order[i] to row i, in place. order must be a permutation of all rows.
// Selections share the rows, so none may be used at the same time. If it is cancelled, some columns
// have moved and others have not.
func (b *Bytes) Permute(ctx context.Context, order []int) error {
	if len(order) != b.rows {
		panic(fmt.Sprintf("matrix: an order of %d rows for %d", len(order), b.rows))
	}
	return b.gather(ctx, &b.byteTiles, order)
}

// Dims implements [Matrix].
func (b *Bytes) Dims() (rows, cols int) { return b.rows, len(b.at) }

// Widths implements [Matrix].
func (b *Bytes) Widths() []int { return nil }

// Slice implements [Matrix].
func (b *Bytes) Slice(_ context.Context, lo, hi int) (Rows, error) {
	return byteRows{&b.byteTiles, b, lo, hi}, nil
}

// Select implements [Matrix].
func (b *Bytes) Select(ctx context.Context, rows, vars []int) (Matrix, error) {
	t, err := b.pick(ctx, rows, vars)
	return &Bytes{t}, err
}

// IsSparse implements [Numbers].
func (b *Bytes) IsSparse() bool { return false }

// Measure implements [Numbers] from the weight of each byte.
func (b *Bytes) Measure(ctx context.Context, all []Moments, weight func(row int) float64) error {
	w := make([]float64, b.rows)
	for i := range w {
		w[i] = weight(i)
	}
	return b.histogramAll(ctx, w, func(v int, sums *byteTable) {
		to := &all[v]
		to.Min, to.Max = math.MaxUint8, 0
		for c, w := range sums {
			if w == 0 {
				continue
			}
			x := float64(c)
			to.Min, to.Max = min(to.Min, float32(c)), max(to.Max, float32(c))
			to.Sum += w * x
			to.Squares += w * x * x
			to.Weight += w
		}
	})
}

// Fill implements [Numbers]: no byte is missing.
func (b *Bytes) Fill(ctx context.Context, _ []float32, _ bool) (Matrix, error) { return b, ctx.Err() }

// Vectors implements [ByRow].
func (b *Bytes) Vectors(scale, offset []float64) *Vectors {
	rows, cols := b.Dims()
	v := &Vectors{Count: rows, Length: cols, value: make([]float64, rows*cols)}
	for j := range cols {
		for first, run := range b.Runs(j) {
			for i, c := range run {
				v.value[(first+i)*cols+j] = float64(c)*scale[j] + offset[j]
			}
		}
	}
	return v
}

// Runs iterates over the bytes of a variable in runs of rows, with the first row of
// each run.
func (b *Bytes) Runs(v int) iter.Seq2[int, []uint8] {
	return func(yield func(int, []uint8) bool) {
		for first := 0; first < b.rows; first += tileRows {
			if !yield(first, b.run(v, first, b.rows)) {
				return
			}
		}
	}
}

// table implements [byteCells].
func (b *Bytes) table(t *byteTable, v int, beta []float64) bool {
	for c := range t {
		t[c] = float64(c) * beta[v]
	}
	return beta[v] != 0
}

// fold implements [byteCells].
func (b *Bytes) fold(g []float64, v int, sums *byteTable) {
	var sum float64
	for c, s := range sums {
		sum += float64(c) * s
	}
	g[v] += sum
}
