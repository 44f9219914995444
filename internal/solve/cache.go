package solve

import (
	"slices"

	"fsa/internal/kernel"
	"fsa/loss"
)

// cache holds what a problem and its copies share between solutions: the list of rows with a weight, and
// the evaluator of the last solution. Rows without a weight, such as the held-out rows of a fold, are
// not read until a caller needs their margins.
type cache struct {
	rows   []int       // rows with a weight; nil means all
	others []int       // rows without a weight
	target loss.Target // target of the rows with a weight
	chunks []picked    // masks that select these rows, one for every chunk of them

	heldOutValues map[*float64][]float64 // values of the other rows, by the address of a column
	buffers       [2][]float64           // columns of the last evaluator, and of the one before
	last          *evaluator
	columns       []*float64 // addresses of its columns
}

// picked marks the rows with a weight among the rows lo to hi−1.
type picked struct {
	lo, hi int
	marks  *kernel.Marks
}

func (p *Problem) newCache() *cache {
	t := p.Target
	k := &cache{target: t}
	if t.Query != nil || t.Pairs != nil || !slices.Contains(t.Weight, 0) {
		return k
	}
	k.rows = make([]int, 0, len(t.Y))
	for i, w := range t.Weight {
		if w != 0 {
			k.rows = append(k.rows, i)
		} else {
			k.others = append(k.others, i)
		}
	}
	for lo := 0; lo < len(k.rows); lo += chunk {
		rows := k.rows[lo:min(lo+chunk, len(k.rows))]
		c := picked{lo: rows[0], hi: rows[len(rows)-1] + 1}
		c.marks = kernel.NewMarks(c.hi - c.lo)
		for _, row := range rows {
			c.marks.Mark(row - c.lo)
		}
		k.chunks = append(k.chunks, c)
	}
	k.target.Y, k.target.Weight = make([]float64, len(k.rows)), make([]float64, len(k.rows))
	k.pick(k.target.Y, t.Y, 0)
	k.pick(k.target.Weight, t.Weight, 0)
	if t.Offset != nil {
		k.target.Offset = make([]float64, len(k.rows))
		k.pick(k.target.Offset, t.Offset, 0)
	}
	return k
}

// pick fills dst with the values of a column in consecutive rows with a weight, starting at the lo-th such
// row, which begins a chunk.
func (k *cache) pick(dst, column []float64, lo int) {
	if k.rows == nil {
		copy(dst, column[lo:])
		return
	}
	for len(dst) > 0 {
		c, n := &k.chunks[lo/chunk], min(chunk, len(k.rows)-lo)
		c.marks.Compress(dst[:n], column[c.lo:c.hi])
		dst, lo = dst[n:], lo+n
	}
}

// turn returns the last evaluator, and room for the columns of the next one.
func (k *cache) turn(numbers int) (*evaluator, []float64) {
	k.buffers[0], k.buffers[1] = k.buffers[1], k.buffers[0]
	if cap(k.buffers[0]) < numbers {
		k.buffers[0] = make([]float64, numbers)
	}
	return k.last, k.buffers[0][:numbers]
}

// evaluator returns the last evaluator with the given columns of the problem, and nil if it has another number of
// columns. Only columns that it does not have in the same place are fetched.
func (k *cache) evaluator(p *Problem, cols []int) *evaluator {
	if k.last == nil || len(cols) != len(k.columns) {
		return nil
	}
	for i, col := range cols {
		if at := first(p.X[col]); k.columns[i] != at {
			k.last.fetch(i, p.X[col])
			k.columns[i] = at
		}
	}
	k.last.p = p
	k.last.cols = append(k.last.cols[:0], cols...)
	return k.last
}

// first returns the address of a column, which identifies it.
func first(column []float64) *float64 {
	if len(column) == 0 {
		return nil
	}
	return &column[0]
}

// spread replaces the margins of the rows with a weight by the margins of all rows.
func (p *Problem) spread(s *Solution, cols []int) {
	k := p.cache
	if k.rows == nil {
		return
	}
	n, rows := p.rows(), len(k.rows)
	z, apart := make([]float64, p.outputs()*n), make([]float64, len(k.others))
	for c := range p.outputs() {
		to := z[c*n : (c+1)*n]
		for i, row := range k.rows {
			to[row] = s.Z[c*rows+i]
		}
		p.margins(apart, s, cols, c)
		for i, row := range k.others {
			to[row] = apart[i]
		}
	}
	s.Z = z
}

// margins sets z to the margins of the rows without a weight, for output c.
func (p *Problem) margins(z []float64, s *Solution, cols []int, c int) {
	for i := range z {
		z[i] = s.Intercept[c]
	}
	for j, col := range cols {
		axpy(z, s.Beta[c][j], p.cache.heldOut(p.X[col], len(p.X)))
	}
}

// heldOut returns the values of a column in the rows without a weight. It caches them, for at most about
// twice the given number of columns.
func (k *cache) heldOut(column []float64, columns int) []float64 {
	at := first(column)
	if x, known := k.heldOutValues[at]; known {
		return x
	}
	if k.heldOutValues == nil || len(k.heldOutValues) > 2*columns { // columns were replaced
		k.heldOutValues = map[*float64][]float64{}
	}
	x := make([]float64, len(k.others))
	for i, row := range k.others {
		x[i] = column[row]
	}
	k.heldOutValues[at] = x
	return x
}

// Margins returns the margins of some rows, output after output.
func (p *Problem) Margins(s *Solution, cols, rows []int) []float64 {
	to := make([]float64, 0, len(s.Beta)*len(rows))
	if n := p.rows(); s.Z != nil {
		for c := range s.Beta {
			for _, row := range rows {
				to = append(to, s.Z[c*n+row])
			}
		}
		return to
	}
	to = to[:len(rows)]
	if p.cache != nil && slices.Equal(rows, p.cache.others) {
		p.margins(to, s, cols, 0)
		return to
	}
	for i := range to {
		to[i] = s.Intercept[0]
	}
	for j, col := range cols {
		x, beta := p.X[col], s.Beta[0][j]
		for i, row := range rows {
			to[i] += beta * x[row]
		}
	}
	return to
}
