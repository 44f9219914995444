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

// Roles say which parts of a table are not variables. Target, Weights, Query, Group, Offset, Event,
// Stratum, Entry and Trials each name a column, give its number counted from 0, or name a file with
// one value per row. Target may list several columns, separated by commas.
type Roles struct {
	Target, Weights, Query, Group, Offset, Event, Stratum, Entry, Trials string
	// Exposure says that Offset holds exposures, whose logarithms are the offsets.
	Exposure bool
	Drop     []string
	// Use names columns that are variables although they look like identifiers.
	Use []string
	// SkipMissing omits rows whose target is missing. Otherwise they are an error.
	SkipMissing bool
}

// Resolve determines which roles are columns of a table that was opened with [Reader], and reads
// those that are files. If no target is named and the rows have no labels, the target may be in a
// separate file beside the table: x.y.npy for x.npy or x.npz, x.labels for x.data. In an .npz
// archive it may be an array of one dimension, or one column, called y, target or labels.
func (roles Roles) Resolve(ctx context.Context, path string, r data.Reader) (data.Roles, error) {
	out, s := data.Roles{Drop: roles.Drop, Use: roles.Use, Exposure: roles.Exposure}, r.Schema()
	opened, ok := r.(*reader)
	if !ok {
		return out, fmt.Errorf("%s: the table must have been opened by open.Reader, and this is a %T", path, r)
	}
	var err [5]error
	if out.Targets = targetList(roles.Target, s); out.Targets == nil {
		out.Target, out.TargetVector, err[0] = opened.resolve(ctx, path, roles.Target, "target", s)
	}
	out.Weight, out.WeightVector, err[1] = opened.resolve(ctx, path, roles.Weights, "weights", s)
	out.Query, out.QueryVector, err[2] = opened.resolve(ctx, path, roles.Query, "queries", s)
	out.Group, out.GroupVector, err[3] = opened.resolve(ctx, path, roles.Group, "groups of rows", s)
	out.Offset, out.OffsetVector, err[4] = opened.resolve(ctx, path, roles.Offset, "offset", s)
	given := data.Roles{Event: roles.Event, Stratum: roles.Stratum, Entry: roles.Entry, Trials: roles.Trials}
	refs, errs := given.Beside(), []error(nil)
	for k, b := range out.Beside() {
		var e error
		*b.Column, *b.Vector, e = opened.resolve(ctx, path, *refs[k].Column, b.Plural, s)
		errs = append(errs, e)
	}
	if roles.Target == "" && !opened.labelled() {
		out.TargetVector, err[0] = opened.format.findBeside(ctx, path)
	}
	return out, errors.Join(append(err[:], errs...)...)
}

// aside is a reader of a file with columns beside the table: they are no variables, but may have roles.
type aside interface {
	// Column returns a column, or nil if there is none of this name.
	Column(name string) (*data.Vector, error)
	ColumnNames() []string
}

// Beside reports whether a file has a column of this name that is no variable, such as those of obs in an .h5ad file.
func Beside(r data.Reader, name string) bool {
	opened, ok := r.(*reader)
	if !ok || name == "" {
		return false
	}
	beside, ok := opened.Reader.(aside)
	return ok && slices.Contains(beside.ColumnNames(), name)
}

// targetList returns the columns of several targets, separated by commas, or nil if the text is not such a list.
func targetList(text string, s *data.Schema) []string {
	if !strings.Contains(text, ",") || s.Sparse || s.FindColumn(text) >= 0 {
		return nil
	}
	list := strings.Split(text, ",")
	if s.FindColumn(list[0]) < 0 { // it may be a file
		return nil
	}
	return list
}

// resolve reports whether ref is a column. If not, it reads the file that ref names, or the array
// in the archive of the table.
func (r *reader) resolve(ctx context.Context, path, ref, role string, s *data.Schema) (string, *data.Vector, error) {
	beside, ok := r.Reader.(aside)
	if ok && ref != "" {
		if v, err := beside.Column(ref); v != nil || err != nil {
			return "", v, err
		}
	}
	if s, many := r.Reader.(*several); many && ref != "" {
		if _, ok := s.Reader.(aside); ok {
			return "", nil, &data.Error{File: path, Msg: "the columns beside the variables are read from one file only: join the files, as with anndata.concat"}
		}
	}
	if ref == "" || !s.Sparse && s.FindColumn(ref) >= 0 {
		return ref, nil, nil
	}
	v, err := Vector(ctx, ref)
	if file, _ := splitArray(path); r.format.archive && errors.Is(err, fs.ErrNotExist) && slices.Contains(r.format.ext, ending(file)) {
		v, err = Vector(ctx, file+":"+ref)
	}
	if errors.Is(err, fs.ErrNotExist) {
		msg := s.Suggest(ref)
		if ok {
			msg = "the columns of obs are " + strings.Join(beside.ColumnNames(), ", ")
		}
		err = &data.Error{File: path, Msg: fmt.Sprintf("there is no column %q for the %s, and no file of that name; %s", ref, role, msg)}
	}
	return "", v, err
}

// FindTarget makes the column y, target or label the target, if there is one and no target was
// given. The table must have been opened with [Reader].
func FindTarget(roles *data.Roles, r data.Reader) {
	if opened, ok := r.(*reader); ok {
		findTarget(roles, opened)
	}
}

// findTarget chooses a column as the target if there is no other target.
func findTarget(roles *data.Roles, r *reader) {
	s := r.Schema()
	if r.labelled() || roles.Target != "" || roles.Targets != nil || roles.TargetVector != nil || s.Sparse || s.Names == nil {
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

// checkCategorical returns an error if a column that was declared as categorical does not exist, or
// if its format stores numbers there.
func checkCategorical(path string, r *reader, columns []string) error {
	s := r.Schema()
	for _, ref := range columns {
		if _, text := s.Categories[s.FindColumn(ref)]; text {
			continue
		}
		msg := fmt.Sprintf("there is no column %q to be categorical; %s", ref, s.Suggest(ref))
		if !r.format.declares {
			able := namesOf(func(f *format) bool { return f.declares })
			msg = fmt.Sprintf("column %q cannot be declared as categorical: this works only for text tables (%s); in other formats text columns are categorical by themselves", ref, strings.Join(able, ", "))
		}
		return &data.Error{File: path, Msg: msg}
	}
	return nil
}
