package serve

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"fsa"
	"fsa/data"
	"fsa/data/open"
	"fsa/internal/matrix"
	"fsa/internal/matrix/paged"
)

// dataset returns the table of a request, and whether it may be overwritten.
func (t *table) dataset(ctx context.Context, f *files, k int) (d *data.Dataset, own bool, err error) {
	if t.Path != nil {
		d, err = t.Path.dataset(ctx, t.Use, t.Memory, k)
		return d, true, err
	}
	if t.Rows < 1 || t.Columns < 1 || t.Names != nil && len(t.Names) != t.Columns {
		return nil, false, &protocolError{fmt.Errorf("%d rows of %d columns, %d of them with names", t.Rows, t.Columns, len(t.Names))}
	}
	roles, err := t.roles(f)
	if err != nil {
		return nil, false, err
	}
	if x := t.Dense; x != nil && x.Length/t.Columns != t.Rows { // their product may be too large
		return nil, false, &protocolError{fmt.Errorf("%d numbers for %d×%d", x.Length, t.Rows, t.Columns)}
	}
	if y := roles.TargetVector; t.Sparse != nil && y != nil && len(y.Values) < t.Rows { // nothing else limits the number of rows
		return nil, false, &data.Error{File: y.Name, Msg: fmt.Sprintf("there are %d numbers for %d rows", len(y.Values), t.Rows)}
	}
	for _, y := range roles.TargetVectors {
		if t.Sparse != nil && len(y.Values) < t.Rows {
			return nil, false, &data.Error{File: y.Name, Msg: fmt.Sprintf("there are %d numbers for %d rows", len(y.Values), t.Rows)}
		}
	}
	if t.Sparse != nil && roles.TargetVector == nil && roles.TargetVectors == nil {
		return nil, false, &protocolError{fmt.Errorf("%d sparse rows have no target", t.Rows)}
	}
	if x := t.Dense; x != nil && x.Type == "f4" {
		return t.plain(ctx, f, roles)
	}
	r, err := t.reader(ctx, f)
	if err != nil {
		return nil, false, err
	}
	d, err = data.Load(ctx, r, tableName, roles)
	return d, true, err
}

// roles returns the target, the weights and other vectors with one number per row.
func (t *table) roles(f *files) (roles data.Roles, err error) {
	roles.Use = t.Use
	if t.Exposure != nil && t.Offset != nil {
		return roles, errBoth
	}
	roles.Exposure = t.Exposure != nil
	for _, v := range []struct {
		name string
		from *column
		to   **data.Vector
	}{{"y", t.Target, &roles.TargetVector}, {"sample_weight", t.Weights, &roles.WeightVector}, {"qid", t.Query, &roles.QueryVector}, {"groups", t.Group, &roles.GroupVector},
		{"offset", t.Offset, &roles.OffsetVector}, {"exposure", t.Exposure, &roles.OffsetVector}, {"event", t.Event, &roles.EventVector}, {"strata", t.Stratum, &roles.StratumVector},
		{"entry", t.Entry, &roles.EntryVector}} {
		if v.from == nil {
			continue
		}
		values, err := floats(f, &v.from.array)
		if err != nil {
			return roles, err
		}
		*v.to = &data.Vector{Name: v.name, Values: values, Categories: v.from.Levels}
	}
	for i := range t.Targets {
		values, err := floats(f, &t.Targets[i].array)
		if err != nil {
			return roles, err
		}
		roles.TargetVectors = append(roles.TargetVectors, &data.Vector{Name: t.Targets[i].Name, Values: values, Categories: t.Targets[i].Levels})
	}
	return roles, nil
}

