package open

import (
	"context"
	"fmt"
	"io/fs"
	"math"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"fsa/data"
	"fsa/data/kind"
	"fsa/internal/format/s3"
)

// folder is a table in the files of a folder, whose folders may give further columns: all rows below year=2024 have 2024
// in the column year.
type folder struct {
	root   string
	names  []string      // of the further columns
	kinds  []kind.Column // of these
	values map[string][]string
}

// Files sets the options to read the files that the arguments name as one table, and returns the first one. An argument
// is a file, a pattern with wildcards, or a folder. The columns that the names of folders give, as in year=2024/month=5,
// are added to the table.
func (o *Options) Files(ctx context.Context, args []string) (string, error) {
	var all []string
	for _, a := range args {
		found, err := inside(ctx, a)
		if found == nil && err == nil {
			found, err = Expand(ctx, a)
		} else if err == nil {
			err = o.addFolder(a, found)
		}
		if err != nil {
			return "", err
		}
		all = append(all, found...)
	}
	if o.folder != nil && len(args) > 1 {
		return "", usageError(fmt.Sprintf("%s: a folder with columns in its names, such as %s, must be the only table: leave the others out", o.folder.root, o.folder.names[0]))
	}
	o.More = all[1:]
	return all[0], nil
}

// inside returns the files of a folder in the order of their names, or nil if there is no such folder. Like other
// programs it leaves out files and folders whose names begin with _ or a dot.
func inside(ctx context.Context, root string) ([]string, error) {
	var found []string
	if s3.Is(root) {
		if !strings.HasSuffix(root, "/") {
			return nil, nil
		}
		all, err := s3.List(ctx, root)
		if err != nil {
			return nil, err
		}
		found = slices.DeleteFunc(all, func(name string) bool {
			return slices.ContainsFunc(strings.Split(strings.TrimPrefix(name, root), "/"), hidden)
		})
	} else {
		if info, err := os.Stat(root); err != nil || !info.IsDir() {
			return nil, nil
		}
		base := filepath.Clean(root) + string(filepath.Separator) // follows a link
		err := filepath.WalkDir(base, func(name string, e fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case name != base && hidden(e.Name()) && e.IsDir():
				return fs.SkipDir
			case !e.IsDir() && !hidden(e.Name()):
				found = append(found, name)
			}
			return ctx.Err()
		})
		if err != nil {
			return nil, err
		}
	}
	if len(found) == 0 {
		return nil, &data.Error{File: root, Msg: "there is no file in this folder"}
	}
	slices.Sort(found)
	for _, name := range found {
		if path.Ext(name) != path.Ext(found[0]) {
			return nil, &data.Error{File: root, Msg: fmt.Sprintf("this folder has files of several kinds, such as %s and %s: name those of the table, such as '%s'", filepath.Base(found[0]), filepath.Base(name), path.Join(root, "*"+path.Ext(found[0])))}
		}
	}
	return found, nil
}

