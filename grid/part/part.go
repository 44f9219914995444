// Package part reads the part of a table that a process of a grid has. Of a Parquet file
// that is its own row groups and columns, of a NumPy file its own rows; other files are
// read by every process, which keeps its part. Every process also reads the response and
// the weights of all rows.
package part

import (
	"context"
	"fmt"
	"math"
	"slices"

	"fsa/data"
	"fsa/data/kind"
	"fsa/data/open"
	"fsa/grid"
)

// Table is a table of which a part is to be read.
type Table struct {
	Rows    int
	Columns []string // variables; nil of a sparse table

	path     string
	options  open.Options
	nameless bool
	place    []int // of the variables in the file
	target   *data.Target
	from     string // file of the response
	first    int    // row of the table with which the file begins
	held     int    // rows of the file, if it has those of this process only
	sparse   *sparse
	cut      grid.Cut
	order    []int // variable that is stored in each place; nil for their order
}

// Width returns the number of variables.
func (t *Table) Width() int { return len(t.place) }

// Cut returns how the table is cut into tiles.
func (t *Table) Cut() grid.Cut { return t.cut }

// stored returns the variable that is stored in a place.
func (t *Table) stored(place int) int {
	if t.order == nil {
		return place
	}
	return t.order[place]
}

// Survey finds out how large a table is, and reads the response.
func Survey(ctx context.Context, path string, o open.Options, roles open.Roles) (*Table, error) {
	t := &Table{path: path, options: o, from: path}
	t.options.Skip = slices.Concat(o.Skip, roles.Drop)
	if err := t.survey(ctx, roles); err != nil {
		return nil, err
	}
	t.cut = grid.NewCut(t.Rows, t.Width())
	return t, nil
}

// survey is Survey but for the cut.
func (t *Table) survey(ctx context.Context, roles open.Roles) error {
	r, err := open.Reader(ctx, t.path, t.options)
	if err != nil {
		return err
	}
	defer r.Close()
	known, err := roles.Resolve(ctx, t.path, r)
	if err != nil {
		return err
	}
	open.FindTarget(&known, r)
	s := r.Schema()
	switch {
	case s.Sparse:
		return t.surveySparse(ctx, known)
	case s.Names == nil && !known.VectorsOnly():
		return t.refuse("", "its columns have no names", "name them with --names, or keep the response and the weights in files of their own and drop nothing")
	}
	taken := map[int]bool{}
	for _, role := range []string{known.Target, known.Weight, known.Group} {
		if role != "" {
			taken[s.FindColumn(role)] = true
		}
	}
	for _, ref := range known.Drop {
		for _, j := range s.FindColumns(ref) {
			taken[j] = true
		}
	}
	for j := range s.Width {
		if taken[j] {
			continue
		}
		if err := t.checkKind(s, j); err != nil {
			return err
		}
		t.place = append(t.place, j)
		t.Columns = append(t.Columns, s.Name(j))
	}
	if len(t.place) == 0 {
		return &data.Error{File: t.path, Msg: "there is no column left to select from"}
	}
	t.nameless = s.Names == nil
	return t.readTarget(ctx, known)
}

// refuse says that something is not known on a grid, and what to do.
func (t *Table) refuse(column, what, cure string) error {
	return &data.Error{File: t.path, Column: column, Msg: fmt.Sprintf("%s, which a grid does not know: %s", what, cure)}
}

// checkKind refuses columns that are not numbers.
func (t *Table) checkKind(s *data.Schema, j int) error {
	if k := s.KindOf(j).Kind; k != kind.Number {
		return t.refuse(s.Name(j), fmt.Sprintf("the column is of the kind %s", k), "--drop it, or write it as numbers")
	}
	return nil
}

// readTarget reads the response and the weights of all rows.
func (t *Table) readTarget(ctx context.Context, roles data.Roles) error {
	o := t.options
	if !t.nameless {
		if o.Only = slices.DeleteFunc([]string{roles.Target, roles.Weight, roles.Group}, func(name string) bool { return name == "" }); len(o.Only) == 0 {
			o.Only = t.Columns[:1]
		}
	}
	r, err := open.Reader(ctx, t.path, o)
	if err != nil {
		return err
	}
	defer r.Close()
	roles.Drop = nil
	c := data.NewCollector(t.path, r.Schema(), roles)
	apart := roles.TargetVector != nil && roles.VectorsOnly()
	if apart { // rows need only be counted
		if t.Rows, err = open.Skip(ctx, r, math.MaxInt); err != nil {
			return err
		}
	}
	for block, err := range data.Blocks(ctx, r) {
		if err != nil {
			return err
		}
		if !apart {
			if err := c.Add(block); err != nil {
				return err
			}
		}
		t.Rows += block.Rows
	}
	if apart {
		t.target = &data.Target{Y: roles.TargetVector.Values, Categories: roles.TargetVector.Categories}
		if w := roles.WeightVector; w != nil {
			t.target.Weight = w.Values
		}
		if g := roles.GroupVector; g != nil {
			t.target.Group = g.Values
		}
		t.from = roles.TargetVector.Name
		return nil
	}
	return t.setTarget(c)
}

// setTarget takes the response that was collected.
func (t *Table) setTarget(c *data.Collector) (err error) {
	t.target, err = c.Target()
	switch {
	case err != nil:
		return err
	case t.target == nil || len(t.target.Y) == 0:
		return &data.Error{File: t.path, Msg: "there is no response: name one with --target"}
	case t.target.Query != nil:
		return t.refuse("", "rows belong to queries", "fit it without --grid")
	}
	return nil
}

