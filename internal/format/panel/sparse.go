package panel

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"fsa/data"
	"fsa/internal/matrix"
)

const groupRows = 1 << 16 // of a group, at most

// sparseBody collects rows into a group.
type sparseBody struct {
	*file
	counts []uint32
	index  []uint32
	value  []float64
	label  []float64
	query  []int64
	seen   []sparseColumn    // of the columns with values,
	near   []uint32          // and the index of each of the first among them, counted from 1,
	far    map[uint32]uint32 // and each of the others
	most   int               // of those with values; 0 for any number
}

// TooWide says that more columns of a sparse table have values than [Options] allow.
type TooWide struct{ Columns int }

func (e *TooWide) Error() string {
	return fmt.Sprintf("panel: at least %d columns occur, too many", e.Columns)
}

// sparseColumn is a column with values.
type sparseColumn struct {
	moments
	listed int // numbers
	index  uint32
}

// nearColumns is the number of columns that are looked up directly by index. Columns with larger
// indices may be scattered over billions, and are looked up in a map.
const nearColumns = 1 << 22

// column returns what is known of column j.
func (s *sparseBody) column(j uint32) *sparseColumn {
	var at uint32
	if j < nearColumns {
		if int(j) >= len(s.near) {
			s.near = append(s.near, make([]uint32, int(j)+1-len(s.near))...)
		}
		at = s.near[j]
	} else {
		at = s.far[j]
	}
	if at > 0 {
		return &s.seen[at-1]
	}
	s.seen = append(s.seen, sparseColumn{index: j})
	at = uint32(len(s.seen))
	if j < nearColumns {
		s.near[j] = at
	} else {
		if s.far == nil {
			s.far = map[uint32]uint32{}
		}
		s.far[j] = at
	}
	return &s.seen[at-1]
}

// add implements [body].
func (s *sparseBody) add(b *data.Block) error {
	for i := range b.Rows {
		lo, hi := b.Start[i], b.Start[i+1]
		s.again.note(b, i, 1, 0)
		for p := lo; p < hi; p++ {
			j, v := b.Index[p], b.Value[p]
			if math.IsInf(v, 0) {
				return s.infinite(s.foot.rows+i, int(j))
			}
			c := s.column(j)
			if s.most > 0 && len(s.seen) > s.most {
				return &TooWide{len(s.seen)}
			}
			if v != v {
				c.missing++
			} else {
				c.listed++
				c.moments.add(v)
			}
		}
		s.counts = append(s.counts, uint32(hi-lo))
		s.index = append(s.index, b.Index[lo:hi]...)
		s.value = append(s.value, b.Value[lo:hi]...)
		if s.foot.labels {
			s.label = append(s.label, b.Label[i])
		}
		if s.foot.queries {
			s.query = append(s.query, b.Query[i])
		}
		if len(s.index) >= groupCells || len(s.counts) == groupRows {
			if err := s.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// flush writes the group.
func (s *sparseBody) flush() error {
	if err := s.out.pad(); err != nil {
		return err
	}
	g := group{offset: s.out.at, rows: len(s.counts), cells: len(s.index)}
	narrow := make([]float32, len(s.value))
	for i, v := range s.value {
		narrow[i] = float32(v)
		size := math.Abs(float64(narrow[i]))
		g.wide = g.wide || v == v && float64(narrow[i]) != v && (!(size < 1<<matrix.WideExponent) || size < 1.0/(1<<matrix.WideExponent))
	}
	parts := [][]byte{bytesOf(s.counts), bytesOf(s.index), bytesOf(narrow)}
	if g.wide {
		parts[2] = bytesOf(s.value)
	}
	var checks []uint32
	for _, b := range parts {
		checks = append(checks, checksum(b))
		if err := s.out.write(b); err != nil {
			return err
		}
	}
	if err := s.endGroup(g, checks, s.label, s.query); err != nil {
		return err
	}
	s.counts, s.index, s.value = s.counts[:0], s.index[:0], s.value[:0]
	s.label, s.query = s.label[:0], s.query[:0]
	return nil
}

// finish implements [body].
func (s *sparseBody) finish() error {
	if len(s.counts) > 0 {
		if err := s.flush(); err != nil {
			return err
		}
	}
	slices.SortFunc(s.seen, func(a, b sparseColumn) int { return cmp.Compare(a.index, b.index) })
	s.near, s.far = nil, nil
	s.foot.columns = make([]column, 0, len(s.seen))
	for i := range s.seen {
		c := &s.seen[i]
		if int64(c.index) >= int64(s.schema.Width) {
			return fmt.Errorf("panel: column %d in a table of %d", c.index, s.schema.Width)
		}
		s.foot.columns = append(s.foot.columns, column{index: c.index, wide: never, Profile: c.profile(s.foot.rows, c.listed)})
	}
	s.seen = nil
	return nil
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
