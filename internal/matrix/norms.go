package matrix

import "math"

// Normed is a Matrix that bounds products with it.
type Normed interface {
	Matrix
	// Norms returns the largest norm of a row, and the largest norm of a column.
	Norms() (row, column float64)
}

var (
	_ Normed = (*Dense)(nil)
	_ Normed = (*Sparse)(nil)
	_ Normed = (*Binned)(nil)
	_ Normed = (*SparseBinned)(nil)
	_ Normed = (*OneHot)(nil)
	_ Normed = (*Concat)(nil)
	_ Normed = (*rounded[int8])(nil)
)

// Norms implements [Normed].
func (d *Dense) Norms() (row, column float64) {
	squares := make([]float64, d.cols)
	for i := range d.rows {
		sum := 0.0
		for j, v := range d.row(i) {
			q := float64(v) * float64(v)
			sum += q
			squares[j] += q
		}
		row = max(row, math.Sqrt(sum))
	}
	return row, greatestRoot(squares)
}

// Norms implements [Normed].
func (d *rounded[V]) Norms() (row, column float64) {
	squares := make([]float64, d.cols)
	for i := range d.rows {
		sum := 0.0
		for j, cell := range d.row(i) {
			v := float64(d.value(cell))
			sum += v * v
			squares[j] += v * v
		}
		row = max(row, math.Sqrt(sum))
	}
	return row, greatestRoot(squares)
}

// Norms implements [Normed].
func (s *Sparse) Norms() (row, column float64) {
	squares := make([]float64, s.cols)
	for i := range s.rows {
		sum := 0.0
		index, value := s.row(i)
		for p, j := range index {
			q := float64(value[p]) * float64(value[p])
			sum += q
			squares[j] += q
		}
		row = max(row, math.Sqrt(sum))
	}
	return row, greatestRoot(squares)
}

// Norms implements [Normed].
func (o *OneHot) Norms() (row, column float64) {
	count := make([]float64, o.offset[len(o.categories)])
	for i := range o.rows {
		for j, code := range o.Row(i) {
			count[o.offset[j]+int(code)]++
		}
	}
	return math.Sqrt(float64(len(o.categories))), greatestRoot(count)
}

// Norms implements [Normed] if all parts do. The norm of a row is an upper bound.
func (c *Concat) Norms() (row, column float64) {
	for _, p := range c.parts {
		r, col := p.(Normed).Norms()
		row, column = math.Hypot(row, r), max(column, col)
	}
	return row, column
}

// greatestRoot returns the square root of the largest number.
func greatestRoot(squares []float64) (root float64) {
	for _, q := range squares {
		root = max(root, math.Sqrt(q))
	}
	return root
}

// Norms implements [Normed].
func (b *Binned) Norms() (row, column float64) {
	squares := make([]float64, b.offset[len(b.widths)])
	for i := range b.rows {
		sum := 0.0
		for v, code := range b.row(i) {
			j, alpha := b.knot(code)
			j += b.offset[v]
			low, high := (1-alpha)*(1-alpha), alpha*alpha
			sum += low + high
			squares[j] += low
			if alpha > 0 {
				squares[j+1] += high
			}
		}
		row = max(row, math.Sqrt(sum))
	}
	return row, greatestRoot(squares)
}

// Norms implements [Normed].
func (b *SparseBinned) Norms() (row, column float64) {
	squares := make([]float64, b.offset[len(b.widths)])
	cells := make([]float64, len(squares)) // cells of a row; zero between uses
	for i := range b.rows {
		sum := 0.0
		index, code := b.row(i)
		for p, v := range index {
			lo, hi := b.offset[v], b.offset[v+1]
			b.spread(cells, int(v), code[p], 1)
			b.spread(cells, int(v), b.zero[v], -1)
			for j, x := range cells[lo:hi] {
				sum += x * x
				squares[lo+j] += x * x
			}
			clear(cells[lo:hi])
		}
		row = max(row, math.Sqrt(sum))
	}
	return row, greatestRoot(squares)
}
