package parquet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"

	"fsa/data"
	"fsa/internal/parallel"

	"github.com/parquet-go/parquet-go/format"
)

// Reader delivers the rows of a file. It implements [data.Reader].
type Reader struct {
	name    string
	schema  data.Schema
	cursors []cursor
	common  *shared
	rows    int64   // of all groups
	groups  []group // those not yet begun
	group   int     // the number of the one that is read
	left    int64   // rows left in it
	row     int     // the next one, counted over all groups
	workers []worker
	failed  error
}

// worker is what a thread reads columns with.
type worker struct {
	scratch
	tile []float64
}

// group is a row group: the chunks of the columns that are read.
type group struct {
	number int // counted from 1
	rows   int64
	chunks []chunk
}

var _ data.Sized = (*Reader)(nil)

// NewReader reads all columns of the Parquet file of the given size in r. The
// name is for messages. Closing the reader does not close r.
func NewReader(r io.ReaderAt, size int64, name string) (*Reader, error) {
	return NewReaderWith(r, size, name, Options{})
}

// NewReaderWith reads what the options say; see [NewReader].
func NewReaderWith(r io.ReaderAt, size int64, name string, o Options) (*Reader, error) {
	meta, end, err := readFooter(r, size, name)
	if err != nil {
		return nil, err
	}
	columns, leaves, err := listColumns(meta, name, o)
	if err != nil {
		return nil, err
	}
	reader := &Reader{name: name, schema: schemaOf(columns), cursors: make([]cursor, len(columns)), common: &shared{src: r, room: room{all: roomFor(size)}, most: o.Memory, columns: len(columns)}}
	reader.workers = make([]worker, runtime.GOMAXPROCS(0))
	for j := range columns {
		c := &reader.cursors[j]
		c.column, c.shared = &columns[j], reader.common
		if c.cell == text {
			c.codes = &codes{known: map[string]float64{}, room: &reader.common.room}
		}
	}
	if err := reader.locate(meta, leaves, end); err != nil {
		return nil, err
	}
	return reader, nil
}

// locate finds the chunks of the columns. All must lie before the footer.
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
	if r.rows > math.MaxInt64/int64(len(r.cursors)) { // which only a damaged file says
		return r.rows, math.MaxInt64
	}
	return r.rows, r.rows * int64(len(r.cursors))
}

// Close implements [data.Reader].
func (r *Reader) Close() error {
	for i := range r.workers {
		r.workers[i].close()
	}
	return nil
}

// Next implements [data.Reader].
func (r *Reader) Next(ctx context.Context) (*data.Block, error) {
	if r.failed != nil {
		return nil, r.failed
	}
	b, err := r.next(ctx)
	// Columns may stand at different rows after an error: it is the last word.
	r.failed = err
	return b, err
}

func (r *Reader) next(ctx context.Context) (*data.Block, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if r.left == 0 {
		if len(r.groups) == 0 {
			return nil, io.EOF
		}
		r.group, r.left = r.groups[0].number, r.groups[0].rows
		for j, k := range r.groups[0].chunks {
			r.cursors[j].begin(k)
		}
		r.groups = r.groups[1:]
	}
	cols := len(r.cursors)
	n := int(min(int64(max(1, blockCells/cols)), r.left))
	b := &data.Block{Rows: n, Dense: make([]float64, n*cols)}
	if err := r.fill(ctx, b.Dense, n); err != nil {
		return nil, err
	}
	for j := range r.cursors {
		if c := &r.cursors[j]; c.codes != nil {
			r.schema.Categories[j] = c.codes.texts
		}
	}
	r.row += n
	r.left -= int64(n)
	return b, nil
}

// fill reads n rows of each column. A thread goes by a few columns at a time, as
// many as fill a cache line of the rows.
func (r *Reader) fill(ctx context.Context, cells []float64, n int) error {
	cols := len(r.cursors)
	line := min(8, cols)
	return parallel.Do(ctx, len(r.workers), (cols+line-1)/line, func(thread, i int) error {
		w := &r.workers[thread]
		if len(w.tile) < n*line {
			w.tile = make([]float64, n*line)
		}
		first := i * line
		few := min(line, cols-first)
		for j := range few {
			if err := r.column(w.tile[j*n:][:n], first+j, &w.scratch); err != nil {
				return err
			}
		}
		for i := range n {
			row := cells[i*cols+first:][:few]
			for j := range row {
				row[j] = w.tile[j*n+i]
			}
		}
		return nil
	})
}

// column reads the next rows of column j.
func (r *Reader) column(dst []float64, j int, s *scratch) error {
	c := &r.cursors[j]
	if c.skip {
		for i := range dst {
			dst[i] = math.NaN()
		}
		return nil
	}
	if err := c.read(dst, s); err != nil {
		if errors.As(err, new(ioError)) {
			return fmt.Errorf("parquet: %s: %w", r.name, err)
		}
		return &data.Error{File: r.name, Column: c.name, Msg: fmt.Sprintf("row group %d cannot be read", r.group), Err: err}
	}
	if c.cell == text {
		return nil
	}
	for i, v := range dst {
		if math.Float64bits(v)<<1 == 0x7ff<<53 { // infinite, of either sign
			return &data.Error{File: r.name, Row: r.row + i + 1, Column: c.name,
				Msg: "the cell is infinite; a number, NaN or null (for a missing value) is expected"}
		}
	}
	return nil
}
