package part

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"slices"
	"strings"

	"fsa/data"
	"fsa/data/kind"
	"fsa/data/open"
	"fsa/internal/collective"
	"fsa/internal/grid"
)

// Redistributed is a file with the rows that a process must hold, in a grid with one column.
type Redistributed struct {
	Path    string // path of a NumPy file
	Options open.Options
}

// Remove removes the file.
func (p *Redistributed) Remove() {
	os.Remove(p.Path)
	os.Remove(p.Options.Names)
}

// Redistribute sends each row to the process that must hold it; each process starts with one file of rows.
// The column order has a number for each row, partition·2³³ + position: rows are sorted by these
// numbers, whatever file they are in. Without the name of that column, the rows of a process follow
// those of the process before it. All processes call it together; if one fails, agree makes all of
// them fail.
//
// Processes without rows get nil, which happens if there are too few rows.
func Redistribute(ctx context.Context, c collective.Comm, path string, o open.Options, order string, agree func(error) error) (*Redistributed, error) {
	s := &source{path: path, options: o, order: order, rank: c.Rank()}
	if err := agree(s.survey(ctx)); err != nil {
		return nil, err
	}
	if err := s.number(c, agree); err != nil {
		return nil, err
	}
	if s.parts = grid.RowParts(s.rows, c.Size()); c.Rank() < len(s.parts)-1 {
		s.from, s.to = s.parts[c.Rank()], s.parts[c.Rank()+1]
	}
	if err := s.joinTexts(c, agree); err != nil {
		return nil, err
	}
	to := &Redistributed{path + ".placed.npy", open.Options{Format: "npy", Names: path + ".names", Texts: map[string][]string{}, Kinds: map[string]kind.Column{}}}
	for j, k := range s.kinds {
		to.Options.Kinds[s.heads[j]] = k
	}
	for j, t := range s.texts {
		to.Options.Texts[s.heads[j]] = t.known
	}
	out, err := newRowFile(to.Path, s.to-s.from, len(s.names))
	if err == nil {
		defer out.Close()
		err = os.WriteFile(to.Options.Names, []byte(strings.Join(s.names, "\n")+"\n"), 0o600)
	}
	if err = agree(err); err == nil {
		err = s.exchange(ctx, c, out, agree)
	}
	if err != nil {
		to.Remove()
		return nil, err
	}
	if s.from == s.to {
		to.Remove()
		return nil, nil
	}
	return to, nil
}

// positions is the number of rows that a partition may have.
const positions = 1 << 33

// source is the file of this process.
type source struct {
	path    string
	options open.Options
	order   string
	rank    int

	heads    []string            // names of the columns
	names    []string            // the same without that of the order
	column   int                 // column of the order, or −1
	kinds    map[int]kind.Column // kinds of the columns that are not plain numbers
	texts    map[int]*texts      // texts of the columns that have some
	ids      []int64             // order numbers of the rows
	rows     int                 // number of rows of the whole table
	first    map[int64]int
	parts    []int
	from, to int // range of rows that this process must hold
}

func (s *source) refuse(column, format string, a ...any) error {
	return &data.Error{File: s.path, Column: column, Msg: fmt.Sprintf(format, a...)}
}

