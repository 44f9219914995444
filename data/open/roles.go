package open

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"fsa/data"
)

// Roles say which part of a table is not a variable. Target, Weights, Query, Group, Offset, Event and Stratum
// each name a column, give its number counted from 0, or name a file with one
// value a row.
type Roles struct {
	Target, Weights, Query, Group, Offset, Event, Stratum string
	// Exposure says that Offset holds exposures, whose logarithms are the offsets.
	Exposure bool
	Drop     []string
	// Use names columns that are variables although they look like identifiers.
	Use []string
	// SkipMissing leaves out rows whose target is missing, which are an error otherwise.
	SkipMissing bool
}

// Resolve finds out which roles are columns of a table that was opened with
// [Reader] and reads those that are files. A target that is not named may lie
// beside the table, unless the rows carry theirs: x.y.npy for x.npy or x.npz, x.labels
// for x.data, and in an .npz archive the array of one dimension, or one column, called
// y, target or labels.
func (roles Roles) Resolve(ctx context.Context, path string, r data.Reader) (data.Roles, error) {
	out, s := data.Roles{Drop: roles.Drop, Use: roles.Use, Exposure: roles.Exposure}, r.Schema()
	opened, ok := r.(*reader)
	if !ok {
		return out, fmt.Errorf("%s: roles are those of a table that open.Reader opened, and this is a %T", path, r)
	}
	var err [7]error
	out.Target, out.TargetVector, err[0] = opened.resolve(ctx, path, roles.Target, "target", s)
	out.Weight, out.WeightVector, err[1] = opened.resolve(ctx, path, roles.Weights, "weights", s)
	out.Query, out.QueryVector, err[2] = opened.resolve(ctx, path, roles.Query, "queries", s)
	out.Group, out.GroupVector, err[3] = opened.resolve(ctx, path, roles.Group, "groups of rows", s)
	out.Offset, out.OffsetVector, err[4] = opened.resolve(ctx, path, roles.Offset, "offset", s)
	out.Event, out.EventVector, err[5] = opened.resolve(ctx, path, roles.Event, "events", s)
	out.Stratum, out.StratumVector, err[6] = opened.resolve(ctx, path, roles.Stratum, "strata", s)
	if roles.Target == "" && !opened.labelled() {
		out.TargetVector, err[0] = opened.format.findBeside(ctx, path)
	}
	return out, errors.Join(err[:]...)
}

// resolve says whether ref is a column, or reads the file that it names, or the array
// of the archive that the table is in.
func (r *reader) resolve(ctx context.Context, path, ref, role string, s *data.Schema) (string, *data.Vector, error) {
	if ref == "" || !s.Sparse && s.FindColumn(ref) >= 0 {
		return ref, nil, nil
	}
	v, err := Vector(ctx, ref)
	if file, _ := splitArray(path); r.format.archive && errors.Is(err, fs.ErrNotExist) && slices.Contains(r.format.ext, ending(file)) {
		v, err = Vector(ctx, file+":"+ref)
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = &data.Error{File: path, Msg: fmt.Sprintf("there is no column %q for the %s, and no file of that name; %s", ref, role, s.Suggest(ref))}
	}
	return "", v, err
}

// FindTarget makes the column y, target or label the target, if there is one and no target was
// given. It is for tables opened with [Reader].
func FindTarget(roles *data.Roles, r data.Reader) {
	if opened, ok := r.(*reader); ok {
		findTarget(roles, opened)
	}
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

// CheckCategorical returns an error if a column that was declared as categorical does not
// exist, or if its format stores numbers there. [Table] checks this itself; the function is
// for callers of [Reader].
func CheckCategorical(path string, r data.Reader, columns []string) error {
	return checkCategorical(path, r.(*reader), columns)
}

// checkCategorical refuses columns that were declared as categorical and are
// not: the table lacks them, or its format has numbers there and means them.
func checkCategorical(path string, r *reader, columns []string) error {
	s := r.Schema()
	for _, ref := range columns {
		if _, text := s.Categories[s.FindColumn(ref)]; text {
			continue
		}
		msg := fmt.Sprintf("there is no column %q to be categorical; %s", ref, s.Suggest(ref))
		if !r.format.declares {
			able := namesOf(func(f *format) bool { return f.declares })
			msg = fmt.Sprintf("column %q cannot be declared as categorical: that works for text tables (%s) only; elsewhere columns of text are categorical by themselves", ref, strings.Join(able, ", "))
		}
		return &data.Error{File: path, Msg: msg}
	}
	return nil
}
