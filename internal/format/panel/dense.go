package panel

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"fsa/data"
	"fsa/internal/parallel"
)

const (
	panelBytes = 64 << 20  // panels, so that little memory can hold some
	mostBytes  = 512 << 20 // of a panel that would have shorter runs than a page
	stripRows  = 32        // largest number of rows that are transposed at once
	leastStrip = 4         // and the smallest, however wide they are
	tileCols   = 16        // columns that are transposed at once: both sides of a tile stay in the cache
)

// denseBody collects rows into a panel.
type denseBody struct {
	*file
	panel   []float32   // column after column
	wide    [][]float64 // columns that are stored as float64; nil for others
	since   []uint32    // the panel from which on they are
	filled  int         // rows in the panel
	strip   [][]float64 // rows that are not in a panel yet
	most    int         // rows of the strip
	label   []float64
	query   []int64
	measure []moments
}

func newDenseBody(p *file, rows int, memory int64, kept []int) *denseBody {
	width := p.schema.Width
	d := &denseBody{file: p, wide: make([][]float64, width), since: make([]uint32, width), measure: make([]moments, width)}
	p.foot.height = panelRows(width, rows, memory)
	d.most = int(min(max(memory/5/(8*int64(width)), leastStrip), stripRows))
	exact := slices.Clone(kept)
	for _, name := range []string{"y", "target", "label"} { // they are candidates for the target
		exact = append(exact, slices.Index(p.schema.Names, name))
	}
	for j, k := range p.schema.Kinds {
		if k.Parts() != nil { // which must be recovered exactly
			exact = append(exact, j)
		}
	}
	for _, j := range exact {
		if j >= 0 {
			d.measure[j].precision = lossless
		}
	}
	for j := range d.since {
		d.since[j] = never
	}
	return d
}

// panelRows returns the rows of a panel. It uses two fifths of the memory, so that some is left for
// float64 columns, and for the source of the rows.
func panelRows(cols, rows int, memory int64) int {
	room := min(max(panelBytes, page*int64(cols)), mostBytes)
	n := int(min(room, memory*2/5) / (4 * int64(cols)))
	n = min(n, runBytes/4)
	switch {
	case n >= page/4:
		n -= n % (page / 4) // runs begin at page boundaries
	case n >= tileCols:
		n -= n % tileCols
	}
	if rows > 0 {
		n = min(n, (rows+tileCols-1)/tileCols*tileCols)
	}
	return max(n, 1)
}