// survey reads the names of the columns and the numbers of the rows.
func (s *source) survey(ctx context.Context) error {
	r, err := open.Reader(ctx, s.path, s.options)
	if err != nil {
		return err
	}
	defer r.Close()
	schema := r.Schema()
	if schema.Sparse || schema.Names == nil {
		return s.refuse("", "it is sparse or has no names: several workers need dense rows with names")
	}
	s.column = -1
	if s.order != "" {
		if s.column = schema.FindColumn(s.order); s.column < 0 {
			return s.refuse(s.order, "the column with the order of the rows is missing")
		}
	}
	s.heads, s.kinds, s.texts = slices.Clone(schema.Names), map[int]kind.Column{}, map[int]*texts{}
	for j, name := range s.heads {
		if strings.ContainsAny(name, "\r\n") {
			return s.refuse(name, "the name has several lines: rename it")
		}
		if j != s.column {
			s.names = append(s.names, name)
		}
		if k := schema.KindOf(j); k.Kind != kind.Number {
			if s.kinds[j] = k; j == s.column {
				return s.refuse(name, "the column with the order of the rows is of the kind %s", k.Kind)
			}
		}
	}
	for block, err := range data.Blocks(ctx, r) {
		if err != nil {
			return err
		}
		for j, name := range s.heads { // the kinds may change while rows are read
			if was, is := s.kindOf(j), r.Schema().KindOf(j).Kind; was != is {
				return s.refuse(name, "the column is of the kind %s, and first looked like %s: leave it out, or write it as numbers", is, was)
			}
		}
		for i := range block.Rows {
			id := float64(s.rank)*positions + float64(len(s.ids))
			if s.column >= 0 {
				id = block.Dense[i*schema.Width+s.column]
			}
			if id < 0 || id != math.Trunc(id) || id >= 1<<53 {
				return s.refuse(s.order, "the number %v of a row is not an integer from 0 to 2⁵³", id)
			}
			s.ids = append(s.ids, int64(id))
		}
		if block.Reuse != nil {
			block.Reuse()
		}
	}
	s.addTexts(r.Schema())
	return nil
}

// errOrder is the message if the numbers of rows have gaps or repeat.
const errOrder = "a row is missing or occurs twice: the table has other rows, or another order, each time it is computed; store it before the fit"

// number determines where the rows of each partition begin.
func (s *source) number(c collective.Comm, agree func(error) error) error {
	heads, err := collective.GatherAll(c, s.head())
	if err != nil {
		return err
	}
	for rank, head := range heads {
		if string(head) != string(heads[0]) {
			return agree(s.refuse("", "the columns of worker %d are not those of worker 0: give all of them the same columns of the same kinds, in the same order", rank))
		}
	}
	mine := map[int64]int64{}
	for _, id := range s.ids {
		mine[id/positions]++
	}
	var list []int64
	for partition, n := range mine {
		list = append(list, partition, n)
	}
	all, err := collective.GatherAll(c, collective.Bytes(list))
	if err != nil {
		return err
	}
	count := map[int64]int{}
	for _, part := range all {
		for ; len(part) >= 16; part = part[16:] {
			count[int64(binary.NativeEndian.Uint64(part))] += int(binary.NativeEndian.Uint64(part[8:]))
		}
	}
	var partitions []int64
	for partition := range count {
		partitions = append(partitions, partition)
	}
	slices.Sort(partitions)
	s.first = map[int64]int{}
	for _, partition := range partitions {
		s.first[partition] = s.rows
		s.rows += count[partition]
	}
	err = nil
	for i, id := range s.ids {
		if id%positions >= int64(count[id/positions]) {
			err = s.refuse("", errOrder)
			break
		}
		s.ids[i] = int64(s.first[id/positions]) + id%positions
	}
	if s.rows == 0 {
		err = s.refuse("", "there are no rows")
	}
	return agree(err)
}

// roundBytes is the number of bytes that a process sends at a time.
const roundBytes = 8 << 20

// exchange sends every row to the process that must hold it, and writes the rows that this process
// receives. A process that fails sends nothing more, but takes part until all processes have sent
// their rows.
func (s *source) exchange(ctx context.Context, c collective.Comm, out *rowFile, agree func(error) error) error {
	r, failed := open.Reader(ctx, s.path, s.options)
	next, stop := func() (*data.Block, error, bool) { return nil, nil, false }, func() {}
	if failed == nil {
		defer r.Close()
		next, stop = iter.Pull2(data.Blocks(ctx, r))
	}
	defer stop()
	for over, sent := false, 0; !over; {
		to, last := make([]parcel, c.Size()), failed != nil
		for size := 0; size < roundBytes && !last; {
			block, err, more := next()
			if more && err == nil {
				if err = s.encode(block, r.Schema()); err == nil {
					err = s.sort(block, sent, to)
				}
			}
			if last = !more || err != nil; last {
				if failed = err; err == nil && sent != len(s.ids) {
					failed = s.refuse("", errOrder)
				}
				break
			}
			sent, size = sent+block.Rows, size+8*len(block.Dense)
			if block.Reuse != nil {
				block.Reuse()
			}
		}
		messages := make([][]byte, len(to))
		for p := range to {
			messages[p] = to[p].message(last)
		}
		got, err := collective.AllToAll(c, messages)
		if err != nil {
			return err
		}
		over = true
		for _, message := range got {
			ended, err := out.take(message, s.from)
			if err != nil && failed == nil {
				failed = s.refuse("", "%v", err)
			}
			over = over && ended
		}
	}
	if failed == nil && out.left > 0 {
		failed = s.refuse("", errOrder)
	}
	if failed == nil {
		failed = out.Close()
	}
	return agree(failed)
}

