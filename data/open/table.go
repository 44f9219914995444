package open

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"fsa/data"
	"fsa/data/npy"
	"fsa/data/panel"
)

// Roles say which part of a table is not a variable. Target, Weights and Query
// each name a column, give its number counted from 0, or name a file with one
// value a row.
type Roles struct {
	Target, Weights, Query string
	Drop                   []string
}

// Table reads a whole table. Without a target it looks for one: what the
// format says itself, a file or an array beside it, a column called y, target
// or label.
func Table(ctx context.Context, path string, o Options, roles Roles) (*data.Dataset, error) {
	o.Skip = slices.Concat(o.Skip, roles.Drop)
	r, err := openReader(ctx, path, &o)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if err := checkCategorical(path, r, o.Categorical); err != nil {
		return nil, err
	}
	resolved, err := roles.Resolve(ctx, path, r)
	if err != nil {
		return nil, err
	}
	findTarget(&resolved, r)
	if r.format == "fsa" {
		return stored(ctx, path, r, resolved, &o)
	}
	m, err := raw(path, r, &o)
	if m != nil && resolved.VectorsOnly() {
		if err := o.checkRaw(path, m); err != nil {
			return nil, err
		}
		return data.FromMatrix(ctx, path, nil, m, resolved)
	}
	if m != nil && !m.Fits() && o.Whole == "" {
		err = &tooLarge{4 * int64(m.Cells())}
	}
	if r.once && o.Memory > 0 { // it cannot be read again if it turns out not to fit
		return spool(ctx, path, r, o, resolved, 0)
	}
	if err == nil {
		var in data.Reader = r
		if o.Memory > 0 {
			in = &limited{reader: r, memory: o.Memory}
		}
		var d *data.Dataset
		if d, err = data.Load(ctx, in, path, resolved); err == nil {
			return d, nil
		}
	}
	large, ok := errors.AsType[*tooLarge](err)
	if !ok {
		return nil, err
	}
	if o.Whole != "" && len(resolved.Drop) == 0 { // without some columns a copy may fit
		return nil, o.notWhole(path, 0)
	}
	again, err := openReader(ctx, path, &o)
	if err != nil {
		return nil, err
	}
	defer again.Close()
	return spool(ctx, path, again, o, resolved, large.need)
}

// findTarget names a column as the target where nothing else is one.
func findTarget(roles *data.Roles, r *reader) {
	s := r.Schema()
	if r.labelled() || roles.Target != "" || roles.TargetVector != nil || s.Sparse || s.Names == nil {
		return
	}
	for _, name := range []string{"y", "target", "label"} {
		if s.FindColumn(name) >= 0 {
			roles.Target = name
			return
		}
	}
}

// checkCategorical refuses columns that were declared as categorical and are
// not: the table lacks them, or its format has numbers there and means them.
func checkCategorical(path string, r *reader, columns []string) error {
	s := r.Schema()
	for _, ref := range columns {
		if _, text := s.Levels[s.FindColumn(ref)]; text {
			continue
		}
		msg := fmt.Sprintf("there is no column %q to be categorical; %s", ref, s.List())
		if r.format != "csv" {
			msg = fmt.Sprintf("column %q cannot be declared as categorical: that works for text tables (CSV) only; elsewhere columns of text are categorical by themselves", ref)
		}
		return &data.Error{File: path, Msg: msg}
	}
	return nil
}

// labelled reports that rows carry their responses besides their cells.
func (r *reader) labelled() bool {
	p, stored := r.Reader.(*panel.Reader)
	return r.format == "svmlight" || stored && p.HasLabels()
}

// Resolve finds out which roles are columns of a table that was opened with
// [Reader] and reads those that are files. A target that is not named may lie
// beside the table, unless the rows carry theirs: x.y.npy for x.npy or x.npz, x.labels
// for x.data, and in an .npz archive the array of one dimension, or one column, called
// y, target or labels.
func (roles Roles) Resolve(ctx context.Context, path string, r data.Reader) (data.Roles, error) {
	out, s := data.Roles{Drop: roles.Drop}, r.Schema()
	var err [3]error
	out.Target, out.TargetVector, err[0] = resolve(ctx, path, roles.Target, "target", s)
	out.Weight, out.WeightVector, err[1] = resolve(ctx, path, roles.Weights, "weights", s)
	out.Query, out.QueryVector, err[2] = resolve(ctx, path, roles.Query, "queries", s)
	if opened, ok := r.(*reader); roles.Target == "" && !(ok && opened.labelled()) {
		out.TargetVector, err[0] = beside(ctx, path)
	}
	return out, errors.Join(err[:]...)
}

// resolve says whether ref is a column, or reads the file that it names, or the array
// of the archive that the table is in.
func resolve(ctx context.Context, path, ref, role string, s *data.Schema) (string, *data.Vector, error) {
	if ref == "" || !s.Sparse && s.FindColumn(ref) >= 0 {
		return ref, nil, nil
	}
	v, err := Vector(ctx, ref)
	if file, _ := splitArray(path); errors.Is(err, fs.ErrNotExist) && strings.EqualFold(filepath.Ext(uncompressed(file)), ".npz") {
		v, err = Vector(ctx, file+":"+ref)
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = &data.Error{File: path, Msg: fmt.Sprintf("there is no column %q for the %s, and no file of that name; %s", ref, role, s.List())}
	}
	return "", v, err
}

// beside returns the target that lies beside a table, nil if there is none.
func beside(ctx context.Context, path string) (*data.Vector, error) {
	file, _ := splitArray(path)
	base := uncompressed(file)
	stem := strings.TrimSuffix(base, filepath.Ext(base))
	var names []string
	switch strings.ToLower(filepath.Ext(base)) {
	case ".npz":
		if v, err := archived(ctx, path); v != nil || err != nil {
			return v, err
		}
		names = []string{stem + ".y.npy"}
	case ".npy":
		names = []string{stem + ".y.npy"}
	case ".fsa":
		names = []string{stem + ".y.npy", stem + ".labels"}
	case ".data":
		names = []string{stem + ".labels", stem + ".labels.gz"}
	}
	for _, name := range names {
		if v, err := Vector(ctx, name); !errors.Is(err, fs.ErrNotExist) {
			return v, err
		}
	}
	return nil, nil
}

// isVector reports whether an array of this shape has one value for each row.
func isVector(shape []int) bool { return len(shape) == 1 || len(shape) == 2 && shape[1] == 1 }

// archived returns the target in the archive of a table, nil if there is none.
func archived(ctx context.Context, path string) (*data.Vector, error) {
	in, err := open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer in.closer()
	r, size, err := in.at()
	if err != nil {
		return nil, err
	}
	arrays, err := npy.ListNPZ(r, size, in.path)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"y", "target", "labels"} {
		// The array may be the table itself: the one that was asked for, or
		// the only one.
		if isVector(arrays[name].Shape) && name != in.array && len(arrays) > 1 {
			return archivedVector(r, size, in.path, name)
		}
	}
	return nil, nil
}
