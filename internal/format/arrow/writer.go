package arrow

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"fsa/data"
)

// Writer writes a table as an Arrow file, which Feather of version 2 is. It implements [data.Writer]. Numbers are doubles
// and texts UTF-8; a missing value becomes a null. Each block is a record batch.
type Writer struct {
	w       *bufio.Writer
	schema  *data.Schema
	at      int64 // bytes written
	batches []placed
}

// placed is the place of a record batch in the file.
type placed struct{ at, meta, body int64 }

var _ data.Writer = (*Writer)(nil)

// begins begins and ends a file.
const begins = "ARROW1"

// The kinds of messages and of types, from Message.fbs and Schema.fbs.
const (
	isSchema, isBatch = 1, 3
	isDouble, isText  = 3, 5
)

// NewWriter begins a table on w. The categories of the schema may grow until Close.
func NewWriter(w io.Writer, s *data.Schema) (*Writer, error) {
	if s.Width < 1 {
		return nil, fmt.Errorf("arrow: cannot write a table of %d columns", s.Width)
	}
	a := &Writer{w: bufio.NewWriter(w), schema: s}
	if err := a.write([]byte(begins + "\x00\x00")); err != nil {
		return nil, err
	}
	_, err := a.message(isSchema, a.describe, nil)
	return a, err
}

func (a *Writer) write(b []byte) error {
	n, err := a.w.Write(b)
	a.at += int64(n)
	if err != nil {
		return fmt.Errorf("arrow: %w", err)
	}
	return nil
}

// message writes a message with a header, which a function adds, and a body.
func (a *Writer) message(kind byte, header func(f *made) int, body []byte) (at placed, err error) {
	f := newMade()
	start, slots := f.table(2, 1, 4, 8)
	f.refer(0, start)
	f.b[slots[0]], f.b[slots[1]] = 4, kind // version 5 of the metadata
	binary.LittleEndian.PutUint64(f.b[slots[3]:], uint64(len(body)))
	f.refer(slots[2], header(f))
	f.align(8)
	at = placed{a.at, int64(len(f.b)) + 8, int64(len(body))}
	head := binary.LittleEndian.AppendUint32([]byte{0xff, 0xff, 0xff, 0xff}, uint32(len(f.b)))
	for _, b := range [][]byte{head, f.b, body} {
		if err := a.write(b); err != nil {
			return at, err
		}
	}
	return at, nil
}

// describe adds the schema and returns its place.
func (a *Writer) describe(f *made) int {
	start, slots := f.table(2, 4)
	f.refer(slots[1], f.vector(4, 4, a.schema.Width))
	list := len(f.b) - 4*a.schema.Width
	for j := range a.schema.Width {
		field, of := f.table(4, 1, 1, 4, 0, 4)
		f.refer(list+4*j, field)
		f.refer(of[0], f.text(a.schema.Name(j)))
		f.b[of[1]] = 1 // there may be nulls
		if _, texts := a.schema.Categories[j]; texts {
			f.b[of[2]] = isText
			kind, _ := f.table()
			f.refer(of[3], kind)
		} else {
			f.b[of[2]] = isDouble
			kind, precision := f.table(2)
			f.b[precision[0]] = 2
			f.refer(of[3], kind)
		}
		f.refer(of[5], f.vector(4, 4, 0))
	}
	return start
}

// Write implements [data.Writer]. The block must be dense.
func (a *Writer) Write(b *data.Block) error {
	width := a.schema.Width
	if len(b.Dense) != b.Rows*width {
		return fmt.Errorf("arrow: a block of %d rows has %d cells, not %d columns each", b.Rows, len(b.Dense), width)
	}
	if b.Rows == 0 {
		return nil
	}
	var body []byte
	var buffers, nodes []int64
	add := func(part []byte) {
		buffers = append(buffers, int64(len(body)), int64(len(part)))
		body = append(body, part...)
		for len(body)%8 != 0 {
			body = append(body, 0)
		}
	}
	for j := range width {
		known, texts := make([]byte, (b.Rows+7)/8), []byte(nil)
		var cells []byte
		categories, isText := a.schema.Categories[j]
		missing := 0
		if isText {
			cells = binary.LittleEndian.AppendUint32(cells, 0)
		}
		for i := range b.Rows {
			v := b.Dense[i*width+j]
			if v == v {
				known[i/8] |= 1 << (i % 8)
			} else {
				missing++
			}
			switch {
			case !isText:
				cells = binary.LittleEndian.AppendUint64(cells, math.Float64bits(v))
				continue
			case v == v:
				texts = append(texts, categories[int(v)]...)
			}
			if len(texts) > math.MaxInt32 {
				return fmt.Errorf("arrow: the texts of column %s are longer than 2 GiB", a.schema.Name(j))
			}
			cells = binary.LittleEndian.AppendUint32(cells, uint32(len(texts)))
		}
		nodes = append(nodes, int64(b.Rows), int64(missing))
		add(known)
		add(cells)
		if isText {
			add(texts)
		}
	}
	at, err := a.message(isBatch, func(f *made) int {
		start, slots := f.table(8, 4, 4)
		binary.LittleEndian.PutUint64(f.b[slots[0]:], uint64(b.Rows))
		f.refer(slots[1], f.longs(2, nodes))
		f.refer(slots[2], f.longs(2, buffers))
		return start
	}, body)
	a.batches = append(a.batches, at)
	return err
}

// Close implements [data.Writer]. It does not close the file.
func (a *Writer) Close() error {
	f := newMade()
	start, slots := f.table(2, 4, 4, 4)
	f.refer(0, start)
	f.b[slots[0]] = 4
	f.refer(slots[1], a.describe(f))
	f.refer(slots[2], f.longs(3, nil))
	var blocks []int64
	for _, b := range a.batches {
		blocks = append(blocks, b.at, b.meta, b.body)
	}
	f.refer(slots[3], f.longs(3, blocks))
	end := []byte{0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0}
	end = append(end, f.b...)
	end = binary.LittleEndian.AppendUint32(end, uint32(len(f.b)))
	if err := a.write(append(end, begins...)); err != nil {
		return err
	}
	if err := a.w.Flush(); err != nil {
		return fmt.Errorf("arrow: %w", err)
	}
	return nil
}
