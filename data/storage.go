package data

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"fsa/internal/matrix"
)

// Storage is the type in which the numbers of a dense table are stored during training. Fewer
// bits are read faster.
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

// StorageNames lists the names of the storage types.
func StorageNames() []string { return names(storages, float32Storage) }

// Known reports whether it is one of these.
func (s Storage) Known() bool { return slices.Contains(storages, s) }

// Plain returns the storage itself where s is what users call it.
func (s Storage) Plain() Storage { return unnamed(s, float32Storage) }

// Name returns what users call it.
func (s Storage) Name() string { return cmp.Or(string(s), float32Storage) }

// ErrStorage says that the table cannot be stored in fewer bits.
var ErrStorage = errors.New("data: only a dense numeric table in memory can be stored in fewer bits, and with straight lines")

// canRound says whether the numbers can be kept so.
func (d *Dataset) canRound(s Storage) error {
	if _, ok := d.numbers.(matrix.Rounder); s != StorageFloat32 && (!ok || d.Sparse()) {
		return ErrStorage
	}
	return nil
}

// rounded returns a part of number variables in fewer bits. With discard its numbers
// are let go as they are rounded.
func (d *Dataset) rounded(ctx context.Context, p part, numbers []int, s Storage, discard bool) (part, error) {
	x := p.x.(matrix.Rounder)
	round, code := x.BFloat16, (*Column).aroundMean
	if s == StorageInt8 {
		round, code = x.Int8, (*Column).overRange
	}
	codes := make([]matrix.Coding, len(numbers))
	for v, j := range numbers {
		codes[v] = code(&d.Columns[j])
	}
	to := part{scale: make([]float64, len(numbers)), offset: make([]float64, len(numbers))}
	for v, c := range codes {
		to.offset[v] = p.offset[v] + p.scale[v]*float64(c.Zero)
		to.scale[v] = p.scale[v] / float64(c.PerUnit)
	}
	var err error
	to.x, err = round(ctx, codes, discard)
	return to, err
}

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