// add implements [body].
func (d *denseBody) add(b *data.Block) error {
	width := len(d.wide)
	if len(b.Dense) != b.Rows*width {
		return fmt.Errorf("panel: a block of %d rows has %d cells, not %d columns each", b.Rows, len(b.Dense), width)
	}
	for i := range b.Rows {
		d.strip = append(d.strip, b.Dense[i*width:(i+1)*width])
		d.again.note(b, i, 1, width)
		if d.foot.labels {
			d.label = append(d.label, b.Label[i])
		}
		if d.foot.queries {
			d.query = append(d.query, b.Query[i])
		}
		if len(d.strip) == d.most || d.filled+len(d.strip) == d.foot.height {
			if err := d.transpose(); err != nil {
				return err
			}
		}
		if d.filled == d.foot.height {
			if err := d.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// finish implements [body].
func (d *denseBody) finish() error {
	if err := d.transpose(); err != nil {
		return err
	}
	if d.filled > 0 {
		if err := d.flush(); err != nil {
			return err
		}
	}
	d.panel, d.wide = nil, nil // the footer takes their memory
	rows := 0
	for _, g := range d.foot.groups {
		rows += g.rows
	}
	d.foot.columns = make([]column, len(d.measure))
	for j := range d.foot.columns {
		d.foot.columns[j] = column{uint32(j), d.since[j], d.measure[j].profile(rows, rows-d.measure[j].missing)}
	}
	d.measure = nil
	return nil
}

// transpose moves the strip into the panel, on all cores.
func (d *denseBody) transpose() error {
	if len(d.strip) == 0 {
		return nil
	}
	width := len(d.wide)
	if d.panel == nil {
		d.panel = make([]float32, d.foot.height*width)
	}
	bad := make([]int, width/tileCols+1) // by tile, one more than the column of an infinite cell
	inParallel(len(bad), func(tile int) {
		for j := tile * tileCols; j < min((tile+1)*tileCols, width); j++ {
			if !d.transposeColumn(j) {
				bad[tile] = j + 1
			}
		}
	})
	for _, j := range bad {
		if j > 0 {
			i := slices.IndexFunc(d.strip, func(row []float64) bool { return math.IsInf(row[j-1], 0) })
			return d.infinite(len(d.foot.groups)*d.foot.height+d.filled+i, j-1)
		}
	}
	d.filled += len(d.strip)
	clear(d.strip)
	d.strip = d.strip[:0]
	return nil
}

// transposeColumn moves a column of the strip into the panel. It returns false for an infinite
// cell.
func (d *denseBody) transposeColumn(j int) bool {
	run := d.panel[j*d.foot.height : (j+1)*d.foot.height][d.filled : d.filled+len(d.strip)]
	if d.wide[j] == nil {
		m := d.measure[j]
		if m.addNarrow(run, d.strip, j) {
			d.measure[j] = m
			return true
		}
		d.widen(j)
	}
	return d.measure[j].addWide(d.wide[j][d.filled:d.filled+len(d.strip)], d.strip, j)
}

// widen stores a column as float64 from this panel on.
func (d *denseBody) widen(j int) {
	d.since[j] = uint32(len(d.foot.groups))
	d.wide[j] = make([]float64, d.foot.height)
	for i, v := range d.panel[j*d.foot.height:][:d.filled] {
		d.wide[j][i] = float64(v)
	}
}

// flush writes the panel.
func (d *denseBody) flush() error {
	if err := d.out.pad(); err != nil {
		return err
	}
	g := group{offset: d.out.at, rows: d.filled}
	checks := make([]uint32, len(d.wide))
	inParallel((len(checks)+tileCols-1)/tileCols, func(tile int) {
		for j := tile * tileCols; j < min((tile+1)*tileCols, len(checks)); j++ {
			checks[j] = checksum(d.run(j))
		}
	})
	for j := 0; j < len(d.wide); {
		next := j + 1
		b := d.run(j)
		if d.filled == d.foot.height && d.wide[j] == nil && little {
			for next < len(d.wide) && d.wide[next] == nil { // their runs are contiguous
				next++
			}
			b = bytesOf(d.panel[j*d.foot.height : next*d.foot.height])
		}
		if err := d.out.write(b); err != nil {
			return err
		}
		j = next
	}
	if err := d.endGroup(g, checks, d.label, d.query); err != nil {
		return err
	}
	d.filled, d.label, d.query = 0, d.label[:0], d.query[:0]
	return nil
}

// run returns column j of the panel as it is in the file.
func (d *denseBody) run(j int) []byte {
	if d.wide[j] != nil {
		return bytesOf(d.wide[j][:d.filled])
	}
	return bytesOf(d.panel[j*d.foot.height:][:d.filled])
}

// save implements [body].
func (d *denseBody) save(b []byte) []byte {
	for j := range d.measure {
		b = binary.LittleEndian.AppendUint32(b, d.since[j])
		b = d.measure[j].append(b)
	}
	return b
}

// load implements [body].
func (d *denseBody) load(c *cursor) bool {
	for j := range d.measure {
		wide := c.u32()
		if d.measure[j] = c.moments(); c.failed {
			return false
		}
		if d.since[j] = wide; wide != never {
			d.wide[j] = make([]float64, d.foot.height)
		}
	}
	return true
}

// inParallel calls do for 0 to n−1 on all cores.
func inParallel(n int, do func(i int)) {
	parallel.Do(context.Background(), 0, n, func(_, i int) error { do(i); return nil }) // which cannot fail
}
