package cuda

import (
	"context"
	"fmt"
	"slices"

	"fsa/internal/matrix"
	"fsa/internal/objective"
	"fsa/internal/parallel"
)

// Of a sparse table the device has the nonzero cells twice: by row, for the margins, and by batch and
// column, for the products, so that each sum has one owner. Nobody else can use that, as batches are its
// own, and dead columns leave it by making it again.

// listed is a matrix whose nonzero cells can be listed.
type listed interface {
	matrix.Matrix
	Row(i int) (index []uint32, value []float32)
}

// scattered is the format of sparse tables. Their rows have as many coefficients as those of float32.
const scattered matrix.Format = 101

// sparse is a sparse table: where it is read from, and what is on the device.
type sparse struct {
	x     listed
	of    []int // column of x of each column of the table
	order []int32
	parts int                // batches that it was made for
	runs  map[int64][2]int64 // segments of each batch, by its first row
	args  sparseArgs
}

// sparseArgs is the argument of its kernels.
type sparseArgs struct {
	P                                            passArgs
	Start, Index, Value, From, Column, Row, Cell pointer
	Segment, Segments                            int64
}

// all returns the memory of the table.
func (a *sparseArgs) all() []pointer {
	return []pointer{a.Start, a.Index, a.Value, a.From, a.Column, a.Row, a.Cell}
}

// sparse returns an objective of a sparse table.
func (d *Device) sparse(ctx context.Context, p *objective.Parts, x listed) (*Objective, error) {
	o, err := d.newObjective(p)
	if err != nil {
		return nil, err
	}
	rows, cols := x.Dims()
	o.table, o.owned = newTable(cellFormat{format: scattered, knots: 1}, int64(rows), cols), true
	o.table.sparse = &sparse{x: x, of: count(cols)}
	if err = o.begun(p, o.table.places(nil, p.Columns)); err == nil {
		err = o.gather(ctx)
	}
	if err != nil {
		o.close()
		return nil, fmt.Errorf("a sparse table: %w", err)
	}
	return o, nil
}

