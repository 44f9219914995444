package data

import (
	"math"

	"fsa/data/kind"
	"fsa/internal/matrix"
)

// Builder collects blocks of rows into a [Dataset].
type Builder struct {
	*Collector
	columns  []Column
	expected int // expected number of rows, or 0

	dense  *matrix.Dense
	sparse *matrix.Sparse
	found  []uint32    // columns of a sparse table in order of first appearance; see occurring
	powers []power     // powers of the columns in found
	places numberTable // positions of columns in found
	codes  []uint32    // categories of the text variables, row after row
	texts  []textSource
	whole  int       // number of columns that are columns of the input, not parts of one
	probes []idProbe // columns that may be identifiers
}

// textSource is where the categories of a text variable come from.
type textSource struct {
	column int        // column of the input
	part   *kind.Part // the part of a number that the variable is; nil for texts
}

// code returns the category of a cell.
func (t *textSource) code(cell float64) uint32 {
	switch {
	case cell != cell:
		return noCode
	case t.part != nil:
		return uint32(t.part.Level(cell))
	}
	return uint32(cell)
}

// noCode marks a missing text until the number of texts is known.
const noCode = math.MaxUint32

// NewBuilder returns a builder for tables of the given schema, which may grow as blocks are added.
func NewBuilder(name string, s *Schema, roles Roles) *Builder {
	return &Builder{Collector: NewCollector(name, s, roles)}
}

func infinite(v float64) bool { return math.IsInf(v, 0) }

const infiniteCell = "the value is infinite: it must be a finite number or missing"