func hidden(name string) bool { return strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") }

// nowhere is the value of rows without a value in the names of folders.
const nowhere = "__HIVE_DEFAULT_PARTITION__"

// addFolder adds the columns that the names of folders give.
func (o *Options) addFolder(root string, files []string) error {
	f := &folder{root: root, values: map[string][]string{}}
	if !s3.Is(root) {
		root = filepath.Clean(root)
	}
	for i, file := range files {
		var names, values []string
		parts := strings.Split(filepath.ToSlash(strings.TrimPrefix(file, root)), "/")
		for _, part := range parts[:len(parts)-1] {
			name, value, is := strings.Cut(part, "=")
			if !is || name == "" {
				continue
			}
			if plain, err := url.PathUnescape(value); err == nil {
				value = plain
			}
			if value == nowhere {
				value = ""
			}
			names, values = append(names, name), append(values, value)
		}
		if i > 0 && !slices.Equal(names, f.names) {
			return &data.Error{File: file, Msg: fmt.Sprintf("its folders give the columns %q, and those of %s give %q: all files of a table must have the same", names, files[0], f.names)}
		}
		f.names, f.values[file] = names, values
	}
	if len(f.names) == 0 {
		return nil
	}
	for c, name := range f.names {
		var cells []string
		for _, file := range files {
			if cell := f.values[file][c]; cell != "" && !slices.Contains(cells, cell) {
				cells = append(cells, cell)
			}
		}
		k := kind.Column{Kind: kind.Category, Why: "names of folders"}
		if !slices.Contains(o.Categorical, name) && len(cells) > 0 {
			var err error
			if k, err = kind.Sniff(cells, o.Hints); err != nil {
				return &data.Error{File: root, Column: name, Msg: err.Error()}
			}
		}
		f.kinds = append(f.kinds, k)
	}
	o.folder = f
	return nil
}

// inFolder is a reader of a file that adds the columns that the names of its folders give.
type inFolder struct {
	data.Reader
	own   *data.Schema // of the file
	all   *data.Schema
	cells []float64
}

// addColumns adds the columns of a folder to a file of it.
func (r *reader) addColumns(file string, o *Options) error {
	f, own := o.folder, r.Schema()
	if own.Sparse || own.Names == nil {
		return &data.Error{File: file, Msg: "its folders give columns, which a sparse table or one without names cannot have: name the files, such as 'FOLDER/*/*'"}
	}
	to := &inFolder{Reader: r.Reader, own: own, all: &data.Schema{Categories: map[int][]string{}, Kinds: map[int]kind.Column{}}}
	to.all.Names = slices.Clone(own.Names)
	for c, name := range f.names {
		if slices.Contains(own.Names, name) {
			return &data.Error{File: file, Column: name, Msg: "the file has a column of this name, and so have its folders: rename one"}
		}
		j, k := len(to.all.Names), f.kinds[c]
		if given, ok := o.Kinds[name]; ok {
			k = given
		}
		cell, text := math.NaN(), f.values[file][c]
		switch v, reads := 0.0, false; {
		case k.Text():
			if to.all.Categories[j] = nil; text != "" {
				to.all.Categories[j], cell = []string{k.Spelling()(text)}, 0
			}
		case text != "":
			if v, reads = k.Parser()(text); !reads {
				return &data.Error{File: file, Column: name, Msg: fmt.Sprintf("%q in the name of the folder is no %s: declare the column as categorical, or drop it", text, k.Kind)}
			}
			cell = v
		}
		if k.Kind != kind.Number {
			to.all.Kinds[j] = k
		}
		to.all.Names, to.cells = append(to.all.Names, name), append(to.cells, cell)
	}
	to.all.Width = len(to.all.Names)
	to.refresh()
	if _, sized := r.Reader.(data.Sized); sized {
		r.Reader = sizedInFolder{to}
	} else {
		r.Reader = to
	}
	return nil
}

// Schema implements [data.Reader].
func (f *inFolder) Schema() *data.Schema { return f.all }

// refresh takes the texts and the kinds that the file has shown so far.
func (f *inFolder) refresh() {
	for j := range f.own.Width {
		if texts, ok := f.own.Categories[j]; ok {
			f.all.Categories[j] = texts
		}
		if k, ok := f.own.Kinds[j]; ok {
			f.all.Kinds[j] = k
		}
	}
}

// Next implements [data.Reader].
func (f *inFolder) Next(ctx context.Context) (*data.Block, error) {
	b, err := f.Reader.Next(ctx)
	f.refresh()
	if err != nil {
		return nil, err
	}
	cells, n := make([]float64, 0, b.Rows*f.all.Width), f.own.Width
	for i := range b.Rows {
		cells = append(append(cells, b.Dense[i*n:(i+1)*n]...), f.cells...)
	}
	if b.Reuse != nil {
		b.Reuse()
	}
	b.Dense, b.Reuse = cells, nil
	return b, nil
}

// Skip skips rows without reading them, as far as the file allows it.
func (f *inFolder) Skip(rows int) int {
	if s, ok := f.Reader.(skipper); ok {
		return s.Skip(rows)
	}
	return 0
}

// sizedInFolder is an inFolder that knows its size.
type sizedInFolder struct{ *inFolder }

// Size implements [data.Sized].
func (f sizedInFolder) Size() (rows, cells int64) {
	rows, _ = f.Reader.(data.Sized).Size()
	return rows, rows * int64(f.all.Width)
}
