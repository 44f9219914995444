package paged

import (
	"fmt"
	"io"
	"sync"
	"unsafe"
)

// Source is a table of numbers that is read piece by piece: where a [Dense] has
// its rows from. It is safe for concurrent use, and its errors say where they are.
type Source interface {
	// Dims returns the number of rows and of columns.
	Dims() (rows, cols int)
	// ReadRows sets dst to rows lo to hi−1 of the given columns, ascending. Lo
	// is a multiple of TileRows. It returns how many bytes were read.
	ReadRows(dst []float32, cols []int, lo, hi int) (int64, error)
	// UnitRows is how many rows are best read at once, a multiple of TileRows.
	UnitRows() int
	// TileRows is how many rows are a tile, in which numbers come column after
	// column; tiles come one after the other. 1 means row after row.
	TileRows() int
}

// plain is a source of float32 numbers that lie in a file row after row, as the
// machine holds them in memory.
type plain struct {
	src        io.ReaderAt
	offset     int64
	rows, cols int
	spare      *sync.Pool // of whole rows
}

var _ Source = (*plain)(nil)

// plainBytes is how much is read at once: enough for a disk to be busy.
const plainBytes = 8 << 20

// Dims implements [Source].
func (p *plain) Dims() (rows, cols int) { return p.rows, p.cols }

// UnitRows implements [Source].
func (p *plain) UnitRows() int { return max(1, plainBytes/(4*p.cols)) }

// TileRows implements [Source].
func (p *plain) TileRows() int { return 1 }

// ReadRows implements [Source]. Whole rows are read, whatever is used of them.
func (p *plain) ReadRows(dst []float32, cols []int, lo, hi int) (int64, error) {
	if hi == lo || p.cols == 0 {
		return 0, nil
	}
	x := dst
	if len(cols) < p.cols {
		room, _ := p.spare.Get().(*[]float32)
		if room == nil || cap(*room) < (hi-lo)*p.cols {
			room = new(make([]float32, (hi-lo)*p.cols))
		}
		defer p.spare.Put(room)
		x = (*room)[:(hi-lo)*p.cols]
	}
	if _, err := p.src.ReadAt(bytesOf(x), p.offset+4*int64(lo)*int64(p.cols)); err != nil {
		return 0, fmt.Errorf("paged: rows %d to %d: %w", lo, hi-1, err)
	}
	if len(cols) < p.cols {
		for i := range hi - lo {
			row, to := x[i*p.cols:(i+1)*p.cols], dst[i*len(cols):(i+1)*len(cols)]
			for k, j := range cols {
				to[k] = row[j]
			}
		}
	}
	return 4 * int64(len(x)), nil
}

// bytesOf returns numbers as the bytes that hold them.
func bytesOf(x []float32) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), 4*len(x))
}
