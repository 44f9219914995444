package data

import (
	"context"
	"fmt"
	"math"
	"sort"
)

// SparseFile is a sparse matrix that stays in a file. Its rows are read in the
// groups of the file each time they are needed, and the cells of variables
// that are gone are skipped. A selection that fits into memory moves there.
type SparseFile struct {
	src    Store
	first  []int // row of every group, and their number
	part   *sparseSelection
	memory int64 // bytes that it may take
	pages  *pages[*Sparse]
}

// sparseSelection is what a sparse matrix has of its store.
type sparseSelection struct {
	cols     []int // of the table
	exponent []int // of each
	size     []int // cells of each
	fill     []float32
	cells    int
	place    finder
}

var _ InOrder = (*SparseFile)(nil)

// NewSparseFile returns the matrix of the columns of a sparse store that occur.
// A selection of up to memory bytes moves into memory.
func NewSparseFile(s Store, memory int64) *SparseFile {
	part := &sparseSelection{cols: s.Occurring()}
	for _, j := range part.cols {
		p := s.Profile(j)
		part.exponent, part.size = append(part.exponent, p.Exponent), append(part.size, p.Cells)
		part.cells += p.Cells
	}
	part.place = newFinder(part.cols)
	return &SparseFile{src: s, first: s.Groups(), part: part, memory: memory, pages: newPages[*Sparse]()}
}

// Dims implements [Matrix].
func (f *SparseFile) Dims() (rows, cols int) { return f.first[len(f.first)-1], len(f.part.cols) }

// Widths implements [Matrix].
func (f *SparseFile) Widths() []int { return nil }

// Cells implements [Matrix].
func (f *SparseFile) Cells() int { return f.part.cells }

// BlockRows implements [Matrix].
func (f *SparseFile) BlockRows() int {
	rows, _ := f.Dims()
	return blockRows(8 * (f.part.cells/max(rows, 1) + 1))
}

// Slice implements [Matrix].
func (f *SparseFile) Slice(ctx context.Context, lo, hi int) (Rows, error) {
	r := &pageRows[*Sparse]{from: f.pages}
	for g := sort.SearchInts(f.first, lo+1) - 1; lo < hi; g++ {
		x, err := f.pages.take(ctx, f.part, g, len(r.held) > 0, f.loader(g))
		if err != nil {
			r.Release()
			return nil, err
		}
		end := min(hi, f.first[g+1])
		r.add(x, end-lo, sparseRows{x.rows, lo - f.first[g], end - f.first[g]})
		if lo = end; 2*(lo-f.first[g]) >= f.first[g+1]-f.first[g] && g+2 < len(f.first) {
			f.pages.ahead(f.part, g+1, f.loader(g+1))
		}
	}
	return r, nil
}

// loader returns what reads a group.
func (f *SparseFile) loader(g int) func(*Sparse) (*Sparse, error) {
	return func(*Sparse) (*Sparse, error) {
		b, err := f.src.ReadGroup(g)
		if err != nil {
			return nil, err
		}
		to := &Sparse{csr[float32]{cols: len(f.part.cols)}}
		f.part.add(to, b)
		return to, nil
	}
}

// add appends the living cells of a block to a matrix.
func (p *sparseSelection) add(to *Sparse, b *Block) {
	var index []uint32
	var value []float32
	for i := range b.Rows {
		index, value = index[:0], value[:0]
		for c := b.Start[i]; c < b.Start[i+1]; c++ {
			k := p.place.find(b.Index[c])
			if k < 0 {
				continue
			}
			v := float32(b.Value[c])
			if e := p.exponent[k]; e != 0 {
				v = float32(math.Ldexp(b.Value[c], -e))
			}
			if v != v && p.fill != nil {
				v = p.fill[k]
			}
			index, value = append(index, uint32(k)), append(value, v)
		}
		to.add(index, value)
	}
	to.trim()
}

// Select implements [Matrix]. Rows can be chosen only if the result fits into
// memory.
func (f *SparseFile) Select(ctx context.Context, rows, vars []int) (Matrix, error) {
	to := *f
	if vars != nil {
		to.part = &sparseSelection{}
		for _, v := range vars {
			to.part.cols = append(to.part.cols, f.part.cols[v])
			to.part.exponent = append(to.part.exponent, f.part.exponent[v])
			to.part.size = append(to.part.size, f.part.size[v])
			to.part.cells += f.part.size[v]
			if f.part.fill != nil {
				to.part.fill = append(to.part.fill, f.part.fill[v])
			}
		}
		to.part.place = newFinder(to.part.cols)
	}
	if !to.Fits() {
		if rows != nil {
			return nil, fmt.Errorf("data: %d cells do not fit into memory, so rows cannot be chosen", to.part.cells)
		}
		return &to, nil
	}
	m, err := to.sparse(ctx)
	if err != nil || rows == nil {
		return m, err
	}
	return m.Select(ctx, rows, nil)
}

// InOrder implements [InOrder]: what is left of it costs less to multiply, and
// what fits into memory moves there.
func (f *SparseFile) InOrder() {}

// Fits reports whether all of it fits into memory.
func (f *SparseFile) Fits() bool {
	rows, _ := f.Dims()
	return 8*(int64(f.part.cells)+int64(rows)) <= f.memory
}

// isSparse implements [numbers].
func (f *SparseFile) isSparse() bool { return true }

// measure implements [numbers].
func (f *SparseFile) measure(ctx context.Context, all []moments, weight func(row int) float64) error {
	return f.each(ctx, func(at int, x *Sparse) { addSparse(all, at, x, weight) })
}

// fill implements [numbers]: they are filled in when they are read.
func (f *SparseFile) fill(ctx context.Context, mean []float32, _ bool) (Matrix, error) {
	to, part := *f, *f.part
	part.fill = mean
	to.part = &part
	return &to, ctx.Err()
}

// bin implements [numbers].
func (f *SparseFile) bin(_ context.Context, b *binning, _ bool) (Matrix, error) {
	return nil, b.tooLarge()
}

// sparse reads everything into memory.
func (f *SparseFile) sparse(ctx context.Context) (*Sparse, error) {
	m := &Sparse{csr[float32]{cols: len(f.part.cols)}}
	err := f.each(ctx, func(_ int, x *Sparse) {
		for i := range x.rows {
			m.add(x.row(i))
		}
	})
	m.trim()
	f.pages.clear()
	return m, err
}

// each calls do for all groups in order, with the first row of each.
func (f *SparseFile) each(ctx context.Context, do func(at int, x *Sparse)) error {
	for g, at := range f.first[:len(f.first)-1] {
		x, err := f.pages.take(ctx, f.part, g, false, f.loader(g))
		if err != nil {
			return err
		}
		if g+2 < len(f.first) {
			f.pages.ahead(f.part, g+1, f.loader(g+1))
		}
		do(at, x.rows)
		f.pages.give(x)
	}
	return nil
}
