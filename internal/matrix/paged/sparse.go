package paged

import (
	"context"
	"fmt"
	"math"
	"sort"
	"sync/atomic"

	"fsa/internal/matrix"
)

// SparseSource is a sparse table that is read in groups of rows, from which a [Sparse] gets its
// rows. It is safe for concurrent use, and its errors name the location.
type SparseSource interface {
	// Groups returns the first row of every group, followed by the number of rows.
	Groups() []int
	// ReadCells returns the cells of the rows of a group.
	ReadCells(group int) (*Cells, error)
}

// Cells are the cells of some sparse rows: row i has the columns Index[Start[i]:Start[i+1]],
// ascending, and the values at the same positions.
type Cells struct {
	Start []int
	Index []uint32
	Value []float64
	// Bytes is the number of bytes read for them.
	Bytes int64
}

// Column is a column of a sparse source.
type Column struct {
	Index    int // index in the source
	Exponent int // its numbers are stored in units of 2 to this power
	Cells    int // number of stored cells
}

// Sparse is a sparse matrix that stays in a file. Its rows are read in the groups of the file each
// time they are needed, and the cells of dropped variables are skipped. A selection is read into
// memory once it fits.
type Sparse struct {
	src    SparseSource
	first  []int // first row of each group, followed by the number of rows
	part   *sparseSelection
	memory int64 // memory that it may use, in bytes
	pages  *pages[*matrix.Sparse]
	read   *atomic.Int64
}

// sparseSelection is the part of its source that a matrix has.
type sparseSelection struct {
	columns []Column
	fill    []float32 // replacement for a missing number, per column; nil if there are none
	cells   int
	place   Finder
}

var _ matrix.Paged = (*Sparse)(nil)

// NewSparse returns the matrix of the given columns of a source, which are ascending. A selection
// that fits into memory bytes is read into memory.
func NewSparse(src SparseSource, columns []Column, memory int64) *Sparse {
	return &Sparse{src: src, first: src.Groups(), part: newSparseSelection(columns), memory: memory, pages: newPages[*matrix.Sparse](), read: new(atomic.Int64)}
}

func newSparseSelection(columns []Column) *sparseSelection {
	p := &sparseSelection{columns: columns}
	list := make([]int, len(columns))
	for k, c := range columns {
		list[k] = c.Index
		p.cells += c.Cells
	}
	p.place = NewFinder(list)
	return p
}

// Dims implements [matrix.Matrix].
func (f *Sparse) Dims() (rows, cols int) { return f.first[len(f.first)-1], len(f.part.columns) }

// Widths implements [matrix.Matrix].
func (f *Sparse) Widths() []int { return nil }

// Cells implements [matrix.Matrix].
func (f *Sparse) Cells() int { return f.part.cells }

// BlockRows implements [matrix.Matrix].
func (f *Sparse) BlockRows() int {
	rows, _ := f.Dims()
	return matrix.BlockRows(8 * (f.part.cells/max(rows, 1) + 1))
}

// Slice implements [matrix.Matrix].
func (f *Sparse) Slice(ctx context.Context, lo, hi int) (matrix.Rows, error) {
	r := &pageRows[*matrix.Sparse]{from: f.pages}
	for g := sort.SearchInts(f.first, lo+1) - 1; lo < hi; g++ {
		x, err := f.pages.acquire(ctx, f.part, g, len(r.held) > 0, f.loader(g))
		if err != nil {
			r.Release()
			return nil, err
		}
		end := min(hi, f.first[g+1])
		r.add(x, end-lo, x.rows.Rows(lo-f.first[g], end-f.first[g]))
		if lo = end; 2*(lo-f.first[g]) >= f.first[g+1]-f.first[g] && g+2 < len(f.first) {
			f.pages.prefetch(f.part, g+1, f.loader(g+1))
		}
	}
	return r, nil
}

// loader returns a function that reads a group.
func (f *Sparse) loader(g int) func(*matrix.Sparse) (*matrix.Sparse, error) {
	return func(*matrix.Sparse) (*matrix.Sparse, error) {
		c, err := f.src.ReadCells(g)
		if err != nil {
			return nil, err
		}
		f.read.Add(c.Bytes)
		return f.part.selected(c), nil
	}
}

