package cuda

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"fsa/internal/objective"
	"fsa/internal/parallel"
)

// The device holds the non-zero cells of a sparse table twice: by row, for the margins, and by
// batch and column, for the products, so that each sum is computed by one thread. Other objectives
// cannot use that, because the batches are the objective's own. To remove dropped columns, the table
// is built again.

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

// gather builds the table of the active columns and the present batches.
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

// make uploads the cells to the device.
func (s *sparse) make(ctx context.Context, o *Objective) error {
	_, cols := s.x.Dims()
	place := slices.Repeat([]int32{-1}, cols)
	for at, column := range s.of {
		place[column] = int32(at)
	}
	parts := make([]*sparsePart, len(o.batches))
	next := make([][]int32, runtime.GOMAXPROCS(0))
	err := parallel.Do(ctx, len(next), len(parts), func(thread, b int) error {
		if next[thread] == nil {
			next[thread] = make([]int32, len(s.of))
		}
		parts[b] = s.part(o.batches[b], place, next[thread])
		return nil
	})
	if err != nil {
		return err
	}
	s.parts, s.runs = len(parts), map[int64][2]int64{}
	var rows, cells, segments int64 // before each batch
	for b, p := range parts {
		s.runs[o.batches[b].first] = [2]int64{segments, int64(len(p.column))}
		for i := range p.start {
			p.start[i] += cells
		}
		for i := range p.from {
			p.from[i] += cells
		}
		rows, cells, segments = rows+o.batches[b].rows, cells+int64(len(p.index)), segments+int64(len(p.column))
	}
	a := &s.args
	for _, v := range []struct {
		to    *pointer
		count int64
		size  int
	}{{&a.Start, rows + 1, 8}, {&a.Index, cells, 4}, {&a.Value, cells, 4}, {&a.From, segments + 1, 8}, {&a.Column, segments, 4}, {&a.Row, cells, 4}, {&a.Cell, cells, 4}} {
		if *v.to, err = o.d.make(v.count, v.size); err != nil {
			return err
		}
	}
	rows, cells, segments = 0, 0, 0
	for b, p := range parts { // the end of one is the beginning of the next
		for _, v := range []struct {
			to   pointer
			from []byte
		}{
			{a.Start + pointer(8*rows), bytesOf(p.start)}, {a.Index + pointer(4*cells), bytesOf(p.index)}, {a.Value + pointer(4*cells), bytesOf(p.value)},
			{a.From + pointer(8*segments), bytesOf(p.from)}, {a.Column + pointer(4*segments), bytesOf(p.column)},
			{a.Row + pointer(4*cells), bytesOf(p.row)}, {a.Cell + pointer(4*cells), bytesOf(p.cell)},
		} {
			if err := o.d.upload(v.to, v.from); err != nil {
				return err
			}
		}
		rows, cells, segments = rows+o.batches[b].rows, cells+int64(len(p.index)), segments+int64(len(p.column))
	}
	return nil
}

// sparsePart holds the cells of a batch, by row and by column.
type sparsePart struct {
	start  []int64 // of each row, and the end
	index  []int32
	value  []float32
	from   []int64 // of each segment, and the end
	column []int32
	row    []int32
	cell   []float32
}

// part lists the cells of a batch in columns that have a place. Next has a zero for each of these,
// before and after.
func (s *sparse) part(b batch, place []int32, next []int32) *sparsePart {
	n := 0
	for i := range b.rows {
		index, _ := s.x.Row(int(s.row(b.first + i)))
		n += len(index)
	}
	p := &sparsePart{start: make([]int64, 1, b.rows+1), index: make([]int32, 0, n), value: make([]float32, 0, n), from: []int64{0}}
	for i := range b.rows {
		index, value := s.x.Row(int(s.row(b.first + i)))
		for k, j := range index {
			if at := place[j]; at >= 0 {
				p.index, p.value = append(p.index, at), append(p.value, value[k])
				if next[at]++; next[at] == 1 {
					p.column = append(p.column, at)
				}
			}
		}
		p.start = append(p.start, int64(len(p.index)))
	}
	slices.Sort(p.column)
	end := int32(0)
	for _, at := range p.column {
		next[at], end = end, end+next[at]
		p.from = append(p.from, int64(end))
	}
	p.row, p.cell = make([]int32, end), make([]float32, end)
	for i := range len(p.start) - 1 {
		for c := p.start[i]; c < p.start[i+1]; c++ {
			to := next[p.index[c]]
			p.row[to], p.cell[to] = int32(i), p.value[c]
			next[p.index[c]]++
		}
	}
	for _, at := range p.column {
		next[at] = 0
	}
	return p
}

func (s *sparse) row(i int64) int64 {
	if s.order == nil {
		return i
	}
	return int64(s.order[i])
}

// stale reports whether the table has to be built again: batches have been joined, or most columns
// are dropped.
func (o *Objective) stale() bool {
	const few = 4 // a quarter: listing cells on the processor takes longer than reading dropped ones on the device
	return o.table.sparse.parts != len(o.batches) || few*o.vars <= o.table.cols
}

// pass is a pass over a batch.
func (s *sparse) pass(o *Objective, first, rows int64, kind int32) (*passPlan, error) {
	d, w := o.d, &o.work
	passPlan := w.plans[rows]
	if err := d.zero(w.g, int64(o.outputs)*o.table.width()*4); err != nil || rows == 0 {
		return &passPlan, err
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
	return &passPlan, d.launch("sparse", "products", shape{grid: [3]int{int(max(a.Segments+31, 32) / 32), o.outputs}, block: 256}, &two)
}
