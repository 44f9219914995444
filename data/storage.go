package data

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"fsa/internal/matrix"
)

// Storage is the type in which the numbers of a dense table are stored during training. Formats
// with fewer bits are faster to read.
type Storage string

const (
	// StorageFloat32 stores numbers as they are read.
	StorageFloat32 Storage = ""
	// StorageBFloat16 stores the upper half of a float32 of the distance from the column mean,
	// which has 8 significant bits: a number changes by at most 1/256 of that distance.
	StorageBFloat16 Storage = "bfloat16"
	// StorageInt8 stores one of 255 values between the minimum and the maximum of the column: a
	// number changes by at most 1/508 of that range.
	StorageInt8 Storage = "int8"
)

// storages lists all storage types.
var storages = []Storage{StorageFloat32, StorageBFloat16, StorageInt8}

// float32Storage is the name of the zero value for users.
const float32Storage = "float32"

// StorageNames lists the names of the storage types.
func StorageNames() []string { return names(storages, float32Storage) }

// Known reports whether the storage type is one of these.
func (s Storage) Known() bool { return slices.Contains(storages, s) }

// Plain returns the storage type, or the zero value if s is its name for users.
func (s Storage) Plain() Storage { return unnamed(s, float32Storage) }

// Name returns the name for users.
func (s Storage) Name() string { return cmp.Or(string(s), float32Storage) }

// ErrStorage is returned if a table cannot be stored in fewer bits.
var ErrStorage = errors.New("data: only a dense numeric table in memory can be stored in fewer bits, and only with linear effects")

// canRound returns an error unless the numbers can be stored in this type.
func (d *Dataset) canRound(s Storage) error {
	if _, ok := d.numbers.(matrix.Rounder); s != StorageFloat32 && (!ok || d.Sparse()) {
		return ErrStorage
	}
	return nil
}

// rounded returns a part of numeric variables in fewer bits. With discard, the original numbers are
// released as they are rounded.
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

// aroundMean returns the coding whose cells are between −2 and 2, with zero at the mean, where
// precision matters most. The unit is a power of two, so rounding does not depend on it.
func (c *Column) aroundMean() matrix.Coding {
	mean := c.stored(c.Mean)
	_, exponent := math.Frexp(max(c.stored(c.Max)-mean, mean-c.stored(c.Min)))
	return matrix.Coding{Zero: float32(mean), PerUnit: float32(math.Ldexp(1, min(1-exponent, 127)))}
}

// overRange returns the coding whose cells range from −127 to 127.
func (c *Column) overRange() matrix.Coding {
	low, high := c.stored(c.Min), c.stored(c.Max)
	to := matrix.Coding{Zero: float32(low/2 + high/2), PerUnit: 1}
	if low < high {
		to.PerUnit = float32(min(2*math.MaxInt8/(high-low), math.MaxFloat32))
	}
	return to
}
