package matrix

import (
	"context"
	"math"
	"unsafe"

	"fsa/internal/parallel"
)

// Coded is a Matrix of piecewise-linear cells whose codes can be copied. A code has 16 bits per
// variable: the bin and, in the lower digits, the position in it, or [kernel.MissingCode].
type Coded interface {
	Matrix
	// Codes returns the number of bins of a variable, and the number of binary digits of the
	// position in a bin.
	Codes() (bins, digits int)
	// CopyCodes is like Copy of [Plain], for variables instead of columns.
	CopyCodes(vars []int) func(ctx context.Context, dst []byte, stride, lo, hi int) error
}

var (
	_ Coded = (*Binned)(nil)
	_ Coded = (*BinnedBytes)(nil)
)

// Codes implements [Coded].
func (b *Binned) Codes() (bins, digits int) { return b.count, b.digits }

// CopyCodes implements [Coded].
func (b *Binned) CopyCodes(vars []int) func(ctx context.Context, dst []byte, stride, lo, hi int) error {
	return b.Copy(vars)
}

// Codes implements [Coded].
func (b *BinnedBytes) Codes() (bins, digits int) { return b.count, b.digits }

// CopyCodes implements [Coded]. The position in a bin is rounded to its digits.
func (b *BinnedBytes) CopyCodes(vars []int) func(ctx context.Context, dst []byte, stride, lo, hi int) error {
	vars = orAll(vars, len(b.widths))
	codes := map[*byteKnots]*[256]uint16{}
	of := make([]*[256]uint16, len(vars))
	for i, v := range vars {
		k := b.knots[v]
		if codes[k] == nil {
			codes[k] = b.codesOf(k)
		}
		of[i] = codes[k]
	}
	return func(ctx context.Context, dst []byte, stride, lo, hi int) error {
		if lo == hi || len(dst) == 0 {
			return ctx.Err()
		}
		to := unsafe.Slice((*uint16)(unsafe.Pointer(&dst[0])), len(dst)/2)
		const stripe = 64 // number of variables per thread
		parallel.Each((len(vars)+stripe-1)/stripe, func(s int) {
			for row := lo; row < hi && ctx.Err() == nil; {
				end := hi
				for i := s * stripe; i < min((s+1)*stripe, len(vars)); i++ {
					run := b.run(vars[i], row, hi)
					at, code := (row-lo)*stride+i, of[i]
					for _, c := range run {
						to[at] = code[c]
						at += stride
					}
					end = row + len(run)
				}
				row = end
			}
		})
		return ctx.Err()
	}
}

// codesOf returns the code of each byte.
func (b *BinnedBytes) codesOf(k *byteKnots) *[256]uint16 {
	var to [256]uint16
	for _, s := range k.bins {
		for c := s.from; c < s.to; c++ {
			to[c] = uint16(s.bin<<b.digits + int(math.Round(math.Ldexp(k.alpha[c], b.digits))))
		}
	}
	return &to
}
