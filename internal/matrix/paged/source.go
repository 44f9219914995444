package paged

import (
	"fmt"
	"io"
	"sync"
	"unsafe"
)

// Source is a table of numbers that is read piece by piece, from which a [Dense] gets its rows. It
// is safe for concurrent use, and its errors name the location.
type Source interface {
	// Dims returns the number of rows and of columns.
	Dims() (rows, cols int)
	// ReadRows sets dst to rows lo to hi−1 of the given columns, which are ascending. lo is a
	// multiple of TileRows. It returns the number of bytes read.
	ReadRows(dst []float32, cols []int, lo, hi int) (int64, error)
	// UnitRows is the best number of rows to read at a time, a multiple of TileRows.
	UnitRows() int
	// TileRows is the number of rows per tile. Tiles follow each other, and the numbers of a tile
	// are stored column after column. 1 means row after row.
	TileRows() int
}

// plain is a source of float32 numbers that are stored in a file row after row, in the machine's
// format.
type plain struct {
	src        io.ReaderAt
	offset     int64
	rows, cols int
	spare      *sync.Pool // buffers for whole rows
}

var _ Source = (*plain)(nil)

// plainBytes is the number of bytes that are read at a time: enough to keep a disk busy.
const plainBytes = 8 << 20

// Dims implements [Source].
func (p *plain) Dims() (rows, cols int) { return p.rows, p.cols }

// UnitRows implements [Source].
func (p *plain) UnitRows() int { return max(1, plainBytes/(4*p.cols)) }

// TileRows implements [Source].
func (p *plain) TileRows() int { return 1 }

// ReadRows implements [Source]. It always reads whole rows.
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

// bytesOf returns the bytes of numbers, which share their memory.
func bytesOf(x []float32) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), 4*len(x))
}