// Read reads the part that a process has. All processes call it together; one that cannot
// read its part says so to agree, which lets all of them fail.
func (t *Table) Read(ctx context.Context, g *grid.Grid, agree func(error) error) (*data.Dataset, error) {
	read := t.readDense
	if t.sparse != nil {
		read = t.readSparse
	}
	x, schema, columns, err := read(ctx, g, agree)
	if err != nil {
		return nil, err
	}
	roles := data.Roles{TargetVector: &data.Vector{Name: t.from, Values: t.target.Y, Categories: t.target.Categories}}
	if t.target.Weight != nil {
		roles.WeightVector = &data.Vector{Name: t.path, Values: t.target.Weight}
	}
	if t.target.Group != nil {
		roles.GroupVector = &data.Vector{Name: t.path, Values: t.target.Group}
	}
	d, err := data.FromStored(ctx, t.path, schema, x, columns, roles)
	if err != nil {
		return nil, err
	}
	d.Target.Name, d.Target.WeightName, d.Target.GroupName = t.target.Name, t.target.WeightName, t.target.GroupName
	return d, nil
}

// readDense reads the part of a dense table, and returns which columns it has in which units.
func (t *Table) readDense(ctx context.Context, g *grid.Grid, agree func(error) error) (*grid.Matrix, *data.Schema, []data.Stored, error) {
	x, err := grid.NewMatrix(g, t.cut)
	if err != nil {
		return nil, nil, nil, agree(err)
	}
	low, high, err := t.fill(ctx, g, x, nil)
	if err := agree(err); err != nil {
		return nil, nil, nil, err
	}
	if low, high, err = g.Extremes(ctx, t.cut, low, high); err != nil {
		return nil, nil, nil, err
	}
	columns, plain := make([]data.Stored, len(t.place)), true
	for j := range columns {
		columns[j].Index = t.stored(j)
		if low[j] <= high[j] {
			columns[j].Unit = data.UnitOf(low[j], high[j])
		}
		plain = plain && columns[j].Unit == data.Unit{}
	}
	if !plain { // now with the digits that a float32 would lose
		_, _, err = t.fill(ctx, g, x, columns)
		if err := agree(err); err != nil {
			return nil, nil, nil, err
		}
	}
	return x, t.schema(), columns, nil
}

// fill reads the rows and columns of this process into a matrix, and returns the least and
// the greatest number of each column.
func (t *Table) fill(ctx context.Context, g *grid.Grid, x *grid.Matrix, columns []data.Stored) (low, high []float64, err error) {
	fromRow, toRow, from, to, err := g.Part(t.cut)
	if err != nil {
		return nil, nil, err
	}
	o := t.options
	names, places := make([]string, to-from), make([]int, to-from)
	for k := range names {
		names[k], places[k] = t.Columns[t.stored(from+k)], t.place[t.stored(from+k)]
	}
	if !t.nameless {
		o.Only = names
	}
	r, err := open.Reader(ctx, t.path, o)
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	if t.held > 0 && (fromRow != t.first || toRow != t.first+t.held) {
		return nil, nil, &data.Error{File: t.path, Msg: fmt.Sprintf("it has the rows %d to %d of the table, and should have %d to %d", t.first+1, t.first+t.held, fromRow+1, toRow)}
	}
	at, err := open.Skip(ctx, r, fromRow-t.first)
	if err != nil {
		return nil, nil, err
	}
	at += t.first
	low, high = slices.Repeat([]float64{math.Inf(1)}, to-from), slices.Repeat([]float64{math.Inf(-1)}, to-from)
	row := make([]float32, to-from)
	for block, err := range data.Blocks(ctx, r) {
		if err != nil {
			return nil, nil, err
		}
		s := r.Schema()
		for _, j := range places {
			if err := t.checkKind(s, j); err != nil { // which rows may tell
				return nil, nil, err
			}
		}
		for i := range block.Rows {
			if at+i < fromRow || at+i >= toRow {
				continue
			}
			cells := block.Dense[i*s.Width : (i+1)*s.Width]
			for k, j := range places {
				v := cells[j]
				if math.IsInf(v, 0) {
					return nil, nil, t.infinite(block, at, i, names[k])
				}
				if v < low[k] {
					low[k] = v
				}
				if v > high[k] {
					high[k] = v
				}
				if row[k] = float32(v); columns != nil {
					row[k] = columns[from+k].Store(v)
				}
			}
			x.Set(at+i, row)
		}
		if at += block.Rows; at >= toRow {
			return low, high, nil
		}
	}
	return nil, nil, t.changed(at)
}

// infinite says that row i of a block has an infinite number; before are the rows of the file before it.
func (t *Table) infinite(b *data.Block, before, i int, column string) error {
	e := &data.Error{File: t.path, Line: b.LineOf(i), Column: column, Msg: "the value is infinite: it must be a finite number or missing"}
	if e.Line == 0 {
		e.Row = before + i + 1
	}
	return e
}

// changed says that there are fewer rows than when the table was surveyed.
func (t *Table) changed(rows int) error {
	return &data.Error{File: t.path, Msg: fmt.Sprintf("there are %d rows, and there were %d before: the table was changed while it was read", rows, t.Rows)}
}