// sort adds the rows of a block to the parcels of the processes that must hold them. before is the
// number of rows before the block.
func (s *source) sort(block *data.Block, before int, to []parcel) error {
	if before+block.Rows > len(s.ids) {
		return s.refuse("", errOrder)
	}
	width := len(block.Dense) / max(block.Rows, 1)
	for i, row := range s.ids[before : before+block.Rows] {
		p, exact := slices.BinarySearchFunc(s.parts, row, func(from int, row int64) int { return cmp.Compare(int64(from), row) })
		if !exact {
			p--
		}
		to[p].add(row, block.Dense[i*width:(i+1)*width], s.column)
	}
	return nil
}

// parcel holds rows for another process.
type parcel struct {
	rows  []int64
	cells []byte
}

// add appends a row, without the column that has its order number.
func (p *parcel) add(row int64, cells []float64, without int) {
	p.rows = append(p.rows, row)
	for j, x := range cells {
		if j != without {
			p.cells = binary.LittleEndian.AppendUint64(p.cells, math.Float64bits(x))
		}
	}
}

// message returns the bytes to send: whether it is the last parcel, the order numbers of the rows,
// and their cells.
func (p *parcel) message(last bool) []byte {
	b := make([]byte, 1, 9+8*len(p.rows)+len(p.cells))
	if last {
		b[0] = 1
	}
	b = binary.LittleEndian.AppendUint64(b, uint64(len(p.rows)))
	for _, row := range p.rows {
		b = binary.LittleEndian.AppendUint64(b, uint64(row))
	}
	return append(b, p.cells...)
}

// rowFile is a NumPy file whose rows are written in any order.
type rowFile struct {
	*os.File
	first int64 // offset of the first row
	width int64 // bytes per row
	have  []bool
	left  int
}

func newRowFile(path string, rows, columns int) (*rowFile, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	const unit = 64 // the offset of the first row is a multiple of unit
	text := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': (%d, %d), }", rows, columns)
	text += strings.Repeat(" ", unit-1-(10+len(text))%unit) + "\n"
	head := append([]byte("\x93NUMPY\x01\x00"), byte(len(text)), byte(len(text)>>8))
	if _, err := io.WriteString(f, string(head)+text); err != nil {
		f.Close()
		return nil, err
	}
	return &rowFile{File: f, first: int64(len(head) + len(text)), width: 8 * int64(columns), have: make([]bool, rows), left: rows}, nil
}

// take writes the rows of a message; from is the number of the file's first row. It reports whether
// the message is the last one.
func (f *rowFile) take(b []byte, from int) (last bool, err error) {
	if len(b) < 9 {
		return true, fmt.Errorf("a message of %d bytes", len(b))
	}
	n := binary.LittleEndian.Uint64(b[1:])
	rows := b[9:]
	if n > uint64(len(rows))/8 || uint64(len(rows)) != n*(8+uint64(f.width)) {
		return b[0] == 1, fmt.Errorf("a message of %d bytes for %d rows", len(b), n)
	}
	cells := rows[8*n:]
	row := func(i uint64) int { return int(binary.LittleEndian.Uint64(rows[8*i:])) - from }
	for i := uint64(0); i < n; {
		at, end := row(i), i
		for ; end < n && row(end) == at+int(end-i); end++ {
			k := row(end)
			if k < 0 || k >= len(f.have) || f.have[k] {
				return b[0] == 1, errors.New(errOrder)
			}
			f.have[k] = true
			f.left--
		}
		part := cells[:(end-i)*uint64(f.width)]
		cells = cells[len(part):]
		if _, err := f.WriteAt(part, f.first+int64(at)*f.width); err != nil {
			return b[0] == 1, err
		}
		i = end
	}
	return b[0] == 1, nil
}
