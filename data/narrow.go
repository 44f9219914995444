package data

import (
	"context"
	"errors"
	"fmt"
	"math"

	"fsa/internal/kernel"
)

// Storage says in how many bits the numbers of a dense table are kept while it is
// learned from. Fewer are read in less time.
type Storage string

const (
	// StorageFloat32 keeps numbers as they are read.
	StorageFloat32 Storage = ""
	// StorageBFloat16 keeps the upper half of a float32, 8 bits of the distance
	// from the mean of the column: every number is moved by at most 1/256 of that.
	StorageBFloat16 Storage = "bfloat16"
	// StorageInt8 keeps one of 255 values between the least and the greatest of
	// the column: every number is moved by at most 1/508 of that range.
	StorageInt8 Storage = "int8"
)

// ErrStorage says that there are no numbers that could be kept in fewer bits.
var ErrStorage = errors.New("data: only the numbers of a dense table in memory can be kept in fewer bits, with linear responses")

// Narrow rounds the dense numbers of the design and keeps them in fewer bits.
// Text stays as it is. With discard the numbers it had are let go as they are
// rounded, also in the dataset that the design is of.
func (g *Design) Narrow(ctx context.Context, s Storage, discard bool) error {
	if s == StorageFloat32 {
		return nil
	}
	parts := []Matrix{g.X}
	if c, ok := g.X.(*Concat); ok {
		parts = append([]Matrix(nil), c.parts...)
	}
	m, ok := parts[0].(*Dense)
	if !ok {
		return ErrStorage
	}
	all, err := m.extents(ctx)
	if err != nil {
		return err
	}
	codings := make([]coding, m.cols)
	switch s {
	case StorageBFloat16:
		for j := range codings {
			codings[j] = all[j].aroundMean(m.rows)
		}
		parts[0], err = convert(ctx, m, &bfloat16Products, discard, func(to []uint16, from []float32) {
			for j, v := range from {
				to[j] = kernel.BFloat16(float32(codings[j].cell(v)))
			}
		})
	case StorageInt8:
		for j := range codings {
			codings[j] = all[j].overRange()
		}
		parts[0], err = convert(ctx, m, &int8Products, discard, func(to []int8, from []float32) {
			for j, v := range from {
				to[j] = int8(math.RoundToEven(codings[j].cell(v)))
			}
		})
	default:
		return fmt.Errorf("data: unknown storage %q", s)
	}
	if err != nil {
		return err
	}
	for j, u := range codings {
		g.Offset[j] += g.Scale[j] * u.zero
		g.Scale[j] /= u.perUnit
	}
	g.X = Beside(parts...)
	return nil
}

// coding says how the numbers of a column become cells.
type coding struct {
	zero    float64 // the number whose cell is zero
	perUnit float64 // what cells grow by when the number grows by one
}

func (u coding) cell(v float32) float64 { return (float64(v) - u.zero) * u.perUnit }

// extent is what has to be known of a column before it is rounded.
type extent struct {
	low, high float32
	sum       float64
}

// aroundMean returns the coding whose cells lie between −1 and 1, with zero where
// precision is needed most. Their unit is a power of two, so that rounding does
// not depend on it.
func (e extent) aroundMean(rows int) coding {
	mean := e.sum / float64(rows)
	_, exponent := math.Frexp(max(float64(e.high)-mean, mean-float64(e.low)))
	return coding{mean, math.Ldexp(1, -exponent)}
}

// overRange returns the coding whose cells go from −127 to 127.
func (e extent) overRange() coding {
	u := coding{float64(e.low)/2 + float64(e.high)/2, 1}
	if e.low < e.high {
		u.perUnit = 2 * math.MaxInt8 / (float64(e.high) - float64(e.low))
	}
	return u
}

// extents measures all columns. Each is walked through by one thread, so that
// sums do not depend on how many there are.
func (d *Dense) extents(ctx context.Context) ([]extent, error) {
	const stripe = 512 // columns whose extents stay in the cache
	all := make([]extent, d.cols)
	parallel((d.cols+stripe-1)/stripe, func(s int) {
		lo, hi := s*stripe, min((s+1)*stripe, d.cols)
		mine := all[lo:hi]
		for j, v := range d.row(0)[lo:hi] {
			mine[j] = extent{low: v, high: v}
		}
		for i := range d.rows {
			if i%d.perChunk == 0 && ctx.Err() != nil {
				return
			}
			for j, v := range d.row(i)[lo:hi] {
				e := &mine[j]
				e.low, e.high = min(e.low, v), max(e.high, v)
				e.sum += float64(v)
			}
		}
	})
	return all, ctx.Err()
}

// convert returns the rows of m rounded one by one, chunk after chunk, which are
// let go if they may be.
func convert[V uint16 | int8](ctx context.Context, m *Dense, p *products[V], discard bool, round func(to []V, from []float32)) (*rounded[V], error) {
	const stripe = 64 << 10 // cells that one thread rounds
	to := &rounded[V]{grid[V]{rows: m.rows, cols: m.cols, perChunk: m.perChunk}, p}
	step := max(1, stripe/m.cols)
	for c, from := range m.chunks {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		chunk := make([]V, len(from))
		rows := len(from) / m.cols
		parallel((rows+step-1)/step, func(s int) {
			for i := s * step; i < min((s+1)*step, rows); i++ {
				round(chunk[i*m.cols:(i+1)*m.cols], from[i*m.cols:(i+1)*m.cols])
			}
		})
		to.chunks = append(to.chunks, chunk)
		if discard {
			m.chunks[c] = nil
		}
	}
	return to, nil
}
