package data

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"fsa/internal/matrix"
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
	parts := matrix.Parts(g.X)
	m, ok := parts[0].(matrix.Rounder)
	if !ok {
		return ErrStorage
	}
	_, cols := m.Dims()
	codes := make([]matrix.Coding, cols)
	var err error
	switch s {
	case StorageBFloat16:
		for v := range codes {
			codes[v] = d.Columns[g.Variables[v]].aroundMean()
		}
		parts[0], err = m.BFloat16(ctx, codes, discard)
	case StorageInt8:
		for v := range codes {
			codes[v] = d.Columns[g.Variables[v]].overRange()
		}
		parts[0], err = m.Int8(ctx, codes, discard)
	default:
		return fmt.Errorf("data: unknown storage %q", s)
	}
	if err != nil {
		return err
	}
	for j, c := range codes {
		g.Offset[j] += g.Scale[j] * float64(c.Zero)
		g.Scale[j] /= float64(c.PerUnit)
	}
	g.X = matrix.Beside(parts...)
	return nil
}

// stored returns what stands for a number of the input.
func (c *Column) stored(x float64) float64 { return c.inUnits(x - c.shift) }

// aroundMean returns the coding whose cells lie between −2 and 2, with zero where
// precision is needed most. Their unit is a power of two, so that rounding does
// not depend on it.
func (c *Column) aroundMean() matrix.Coding {
	mean := c.stored(c.Mean)
	_, exponent := math.Frexp(max(c.stored(c.Max)-mean, mean-c.stored(c.Min)))
	return matrix.Coding{Zero: float32(mean), PerUnit: float32(math.Ldexp(1, min(1-exponent, 127)))}
}

// overRange returns the coding whose cells go from −127 to 127.
func (c *Column) overRange() matrix.Coding {
	low, high := c.stored(c.Min), c.stored(c.Max)
	to := matrix.Coding{Zero: float32(low/2 + high/2), PerUnit: 1}
	if low < high {
		to.PerUnit = float32(min(2*math.MaxInt8/(high-low), math.MaxFloat32))
	}
	return to
}
