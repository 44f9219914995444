package data

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"fsa/internal/kernel"
	"fsa/internal/parallel"
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

// storages lists them all.
var storages = []Storage{StorageFloat32, StorageBFloat16, StorageInt8}

// float32Storage is what users call the zero value.
const float32Storage = "float32"

// StorageNames lists the storages as users call them.
func StorageNames() []string { return names(storages, float32Storage) }

// Known reports whether it is one of these.
func (s Storage) Known() bool { return slices.Contains(storages, s) }

// Plain returns the storage itself where s is what users call it.
func (s Storage) Plain() Storage { return unnamed(s, float32Storage) }

// Name returns what users call it.
func (s Storage) Name() string { return cmp.Or(string(s), float32Storage) }

// ErrStorage says that there are no numbers that could be kept in fewer bits.
var ErrStorage = errors.New("data: only the numbers of a dense table in memory can be kept in fewer bits, with linear responses")

// Narrow rounds the dense numbers of a design of the dataset and keeps them in
// fewer bits. Text stays as it is. With discard the numbers are let go as they are
// rounded, also those of the dataset.
func (d *Dataset) Narrow(ctx context.Context, g *Design, s Storage, discard bool) error {
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
	codes := make([]coding, m.cols)
	var err error
	switch s {
	case StorageBFloat16:
		for v := range codes {
			codes[v] = d.Columns[g.Variables[v]].aroundMean()
		}
		parts[0], err = narrowed(ctx, m, &bfloat16Products, discard, func(to []uint16, from []float32) {
			codes, to := codes[:len(from)], to[:len(from)]
			for j, v := range from {
				to[j] = kernel.BFloat16(codes[j].cell(v, 2))
			}
		})
	case StorageInt8:
		for v := range codes {
			codes[v] = d.Columns[g.Variables[v]].overRange()
		}
		parts[0], err = narrowed(ctx, m, &int8Products, discard, func(to []int8, from []float32) {
			codes, to := codes[:len(from)], to[:len(from)]
			for j, v := range from {
				to[j] = nearest(codes[j].cell(v, math.MaxInt8))
			}
		})
	default:
		return fmt.Errorf("data: unknown storage %q", s)
	}
	if err != nil {
		return err
	}
	for j, c := range codes {
		g.Offset[j] += g.Scale[j] * float64(c.zero)
		g.Scale[j] /= float64(c.perUnit)
	}
	g.X = Beside(parts...)
	return nil
}

// coding says how the stored numbers of a column become cells.
type coding struct {
	zero    float32 // the number whose cell is zero
	perUnit float32 // what cells grow by when the number grows by one
}

// cell returns the cell of a number, between −top and top. Numbers beyond are those
// of rows without weight, which do not count in the range of a column.
func (c coding) cell(v, top float32) float32 {
	cell := (v - c.zero) * c.perUnit
	if cell > top {
		return top
	}
	if cell < -top {
		return -top
	}
	return cell
}

// nearest rounds a small number to the nearest integer.
func nearest(v float32) int8 {
	const integer = 0x1.8p23 // numbers of this size are integers, and end with their bits
	return int8(math.Float32bits(v + integer))
}

// stored returns what stands for a number of the input.
func (c *Column) stored(x float64) float64 { return c.inUnits(x - c.shift) }

// aroundMean returns the coding whose cells lie between −2 and 2, with zero where
// precision is needed most. Their unit is a power of two, so that rounding does
// not depend on it.
func (c *Column) aroundMean() coding {
	mean := c.stored(c.Mean)
	_, exponent := math.Frexp(max(c.stored(c.Max)-mean, mean-c.stored(c.Min)))
	return coding{float32(mean), float32(math.Ldexp(1, min(1-exponent, 127)))}
}

// overRange returns the coding whose cells go from −127 to 127.
func (c *Column) overRange() coding {
	low, high := c.stored(c.Min), c.stored(c.Max)
	to := coding{float32(low/2 + high/2), 1}
	if low < high {
		to.perUnit = float32(min(2*math.MaxInt8/(high-low), math.MaxFloat32))
	}
	return to
}

// narrowed returns the rows of m rounded one by one.
func narrowed[V uint16 | int8](ctx context.Context, m *Dense, p *products[V], discard bool, round func(to []V, from []float32)) (*rounded[V], error) {
	g, err := converted(ctx, m, m.cols, discard, func(to []V, from []float32) error {
		round(to, from)
		return nil
	})
	return &rounded[V]{g, p}, err
}

// converted returns the rows of m in another form, of so many columns, chunk after
// chunk, which are let go if they may be.
func converted[V uint16 | int8](ctx context.Context, m *Dense, cols int, discard bool, row func(to []V, from []float32) error) (grid[V], error) {
	const stripe = 64 << 10 // cells that one thread converts
	to := grid[V]{rows: m.rows, cols: cols, perChunk: m.perChunk}
	step := max(1, stripe/m.cols)
	for c, from := range m.chunks {
		rows := len(from) / m.cols
		chunk := make([]V, rows*cols)
		err := parallel.Do(ctx, 0, (rows+step-1)/step, func(_, s int) error {
			for i := s * step; i < min((s+1)*step, rows); i++ {
				if err := row(chunk[i*cols:(i+1)*cols], from[i*m.cols:(i+1)*m.cols]); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return to, err
		}
		to.chunks = append(to.chunks, chunk)
		if discard {
			m.chunks[c] = nil
		}
	}
	return to, nil
}
