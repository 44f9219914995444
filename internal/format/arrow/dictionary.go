package arrow

import (
	"fmt"

	"fsa/internal/format/columnar"
)

// dictionary has values that columns refer to by index. In a stream it may grow, or be replaced.
type dictionary struct {
	numbers []float64 // NaN for a missing one
	texts   [][]byte  // nil for a missing one; empty if values are numbers
}

// names returns the texts without missing ones.
func (d *dictionary) names() (list []string) {
	for _, text := range d.texts {
		if text != nil {
			list = append(list, string(text))
		}
	}
	return list
}

// position is the type of indices into the dictionary of a column.
func (c *column) position() *value {
	v := numbers(c.index)
	return &v
}

// dictionary reads a dictionary, or an addition to one.
func (r *Reader) dictionary(m *message) error {
	b, err := newBatch(r.src, m.header.table(1), m)
	if err != nil {
		return err
	}
	var v *value
	for j := range r.columns {
		if c := &r.columns[j]; c.indexed && c.dict == m.dictionary && !c.skip {
			v = &c.value
			break
		}
	}
	if v == nil {
		return nil // no column uses it
	}
	var a array
	if err := b.locate(&a, v, shape{}); err != nil {
		return err
	}
	s := &r.scratch[0]
	if err := a.unpack(s, &r.limits); err != nil {
		return err
	}
	const entry = 40 // bytes in memory, in addition to those of a text
	if err := r.limits.room.Take(b.rows * entry); err != nil {
		return err
	}
	d := r.dicts[m.dictionary]
	if d == nil || m.header.byte(2) == 0 {
		d = &dictionary{}
		r.dicts[m.dictionary] = d
	}
	if !v.isText() {
		more := make([]float64, b.rows)
		if err := a.read(more, 0, s, nil); err != nil {
			return err
		}
		d.numbers = append(d.numbers, more...)
	} else {
		more, err := a.all(s, r.limits.room)
		if err != nil {
			return err
		}
		d.texts = append(d.texts, more...)
	}
	for j := range r.columns {
		if c := &r.columns[j]; c.indexed && c.dict == m.dictionary {
			r.known[j] = nil
			if c.ordered && !c.skip && r.codes[j] != nil {
				r.schema.Orders[j] = d.names()
			}
		}
	}
	return nil
}

// lookUp replaces the indices in the dictionary of column j by their values.
func (r *Reader) lookUp(j int, dst []float64) error {
	d := r.dicts[r.columns[j].dict]
	if d == nil {
		d = &dictionary{}
	}
	isText := r.codes[j] != nil
	n := len(d.numbers)
	if isText {
		n = len(d.texts)
	}
	if r.known[j] == nil {
		r.known[j] = make([]float64, n)
		for i := range r.known[j] {
			switch {
			case !isText:
				r.known[j][i] = d.numbers[i]
			case d.texts[i] == nil:
				r.known[j][i] = nan
			default:
				r.known[j][i] = -1 // a text gets its code when it first appears in a row
			}
		}
	}
	known := r.known[j]
	for i, p := range dst {
		if p != p {
			continue
		}
		if p < 0 || p >= float64(n) {
			return fmt.Errorf("position %v in a dictionary of %d values", p, n)
		}
		v := known[int(p)]
		if isText && v == -1 {
			var err error
			if v, err = r.codes[j].Code(d.texts[int(p)]); err != nil {
				return err
			}
			known[int(p)] = v
		}
		dst[i] = v
	}
	return nil
}

// all returns all texts of the array, nil for a missing one.
func (a *array) all(s *scratch, room *columnar.Room) ([][]byte, error) {
	valid, err := a.validity(0, a.rows, s)
	if err != nil {
		return nil, err
	}
	texts := make([][]byte, a.rows)
	return texts, a.each(a.rows, 0, s, func(i int, text []byte) error {
		if valid == nil || valid.at(i) {
			texts[i] = append([]byte{}, text...)
		}
		return room.Take(int64(len(text)))
	})
}
