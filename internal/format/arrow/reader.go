package arrow

import (
	"errors"
	"fmt"
	"io"
	"math"

	"fsa/data"
	"fsa/internal/format/columnar"
)

// Reader returns the rows of a file or stream. It implements [data.Reader].
type Reader struct {
	name    string
	schema  *data.Schema
	columns []column
	arrays  []array           // of the columns of the current batch
	codes   []*columnar.Texts // of columns of texts; nil for others
	known   [][]float64       // the values of a column's dictionary as numbers or codes, −1 for a text that has not occurred yet
	dicts   map[int64]*dictionary
	src     *source
	limits  limits
	scratch []scratch // of each thread

	messages []message // those not yet begun
	batch    int       // number of the current message
	rows     int64     // of all batches
	at       int64     // rows of the current batch
	columnar.Walk
}

var (
	_ data.Sized    = (*Reader)(nil)
	_ data.ByColumn = (*Reader)(nil)
)

// NewReader reads the Arrow file or stream of the given size in r according to the options. The
// name is for messages. Closing the reader does not close r.
func NewReader(r io.ReaderAt, size int64, name string, o Options) (*Reader, error) {
	reader := &Reader{name: name, src: &source{r, size}, dicts: map[int64]*dictionary{}, scratch: make([]scratch, columnar.Threads())}
	schema, messages, err := reader.src.messages(name)
	if err != nil {
		return nil, err
	}
	if reader.columns, reader.schema, err = listColumns(schema, name, &o); err != nil {
		return nil, err
	}
	reader.limits = limits{room: columnar.NewRoom(size), most: o.Memory}
	ahead := int64(aheadBytes)
	if o.Memory > 0 {
		ahead = min(ahead, o.Memory/2)
	}
	for i := range reader.scratch {
		reader.scratch[i].ahead = ahead / int64(len(reader.columns))
	}
	reader.Walk = columnar.NewWalk(len(reader.columns), reader.next, reader.column, reader.pass)
	reader.messages = messages
	reader.arrays = make([]array, len(reader.columns))
	reader.codes = make([]*columnar.Texts, len(reader.columns))
	reader.known = make([][]float64, len(reader.columns))
	solid := false // some column determines the number of rows by its bytes
	for j := range reader.columns {
		c := &reader.columns[j]
		if c.isText() {
			reader.codes[j] = columnar.NewTexts(reader.limits.room)
		}
		solid = solid || !c.skip && c.cell != null
	}
	for _, m := range messages {
		if m.rows > math.MaxInt64-reader.rows {
			return nil, &data.Error{File: name, Msg: "its batches claim too many rows", Err: errDamaged}
		}
		reader.rows += m.rows
	}
	switch {
	case reader.rows == 0:
		return nil, &data.Error{File: name, Msg: "the table has no rows"}
	case !solid:
		return nil, &data.Error{File: name, Msg: "no column that is read has any values"}
	}
	return reader, nil
}

// Schema implements [data.Reader].
func (r *Reader) Schema() *data.Schema { return r.schema }

// Size implements [data.Sized].
func (r *Reader) Size() (rows, cells int64) {
	if r.rows > math.MaxInt64/int64(len(r.columns)) { // only in a damaged file
		return r.rows, math.MaxInt64
	}
	return r.rows, r.rows * int64(len(r.columns))
}

// Close implements [data.Reader].
func (r *Reader) Close() error {
	for i := range r.scratch {
		r.scratch[i].close()
	}
	return nil
}

// next takes the next message, and returns the rows of its batch: none for a dictionary.
func (r *Reader) next() (rows int64, err error) {
	if len(r.messages) == 0 {
		return 0, io.EOF
	}
	if rows, err = r.begin(&r.messages[0]); err != nil {
		return 0, r.blame("", err)
	}
	r.messages = r.messages[1:]
	return rows, nil
}

// pass skips rows of which all columns were read.
func (r *Reader) pass(n int) {
	for j, c := range r.codes {
		if c != nil {
			r.schema.Categories[j] = c.Known
		}
	}
	r.at += int64(n)
}

// begin takes a message, and returns the rows of its batch.
func (r *Reader) begin(m *message) (rows int64, err error) {
	if m, err = r.src.message(m.at); err != nil {
		return 0, err
	}
	if m == nil {
		return 0, errDamaged
	}
	switch m.kind {
	case messageDictionary:
		return 0, r.dictionary(m)
	case messageRecords:
		r.batch++
		b, err := newBatch(r.src, m.header, m)
		if err != nil {
			return 0, err
		}
		for j := range r.columns {
			c := &r.columns[j]
			if c.skip {
				continue
			}
			v := &c.value
			if c.indexed {
				v = c.position()
			}
			if err := b.locate(&r.arrays[j], v, c.place); err != nil {
				return 0, fmt.Errorf("column %s: %w", c.name, err)
			}
		}
		r.limits.held.Store(r.holding())
		r.at, rows = 0, b.rows
		// Before any row is returned, so that a header cannot invent rows.
		for j := range r.columns {
			if c := &r.columns[j]; !c.skip && c.cell != null {
				return rows, r.arrays[j].unpack(&r.scratch[0], &r.limits)
			}
		}
	}
	return rows, nil
}

// holding returns the number of bytes of unpacked buffers.
func (r *Reader) holding() (n int64) {
	for j := range r.arrays {
		a := &r.arrays[j]
		n += int64(cap(a.valid.bytes) + cap(a.main.bytes) + cap(a.texts.bytes))
	}
	return n
}

// column reads the next rows of column j.
func (r *Reader) column(thread, j int, dst []float64) error {
	c, s := &r.columns[j], &r.scratch[thread]
	if c.skip {
		columnar.Missing(dst)
		return nil
	}
	a := &r.arrays[j]
	err := a.unpack(s, &r.limits)
	if err == nil {
		var code func([]byte) (float64, error)
		if r.codes[j] != nil {
			code = r.codes[j].Code
		}
		err = a.read(dst, r.at, s, code)
	}
	if err == nil && c.indexed {
		err = r.lookUp(j, dst)
	}
	if err != nil {
		return r.blame(c.name, err)
	}
	if r.codes[j] != nil {
		return nil
	}
	if err := columnar.Finite(dst, r.name, c.name, r.Row); err != nil {
		return err
	}
	if c.converts {
		c.when.Convert(dst)
	}
	return nil
}

// blame returns the error of the file, or of the machine.
func (r *Reader) blame(column string, err error) error {
	if errors.As(err, new(columnar.IOError)) {
		return fmt.Errorf("arrow: %s: %w", r.name, err)
	}
	return &data.Error{File: r.name, Column: column, Msg: fmt.Sprintf("batch %d cannot be read", max(r.batch, 1)), Err: err}
}
