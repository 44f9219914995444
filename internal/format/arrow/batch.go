package arrow

import (
	"encoding/binary"
	"fmt"
	"math"

	"fsa/internal/format/columnar"
)

var nan = math.NaN()

// batch is the header of a batch of records, or of a dictionary.
type batch struct {
	src    *source
	rows   int64
	nodes  list
	parts  list
	views  []int // number of buffers of the first columns of views, from 0 to all of them
	packed packing
	body   int64
	size   int64
}

const pairBytes = 16 // bytes of a pair: a node or a buffer, each two numbers

func newBatch(src *source, records table, m *message) (*batch, error) {
	b := &batch{src: src, rows: records.long(0), nodes: records.list(1, pairBytes), parts: records.list(2, pairBytes), views: []int{0}, packed: unpacked, body: m.body, size: m.size}
	if c := records.table(3); c.flat != nil {
		b.packed = packing(c.byte(0))
	}
	for views, i := records.list(4, 8), 0; i < views.n; i++ {
		n := views.int64(views.pos + 8*i)
		if n < 0 || n > int64(b.parts.n) {
			return nil, errDamaged
		}
		b.views = append(b.views, b.views[i]+int(n))
	}
	if records.flat == nil || records.damaged || b.rows < 0 || b.rows > mostRows {
		return nil, errDamaged
	}
	return b, nil
}

// buffer returns a buffer of the batch, whose memory may be reused.
func (b *batch) buffer(i int, into *buffer) error {
	if i >= b.parts.n {
		return errDamaged
	}
	at, n := b.parts.int64(b.parts.pos+pairBytes*i), b.parts.int64(b.parts.pos+pairBytes*i+8)
	if at < 0 || n < 0 || at > b.size-n {
		return errDamaged
	}
	*into = buffer{src: b.src, at: b.body + at, n: n, packed: b.packed, bytes: into.bytes[:0]}
	return nil
}

// array holds the values of a column in a batch.
type array struct {
	*value
	rows    int64
	valid   buffer // one bit per row; empty if none is missing
	main    buffer // numbers, offsets or views
	texts   buffer
	views   []buffer
	offsets int64 // bytes of a number
	open    bool
}

// locate finds the buffers of an array, of a column or of the values of a dictionary.
func (b *batch) locate(a *array, v *value, at shape) error {
	a.value, a.rows, a.open = v, b.rows, false
	if at.nodes >= b.nodes.n || b.nodes.int64(b.nodes.pos+pairBytes*at.nodes) != b.rows {
		return errDamaged
	}
	if v.cell == null {
		return nil
	}
	if at.views >= len(b.views) || v.cell == view && at.views+1 >= len(b.views) {
		return errDamaged
	}
	first := at.buffers + b.views[at.views] // those of views of earlier columns come in between
	into := []*buffer{&a.valid, &a.main}
	switch v.cell {
	case text:
		a.offsets = 4
		into = append(into, &a.texts)
	case large:
		a.offsets = 8
		into = append(into, &a.texts)
	case view:
		a.views = make([]buffer, b.views[at.views+1]-b.views[at.views])
		for i := range a.views {
			into = append(into, &a.views[i])
		}
	}
	for i, to := range into {
		if err := b.buffer(first+i, to); err != nil {
			return err
		}
	}
	return nil
}

// unpack opens the buffers of the array and checks that all rows are in them.
func (a *array) unpack(s *scratch, l *limits) error {
	if a.open || a.cell == null {
		return nil
	}
	const slack = 64 // buffers are padded to a multiple of this
	least := a.rows * int64(a.size)
	switch a.cell {
	case boolean:
		least = (a.rows + 7) / 8
	case text, large:
		if least = (a.rows + 1) * a.offsets; a.rows == 0 {
			least = 0 // the only offset may be left out
		}
	}
	if err := a.valid.open(s, l, a.rows/8+2*slack); err != nil {
		return err
	}
	if err := a.main.open(s, l, least+2*slack); err != nil {
		return err
	}
	if a.main.length() < least || a.valid.length() > 0 && a.valid.length() < (a.rows+7)/8 {
		return fmt.Errorf("%d rows do not lie in %d bytes", a.rows, a.main.length())
	}
	all := []*buffer{&a.texts}
	for i := range a.views {
		all = append(all, &a.views[i])
	}
	for _, b := range all {
		if err := b.open(s, l, math.MaxInt64); err != nil {
			return err
		}
	}
	for i := range a.views {
		if err := a.views[i].load(l); err != nil {
			return err
		}
	}
	a.open = true
	return nil
}

