package part

import (
	"fmt"
	"slices"

	"fsa/data"
	"fsa/data/kind"
	"fsa/data/open"
	"fsa/internal/grid"
)

// Table is a table of which a part is to be read.
type Table struct {
	Rows    int
	Columns []string // the variables; nil for a sparse table

	path     string
	options  open.Options
	nameless bool
	place    []int // column of each variable in the file
	target   *data.Target
	from     string // file with the target
	first    int    // index in the table of the first row of the file
	held     int    // rows of the file, if it has only those of this process
	sparse   *sparse
	kinds    map[int]kind.Column // kinds of variables that are not plain numbers
	response *kind.Column        // kind of the target column, if there is one
	use      []string            // names of variables that may look like identifiers

	// How variables are stored: first numbers, the last of which are split into further variables;
	// then those variables, and texts.
	numbers []int // variable at each index
	texts   []text
	cut     grid.Cut // cut of numbers and texts
}

// Width returns the number of variables.
func (t *Table) Width() int { return len(t.place) }

// Cut returns how the table is cut into tiles.
func (t *Table) Cut() grid.Cut { return t.cut }

// Bytes returns the memory that the cells of the table take, in all processes together.
func (t *Table) Bytes() float64 {
	if t.sparse != nil && !t.sparse.full(t.Rows) {
		return 8 * float64(t.sparse.cells)
	}
	return 4 * float64(t.Rows) * float64(t.Width())
}

// refuse is the error for something that a grid does not support, with what to do instead.
func (t *Table) refuse(column, what, cure string) error {
	return &data.Error{File: t.path, Column: column, Msg: fmt.Sprintf("%s, which a grid does not support: %s", what, cure)}
}

// kindOf returns the kind of a variable.
func (t *Table) kindOf(v int) kind.Column {
	if k, ok := t.kinds[v]; ok {
		return k
	}
	return kind.Column{Kind: kind.Number}
}

// checkKind refuses a variable whose kind has changed since the table was surveyed.
func (t *Table) checkKind(s *data.Schema, v int) error {
	if was, is := t.kindOf(v).Kind, s.KindOf(t.place[v]).Kind; was != is {
		return &data.Error{File: t.path, Column: t.Columns[v], Msg: fmt.Sprintf("the column is of the kind %s, and first looked like %s: --drop it, or write it as numbers", is, was)}
	}
	return nil
}

// schema describes the variables of a dense table.
func (t *Table) schema() *data.Schema {
	s := &data.Schema{Width: t.Width(), Names: t.Columns, Categories: map[int][]string{}, Kinds: t.kinds}
	if t.nameless {
		s.Names = nil
	}
	return s
}

// find returns the variable with a name, or with a number counted from 0, or −1.
func (t *Table) find(name string) int {
	if t.sparse != nil {
		v, found := slices.BinarySearch(t.place, t.sparse.schema.FindColumn(name))
		if !found {
			return -1
		}
		return v
	}
	return t.schema().FindColumn(name)
}

// setTarget takes the target that was collected.
func (t *Table) setTarget(c *data.Collector) (err error) {
	t.target, err = c.Target()
	switch {
	case err != nil:
		return err
	case t.target == nil || len(t.target.Y) == 0:
		return &data.Error{File: t.path, Msg: "there is no target: name one with --target"}
	case t.target.Query != nil:
		return t.refuse("", "rows belong to queries", "fit it without --grid")
	}
	return nil
}

// PartBytes returns the memory that the cells of this process take, which is an estimate if the
// table is sparse.
func (t *Table) PartBytes(g *grid.Grid) (int64, error) {
	fromRow, toRow, from, to, err := g.Part(t.cut)
	if t.sparse != nil && !t.sparse.full(t.Rows) {
		return int64(t.Bytes()) / int64(g.Rows*g.Columns), err
	}
	return 4 * int64(toRow-fromRow) * int64(to-from), err
}

// infinite is the error for row i of a block, which has an infinite number; before is the number of
// rows of the file before the block.
func (t *Table) infinite(b *data.Block, before, i int, column string) error {
	e := &data.Error{File: t.path, Line: b.LineOf(i), Column: column, Msg: "the value is infinite: it must be a finite number or missing"}
	if e.Line == 0 {
		e.Row = before + i + 1
	}
	return e
}

// changed is the error for a table that now has fewer rows than when it was surveyed.
func (t *Table) changed(rows int) error {
	return &data.Error{File: t.path, Msg: fmt.Sprintf("there are %d rows instead of %d: the table was changed while it was read", rows, t.Rows)}
}

// sparse holds the additional properties of a sparse table. Its variables are the columns that have
// values.
type sparse struct {
	schema *data.Schema
	cells  int
	units  []data.Unit // units of the columns that have values
}

// full reports whether a table of the given number of rows has at least half of its cells: then it
// is stored with its zeros, as it is on one machine.
func (s *sparse) full(rows int) bool { return 2*s.cells >= rows*s.schema.Width }

// text is a categorical variable: a column of texts, or a categorical part of numbers.
type text struct {
	variable int
	number   int        // index of the part, counted from 1; 0 for a column of texts
	part     *kind.Part // nil for a column of texts
}
