package panel

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"math"

	"fsa/data"
)

// A table that was written in part can be gone on with behind its last whole group. All
// rows have to come again: what columns are called and which texts they hold is only
// known by whoever reads them. Those that are in the file already are compared with
// what was written, by a checksum, and cost no more than that.

// ErrOther says that a state does not belong to the rows or the options.
var ErrOther = errors.New("panel: this is not the table that was written in part")

// written is what a writer remembers of rows that may have to be skipped.
type written struct {
	ended func() error // nil where nobody will go on
	rows  int          // so far
	sum   uint32       // of them
	skip  int          // rows that are in the file already and have not come again
	want  uint32       // checksum of all of those
	table uint32       // checksum of what the file depends on besides rows
}

// note adds n rows of a block to the checksum, from row first on.
func (w *written) note(b *data.Block, first, n, width int) {
	if w.ended == nil && w.skip == 0 {
		return
	}
	w.rows += n
	update := func(part []byte) { w.sum = crc32.Update(w.sum, castagnoli, part) }
	for i := first; i < first+n; i++ {
		if b.Start == nil {
			update(bytesOf(b.Dense[i*width : (i+1)*width]))
		} else {
			update(bytesOf(b.Index[b.Start[i]:b.Start[i+1]]))
			update(bytesOf(b.Value[b.Start[i]:b.Start[i+1]]))
		}
		if b.Label != nil {
			update(bytesOf(b.Label[i : i+1]))
		}
		if b.Query != nil {
			update(bytesOf(b.Query[i : i+1]))
		}
	}
}

// pass takes the rows of a block that are in the file already and returns the others,
// nil if there are none.
func (p *Writer) pass(b *data.Block) (*data.Block, error) {
	n := min(p.again.skip, b.Rows)
	p.again.note(b, 0, n, p.schema.Width)
	if p.again.skip -= n; p.again.skip == 0 && p.again.sum != p.again.want {
		return nil, ErrOther
	}
	if n == b.Rows {
		return nil, nil
	}
	rest := &data.Block{Rows: b.Rows - n, Line: b.LineOf(n)}
	if b.Lines != nil {
		rest.Lines = b.Lines[n:]
	}
	if b.Start == nil {
		rest.Dense = b.Dense[n*p.schema.Width:]
	} else {
		rest.Start, rest.Index, rest.Value = b.Start[n:], b.Index, b.Value
	}
	if b.Label != nil {
		rest.Label = b.Label[n:]
	}
	if b.Query != nil {
		rest.Query = b.Query[n:]
	}
	return rest, nil
}

// State returns what another writer has to know to go on behind the group that was
// just written. Only [Options.Ended] may ask for it.
func (p *Writer) State() []byte {
	le := binary.LittleEndian
	b := le.AppendUint64(nil, uint64(p.out.at))
	b = le.AppendUint64(b, uint64(p.again.rows))
	b = le.AppendUint32(b, p.again.sum)
	b = le.AppendUint32(b, p.again.table)
	for _, flag := range []bool{p.foot.labels, p.foot.queries} {
		b = le.AppendUint32(b, map[bool]uint32{true: 1}[flag])
	}
	b = le.AppendUint32(b, uint32(len(p.foot.groups)))
	for i := range p.foot.groups {
		b = p.foot.groups[i].append(b)
	}
	return p.body.save(b)
}

// layout is a checksum of what a file depends on besides its rows, before any is read.
func (p *Writer) layout() uint32 {
	text, err := json.Marshal([]any{p.foot.sparse, p.foot.height, p.schema.Names, p.schema.Kinds})
	if err != nil {
		panic(err) // of names and texts only
	}
	return checksum(text)
}

// StateEnd returns how many bytes of the file belong to a state: it may be longer.
func StateEnd(state []byte) (int64, error) {
	c := &cursor{b: state}
	if n := c.size(math.MaxInt64); !c.failed && n >= headerBytes {
		return int64(n), nil
	}
	return 0, ErrOther
}

// load goes on from a state.
func (p *Writer) load(state []byte) error {
	c := &cursor{b: state}
	p.out.at = int64(c.size(math.MaxInt64))
	p.again.skip, p.again.want = c.size(1<<48), c.u32()
	if c.u32() != p.again.table {
		return ErrOther
	}
	p.began, p.foot.labels, p.foot.queries = true, c.u32() == 1, c.u32() == 1
	rows, end := 0, int64(page)
	p.foot.groups = make([]group, c.count(groupBytes))
	for i := range p.foot.groups {
		g := c.group()
		if g.offset < end || g.rows < 1 {
			return ErrOther
		}
		p.foot.groups[i], end = g, g.offset
		rows += g.rows
	}
	p.foot.rows = rows
	if !p.body.load(c) || c.failed || len(c.b) > 0 || rows != p.again.skip || p.out.at < end || rows == 0 {
		return ErrOther
	}
	return nil
}

// ended is called behind every group.
func (p *Writer) ended() error {
	if p.again.ended == nil {
		return nil
	}
	return p.again.ended()
}

// short is the error of a table that has fewer rows than were written of it.
func (p *Writer) short() error {
	return fmt.Errorf("%w: it has %d rows less", ErrOther, p.again.skip)
}

func (m *moments) append(b []byte) []byte {
	le := binary.LittleEndian
	for _, v := range []float64{m.pivot, m.sum, m.squares, m.min, m.max} {
		b = le.AppendUint64(b, math.Float64bits(v))
	}
	b = le.AppendUint64(b, uint64(m.missing))
	b = append(b, byte(m.precision), 0)
	if m.seen {
		b[len(b)-1] = 1
	}
	return b
}

func (c *cursor) moments() (m moments) {
	for _, v := range []*float64{&m.pivot, &m.sum, &m.squares, &m.min, &m.max} {
		*v = math.Float64frombits(c.u64())
	}
	m.missing = c.size(1 << 48)
	if b := c.take(2); b != nil {
		m.precision, m.seen = precision(min(b[0], byte(lossless))), b[1] == 1
	}
	return m
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

// save implements [body].
func (s *sparseBody) save(b []byte) []byte {
	le := binary.LittleEndian
	b = le.AppendUint32(b, uint32(len(s.seen)))
	for i := range s.seen {
		b = le.AppendUint32(b, s.seen[i].index)
		b = le.AppendUint64(b, uint64(s.seen[i].listed))
		b = s.seen[i].moments.append(b)
	}
	return b
}

// load implements [body].
func (s *sparseBody) load(c *cursor) bool {
	for range c.count(62) {
		to := s.column(c.u32())
		to.listed = c.size(1 << 48)
		to.moments = c.moments()
	}
	return !c.failed
}