// count returns the numbers from 0 to n−1.
func count(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// gather makes the table of the living columns and of the batches as they are.
func (o *Objective) gather(ctx context.Context) error {
	s, slots := o.table.sparse, o.slots()
	of := make([]int, len(slots))
	for i, v := range slots {
		of[i] = s.of[v]
	}
	s.of = of
	if _, cols := s.x.Dims(); 2*len(of) <= cols {
		x, err := s.x.Select(ctx, nil, of)
		if err != nil {
			return err
		}
		s.x, s.of = x.(listed), count(len(of))
	}
	if err := o.renumber(slots); err != nil {
		return err
	}
	o.d.drop(s.args.all()...)
	s.args = sparseArgs{}
	o.unprepare()
	o.table = newTable(o.table.cellFormat, o.table.rows, len(s.of))
	o.table.sparse, o.wasted = s, 0
	if err := s.make(ctx, o); err != nil {
		return err
	}
	return o.prepare()
}

// make brings the cells to the device.
func (s *sparse) make(ctx context.Context, o *Objective) error {
	_, cols := s.x.Dims()
	place := slices.Repeat([]int32{-1}, cols)
	for at, column := range s.of {
		place[column] = int32(at)
	}
	parts := make([]*sparsePart, len(o.batches))
	err := parallel.Do(ctx, 0, len(parts), func(_, b int) error {
		parts[b] = s.part(o.batches[b], place)
		return nil
	})
	if err != nil {
		return err
	}
	s.parts, s.runs = len(parts), map[int64][2]int64{}
	var all sparsePart
	all.start, all.from = []int64{0}, []int64{0}
	for b, p := range parts {
		at := int64(len(all.index))
		s.runs[o.batches[b].first] = [2]int64{int64(len(all.column)), int64(len(p.column))}
		for _, v := range p.start[1:] {
			all.start = append(all.start, at+v)
		}
		for _, v := range p.from[1:] {
			all.from = append(all.from, at+v)
		}
		all.index, all.value, all.column = append(all.index, p.index...), append(all.value, p.value...), append(all.column, p.column...)
		all.row, all.cell = append(all.row, p.row...), append(all.cell, p.cell...)
		parts[b] = nil
	}
	for _, v := range []struct {
		to   *pointer
		from []byte
	}{
		{&s.args.Start, bytesOf(all.start)}, {&s.args.Index, bytesOf(all.index)}, {&s.args.Value, bytesOf(all.value)}, {&s.args.From, bytesOf(all.from)},
		{&s.args.Column, bytesOf(all.column)}, {&s.args.Row, bytesOf(all.row)}, {&s.args.Cell, bytesOf(all.cell)},
	} {
		if *v.to, err = copied(o.d, v.from); err != nil {
			return err
		}
	}
	return nil
}

// sparsePart is what a batch has: its cells by row, and by column.
type sparsePart struct {
	start  []int64 // of each row, and the end
	index  []int32
	value  []float32
	from   []int64 // of each segment, and the end
	column []int32
	row    []int32
	cell   []float32
}

// part lists the cells of a batch in columns that have a place.
func (s *sparse) part(b batch, place []int32) *sparsePart {
	p := &sparsePart{start: []int64{0}}
	counts := make([]int32, len(s.of))
	for i := range b.rows {
		index, value := s.x.Row(int(s.row(b.first + i)))
		for k, j := range index {
			if at := place[j]; at >= 0 {
				p.index, p.value = append(p.index, at), append(p.value, value[k])
				counts[at]++
			}
		}
		p.start = append(p.start, int64(len(p.index)))
	}
	p.from = []int64{0}
	next := make([]int64, len(counts))
	end := int64(0)
	for at, n := range counts {
		if next[at] = end; n > 0 {
			end += int64(n)
			p.column, p.from = append(p.column, int32(at)), append(p.from, end)
		}
	}
	p.row, p.cell = make([]int32, end), make([]float32, end)
	for i := range len(p.start) - 1 {
		for c := p.start[i]; c < p.start[i+1]; c++ {
			to := &next[p.index[c]]
			p.row[*to], p.cell[*to] = int32(i), p.value[c]
			*to++
		}
	}
	return p
}

func (s *sparse) row(i int64) int64 {
	if s.order == nil {
		return i
	}
	return int64(s.order[i])
}

// stale reports whether the table has to be made again: batches have been joined, or so much was wasted on
// dead columns as that costs.
func (o *Objective) stale() bool {
	const again = 4 // passes that it costs to list the cells
	t := o.table
	return t.sparse.parts != len(o.batches) || o.vars < t.cols && (2*o.vars <= t.cols || o.wasted > again)
}

// pass is a pass over a batch.
func (s *sparse) pass(o *Objective, first, rows int64, kind int32) (*way, error) {
	d, w := o.d, &o.work
	way := w.ways[rows]
	if err := d.zero(w.g, int64(o.outputs)*o.table.width()*4); err != nil || rows == 0 {
		return &way, err
	}
	a := s.args
	a.P = o.passArgs(first, rows, 1, kind)
	a.P.Strips = 1
	a.Segment, a.Segments = s.runs[first][0], s.runs[first][1]
	one, two := a, a
	if err := d.launch("sparse", "margins", shape{grid: [3]int{int((rows + 7) / 8), o.outputs}, block: 256}, &one); err != nil {
		return nil, err
	}
	if err := d.launch("sparse", "derivatives", shape{grid: [3]int{int((rows + 255) / 256)}, block: 256}, &a.P); err != nil {
		return nil, err
	}
	return &way, d.launch("sparse", "products", shape{grid: [3]int{int(max(a.Segments+31, 32) / 32), o.outputs}, block: 256}, &two)
}
