package panel

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"fsa/data"
)

// Writing can continue after the last complete group of a partial table. All rows must be delivered
// again, because only their source knows the names of the columns and their texts. Rows that are
// already in the file are only compared with the written ones by a checksum.

// ErrOther is returned if a state does not belong to the rows or the options.
var ErrOther = errors.New("panel: this is not the table that was written in part")

// pass takes the rows of a block that are already in the file and returns the others, nil if there
// are none.
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

// State returns what another writer needs to continue after the group that was just written. Only
// [Options.Ended] may call it.
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

// layout is a checksum of everything that a file depends on besides its rows, before any is read.
func (p *Writer) layout() uint32 {
	text, err := json.Marshal([]any{p.foot.sparse, p.foot.height, p.schema.Names, p.schema.Kinds})
	if err != nil {
		panic(err) // of names and texts only
	}
	return checksum(text)
}

// StateEnd returns the number of bytes of the file that belong to a state: it may be longer.
func StateEnd(state []byte) (int64, error) {
	c := &cursor{b: state}
	if n := c.size(math.MaxInt64); !c.failed && n >= headerBytes {
		return int64(n), nil
	}
	return 0, ErrOther
}

// load continues from a state.
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

// short returns the error for a table that has fewer rows than were already written.
func (p *Writer) short() error {
	return fmt.Errorf("%w: it has %d rows less", ErrOther, p.again.skip)
}