// read fills dst with numbers, from the given row on; a missing one is NaN. Code converts texts to
// numbers.
func (a *array) read(dst []float64, from int64, s *scratch, code func([]byte) (float64, error)) error {
	valid, err := a.validity(from, int64(len(dst)), s)
	if err != nil {
		return err
	}
	n := int64(len(dst))
	switch a.cell {
	case null:
		columnar.Missing(dst)
		return nil
	case boolean:
		w, err := a.main.window(from/8, (from+n+7)/8-from/8, s.ahead)
		if err != nil {
			return err
		}
		for i := range dst {
			bit := int(from%8) + i
			dst[i] = float64(w[bit/8] >> (bit % 8) & 1)
		}
	case number, decimal:
		w, err := a.main.window(from*int64(a.size), n*int64(a.size), s.ahead)
		if err != nil {
			return err
		}
		a.decode(dst, w)
	default:
		err = a.each(n, from, s, func(i int, text []byte) (err error) {
			if valid == nil || valid.at(i) {
				dst[i], err = code(text)
			}
			return err
		})
	}
	if valid != nil {
		for i := range dst {
			if !valid.at(i) {
				dst[i] = nan
			}
		}
	}
	return err
}

// decode converts bytes to numbers.
func (v *value) decode(dst []float64, w []byte) {
	if v.cell == number {
		v.number.Decode(dst, w)
	} else {
		reversed := make([]byte, v.size)
		for i := range dst {
			for k, b := range w[i*v.size:][:v.size] {
				reversed[v.size-1-k] = b
			}
			dst[i] = columnar.BigEndian(reversed)
		}
	}
	if v.unit != 1 {
		for i := range dst {
			dst[i] /= v.unit
		}
	}
}

// bits returns which rows are present.
type bits struct {
	b     []byte
	first int
}

func (b *bits) at(i int) bool { return b.b[(b.first+i)/8]>>((b.first+i)%8)&1 == 1 }

// validity returns which of n rows are present; nil if all are.
func (a *array) validity(from, n int64, s *scratch) (*bits, error) {
	if a.cell == null || a.valid.length() == 0 {
		return nil, nil
	}
	w, err := a.valid.window(from/8, (from+n+7)/8-from/8, s.ahead)
	return &bits{w, int(from % 8)}, err
}

// each iterates over the texts of n rows.
func (a *array) each(n, from int64, s *scratch, use func(i int, text []byte) error) error {
	if a.cell == view {
		return a.viewTexts(n, from, s, use)
	}
	return a.offsetTexts(n, from, s, use)
}

// offsetTexts iterates over contiguous texts.
func (a *array) offsetTexts(n, from int64, s *scratch, use func(i int, text []byte) error) error {
	w, err := a.main.window(from*a.offsets, (n+1)*a.offsets, s.ahead)
	if err != nil {
		return err
	}
	offset := func(i int64) int64 {
		if a.offsets == 4 {
			return int64(int32(binary.LittleEndian.Uint32(w[4*i:])))
		}
		return int64(binary.LittleEndian.Uint64(w[8*i:]))
	}
	first, last := offset(0), offset(n)
	texts, err := a.texts.window(first, last-first, s.ahead)
	if err != nil {
		return err
	}
	for i := range n {
		lo, hi := offset(i)-first, offset(i+1)-first
		if lo < 0 || hi < lo || hi > int64(len(texts)) {
			return errDamaged
		}
		if err := use(int(i), texts[lo:hi]); err != nil {
			return err
		}
	}
	return nil
}

// viewTexts iterates over texts in views, or elsewhere.
func (a *array) viewTexts(n, from int64, s *scratch, use func(i int, text []byte) error) error {
	const inside = 12 // bytes of a text that fit into a view
	w, err := a.main.window(from*int64(a.size), n*int64(a.size), s.ahead)
	if err != nil {
		return err
	}
	for i := range int(n) {
		v := w[i*a.size:][:a.size]
		size := int64(int32(binary.LittleEndian.Uint32(v)))
		if size < 0 {
			return errDamaged
		}
		var text []byte
		if size <= inside {
			text = v[4:][:size]
		} else {
			in, at := binary.LittleEndian.Uint32(v[8:]), int64(int32(binary.LittleEndian.Uint32(v[12:])))
			if int64(in) >= int64(len(a.views)) {
				return errDamaged
			}
			if text, err = a.views[in].window(at, size, 0); err != nil {
				return err
			}
		}
		if err := use(i, text); err != nil {
			return err
		}
	}
	return nil
}
