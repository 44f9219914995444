package parquet

import (
	"errors"
	"fmt"
	"io"
	"math"

	"fsa/data"
	"fsa/internal/format/columnar"

	"github.com/parquet-go/parquet-go/format"
)

// Reader returns the rows of a file. It implements [data.Reader].
type Reader struct {
	name    string
	schema  data.Schema
	cursors []cursor
	common  *shared
	rows    int64     // of all groups
	groups  []group   // those not yet begun
	group   int       // number of the current group
	scratch []scratch // of each thread
	columnar.Walk
}

// group is a row group: the chunks of the requested columns.
type group struct {
	number int // counted from 1
	rows   int64
	chunks []chunk
}

var (
	_ data.Sized    = (*Reader)(nil)
	_ data.ByColumn = (*Reader)(nil)
)

// NewReader reads all columns of the Parquet file of the given size in r. The
// name is for messages. Closing the reader does not close r.
func NewReader(r io.ReaderAt, size int64, name string) (*Reader, error) {
	return NewReaderWith(r, size, name, Options{})
}

// NewReaderWith reads according to the options; see [NewReader].
func NewReaderWith(r io.ReaderAt, size int64, name string, o Options) (*Reader, error) {
	meta, end, err := readFooter(r, size, name)
	if err != nil {
		return nil, err
	}
	columns, leaves, err := listColumns(meta, name, o)
	if err != nil {
		return nil, err
	}
	reader := &Reader{name: name, schema: schemaOf(columns), cursors: make([]cursor, len(columns)), common: &shared{src: r, room: columnar.NewRoom(size), most: o.Memory, columns: len(columns)}}
	reader.scratch = make([]scratch, columnar.Threads())
	reader.Walk = columnar.NewWalk(len(columns), reader.begin, reader.column, reader.pass)
	for j := range columns {
		c := &reader.cursors[j]
		c.column, c.shared = &columns[j], reader.common
		if c.cell == text {
			c.codes = columnar.NewTexts(reader.common.room)
		}
	}
	if err := reader.locate(meta, leaves, end); err != nil {
		return nil, err
	}
	return reader, nil
}

// locate finds the chunks of the columns. All must be before the footer.
func (r *Reader) locate(meta *format.FileMetaData, leaves int, end int64) error {
	total := int64(0)
	for i := range meta.RowGroups {
		g := &meta.RowGroups[i]
		bad := func(column, format string, args ...any) error {
			return &data.Error{File: r.name, Column: column, Msg: fmt.Sprintf("row group %d: %s", i+1, fmt.Sprintf(format, args...))}
		}
		if len(g.Columns) != leaves || g.NumRows < 0 || g.NumRows > math.MaxInt64-total {
			return bad("", "%d columns with %d rows, where the schema has %d columns", len(g.Columns), g.NumRows, leaves)
		}
		if g.NumRows == 0 {
			continue
		}
		total += g.NumRows
		next := group{i + 1, g.NumRows, make([]chunk, len(r.cursors))}
		for j := range r.cursors {
			c := &r.cursors[j]
			if c.skip {
				continue
			}
			k := &g.Columns[c.leaf]
			m := &k.MetaData
			switch {
			case k.FilePath != "":
				return bad(c.name, "it lies in another file, %s", k.FilePath)
			case k.CryptoMetadata.Value != nil:
				return bad(c.name, "it is encrypted")
			case m.NumValues != g.NumRows:
				return bad(c.name, "%d values for %d rows", m.NumValues, g.NumRows)
			}
			off := m.DataPageOffset
			if d := m.DictionaryPageOffset; d > 0 && d < off {
				off = d
			}
			if off < int64(len(magic)) || m.TotalCompressedSize < 0 || m.TotalCompressedSize > end-off {
				return bad(c.name, "%d bytes at %d do not lie in the file", m.TotalCompressedSize, off)
			}
			next.chunks[j] = chunk{off, off + m.TotalCompressedSize, g.NumRows, m.Codec}
		}
		r.groups = append(r.groups, next)
	}
	if r.rows = total; total == 0 {
		return &data.Error{File: r.name, Msg: "the table has no rows"}
	}
	return nil
}

// Schema implements [data.Reader].
func (r *Reader) Schema() *data.Schema { return &r.schema }

// Size implements [data.Sized].
func (r *Reader) Size() (rows, cells int64) {
	if r.rows > math.MaxInt64/int64(len(r.cursors)) { // only in a damaged file
		return r.rows, math.MaxInt64
	}
	return r.rows, r.rows * int64(len(r.cursors))
}

// Close implements [data.Reader].
func (r *Reader) Close() error {
	for i := range r.scratch {
		r.scratch[i].close()
	}
	return nil
}

// Skip skips row groups within the next rows, without reading them, and returns the number of
// skipped rows.
func (r *Reader) Skip(rows int) int {
	skipped := 0
	for r.Left == 0 && !r.Failed() && len(r.groups) > 0 && r.groups[0].rows <= int64(rows-skipped) {
		skipped += int(r.groups[0].rows)
		r.groups = r.groups[1:]
	}
	r.Row += skipped
	return skipped
}

// begin begins the next row group.
func (r *Reader) begin() (rows int64, err error) {
	if len(r.groups) == 0 {
		return 0, io.EOF
	}
	g := r.groups[0]
	r.group, r.groups = g.number, r.groups[1:]
	for j, k := range g.chunks {
		r.cursors[j].begin(k)
	}
	return g.rows, nil
}

// pass records which texts occurred.
func (r *Reader) pass(int) {
	for j := range r.cursors {
		if c := &r.cursors[j]; c.codes != nil {
			r.schema.Categories[j] = c.codes.Known
		}
	}
}

// column reads the next rows of column j.
func (r *Reader) column(thread, j int, dst []float64) error {
	c := &r.cursors[j]
	if c.skip {
		columnar.Missing(dst)
		return nil
	}
	if err := c.read(dst, &r.scratch[thread]); err != nil {
		if errors.As(err, new(columnar.IOError)) {
			return fmt.Errorf("parquet: %s: %w", r.name, err)
		}
		return &data.Error{File: r.name, Column: c.name, Msg: fmt.Sprintf("row group %d cannot be read", r.group), Err: err}
	}
	if c.cell == text {
		return nil
	}
	return columnar.Finite(dst, r.name, c.name, r.Row)
}
