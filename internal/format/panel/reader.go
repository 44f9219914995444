package panel

import (
	"context"
	"io"
	"io/fs"

	"fsa/data"
)

// Reader returns the rows of a table. It implements [data.Reader].
type Reader struct {
	// Memory limits the rows that are in memory, in bytes. A panel that is larger is read in parts,
	// several times. 0 means that whole panels are read.
	Memory int64

	*Table
	schema  *data.Schema
	next    int // row
	group   int // the current group, counted from 1; 0 if there is none
	top     int // its first row
	lo, hi  int // rows of the group that are in memory
	runs    []run
	rows    *data.Block // of a sparse group
	labels  []float64
	queries []int64
	closed  bool
}

var _ data.Reader = (*Reader)(nil)

// NewReader opens a table to read all of it.
func NewReader(src io.ReaderAt, size int64, name string) (*Reader, error) {
	t, err := Open(src, size, name)
	if err != nil {
		return nil, err
	}
	return &Reader{Table: t, schema: t.Schema()}, nil
}

// blockCells is about how many cells a block has.
const blockCells = 1 << 20

// Schema implements [data.Reader].
func (r *Reader) Schema() *data.Schema { return r.schema }

// Close implements [data.Reader].
func (r *Reader) Close() error {
	r.closed, r.runs, r.rows = true, nil, nil
	return nil
}

// Next implements [data.Reader].
func (r *Reader) Next(ctx context.Context) (*data.Block, error) {
	if r.closed {
		return nil, fs.ErrClosed
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if r.next == r.foot.rows {
		return nil, io.EOF
	}
	if r.group == 0 || r.next == r.top+r.foot.groups[r.group-1].rows {
		if err := r.load(r.group); err != nil {
			return nil, err
		}
		r.group, r.top, r.hi = r.group+1, r.next, 0
	}
	lo := r.next - r.top
	if lo == r.hi && !r.foot.sparse {
		if err := r.hold(lo); err != nil {
			return nil, err
		}
	}
	b := &data.Block{}
	var err error
	if r.foot.sparse {
		b = r.rows
	} else {
		b.Rows = min(r.hi-lo, max(blockCells/r.foot.width, 16))
		b.Dense, err = r.dense(lo, lo+b.Rows)
	}
	if r.foot.labels {
		b.Label = r.labels[lo : lo+b.Rows : lo+b.Rows]
	}
	if r.foot.queries {
		b.Query = r.queries[lo : lo+b.Rows : lo+b.Rows]
	}
	r.next += b.Rows
	return b, err
}

// load reads the labels and queries of a group.
func (r *Reader) load(g int) (err error) {
	if r.labels, r.queries, err = r.groupLabels(g); err != nil {
		return err
	}
	if r.foot.sparse {
		r.rows, err = r.readGroup(g)
	}
	return err
}

// hold reads rows of the panel from lo on, as many as the memory limit allows.
func (r *Reader) hold(lo int) error {
	g := r.group - 1
	hi := r.foot.groups[g].rows
	if r.Memory > 0 {
		bytes := int64(0) // of a row
		for _, p := range r.places(g, all(r.foot.width)) {
			bytes += int64(p.size)
		}
		hi = min(hi, lo+int(max(r.Memory/bytes, tileCols)))
	}
	if r.runs == nil {
		r.runs = make([]run, r.foot.width)
	}
	_, err := r.readRuns(g, all(r.foot.width), func(first int, runs []run) {
		for k, x := range runs {
			to := &r.runs[first+k]
			if x.wide != nil {
				to.narrow, to.wide = nil, append(to.wide[:0], x.wide[lo:hi]...)
				continue
			}
			to.narrow, to.wide = append(to.narrow[:0], x.narrow[lo:hi]...), nil
		}
	})
	r.lo, r.hi = lo, hi
	return err
}

// dense returns rows of the panel in memory.
func (r *Reader) dense(lo, hi int) ([]float64, error) {
	width := r.foot.width
	cells := make([]float64, (hi-lo)*width)
	inParallel((width+tileCols-1)/tileCols, func(tile int) {
		for top := lo; top < hi; top += tileCols {
			for j := tile * tileCols; j < min((tile+1)*tileCols, width); j++ {
				for i := top; i < min(top+tileCols, hi); i++ {
					cells[(i-lo)*width+j] = r.runs[j].at(i - r.lo)
				}
			}
		}
	})
	for j, categories := range r.foot.categories {
		for i := range hi - lo {
			if v := cells[i*width+j]; !isCode(v, categories) {
				return nil, r.badCode(r.next+i, j, v)
			}
		}
	}
	return cells, nil
}

// all returns 0 to n−1.
func all(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}
