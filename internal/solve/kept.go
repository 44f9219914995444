package solve

import (
	"slices"

	"fsa/internal/kernel"
	"fsa/loss"
)

// kept is what a problem and its copies keep between solutions: the rows with a weight, and the columns
// of the last solution in blocks of these rows. Rows without a weight, such as those held out of a
// fold, are not read until their margins are asked for.
type kept struct {
	rows   []int       // rows with a weight; nil means all
	others []int       // rows without one
	target loss.Target // of the rows
	chunks []picked    // how rows are picked, by chunks of as many rows with a weight

	apart   map[*float64][]float64 // numbers of the other rows, by the first number of a column
	room    []float64
	last    *work
	columns []*float64 // first numbers of its columns
}

// picked marks the rows with a weight among rows from lo on.
type picked struct {
	lo, hi int
	marks  *kernel.Marks
}

func (p *Problem) keep() *kept {
	t := p.Target
	k := &kept{target: t}
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

// pick copies the numbers of as many rows with a weight as dst has, from the lo-th on: whole chunks.
func (k *kept) pick(dst, column []float64, lo int) {
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

// work returns the last work if it is on some columns of a problem; else nil.
func (k *kept) work(p *Problem, cols []int) *work {
	if k.last == nil || len(cols) != len(k.columns) {
		return nil
	}
	for i, col := range cols {
		if k.columns[i] != first(p.X[col]) {
			return nil
		}
	}
	k.last.p = p
	k.last.cols = append(k.last.cols[:0], cols...)
	return k.last
}

// first returns the address of the first number of a column, by which columns are told apart.
func first(column []float64) *float64 {
	if len(column) == 0 {
		return nil
	}
	return &column[0]
}

// spread brings the margins of a solution from the rows with a weight to all rows.
func (p *Problem) spread(s *Solution, cols []int) {
	k := p.kept
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

// margins sets z to the margins of the rows without a weight by an output.
func (p *Problem) margins(z []float64, s *Solution, cols []int, c int) {
	for i := range z {
		z[i] = s.Intercept[c]
	}
	for j, col := range cols {
		axpy(z, s.Beta[c][j], p.kept.heldOut(p.X[col], len(p.X)))
	}
}

// heldOut returns the numbers of a column in the rows without a weight. Those of about as many columns
// as a problem has are kept.
func (k *kept) heldOut(column []float64, columns int) []float64 {
	at := first(column)
	if x, known := k.apart[at]; known {
		return x
	}
	if k.apart == nil || len(k.apart) > 2*columns { // columns were replaced
		k.apart = map[*float64][]float64{}
	}
	x := make([]float64, len(k.others))
	for i, row := range k.others {
		x[i] = column[row]
	}
	k.apart[at] = x
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
	if p.kept != nil && slices.Equal(rows, p.kept.others) {
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