// plain returns a table of float32 numbers. If they are stored row after row, as a fit needs them,
// they are not copied, and with a memory limit those of a file stay there.
func (t *table) plain(ctx context.Context, f *files, roles data.Roles) (*data.Dataset, bool, error) {
	a := &t.Dense.array
	x, err := numbers[float32](f, a)
	if err != nil {
		return nil, false, err
	}
	if len(x) != t.Rows*t.Columns {
		return nil, false, &protocolError{fmt.Errorf("%d numbers for %d×%d", len(x), t.Rows, t.Columns)}
	}
	own := f.list[a.File].Own
	if t.Dense.Fortran {
		columns := x
		x = make([]float32, len(columns))
		if err := transpose(ctx, x, columns, t.Rows, 0, t.Rows); err != nil {
			return nil, false, err
		}
		own = true
	}
	if t.Memory > 0 && !own && t.Names == nil && f.open[a.File] != nil {
		m := paged.NewPlain(f.open[a.File], a.Offset, t.Rows, t.Columns, t.Memory)
		d, err := data.FromMatrix(ctx, tableName, nil, m, roles)
		return d, true, err
	}
	stored := &data.StoredTable{Schema: &data.Schema{Width: t.Columns, Names: t.Names}, Numbers: matrix.NewDense(t.Rows, t.Columns, x), Columns: make([]data.Stored, t.Columns)}
	for j := range stored.Columns {
		stored.Columns[j].Index = j
		if t.Names != nil && data.CalledID(t.Names[j]) && !t.used(stored.Schema, j) && unique(x[j:], t.Columns) {
			stored.Columns[j].Left = data.RowNumbers(t.Rows)
		}
	}
	d, err := data.FromStored(ctx, tableName, stored, roles)
	return d, own, err
}

// errBoth is the error for a table with both an offset and an exposure.
var errBoth = fmt.Errorf("%w: give either an offset or an exposure: an exposure is the exponential of an offset", fsa.ErrOptions)

// used reports whether the client named a column as a variable.
func (t *table) used(s *data.Schema, column int) bool {
	return slices.ContainsFunc(t.Use, func(ref string) bool { return s.FindColumn(ref) == column })
}

// unique reports whether the numbers of a column, one in each row of the given number of cells, are
// integers that are all different.
func unique(x []float32, width int) bool {
	seen := map[float32]bool{}
	for i := 0; i < len(x); i += width {
		if v := x[i]; float64(v) != math.Trunc(float64(v)) || seen[v] {
			return false
		}
		seen[x[i]] = true
	}
	return true
}

// reader returns the rows of any other table.
func (t *table) reader(ctx context.Context, f *files) (data.Reader, error) {
	s := &data.Schema{Width: t.Columns, Names: t.Names}
	switch {
	case t.Sparse != nil:
		s.Sparse = true
		return t.Sparse.reader(ctx, f, s, t.Rows)
	case t.Dense != nil && t.Dense.Type != "f8":
		return nil, unknownType(&t.Dense.array)
	case t.Dense != nil:
		x, err := numbers[float64](f, &t.Dense.array)
		if err != nil {
			return nil, err
		}
		if len(x) != t.Rows*t.Columns {
			return nil, &protocolError{fmt.Errorf("%d numbers for %d×%d", len(x), t.Rows, t.Columns)}
		}
		if t.Dense.Fortran {
			return &byFortran{x: x, schema: s, rows: t.Rows}, nil
		}
		return &byRow{x: x, schema: s, rows: t.Rows}, nil
	}
	return newByColumn(f, s, t.Rows, t.Each)
}

// dataset reads a table in a format of the program.
func (p *path) dataset(ctx context.Context, use []string, memory int64, k int) (*data.Dataset, error) {
	o := open.Options{Format: p.Format, SQL: p.SQL, Categorical: p.Categorical, Memory: memory, Least: k}
	if p.Offset != "" && p.Exposure != "" {
		return nil, errBoth
	}
	roles := open.Roles{Target: p.Target, Weights: p.Weights, Query: p.Query, Group: p.Group, Offset: cmp.Or(p.Offset, p.Exposure), Exposure: p.Exposure != "", Event: p.Event, Stratum: p.Stratum, Entry: p.Entry, Drop: p.Drop, Use: use}
	return open.Table(ctx, p.Path, o, roles)
}
