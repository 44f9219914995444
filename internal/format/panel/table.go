package panel

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"

	"fsa/data"
	"fsa/internal/matrix"
)

// Table is an opened file. It is safe for concurrent use.
type Table struct {
	src  io.ReaderAt
	name string
	foot *footer
	wide bool // some numbers are stored as float64
	verifier
}

// run is the cells of a column in a panel, in one of the two types.
type run struct {
	narrow []float32
	wide   []float64
}

// at returns the cell of row i.
func (r *run) at(i int) float64 {
	if r.wide != nil {
		return r.wide[i]
	}
	return float64(r.narrow[i])
}

var _ data.Store = (*Table)(nil)

// Open opens a table of the given size. The name is for messages.
func Open(src io.ReaderAt, size int64, name string) (*Table, error) {
	bad := func(format string, a ...any) (*Table, error) {
		return nil, &data.Error{File: name, Msg: fmt.Sprintf(format, a...) + "; a whole file that fsa wrote can be read"}
	}
	if size < headerBytes+trailerBytes {
		return bad("this is not a .fsa file, or it was cut")
	}
	var first [headerBytes]byte
	var last [trailerBytes]byte
	if _, err := src.ReadAt(first[:], 0); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if _, err := src.ReadAt(last[:], size-trailerBytes); err != nil && err != io.EOF {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	le := binary.LittleEndian
	kind := le.Uint32(first[12:])
	switch {
	case !Sniff(first[:]):
		return bad("this is not a .fsa file")
	case le.Uint32(first[8:]) > version:
		return bad("it was written by a newer fsa (layout version %d; this fsa reads up to %d)", le.Uint32(first[8:]), version)
	case le.Uint32(first[16:]) != checksum(first[:16]) || kind > kindSparse || le.Uint32(first[8:]) != version:
		return bad("the header is damaged")
	case string(last[32:]) != endMagic || le.Uint32(last[24:]) != checksum(last[:24]):
		return bad("the file was cut, or not written to its end")
	}
	at, n := le.Uint64(last[:]), le.Uint64(last[8:])
	if room := uint64(size - trailerBytes); n > room || at != room-n || at < headerBytes {
		return bad("the footer is not where it should be")
	}
	b := make([]byte, n)
	if _, err := src.ReadAt(b, int64(at)); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if le.Uint32(last[16:]) != checksum(b) {
		return bad("the footer is damaged")
	}
	foot, err := parseFooter(b, kind == kindSparse, int64(at))
	if err != nil {
		return bad("the footer is invalid: %v", err)
	}
	t := &Table{src: src, name: name, foot: foot}
	t.verifier.start(foot)
	t.chooseUnits()
	return t, nil
}

// chooseUnits chooses the float32 units of float64 numbers, by the rules for tables in memory; the
// mean of a column stands for it. Zeros of sparse tables stay zero.
func (t *Table) chooseUnits() {
	wide := slices.ContainsFunc(t.foot.groups, func(g group) bool { return g.wide })
	for j := range t.foot.columns {
		c := &t.foot.columns[j]
		if c.wide == never && !wide {
			continue
		}
		t.wide = true
		if !t.foot.sparse && matrix.FarFromZero(c.Mean, c.Min, c.Max) {
			c.Shift = c.Mean
		}
		c.Exponent = matrix.UnitExponent(max(math.Abs(c.Max-c.Shift), math.Abs(c.Min-c.Shift)))
	}
}

// inUnits returns a number in the units of its column's profile.
func inUnits(v float64, p *data.Profile) float32 {
	if p.Exponent == 0 {
		return float32(v - p.Shift)
	}
	return float32(math.Ldexp(v-p.Shift, -p.Exponent))
}

// Dims implements [data.Store].
func (t *Table) Dims() (rows, cols int) { return t.foot.rows, t.foot.width }

// UnitRows implements [data.Store].
func (t *Table) UnitRows() int {
	if t.foot.sparse {
		return max(1, groupCells/max(1, t.foot.width))
	}
	return t.foot.height
}

// TileRows implements [data.Store]: a power of two that divides panels evenly.
func (t *Table) TileRows() int {
	if t.foot.sparse {
		return 1
	}
	return min(t.foot.height&-t.foot.height, mostTileRows)
}

// mostTileRows is the height of a tile: enough for a product to be fast.
const mostTileRows = 256

// Schema implements [data.Store].
func (t *Table) Schema() *data.Schema { return t.foot.schema() }

// HasLabels reports whether rows have labels besides their cells.
func (t *Table) HasLabels() bool { return t.foot.labels }

// Profile implements [data.Store].
func (t *Table) Profile(j int) *data.Profile {
	if t.foot.sparse {
		j, _ = slices.BinarySearchFunc(t.foot.columns, uint32(j), func(c column, j uint32) int { return cmp.Compare(c.index, j) })
	}
	return &t.foot.columns[j].Profile
}

// damaged returns the error of a checksum that does not match.
func (t *Table) damaged(g int, what string) error {
	first := 0
	for _, before := range t.foot.groups[:g] {
		first += before.rows
	}
	return &data.Error{File: t.name, Row: first + 1, Msg: fmt.Sprintf("the checksum of %s in %d rows from here is wrong: the file is damaged; convert the table again", what, t.foot.groups[g].rows)}
}

// isCode reports whether a cell of a text column is a valid index.
func isCode(v float64, categories []string) bool {
	return v != v || v >= 0 && v == math.Trunc(v) && v < float64(len(categories))
}

func (t *Table) badCode(row, j int, v float64) error {
	return &data.Error{File: t.name, Row: row + 1, Column: t.Schema().Name(j),
		Msg: fmt.Sprintf("%v is not the number of one of the %d texts of the column: the file is damaged; convert the table again", v, len(t.foot.categories[j]))}
}

// read reads bytes at an offset.
func (t *Table) read(b []byte, at int64) error {
	if n, err := t.src.ReadAt(b, at); err != nil && n < len(b) {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return fmt.Errorf("%s: %w", t.name, err)
	}
	return nil
}

// checks returns the checksums of a group.
func (t *Table) checks(g int) ([]uint32, error) {
	b := make([]byte, 4*t.foot.checks())
	at := t.foot.groups[g].offset + t.foot.groupSize(g) - int64(len(b))
	if err := t.read(b, at); err != nil {
		return nil, err
	}
	if checksum(b) != t.foot.groups[g].check {
		return nil, t.damaged(g, "the checksums")
	}
	return numbers[uint32](b), nil
}

// ReadLabels implements [data.Store].
func (t *Table) ReadLabels(ctx context.Context) (labels []float64, queries []int64, err error) {
	for g := range t.foot.groups {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		l, q, err := t.groupLabels(g)
		if err != nil {
			return nil, nil, err
		}
		labels, queries = append(labels, l...), append(queries, q...)
	}
	return labels, queries, nil
}

// groupLabels returns the labels and queries of a group, nil if there are none.
func (t *Table) groupLabels(g int) (labels []float64, queries []int64, err error) {
	if !t.foot.labels && !t.foot.queries {
		return nil, nil, nil
	}
	checks, err := t.checks(g)
	if err != nil {
		return nil, nil, err
	}
	end := t.foot.groups[g].offset + t.foot.groupSize(g) - 4*int64(len(checks))
	b := make([]byte, 8*t.foot.groups[g].rows)
	if t.foot.queries {
		end -= int64(len(b))
		if err := t.read(b, end); err != nil {
			return nil, nil, err
		}
		if checksum(b) != checks[len(checks)-1] {
			return nil, nil, t.damaged(g, "the queries")
		}
		queries = numbers[int64](bytes.Clone(b))
		checks = checks[:len(checks)-1]
	}
	if t.foot.labels {
		if err := t.read(b, end-int64(len(b))); err != nil {
			return nil, nil, err
		}
		if checksum(b) != checks[len(checks)-1] {
			return nil, nil, t.damaged(g, "the labels")
		}
		labels = numbers[float64](b)
	}
	return labels, queries, nil
}
