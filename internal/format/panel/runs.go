package panel

import (
	"context"
	"sync/atomic"

	"fsa/internal/parallel"
)

const (
	gapBytes    = 32 << 10 // gaps up to this are read too: another request takes longer
	extentBytes = 2 << 20  // size of one read
	readers     = 4        // reads at the same time, to keep a disk busy
)

// place is the position of a run in the file.
type place struct {
	at   int64
	size int // of a number
}

// extent is a stretch of the file with the runs of columns first to last−1 of the requested ones.
type extent struct {
	first, last int
	lo, hi      int64
}

// places returns the positions of the runs of the given columns in a panel.
func (t *Table) places(g int, cols []int) []place {
	at, rows := t.foot.groups[g].offset, int64(t.foot.groups[g].rows)
	to := make([]place, len(cols))
	if !t.wide {
		for k, j := range cols {
			to[k] = place{at + 4*rows*int64(j), 4}
		}
		return to
	}
	j := 0
	for k, col := range cols {
		for ; j <= col; j++ {
			to[k] = place{at, 4}
			if t.foot.columns[j].wide <= uint32(g) {
				to[k].size = 8
			}
			at += rows * int64(to[k].size)
		}
	}
	return to
}

// extents joins runs that are near each other.
func extents(runs []place, rows int) []extent {
	var all []extent
	for k, p := range runs {
		end := p.at + int64(p.size*rows)
		if n := len(all); n > 0 && p.at-all[n-1].hi <= gapBytes && end-all[n-1].lo <= extentBytes {
			all[n-1].last, all[n-1].hi = k+1, end
			continue
		}
		all = append(all, extent{k, k + 1, p.at, end})
	}
	return all
}

// readRuns reads the runs of columns, ascending, in a panel. It calls use for stretches of them,
// with the index of the first in the list, from several goroutines at once; runs are valid during
// the call. It returns the number of bytes read.
func (t *Table) readRuns(g int, cols []int, use func(first int, runs []run)) (int64, error) {
	checks, err := t.checks(g)
	if err != nil {
		return 0, err
	}
	rows := t.foot.groups[g].rows
	places := t.places(g, cols)
	work := extents(places, rows)
	longest := 0
	for _, e := range work {
		longest = max(longest, int(e.hi-e.lo))
	}
	var total atomic.Int64
	total.Add(int64(4 * len(checks)))
	var room [readers]struct { // of each thread
		buf  []byte
		runs []run
	}
	err = parallel.Do(context.Background(), readers, len(work), func(thread, i int) error {
		e, my := work[i], &room[thread]
		if my.buf == nil {
			my.buf = make([]byte, longest)
		}
		buf := my.buf[:e.hi-e.lo]
		if err := t.read(buf, e.lo); err != nil {
			return err
		}
		total.Add(int64(len(buf)))
		runs := my.runs[:0]
		for k := e.first; k < e.last; k++ {
			b := buf[places[k].at-e.lo:][:places[k].size*rows]
			if checksum(b) != checks[cols[k]] {
				return t.damaged(g, "column "+t.Schema().Name(cols[k]))
			}
			if places[k].size == 8 {
				runs = append(runs, run{wide: numbers[float64](b)})
			} else {
				runs = append(runs, run{narrow: numbers[float32](b)})
			}
			if err := t.verifyRun(g, cols[k], &runs[len(runs)-1]); err != nil {
				return err
			}
		}
		use(e.first, runs)
		my.runs = runs
		return nil
	})
	return total.Load(), err
}

// ReadRows implements [data.Store]. Runs are read whole, so that their checksums can be verified.
func (t *Table) ReadRows(dst []float32, cols []int, lo, hi int) (int64, error) {
	if t.foot.sparse {
		return t.readSpread(dst, cols, lo, hi)
	}
	var total int64
	for lo < hi {
		g := lo / t.foot.height
		top := g * t.foot.height
		end := min(hi, top+t.foot.height)
		n := (end - lo) * len(cols)
		part := dst[:n]
		read, err := t.readRuns(g, cols, func(first int, runs []run) {
			for k := range runs {
				x := t.runInUnits(cols[first+k], &runs[k])[lo-top : end-top]
				scatter(part, x, first+k, len(cols), t.TileRows())
			}
		})
		total += read
		if err != nil {
			return total, err
		}
		lo, dst = end, dst[n:]
	}
	return total, nil
}

// scatter copies column k of cols to the tiles in dst.
func scatter(dst, x []float32, k, cols, tile int) {
	for first := 0; first < len(x); first += tile {
		rows := min(tile, len(x)-first)
		copy(dst[first*cols+k*rows:], x[first:first+rows])
	}
}

// runInUnits returns the run of a column in those units.
func (t *Table) runInUnits(j int, r *run) []float32 {
	p := t.Profile(j)
	if r.wide == nil && p.Shift == 0 && p.Exponent == 0 {
		return r.narrow
	}
	x := make([]float32, max(len(r.narrow), len(r.wide)))
	for i := range x {
		x[i] = inUnits(r.at(i), p)
	}
	return x
}

// ReadColumn implements [data.Store].
func (t *Table) ReadColumn(ctx context.Context, j int) ([]float64, error) {
	all := make([]float64, 0, t.foot.rows)
	for g := range t.foot.groups {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		_, err := t.readRuns(g, []int{j}, func(_ int, runs []run) {
			for i := range t.foot.groups[g].rows {
				all = append(all, runs[0].at(i))
			}
		})
		if err != nil {
			return nil, err
		}
	}
	if categories, text := t.foot.categories[j]; text {
		for i, v := range all {
			if !isCode(v, categories) {
				return nil, t.badCode(i, j, v)
			}
		}
	}
	return all, nil
}
