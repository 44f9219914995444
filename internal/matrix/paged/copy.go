package paged

import (
	"context"
	"unsafe"

	"fsa/internal/matrix"
	"fsa/internal/parallel"
)

var _ matrix.Plain = (*Dense)(nil)

// Format implements [matrix.Plain].
func (f *Dense) Format() matrix.Format { return matrix.Float32 }

// Copy implements [matrix.Plain]. Rows should be copied in order: the next page is read in advance.
func (f *Dense) Copy(cols []int) func(ctx context.Context, dst []byte, stride, lo, hi int) error {
	if cols != nil && len(cols) < len(f.part.cols) {
		f = f.narrowed(cols)
	}
	return func(ctx context.Context, dst []byte, stride, lo, hi int) error {
		if lo == hi || len(dst) == 0 {
			return ctx.Err()
		}
		to := unsafe.Slice((*float32)(unsafe.Pointer(&dst[0])), len(dst)/4)
		for lo < hi {
			end := min(hi, (lo/f.part.rows+1)*f.part.rows) // end of the page
			rows, err := f.Slice(ctx, lo, end)
			if err != nil {
				return err
			}
			rows.(*pageRows[[]float32]).parts[0].(*tiles).copyRows(to, stride)
			matrix.Release(rows)
			to, lo = to[min((end-lo)*stride, len(to)):], end
		}
		return nil
	}
}

// copyRows copies rows lo to hi−1, on all cores.
func (t *tiles) copyRows(to []float32, stride int) {
	const few = 64 // minimal number of rows per thread, unless it is a tile
	step := max(t.tile, few/t.tile*t.tile)
	first := t.lo - t.lo%t.tile
	parallel.Each((t.hi-first+step-1)/step, func(s int) {
		part := *t
		part.lo, part.hi = first+s*step, min(first+(s+1)*step, t.hi)
		spare := make([]float32, t.cols) // for rows that are not requested
		part.each(func(at, n int, x []float32) {
			rows := make([][]float32, n)
			for i := range rows {
				if rows[i] = spare; at+i >= t.lo && at+i < t.hi {
					rows[i] = to[(at+i-t.lo)*stride:][:t.cols]
				}
			}
			transpose(rows, x)
		})
	})
}
