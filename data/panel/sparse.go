package panel

import (
	"fmt"
	"math"

	"fsa/data"
	"fsa/internal/matrix"
)

const (
	groupCells = 1 << 20 // of a group of sparse rows: 8 MiB
	groupRows  = 1 << 16
)

// sparseBody collects rows into a group.
type sparseBody struct {
	*Writer
	counts []uint32
	index  []uint32
	value  []float64
	label  []float64
	query  []int64
	pages  []*[pageColumns]sparseColumn
}

// sparseColumn is a column that occurs.
type sparseColumn struct {
	moments
	listed int // numbers
}

// pageColumns is how many columns are made room for when one of them occurs.
const pageColumns = 256

// column returns what was seen of column j.
func (s *sparseBody) column(j uint32) *sparseColumn {
	at := int(j / pageColumns)
	if at >= len(s.pages) {
		s.pages = append(s.pages, make([]*[pageColumns]sparseColumn, at+1-len(s.pages))...)
	}
	if s.pages[at] == nil {
		s.pages[at] = new([pageColumns]sparseColumn)
	}
	return &s.pages[at][j%pageColumns]
}

// add implements [body].
func (s *sparseBody) add(b *data.Block) error {
	for i := range b.Rows {
		lo, hi := b.Start[i], b.Start[i+1]
		for p := lo; p < hi; p++ {
			j, v := b.Index[p], b.Value[p]
			if math.IsInf(v, 0) {
				return s.infinite(s.foot.rows+i, int(j))
			}
			c := s.column(j)
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
	for at, page := range s.pages {
		for k := 0; page != nil && k < pageColumns; k++ {
			c, j := &page[k], at*pageColumns+k
			if c.listed+c.missing == 0 {
				continue
			}
			if j >= s.schema.Width {
				return fmt.Errorf("panel: column %d in a table of %d", j, s.schema.Width)
			}
			s.foot.columns = append(s.foot.columns, column{index: uint32(j), wide: never, Profile: c.profile(s.foot.rows, c.listed)})
		}
	}
	return nil
}
