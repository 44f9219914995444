// Package part reads the part of a table that a process of a grid holds. From a Parquet file it
// reads only its own row groups and columns, from a NumPy file only its own rows; other files are
// read in full by every process, which keeps its part. Every process also reads the target and the
// weights of all rows. Processes then agree on what depends on rows of others: units of numbers,
// categories of texts, and which columns are identifiers.
package part

import (
	"context"
	"math"
	"slices"

	"fsa/data"
	"fsa/data/kind"
	"fsa/data/open"
	"fsa/internal/grid"
)

// Survey finds out how large a table is, and reads the target.
func Survey(ctx context.Context, path string, o open.Options, roles open.Roles) (*Table, error) {
	t := &Table{path: path, options: o, from: path, kinds: map[int]kind.Column{}, use: roles.Use}
	t.options.Skip = slices.Concat(o.Skip, roles.Drop)
	if err := t.survey(ctx, roles); err != nil {
		return nil, err
	}
	if t.Rows == 0 {
		return nil, &data.Error{File: path, Msg: "there are no rows"}
	}
	return t, t.Together(nil)
}

// survey does the work of Survey except for the cut.
func (t *Table) survey(ctx context.Context, roles open.Roles) error {
	r, err := open.Reader(ctx, t.path, t.options)
	if err != nil {
		return err
	}
	defer r.Close()
	if err := open.CheckCategorical(t.path, r, t.options.Categorical); err != nil {
		return err
	}
	known, err := roles.Resolve(ctx, t.path, r)
	if err != nil {
		return err
	}
	if known.Targets != nil {
		return t.refuse("", "there are several targets", "fit on one machine, or fit each target alone")
	}
	open.FindTarget(&known, r)
	s := r.Schema()
	switch {
	case s.Sparse:
		return t.surveySparse(ctx, known)
	case s.Names == nil && !known.VectorsOnly():
		return t.refuse("", "its columns have no names", "name them with --names, or keep the target and the weights in files of their own and drop nothing")
	}
	if err := data.NewCollector(t.path, s, known).Check(); err != nil {
		return err
	}
	if len(s.Kinds)+len(s.Categories) > 0 { // the kinds were decided with columns that will not all be read together
		t.options.Kinds = map[string]kind.Column{}
		for j := range s.Width {
			t.options.Kinds[s.Name(j)] = s.KindOf(j)
		}
	}
	taken := map[int]bool{}
	for _, role := range []string{known.Target, known.Weight, known.Group} {
		if role != "" {
			taken[s.FindColumn(role)] = true
		}
	}
	if known.Target != "" {
		k := s.KindOf(s.FindColumn(known.Target))
		t.response = &k
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
		if k, ok := s.Kinds[j]; ok {
			t.kinds[len(t.place)] = k
		} else if k := s.KindOf(j); k.Kind != kind.Number {
			t.kinds[len(t.place)] = k
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

// readTarget reads the target and the weights of all rows.
func (t *Table) readTarget(ctx context.Context, roles data.Roles) error {
	for _, b := range roles.Beside() {
		if *b.Column != "" || *b.Vector != nil {
			return t.refuse("", "rows have "+b.Plural, "fit it without --grid")
		}
	}
	if roles.Offset != "" || roles.OffsetVector != nil {
		return t.refuse("", "rows have offsets", "fit it without --grid")
	}
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

// Read reads the part that a process holds. All processes call it together; one that cannot read
// its part reports that to agree, which makes all of them fail.
func (t *Table) Read(ctx context.Context, g *grid.Grid, agree func(error) error) (*data.Dataset, error) {
	if _, _, _, _, err := g.Part(t.cut); err != nil { // of all of them
		return nil, agree(err)
	}
	read := t.readDense
	if t.sparse != nil {
		read = t.readSparse
	}
	stored, err := read(ctx, g, agree)
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
	d, err := data.FromStored(ctx, t.path, stored, roles)
	if err := agree(err); err != nil {
		return nil, err
	}
	d.Target.Name, d.Target.WeightName, d.Target.GroupName = t.target.Name, t.target.WeightName, t.target.GroupName
	return d, nil
}