// selected returns the matrix of the cells whose columns are in the selection.
func (p *sparseSelection) selected(from *Cells) *matrix.Sparse {
	to := matrix.NewSparse(len(p.columns))
	var kept []uint32
	var numbers []float32
	for i := range len(from.Start) - 1 {
		kept, numbers = kept[:0], numbers[:0]
		for c := from.Start[i]; c < from.Start[i+1]; c++ {
			k := p.place.Find(from.Index[c])
			if k < 0 {
				continue
			}
			v := float32(from.Value[c])
			if e := p.columns[k].Exponent; e != 0 {
				v = float32(math.Ldexp(from.Value[c], -e))
			}
			if v != v && p.fill != nil {
				v = p.fill[k]
			}
			kept, numbers = append(kept, uint32(k)), append(numbers, v)
		}
		to.Add(kept, numbers)
	}
	to.Trim()
	return to
}

// Select implements [matrix.Matrix]. Rows can be chosen only if the result fits into
// memory.
func (f *Sparse) Select(ctx context.Context, rows, vars []int) (matrix.Matrix, error) {
	to := *f
	if vars != nil {
		columns := make([]Column, len(vars))
		for k, v := range vars {
			columns[k] = f.part.columns[v]
		}
		to.part = newSparseSelection(columns)
		if f.part.fill != nil {
			for _, v := range vars {
				to.part.fill = append(to.part.fill, f.part.fill[v])
			}
		}
	}
	if !to.Fits() {
		if rows != nil {
			return nil, fmt.Errorf("paged: %d cells do not fit into memory, so rows cannot be chosen", to.part.cells)
		}
		return &to, nil
	}
	m, err := to.Load(ctx)
	if err != nil || rows == nil {
		return m, err
	}
	return m.Select(ctx, rows, nil)
}

// BytesRead implements [matrix.Paged].
func (f *Sparse) BytesRead() int64 { return f.read.Load() }

// Sequential is for [matrix.Sequential]: files are read ahead.
func (f *Sparse) Sequential() bool { return true }

// FreeDrop is for [matrix.FreeDrop]: the rest is cheaper to multiply, and is read into memory once
// it fits.
func (f *Sparse) FreeDrop() bool { return true }

// Fits implements [matrix.Paged].
func (f *Sparse) Fits() bool {
	rows, _ := f.Dims()
	return 8*(int64(f.part.cells)+int64(rows)) <= f.memory
}

// IsSparse implements [matrix.Numbers].
func (f *Sparse) IsSparse() bool { return true }

// Measure implements [matrix.Numbers].
func (f *Sparse) Measure(ctx context.Context, all []matrix.Moments, weight func(row int) float64) error {
	return f.each(ctx, func(at int, x *matrix.Sparse) error {
		return x.Measure(ctx, all, func(row int) float64 { return weight(at + row) })
	})
}

// Fill implements [matrix.Numbers]: values are filled in when rows are read.
func (f *Sparse) Fill(ctx context.Context, with []float32, _ bool) (matrix.Matrix, error) {
	to, part := *f, *f.part
	part.fill = with
	to.part = &part
	return &to, ctx.Err()
}

// Load implements [matrix.Paged].
func (f *Sparse) Load(ctx context.Context) (matrix.Numbers, error) {
	m := matrix.NewSparse(len(f.part.columns))
	err := f.each(ctx, func(_ int, x *matrix.Sparse) error {
		rows, _ := x.Dims()
		for i := range rows {
			m.Add(x.Row(i))
		}
		return nil
	})
	m.Trim()
	f.pages.clear()
	return m, err
}

// each calls do for all groups in order; at is the first row of the group.
func (f *Sparse) each(ctx context.Context, do func(at int, x *matrix.Sparse) error) error {
	for g, at := range f.first[:len(f.first)-1] {
		x, err := f.pages.acquire(ctx, f.part, g, false, f.loader(g))
		if err != nil {
			return err
		}
		if g+2 < len(f.first) {
			f.pages.prefetch(f.part, g+1, f.loader(g+1))
		}
		err = do(at, x.rows)
		f.pages.release(x)
		if err != nil {
			return err
		}
	}
	return nil
}
